"""`tofutypes plugin …`: plugins on stdio, checked and used under OpenTofu and Terraform."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tofutypes_codegen.console import print_lines
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.exit_codes import OK

FAILED: Final = 1

_CHECK_TEXT: Final = """\
Drive a plugin through everything that it declares, and print a report.

examples:
  tofutypes plugin check -- python policy.py
  tofutypes plugin check --config policy.json -- node dist/policy.js

exit codes:
  0    no check failed
  1    a check failed"""


_BACKEND_TEXT: Final = """\
Serve the backend "http" of OpenTofu and Terraform, and keep the states in a storage plugin.
The address is printed when the server listens. Every path is a state of its own:

  terraform {
    backend "http" {
      address        = "http://127.0.0.1:8080/live/network"
      lock_address   = "http://127.0.0.1:8080/live/network"
      unlock_address = "http://127.0.0.1:8080/live/network"
    }
  }

examples:
  tofutypes plugin backend --port 8080 -- python sqlite_storage.py
  tofutypes plugin backend --port 8080 --credentials users.txt -- node storage.js"""


_RUN_TEXT: Final = """\
Run a command of OpenTofu or Terraform, and call the hooks of plugins around it: before and after
each resource is planned, applied or refreshed, and before and after the whole command. The
configuration needs no change. A hook that fails stops its resource with an error.

Plugins do not see what provider schemas call sensitive, unless told with --send-sensitive.

examples:
  tofutypes plugin run --plugin "python policy.py" -- tofu apply
  tofutypes plugin run --plugin ./cost --config cost.json --plugin "node audit.js" \\
    -- terraform plan -out=plan

exit codes:
  that of the command; 1 if a hook of the whole command failed and the command did not"""


_PROVIDER_TEXT: Final = """\
Serve the functions, resources and data sources of a plugin as a provider, in the protocol that
OpenTofu and Terraform speak.

OpenTofu and Terraform start an executable. --write-launcher writes it, for `dev_overrides` or a
mirror. Started by hand, the command prints the variable by which they find a running provider.

examples:
  tofutypes plugin provider --address registry.opentofu.org/acme/cloud \\
    --write-launcher bin -- python /plugins/cloud.py
  tofutypes plugin provider --address registry.opentofu.org/acme/cloud -- python cloud.py"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands of the command."""
    parser.description = (
        "Plugins on stdio (OpenTofu's proposed plugin protocol, experimental): check them, and use "
        "them under the OpenTofu and Terraform of today."
    )
    commands = parser.add_subparsers(metavar="COMMAND", dest="plugin_command", required=True)
    check = commands.add_parser("check", help="check a plugin", description=_CHECK_TEXT)
    _add_plugin(check)
    check.set_defaults(run_plugin=_check)
    backend = commands.add_parser(
        "backend", help="keep state in a storage plugin", description=_BACKEND_TEXT
    )
    _add_plugin(backend)
    _add_backend(backend)
    backend.set_defaults(run_plugin=_backend)
    provider = commands.add_parser(
        "provider", help="serve a plugin as a provider", description=_PROVIDER_TEXT
    )
    _add_plugin(provider)
    _add_provider(provider)
    provider.set_defaults(run_plugin=_provider)
    wrapper = commands.add_parser(
        "run", help="run OpenTofu or Terraform with plugins around it", description=_RUN_TEXT
    )
    _add_run(wrapper)
    wrapper.set_defaults(run_plugin=_run_command)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    code: int = arguments.run_plugin(arguments)
    return code


def _add_plugin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="the plugin's configuration, as JSON")
    parser.add_argument(
        "plugin", metavar="-- CMD", nargs="+", help="the plugin: its program and its arguments"
    )


def _add_backend(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="where to listen (default: any)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1, this machine)"
    )
    parser.add_argument(
        "--credentials",
        metavar="FILE",
        help="users who may use the states: a line USER:PASSWORD for each",
    )
    parser.add_argument("--tls-certificate", metavar="FILE", help="serve HTTPS, with this chain")
    parser.add_argument("--tls-key", metavar="FILE", help="the key of the certificate")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds for a call of the plugin (default: 60)"
    )


def _add_provider(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--address",
        required=True,
        help="the address of the provider: registry.opentofu.org/acme/cloud",
    )
    parser.add_argument(
        "--write-launcher",
        metavar="FOLDER",
        help="write the executable terraform-provider-NAME, which starts this, and exit",
    )


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plugin",
        metavar="CMD",
        action=_AddPlugin,
        required=True,
        help="a plugin: its program and arguments in one string (may be repeated)",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        action=_ConfigurePlugin,
        help="the configuration of the plugin before it, as JSON; before the first --plugin: of "
        "all plugins without one of their own",
    )
    parser.add_argument(
        "--send-sensitive", action="store_true", help="let plugins see sensitive values"
    )
    parser.add_argument(
        "--metadata",
        metavar="FILE",
        help="where to write what plugins leave (default: PLAN.metadata.json beside the plan of "
        "-out, else plugin-metadata.json)",
    )
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds for a hook (default: 60)"
    )
    parser.add_argument(
        "command_line", metavar="-- tofu", nargs="+", help="a command of OpenTofu or Terraform"
    )


@dataclass
class _PluginOption:
    """A plugin as the command line has it.

    Attributes:
        command: its program and arguments.
        config: the file with its configuration.
    """

    command: str
    config: str | None = None


class _AddPlugin(argparse.Action):
    """`--plugin CMD`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        plugins: list[_PluginOption] = [*(namespace.plugin or ()), _PluginOption(str(values))]
        namespace.plugin = plugins


class _ConfigurePlugin(argparse.Action):
    """`--config FILE`, for the plugin before it, or for all."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        plugins: list[_PluginOption] = namespace.plugin or []
        if not plugins:
            namespace.config = values
        elif plugins[-1].config is not None:
            parser.error(f"argument --config: {plugins[-1].command!a} has a configuration already")
        else:
            plugins[-1].config = str(values)


def _command(arguments: argparse.Namespace) -> Sequence[str]:
    """The command of the plugin; one string with spaces is split as a shell would."""
    from tofutypes.seasonings.host.launching import split_command

    words: list[str] = arguments.plugin
    return split_command(words[0]) if len(words) == 1 else words


def _config(arguments: argparse.Namespace) -> Mapping[str, object] | None:
    """The configuration in a file."""
    return None if arguments.config is None else _read_config(arguments.config)


def _read_config(file: str) -> Mapping[str, object]:
    import json
    from decimal import Decimal
    from pathlib import Path

    from tofutypes.narrowing import is_dict

    try:
        config: object = json.loads(Path(file).read_bytes(), parse_float=Decimal)
    except ValueError as error:
        raise GeneratorError(f"{file}: not JSON: {error}") from None
    if not is_dict(config):
        raise GeneratorError(f"{file}: expected a JSON object")
    return {str(name): value for name, value in config.items()}


def _credentials(arguments: argparse.Namespace) -> Mapping[str, str] | None:
    """The passwords by user in a file."""
    from pathlib import Path

    if arguments.credentials is None:
        return None
    credentials: dict[str, str] = {}
    for number, line in enumerate(Path(arguments.credentials).read_text().splitlines(), 1):
        if not line.strip():
            continue
        user, colon, password = line.partition(":")
        if not colon or not password:
            raise GeneratorError(f"{arguments.credentials}:{number}: expected USER:PASSWORD")
        credentials[user] = password
    if not credentials:
        raise GeneratorError(f"{arguments.credentials}: expected a line USER:PASSWORD")
    return credentials


def _backend(arguments: argparse.Namespace) -> int:
    import asyncio
    import logging
    import sys

    _need("aiohttp")
    from tofutypes.seasonings.bridges.backend import BackendOptions, serve_backend

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s: %(message)s")
    options = BackendOptions(
        arguments.host,
        arguments.port,
        _credentials(arguments),
        arguments.tls_certificate,
        arguments.tls_key,
        arguments.timeout,
    )
    asyncio.run(
        serve_backend(
            _command(arguments), _config(arguments), options, lambda url: print_lines([url])
        )
    )
    return OK


def _provider(arguments: argparse.Namespace) -> int:
    _need("grpc")
    from tofutypes.seasonings.bridges.launcher import serve_plugin, write_launcher

    command, address = _command(arguments), arguments.address
    if arguments.write_launcher is None:
        serve_plugin(command, address, _config(arguments))
    print_lines([str(write_launcher(arguments.write_launcher, address, command, arguments.config))])
    return OK


def _run_command(arguments: argparse.Namespace) -> int:
    import asyncio
    import sys

    _need("hpack")
    from tofutypes.seasonings.bridges.relay.command import PluginCommand, Run, RunOptions

    common = None if arguments.config is None else _read_config(arguments.config)
    plugins = [
        PluginCommand(
            plugin.command, common if plugin.config is None else _read_config(plugin.config)
        )
        for plugin in arguments.plugin
    ]
    options = RunOptions(plugins, arguments.send_sensitive, arguments.metadata, arguments.timeout)

    def tell(line: str) -> None:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    return asyncio.run(Run(arguments.command_line, options, tell).run())


def _need(module: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise GeneratorError(f"{module} is missing: pip install 'tofutypes[seasonings]'")


def _check(arguments: argparse.Namespace) -> int:
    import asyncio

    from tofutypes.seasonings.check.checker import check_plugin

    report = asyncio.run(check_plugin(_command(arguments), _config(arguments)))
    print_lines(report.lines())
    return FAILED if report.failed else OK

"""OpenTofu or Terraform in a folder with a configuration."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from tofutypes.documents import OutputValue, Plan, State, read_plan, read_state
from tofutypes.documents.outputs import read_outputs
from tofutypes.documents.typed import ModelSource
from tofutypes.documents.writing import dump
from tofutypes.dynamic import Dynamic
from tofutypes.errors import DocumentError
from tofutypes.models import Model
from tofutypes.narrowing import is_dict, is_mapping, is_sequence
from tofutypes.numbers import parse_number
from tofutypes.runner.diagnostics import (
    Diagnostic,
    RunError,
    diagnostics_in_text,
    read_diagnostics,
)
from tofutypes.runner.events import Event, read_event
from tofutypes.runner.process import Finished, find_program, run_process
from tofutypes.schema import ProviderSchemas, read_schemas
from tofutypes.sets import is_tofu_set

Variables = Mapping[str, object]
"""Values of input variables by name: plain values, or models."""


class Tofu:
    """OpenTofu or Terraform in a folder with a configuration.

        tofu = Tofu("infra", models=infra_models)
        tofu.init()
        plan = tofu.plan(variables={"region": "eu-north-1"})
        for change in plan.changes_of(NimbusServer):
            ...

    Each method runs one command and waits for its end; from asyncio, call it with
    `asyncio.to_thread`. Ctrl-C is handed on: the command finishes what it is doing, a second Ctrl-C
    ends it. Values of variables reach the command in a file that only this user can read and that
    is removed afterwards; they are on no command line and in no error.

    Args:
        directory: the folder of the root module.
        program: the path or the name of the executable; by default `tofu`, or else `terraform`.
        models: for plans and state, as in `read_plan`.
        environment: additions to the environment of the commands.
        timeout: seconds after which a command is ended; None for no limit.

    Raises:
        RunError: If neither program is installed.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        program: str | os.PathLike[str] | None = None,
        models: ModelSource = None,
        environment: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> None:
        self.directory: Final = Path(directory)
        path = find_program() if program is None else shutil.which(program)
        if path is None:
            names = "tofu or terraform" if program is None else os.fspath(program)
            raise RunError(names, (), f"{names} is not on the PATH")
        self.program: Final = str(Path(path).absolute())
        self._models = models
        self._timeout = timeout
        # Without questions, and without hints to commands that nobody is there to type.
        self._environment = {
            **os.environ,
            "TF_IN_AUTOMATION": "1",
            "TF_INPUT": "0",
            **(environment or {}),
        }

    def init(self, *, upgrade: bool = False) -> None:
        """Install the providers and modules of the configuration.

        Raises:
            RunError: If it fails.
        """
        self._run("init", "-input=false", "-no-color", *(["-upgrade"] if upgrade else []))

    def validate(self) -> tuple[Diagnostic, ...]:
        """Check the configuration.

        Returns:
            The warnings.

        Raises:
            RunError: If there are errors.
        """
        finished = self._start(["validate", "-json"])
        document = self._json("validate", finished)
        diagnostics = read_diagnostics(document.get("diagnostics"))
        if any(diagnostic.is_error for diagnostic in diagnostics):
            raise RunError(self._command("validate"), diagnostics)
        return tuple(diagnostics)

    def plan(
        self,
        variables: Variables | None = None,
        *,
        out: str | os.PathLike[str] | None = None,
        targets: Sequence[str] = (),
        replace: Sequence[str] = (),
        destroy: bool = False,
        refresh_only: bool = False,
        on_event: Callable[[Event], None] | None = None,
    ) -> Plan:
        """Plan changes.

        Args:
            variables: values of input variables.
            out: where to save the plan, for `apply`.
            targets: addresses; only these and what they depend on are planned.
            replace: addresses of what is to be replaced.
            destroy: plan to destroy everything.
            refresh_only: plan no changes, only look for what changed outside.
            on_event: takes what happens while it runs.

        Raises:
            RunError: If it fails; with the diagnostics.
        """
        options = [f"-target={address}" for address in targets]
        options += [f"-replace={address}" for address in replace]
        options += ["-destroy"] if destroy else []
        options += ["-refresh-only"] if refresh_only else []
        with self._variables(variables) as (folder, files):
            saved = folder / "plan" if out is None else Path(out).absolute()
            self._stream("plan", [*options, *files, f"-out={saved}"], on_event)
            return read_plan(_document(self._run("show", "-json", str(saved))), self._models)

    def apply(
        self,
        plan: str | os.PathLike[str] | None = None,
        variables: Variables | None = None,
        *,
        on_event: Callable[[Event], None] | None = None,
    ) -> State:
        """Make the changes of a saved plan, or else plan and make them without asking.

        Args:
            plan: the saved plan; it has its variables already.
            variables: values of input variables, without a saved plan.
            on_event: takes what happens while it runs.

        Returns:
            The state afterwards.

        Raises:
            RunError: If it fails; with the diagnostics.
        """
        with self._variables(variables) as (_, files):
            saved = [] if plan is None else [str(Path(plan).absolute())]
            self._stream("apply", ["-auto-approve", *files, *saved], on_event)
        return self.show()

    def destroy(
        self,
        variables: Variables | None = None,
        *,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        """Destroy everything without asking.

        Raises:
            RunError: If it fails; with the diagnostics.
        """
        with self._variables(variables) as (_, files):
            self._stream("destroy", ["-auto-approve", *files], on_event)

    def show(self) -> State:
        """Read the state.

        Raises:
            RunError: If it fails.
        """
        return read_state(_document(self._run("show", "-json")), self._models)

    def output(self) -> Mapping[str, OutputValue]:
        """Read the outputs of the root module from the state.

        Raises:
            RunError: If it fails.
        """
        finished = self._run("output", "-json")
        return read_outputs(self._json("output", finished), "outputs")

    def providers_schema(self) -> ProviderSchemas:
        """Read the schemas of the providers of the configuration.

        Raises:
            RunError: If it fails.
        """
        return read_schemas(_document(self._run("providers", "schema", "-json")))

    def _command(self, name: str) -> str:
        return f"{Path(self.program).stem} {name}"

    def _start(
        self, arguments: Sequence[str], on_line: Callable[[bytes], None] | None = None
    ) -> Finished:
        name = self._command(arguments[0])
        try:
            return run_process(
                [self.program, *arguments],
                self.directory,
                timeout=self._timeout,
                environment=self._environment,
                on_line=on_line,
            )
        except subprocess.TimeoutExpired:
            reason = f"it did not end within {self._timeout:g} seconds"
            raise RunError(name, (), reason) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise RunError(name, (), f"{place}{error.strerror or error}") from None

    def _run(self, *arguments: str) -> Finished:
        """Run a command that prints its errors to people."""
        finished = self._start(arguments)
        if finished.code != 0:
            diagnostics = diagnostics_in_text(finished.errors) or diagnostics_in_text(
                finished.output
            )
            raise RunError(self._command(arguments[0]), diagnostics, f"exit code {finished.code}")
        return finished

    def _stream(
        self, name: str, options: Sequence[str], on_event: Callable[[Event], None] | None
    ) -> None:
        """Run a command that prints events."""
        diagnostics: list[Diagnostic] = []

        def take(line: bytes) -> None:
            event = read_event(line)
            if event is None:
                return
            if event.diagnostic is not None:
                diagnostics.append(event.diagnostic)
            if on_event is not None:
                on_event(event)

        finished = self._start([name, "-json", "-input=false", *options], take)
        if finished.code != 0:
            diagnostics += diagnostics_in_text(finished.errors)
            raise RunError(self._command(name), diagnostics, f"exit code {finished.code}")

    def _json(self, name: str, finished: Finished) -> Mapping[str, Any]:
        try:
            document: object = json.loads(_document(finished), parse_float=parse_number)
        except ValueError:
            document = None
        if not is_dict(document):
            diagnostics = diagnostics_in_text(finished.errors)
            raise RunError(self._command(name), diagnostics, "it did not print JSON")
        return cast("Mapping[str, Any]", document)

    @contextmanager
    def _variables(
        self, variables: Variables | None
    ) -> Generator[tuple[Path, list[str]], None, None]:
        """A folder that only this user can read, and the options for the variables."""
        with tempfile.TemporaryDirectory(prefix="tofutypes-") as name:
            folder = Path(name)
            if not variables:
                yield folder, []
                return
            file = folder / "variables.tfvars.json"
            file.write_text(dump({n: _plain(value) for n, value in variables.items()}))
            yield folder, [f"-var-file={file}"]


def _document(finished: Finished) -> bytes:
    """The JSON that a command printed; warnings about its own settings come before it."""
    _, start, rest = b"\n".join([b"", finished.output]).partition(b"\n{")
    return b"{" + rest if start else finished.output


def _plain(value: object) -> object:
    """The JSON of a variable's value."""
    if isinstance(value, Model):
        return json.loads(value.to_json(), parse_float=parse_number)
    if isinstance(value, Dynamic):
        return _plain(value.value)
    if is_mapping(value):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if is_sequence(value) or is_tofu_set(value):
        return [_plain(element) for element in value]
    if value is None or isinstance(value, str | bool | int | float) or hasattr(value, "as_tuple"):
        return value
    raise DocumentError(f"variables: expected plain values or models, got {type(value).__name__}")

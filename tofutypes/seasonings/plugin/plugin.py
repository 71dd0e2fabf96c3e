"""A plugin: what it offers, and how it starts."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tofutypes.seasonings.plugin.definition import C, PluginDefinition


class Plugin(PluginDefinition[C]):
    """A plugin in Python.

        plugin = Plugin("cost", version="1.0.0")

        @plugin.function
        def monthly(hourly: Number) -> Number:
            "What an hourly price is in a month."
            return hourly * 730

        plugin.run()

    See [`PluginDefinition`][tofutypes.seasonings.plugin.definition.PluginDefinition] for the
    arguments and the decorators.
    """

    def run(self, arguments: Sequence[str] | None = None) -> None:
        """Serve on standard input and output until the host ends the plugin; then exit.

        `print` is harmless: standard output is moved to standard error first.

        Args:
            arguments: those of the command line; by default those of the process. `--debug` logs
                more to standard error.
        """
        from tofutypes.seasonings.plugin.running import run

        sys.exit(run(self, sys.argv[1:] if arguments is None else arguments))

"""The error of the command line."""

from tofutypes.errors import TofuTypesError


class GeneratorError(TofuTypesError):
    """A command cannot do what was asked. The message is one line and says what to do."""

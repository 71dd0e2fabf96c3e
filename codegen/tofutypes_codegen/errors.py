"""What the generator refuses."""

from tofutypes.errors import TofuTypesError


class GeneratorError(TofuTypesError):
    """The generator cannot do what was asked: one line, with what to do about it."""

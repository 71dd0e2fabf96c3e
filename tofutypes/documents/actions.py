"""What is done to a resource or an output."""

from __future__ import annotations

from tofutypes.narrowing import is_list


class Actions(tuple[str, ...]):
    """The actions of a change, in order: `("delete", "create")`. Equal to a list of the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return super().__eq__(tuple(other) if is_list(other) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__()


class WithActions:
    """What the actions of a change say."""

    @property
    def actions(self) -> Actions:
        """The actions, in order, as the document has them: `("delete", "create")`."""
        raise NotImplementedError

    @property
    def is_no_op(self) -> bool:
        """Whether nothing is done. (It may be moved or imported all the same.)"""
        return self.actions == ("no-op",)

    @property
    def is_create(self) -> bool:
        """Whether it is created without replacing anything."""
        return self.actions == ("create",)

    @property
    def is_read(self) -> bool:
        """Whether a data source is read during apply."""
        return self.actions == ("read",)

    @property
    def is_update(self) -> bool:
        """Whether it is changed in place."""
        return self.actions == ("update",)

    @property
    def is_delete(self) -> bool:
        """Whether it is destroyed without being replaced."""
        return self.actions == ("delete",)

    @property
    def is_replace(self) -> bool:
        """Whether it is destroyed and created anew, in either order."""
        return {"delete", "create"} <= set(self.actions)

    @property
    def is_forget(self) -> bool:
        """Whether it leaves the state without being destroyed."""
        return "forget" in self.actions

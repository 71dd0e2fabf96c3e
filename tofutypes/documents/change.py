"""A value before and after: what changes of resources and of outputs have in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from tofutypes.documents.actions import Actions, WithActions
from tofutypes.documents.marks import guessed_marks, looks_secret
from tofutypes.documents.paths import PathLike, is_marked, marks_at, to_path
from tofutypes.documents.records import (
    Member,
    Record,
    bounded,
    read_flag,
    read_plain,
    read_text,
    read_texts,
    record,
)
from tofutypes.documents.values import copied, joined
from tofutypes.errors import DocumentError, InvalidValueError, Path
from tofutypes.models.secrets import has_marks


class Importing(Record):
    """The import that is part of a change."""

    id = Member(read_text)
    identity = Member(read_plain)
    unknown = Member(read_flag)


class Change(Record, WithActions):
    """A value before and after.

    Attributes:
        importing: the import that is part of it; None if there is none.
        generated_config: the configuration that was generated for an import.
        before_identity: the identity before; None without one.
        after_identity: the identity after; None without one.
    """

    member_names = frozenset(
        {"actions", "before", "after", "after_unknown", "before_sensitive", "after_sensitive"}
        | {"replace_paths"}
    )
    importing = record(Importing)
    generated_config = Member(read_text)
    before_identity = Member(read_plain)
    after_identity = Member(read_plain)

    @property
    def actions(self) -> Actions:
        return Actions(read_texts(self.members.get("actions"), self.place_of("actions")))

    def __init__(self, json: object, place: str, copy: Callable[[object], object] = copied) -> None:
        super().__init__(json, place)
        self._copy = copy

    def plain_before(self) -> object:
        """The plain value before, anew."""
        with bounded(self.place_of("before")):
            return self._copy(self.members.get("before"))

    def plain_after(self) -> object:
        """The plain value after, with what is unknown, anew.

        Raises:
            DocumentError: If `after` and `after_unknown` have different shapes.
        """
        with bounded(self.place_of("after")):
            try:
                return joined(
                    self.members.get("after"), self.members.get("after_unknown"), self._copy
                )
            except InvalidValueError as error:
                raise DocumentError(f"{self.place_of('after')}: {error}") from None

    @property
    def before_marks(self) -> object:
        """Which parts of the value before are sensitive."""
        if not self.is_marked:
            return guessed_marks(self.members.get("before"))
        return self.members.get("before_sensitive")

    @property
    def after_marks(self) -> object:
        """Which parts of the value after are sensitive."""
        if not self.is_marked:
            return guessed_marks(self.members.get("after"))
        return self.members.get("after_sensitive")

    @property
    def is_marked(self) -> bool:
        """Whether the document says what is sensitive.

        Documents of Terraform before 0.15 do not: attributes with names such as `password` or
        `private_key` count as sensitive then.
        """
        return "before_sensitive" in self.members or "after_sensitive" in self.members

    def is_unknown(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is decided at apply only.

        A value of which only parts are unknown is known.
        """
        return is_marked(self.members.get("after_unknown"), to_path(path))

    def is_sensitive(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is sensitive, before or after.

        A value of which only parts are sensitive is not; see `holds_sensitive`.
        """
        where = to_path(path)
        if not self.is_marked:
            return any(looks_secret(step[0]) for step in where.steps)
        return is_marked(self.before_marks, where) or is_marked(self.after_marks, where)

    def holds_sensitive(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is sensitive or has a part that is."""
        where = to_path(path)
        if not self.is_marked:
            return self.is_sensitive(where)
        with bounded(self.place):
            return any(
                has_marks(marks_at(marks, where)) for marks in (self.before_marks, self.after_marks)
            )


class OutputChange(Change):
    """What a plan does to an output of the root module."""

    @cached_property
    def before(self) -> object:
        """The plain value before; None if there is none."""
        return self.plain_before()

    @cached_property
    def after(self) -> object:
        """The plain value after; None if there is none, an `Unknown` if it is not known yet."""
        return self.plain_after()

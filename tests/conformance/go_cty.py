"""go-cty as a judge of random payloads, and what differs from it."""

from __future__ import annotations

import json
import re
import resource
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.conformance.cases import Case, in_any_order, tree
from tests.conformance.random_cases import Question, random_question, random_type_text
from tests.conformance.routes import ROUTES, ByType, fault_of
from tofutypes import parse_type
from tofutypes.errors import TofuTypesError

LENIENT: Final = re.compile(
    "unsupported extension type"  # the document: every extension is an unknown value
    "|failed to decode msgpack extension body"  # of refinements that are void, or of a null
    r"|an object with \d+ attributes is required"  # one of which came twice
    '|unsupported attribute "é"'  # written as two characters
)
"""What go-cty says of odd payloads that it refuses, and we may accept."""


@dataclass(frozen=True)
class Judged:
    """A payload, and what go-cty says of it.

    Attributes:
        name: where it comes from.
        question: the payload.
        answer: what go-cty says.
    """

    name: str
    question: Question
    answer: dict[str, Any]

    def __str__(self) -> str:
        type_, data = self.question.type.to_json(), self.question.data
        return f"{self.name}: {type_} {data!r} {json.dumps(self.answer, ensure_ascii=False)}"

    @property
    def case(self) -> Case:
        """The case that a payload that is not odd makes."""
        answer = self.answer
        accepted = "value" in answer
        return Case(
            self.name,
            self.question.format,
            self.question.type,
            self.question.data,
            "accept" if accepted else "refuse",
            answer.get("value"),
            bytes.fromhex(answer["msgpack"]) if accepted else None,
            answer.get("json"),
        )


def judged_payloads(program: Path, seed: int, count: int) -> Iterator[Judged]:
    """Make payloads, and have go-cty judge them.

    Args:
        program: the program of `tests/counterparts/cty`.
        seed: the seed of chance.
        count: how many payloads.
    """
    random = Random(seed)
    questions = [random_question(random) for _ in range(count)]
    answers = ask(program, [*map(_line, questions)])
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        yield Judged(f"{seed}:{number}", question, answer)


def type_differences(program: Path, seed: int, count: int) -> Iterator[str]:
    """Make type constraints, have go-cty judge them, and tell what differs."""
    random = Random(seed)
    texts = [random_type_text(random) for _ in range(count)]
    asked = [json.dumps({"format": "type", "data": text.encode().hex()}) for text in texts]
    for text, answer in zip(texts, ask(program, asked), strict=True):
        try:
            read = parse_type(text).to_json()
        except TofuTypesError:
            read = None
        trailing = read is None and "type" in answer and not _is_json(text)
        if read != answer.get("type") and "panic" not in answer and not trailing:
            yield f"type {text!r}: {read} instead of {answer}"


def _is_json(text: str) -> bool:
    """Whether it is JSON as a whole: go-cty ignores brackets behind a type constraint."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def ask(program: Path, questions: Sequence[str]) -> list[dict[str, Any]]:
    """What go-cty says of each payload: why it is refused, or what it is and how it is written.

    A length that is too large ends the process; the next one goes on with the next payload.
    """
    answers: list[dict[str, Any]] = []
    while len(answers) < len(questions):
        ran = subprocess.run(
            [program],
            input="\n".join(questions[len(answers) :]),
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_limit_memory,
        )
        answers += map(json.loads, ran.stdout.splitlines())
        if ran.returncode != 0:
            answers.append({"panic": ran.stderr.partition("\n")[0]})
    return answers


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))


def _line(question: Question) -> str:
    described = {
        "format": question.format,
        "type": question.type.to_object(),
        "data": question.data.hex(),
    }
    return json.dumps(described)


def differences(judged: Judged) -> list[str]:
    """What differs between go-cty and us: one line each, by the way that the payload went."""
    if "panic" in judged.answer:
        return []
    if judged.question.odd:
        return [difference] if (difference := _odd_difference(judged)) else []
    case = judged.case
    faults = ((route, fault_of(route, case)) for route in ROUTES if route.reads(case))
    return [
        f"{type(route).__name__}: {fault}"
        for route, fault in faults
        if fault and not (fault.startswith("written as") and _same_in_another_order(case))
    ]


def _odd_difference(judged: Judged) -> str | None:
    """What differs for a payload that we may refuse; if both take it, the value is the same."""
    case, answer = judged.case, judged.answer
    try:
        value = ByType().decode(case)
    except TofuTypesError:
        return None
    if "error" in answer:
        return None if LENIENT.search(answer["error"]) else "accepted"
    # Of a number for a string in JSON, go-cty keeps the digits. Of refinements, it loses what
    # follows an unknown key.
    if case.format == "json" or "unknown" in json.dumps(case.value):
        return None
    written = ByType().encode_msgpack(value, case.type)
    if written == case.msgpack or _same_in_another_order(case):
        return None
    return f"written as {written.hex(' ')}"


def _same_in_another_order(case: Case) -> bool:
    """Whether only the order of sets differs, where it is free.

    It is free for unknown elements, for `-0` beside `0`, and for dynamic elements: go-cty sorts
    those of one primitive type by their values, we sort them by their texts.
    """
    described = json.dumps(case.value)
    if not any(word in described for word in ('"unknown"', '"-0"', '"dynamic"')):
        return False
    assert case.msgpack is not None
    ours = ByType().encode_msgpack(ByType().decode(case), case.type)
    same: bool = _in_any_order(ours, case) == _in_any_order(case.msgpack, case)
    return same


def _in_any_order(data: bytes, case: Case) -> Any:
    again = Case(case.name, "msgpack", case.type, data, "accept")
    return in_any_order(tree(ByType().decode(again), case.type))

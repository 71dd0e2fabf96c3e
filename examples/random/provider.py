#!/usr/bin/env python3
"""HashiCorp's `random` and a part of `local`. A seed gives other results than Go's generator."""

from __future__ import annotations

import base64
import random
import secrets
import string
import uuid
from collections.abc import Mapping
from hashlib import sha1
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from tofutypes import (
    Attr,
    DataSource,
    EphemeralResource,
    Resource,
    ResourceIdentity,
    function,
    known,
    present,
)
from tofutypes.provider import (
    ApplyContext,
    Context,
    DataSourceHandler,
    EphemeralContext,
    EphemeralResourceHandler,
    Provider,
    ProviderError,
    ResourceHandler,
    ValidateContext,
    exactly_one_of,
    serve,
)

AtLeastOne = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Mode = Annotated[str, Field(pattern="^0?[0-7]{3}$")]


def set_values(keepers: Mapping[str, str | None] | None) -> dict[str, str]:
    """The keepers that are not null."""
    return {key: value for key, value in (keepers or {}).items() if value is not None}


class Random(Resource):
    """What all resources of this provider have."""

    keepers: Attr[dict[str, str | None] | None] = Attr(
        optional=True,
        default=None,
        requires_replace=lambda prior, planned: set_values(prior) != set_values(planned),
    )
    """Arbitrary values that, when changed, make a new result."""

    id: Attr[str | None] = Attr(computed=True, default=None, keep=True)


R = TypeVar("R", bound=Resource)


class RandomHandler(ResourceHandler[R]):
    """The result is decided once and lives in the state alone."""

    def delete(self, state: R, context: Context) -> None:
        pass


class RandomId(Random, type_name="random_id"):
    """A random number in several encodings."""

    byte_length: Attr[AtLeastOne] = Attr(required=True)
    prefix: Attr[str | None] = Attr(optional=True, default=None)
    b64_url: Attr[str | None] = Attr(computed=True, default=None, keep=True)
    b64_std: Attr[str | None] = Attr(computed=True, default=None, keep=True)
    hex: Attr[str | None] = Attr(computed=True, default=None, keep=True)
    dec: Attr[str | None] = Attr(computed=True, default=None, keep=True)


class Ids(RandomHandler[RandomId]):
    """Makes the bytes."""

    def create(self, planned: RandomId, context: ApplyContext[RandomId]) -> RandomId:
        return self.encoded(planned, secrets.token_bytes(known(planned.byte_length)))

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> RandomId:
        prefix, _, text = str(wanted).rpartition(",")
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return self.encoded(RandomId(byte_length=len(data), prefix=prefix or None), data)

    def encoded(self, state: RandomId, data: bytes) -> RandomId:
        prefix = known(state.prefix) or ""
        state.id = base64.urlsafe_b64encode(data).decode().rstrip("=")
        state.b64_url = prefix + state.id
        state.b64_std = prefix + base64.b64encode(data).decode()
        state.hex = prefix + data.hex()
        state.dec = prefix + str(int.from_bytes(data, "big"))
        return state


class RandomInteger(Random, type_name="random_integer"):
    """A number between two others."""

    min: Attr[int] = Attr(required=True)
    max: Attr[int] = Attr(required=True)
    seed: Attr[str | None] = Attr(optional=True, default=None)
    result: Attr[int | None] = Attr(computed=True, default=None, keep=True)


class Integers(RandomHandler[RandomInteger]):
    """Draws the number."""

    def create(self, planned: RandomInteger, context: ApplyContext[RandomInteger]) -> RandomInteger:
        least, most = known(planned.min), known(planned.max)
        if most < least:
            raise ProviderError("The minimum is greater than the maximum", path="min")
        planned.result = random.Random(known(planned.seed)).randint(least, most)
        planned.id = str(planned.result)
        return planned

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> RandomInteger:
        match str(wanted).split(","):
            case [id_, least, most, *seed]:
                result = RandomInteger(id=id_, result=int(id_), min=int(least), max=int(most))
                result.seed = ",".join(seed) or None
                return result
        raise ProviderError("Expected an id as `result,min,max` or `result,min,max,seed`")


class Text(Random):
    """What passwords and strings have in common."""

    length: Attr[AtLeastOne] = Attr(required=True)
    special: Attr[bool | None] = Attr(optional=True, computed=True, default=True)
    upper: Attr[bool | None] = Attr(optional=True, computed=True, default=True)
    lower: Attr[bool | None] = Attr(optional=True, computed=True, default=True)
    number: Attr[bool | None] = Attr(
        optional=True, computed=True, default_factory=lambda text: known(text.numeric) is not False
    )
    numeric: Attr[bool | None] = Attr(
        optional=True, computed=True, default_factory=lambda text: known(text.number) is not False
    )
    min_special: Attr[NotNegative | None] = Attr(optional=True, computed=True, default=0)
    min_upper: Attr[NotNegative | None] = Attr(optional=True, computed=True, default=0)
    min_lower: Attr[NotNegative | None] = Attr(optional=True, computed=True, default=0)
    min_numeric: Attr[NotNegative | None] = Attr(optional=True, computed=True, default=0)
    override_special: Attr[str | None] = Attr(
        optional=True,
        default=None,
        requires_replace=lambda prior, planned: (prior or "") != (planned or ""),
    )


class RandomString(Text, type_name="random_string", version=2):
    """Random characters."""

    result: Attr[str | None] = Attr(computed=True, default=None, keep=True)


class RandomPassword(Text, type_name="random_password", version=3):
    """Random characters that are kept secret."""

    result: Attr[str | None] = Attr(computed=True, sensitive=True, default=None, keep=True)
    bcrypt_hash: Attr[str | None] = Attr(computed=True, sensitive=True, default=None, keep=True)


class EphemeralPassword(EphemeralResource, type_name="random_password"):
    """Random characters that are stored nowhere."""

    length: Attr[AtLeastOne] = Attr(required=True)
    result: Attr[str | None] = Attr(computed=True, sensitive=True, default=None)


def characters(text: Text) -> str:
    """Make random characters as an object asks for them."""
    special = known(text.override_special) or "!@#$%&*()-_=+[]{}<>:?"
    kinds = (
        (string.ascii_uppercase, text.upper, text.min_upper),
        (string.ascii_lowercase, text.lower, text.min_lower),
        (string.digits, text.numeric, text.min_numeric),
        (special, text.special, text.min_special),
    )
    chosen = [secrets.choice(kind) for kind, _, least in kinds for _ in range(present(least))]
    allowed = "".join(kind for kind, wanted, _ in kinds if wanted is True)
    chosen += [secrets.choice(allowed) for _ in range(known(text.length) - len(chosen))]
    random.SystemRandom().shuffle(chosen)
    return "".join(chosen)


class TextHandler(RandomHandler[R]):
    """Checks what the schema cannot say."""

    def validate(self, config: Any, context: ValidateContext) -> None:
        amounts = (config.min_special, config.min_upper, config.min_lower, config.min_numeric)
        least = sum(amount for amount in amounts if isinstance(amount, int))
        if isinstance(config.length, int) and config.length < least:
            context.error("The length is less than the sum of the minimums", path="length")


class Strings(TextHandler[RandomString]):
    """Makes the characters."""

    def create(self, planned: RandomString, context: ApplyContext[RandomString]) -> RandomString:
        planned.id = planned.result = characters(planned)
        return planned

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> RandomString:
        text = str(wanted)
        return RandomString(length=len(text), id=text, result=text, number=True, numeric=True)


class Passwords(TextHandler[RandomPassword]):
    """Makes the characters and their hash."""

    def create(
        self, planned: RandomPassword, context: ApplyContext[RandomPassword]
    ) -> RandomPassword:
        return self.hashed(planned, characters(planned))

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> RandomPassword:
        text = str(wanted)
        return self.hashed(RandomPassword(length=len(text), number=True, numeric=True), text)

    def hashed(self, state: RandomPassword, text: str) -> RandomPassword:
        import bcrypt

        state.id, state.result = "none", text
        state.bcrypt_hash = bcrypt.hashpw(text.encode()[:72], bcrypt.gensalt(10)).decode()
        return state


class EphemeralPasswords(EphemeralResourceHandler[EphemeralPassword]):
    """Makes the characters anew each time."""

    def open(self, config: EphemeralPassword, context: EphemeralContext) -> EphemeralPassword:
        password = RandomPassword(length=config.length, number=True, numeric=True)
        config.result = characters(password)
        return config


class RandomPet(Random, type_name="random_pet"):
    """A name of words."""

    length: Attr[AtLeastOne | None] = Attr(optional=True, computed=True, default=2)
    prefix: Attr[str | None] = Attr(optional=True, default=None)
    separator: Attr[str | None] = Attr(optional=True, computed=True, default="-")


HOW = ("boldly", "calmly", "fairly", "gladly", "kindly", "mildly", "neatly", "warmly")
WHAT = ("amber", "brave", "calm", "eager", "fancy", "merry", "quick", "witty")
WHO = ("badger", "cobra", "falcon", "gecko", "lizard", "otter", "panda", "tapir")


class Pets(RandomHandler[RandomPet]):
    """Chooses the words."""

    def create(self, planned: RandomPet, context: ApplyContext[RandomPet]) -> RandomPet:
        length = present(planned.length)
        kinds = [*(HOW,) * max(length - 2, 0), *(WHAT, WHO)[-length:]]
        words = [secrets.choice(kind) for kind in kinds]
        if prefix := known(planned.prefix):
            words.insert(0, prefix)
        planned.id = present(planned.separator).join(words)
        return planned


class RandomShuffle(Random, type_name="random_shuffle"):
    """A list in another order."""

    input: Attr[list[str | None]] = Attr(required=True)
    result_count: Attr[NotNegative | None] = Attr(optional=True, default=None)
    seed: Attr[str | None] = Attr(optional=True, default=None)
    result: Attr[list[str | None] | None] = Attr(computed=True, default=None, keep=True)


class Shuffles(RandomHandler[RandomShuffle]):
    """Shuffles the list, as often as the count needs."""

    def create(self, planned: RandomShuffle, context: ApplyContext[RandomShuffle]) -> RandomShuffle:
        given = known(planned.input)
        count = known(planned.result_count) or len(given)
        generator = random.Random(known(planned.seed))
        result: list[str | None] = []
        while given and len(result) < count:
            result += generator.sample(given, len(given))
        planned.id, planned.result = "-", result[:count]
        return planned


class RandomUuid(Random, type_name="random_uuid"):
    """A random UUID."""

    result: Attr[str | None] = Attr(computed=True, default=None, keep=True)


class Uuids(RandomHandler[RandomUuid]):
    """Makes the UUID."""

    def create(self, planned: RandomUuid, context: ApplyContext[RandomUuid]) -> RandomUuid:
        planned.id = planned.result = str(uuid.uuid4())
        return planned

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> RandomUuid:
        try:
            text = str(uuid.UUID(str(wanted)))
        except ValueError:
            raise ProviderError("Expected a UUID") from None
        return RandomUuid(id=text, result=text)


class LocalFile(Resource, type_name="local_file"):
    """A file on this machine."""

    filename: Attr[str] = Attr(required=True)
    content: Attr[str | None] = Attr(optional=True, default=None)
    content_base64: Attr[str | None] = Attr(optional=True, default=None)
    file_permission: Attr[Mode | None] = Attr(optional=True, computed=True, default="0777")
    directory_permission: Attr[Mode | None] = Attr(optional=True, computed=True, default="0777")
    id: Attr[str | None] = Attr(computed=True, default=None, keep=True)


class LocalFileData(DataSource, type_name="local_file"):
    """What is in a file on this machine."""

    filename: Attr[str] = Attr(required=True)
    content: Attr[str | None] = Attr(computed=True, default=None)
    content_base64: Attr[str | None] = Attr(computed=True, default=None)
    id: Attr[str | None] = Attr(computed=True, default=None)


class LocalFiles(ResourceHandler[LocalFile]):
    """Writes the file; one that was changed by others is made anew."""

    validators = (exactly_one_of("content", "content_base64"),)

    def create(self, planned: LocalFile, context: ApplyContext[LocalFile]) -> LocalFile:
        path, text = Path(known(planned.filename)), known(planned.content)
        data = (
            base64.b64decode(known(planned.content_base64) or "") if text is None else text.encode()
        )
        path.parent.mkdir(
            int(present(planned.directory_permission), 8), parents=True, exist_ok=True
        )
        path.write_bytes(data)
        path.chmod(int(present(planned.file_permission), 8))
        planned.id = sha1(data).hexdigest()
        return planned

    def read(self, state: LocalFile, context: Context) -> LocalFile | None:
        path = Path(known(state.filename))
        if not path.is_file() or sha1(path.read_bytes()).hexdigest() != state.id:
            return None  # it is made anew
        return state

    def delete(self, state: LocalFile, context: Context) -> None:
        Path(known(state.filename)).unlink(missing_ok=True)


class LocalFileReader(DataSourceHandler[LocalFileData]):
    """Reads the file."""

    def read(self, config: LocalFileData, context: Context) -> LocalFileData:
        try:
            data = Path(known(config.filename)).read_bytes()
        except OSError as error:
            raise ProviderError("Cannot read the file", error.strerror or "", "filename") from None
        config.id, config.content = sha1(data).hexdigest(), data.decode("utf-8", "replace")
        config.content_base64 = base64.b64encode(data).decode()
        return config


@function()
def direxists(path: str) -> bool:
    """Whether a folder exists."""
    return Path(path).is_dir()


class RandomProvider(Provider):
    """The provider."""

    address = "registry.opentofu.org/example/random"
    resources = (Ids, Integers, Passwords, Pets, Shuffles, Strings, Uuids, LocalFiles)
    data_sources = (LocalFileReader,)
    ephemeral_resources = (EphemeralPasswords,)
    functions = (direxists,)


if __name__ == "__main__":
    serve(RandomProvider)

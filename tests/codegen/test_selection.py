"""What `--provider`, `--include`, `--exclude` and `--used-in` select."""

import pytest

from tofutypes.schema.definitions import Block, Function, IdentitySchema, ProviderSchema, Schema
from tofutypes.type_parsing import parse_type
from tofutypes_codegen.configuration import Mention
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.selection import Selection, find_missing, select

EMPTY = Schema(Block())
AWS = "registry.opentofu.org/hashicorp/aws"
NULL = "registry.opentofu.org/hashicorp/null"
OTHER_NULL = "registry.opentofu.org/acme/null"

SCHEMAS = {
    AWS: ProviderSchema(
        provider=EMPTY,
        resources={"aws_instance": EMPTY, "aws_s3_bucket": EMPTY, "aws_s3_object": EMPTY},
        data_sources={"aws_ami": EMPTY, "aws_s3_bucket": EMPTY},
        ephemeral_resources={"aws_s3_token": EMPTY},
        functions={"arn_build": Function(parse_type('"string"'))},
        identities={"aws_instance": IdentitySchema(), "aws_s3_bucket": IdentitySchema()},
        extra={"list_resource_schemas": {}},
    ),
    NULL: ProviderSchema(provider=EMPTY, resources={"null_resource": EMPTY}),
    OTHER_NULL: ProviderSchema(provider=EMPTY),
}
S3 = {"aws_s3_bucket", "aws_s3_object", "aws_s3_token"}


def names(schemas: dict[str, ProviderSchema]) -> set[str]:
    return {
        name
        for schema in schemas.values()
        for kind in (
            schema.resources,
            schema.data_sources,
            schema.ephemeral_resources,
            schema.functions,
            schema.identities,
        )
        for name in kind
    }


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ([], [AWS, NULL, OTHER_NULL]),
        (["aws"], [AWS]),
        (["hashicorp/null"], [NULL]),
        (["acme/null", "aws", "aws"], [AWS, OTHER_NULL]),
        ([NULL], [NULL]),
        (["HashiCorp/AWS"], [AWS]),
    ],
)
def test_providers(wanted: list[str], found: list[str]) -> None:
    assert list(select(SCHEMAS, Selection(providers=wanted))) == found


@pytest.mark.parametrize(
    ("include", "exclude", "found"),
    [
        ([], [], S3 | {"aws_instance", "aws_ami", "arn_build", "null_resource"}),
        (["aws_s3_*"], [], S3),
        (["aws_ami", "arn_*"], [], {"aws_ami", "arn_build"}),
        (["aws_s3_*"], ["*_bucket"], {"aws_s3_object", "aws_s3_token"}),
        ([], ["aws_*"], {"arn_build", "null_resource"}),
        (["aws_ami"], ["aws_ami"], set[str]()),
    ],
)
def test_patterns(include: list[str], exclude: list[str], found: set[str]) -> None:
    selected = select(SCHEMAS, Selection(include=include, exclude=exclude))
    assert names(selected) == found
    assert all(schema.provider == EMPTY for schema in selected.values())
    assert selected[AWS].extra == SCHEMAS[AWS].extra


BUCKET: Mention = ("data", "aws_s3_bucket")
USED: dict[str, list[Mention]] = {
    "live": [BUCKET, ("resource", "aws_ami"), ("function", "arn_build")],
    "old": [("ephemeral", "aws_s3_token"), ("resource", "random_id")],
}


def entries(schema: ProviderSchema) -> set[str]:
    return {
        f"{kind}.{name}"
        for kind, names in (
            ("resource", schema.resources),
            ("data", schema.data_sources),
            ("ephemeral", schema.ephemeral_resources),
            ("function", schema.functions),
            ("identity", schema.identities),
        )
        for name in names
    }


@pytest.mark.parametrize(
    ("include", "exclude", "found"),
    [
        ([], [], {"data.aws_s3_bucket", "function.arn_build", "ephemeral.aws_s3_token"}),
        ([], ["*_bucket", "arn_*"], {"ephemeral.aws_s3_token"}),
        (
            ["aws_instance"],
            ["*_s3_*"],
            {"resource.aws_instance", "identity.aws_instance", "function.arn_build"},
        ),
    ],
)
def test_what_configurations_use(include: list[str], exclude: list[str], found: set[str]) -> None:
    """They name a kind too: a bucket that is read needs no class to make one."""
    selection = Selection(include=include, exclude=exclude, used_in=USED)
    assert entries(select(SCHEMAS, selection)[AWS]) == found
    assert find_missing(SCHEMAS, selection) == [("resource", "aws_ami"), ("resource", "random_id")]


def test_what_other_providers_have_is_not_missing() -> None:
    selection = Selection(["aws"], used_in={"live": [BUCKET, ("resource", "null_resource")]})
    assert find_missing(SCHEMAS, selection) == []
    assert find_missing(SCHEMAS, Selection()) == []


def test_the_case_of_a_provider_does_not_matter() -> None:
    schemas = {"Acme/Cloud": ProviderSchema()}
    assert select(schemas, Selection(["ACME/cloud"])) == schemas


def test_nothing_asked_for_changes_nothing() -> None:
    assert select(SCHEMAS, Selection()) == SCHEMAS


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (
            Selection(providers=["google"]),
            f'--provider "google": unknown provider; the schemas have {OTHER_NULL}, {AWS}, {NULL}',
        ),
        (Selection(providers=["ws"]), '--provider "ws": unknown provider'),
        (Selection(providers=[""]), '--provider "": unknown provider'),
        (
            Selection(providers=["null"]),
            f'--provider "null": ambiguous name; use the full address: {OTHER_NULL}, {NULL}',
        ),
        (
            Selection(include=["aws_*", "aws_instanse"]),
            '--include "aws_instanse" matches nothing; did you mean aws_instance?',
        ),
        (Selection(exclude=["AWS_*"]), '--exclude "AWS_*" matches nothing'),
        (
            Selection(used_in={"live": [BUCKET], "old": [("resource", name) for name in "dcab"]}),
            '--used-in "old": the configuration uses nothing that the schemas have; '
            "it uses a, b, c, …",
        ),
        (
            Selection(used_in={"live": []}),
            '--used-in "live": the configuration uses nothing that the schemas have; '
            "it uses nothing",
        ),
        # The pattern fits a type, but of a provider that is not selected.
        (Selection(["aws"], ["null_*"]), '--include "null_*" matches nothing'),
    ],
)
def test_what_selects_nothing_is_refused(selection: Selection, message: str) -> None:
    with pytest.raises(GeneratorError) as refused:
        select(SCHEMAS, selection)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)

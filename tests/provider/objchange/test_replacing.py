from tofutypes.provider.objchange.replacement import necessary
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.service.paths import parse_path
from tofutypes.schema import Attribute, Block, NestedBlock, NestingMode
from tofutypes.types import STRING, ListType, MapType


def test_paths_that_count() -> None:
    text = Attribute(STRING, optional=True)
    parts = parts_of(
        Block(
            {
                "same": text,
                "other": text,
                "secret": Attribute(STRING, optional=True, write_only=True),
                "tags": Attribute(MapType(STRING), optional=True),
                "zones": Attribute(ListType(STRING), optional=True),
            },
            {"disk": NestedBlock(Block({"size": text}), NestingMode.LIST)},
        )
    )
    prior = {"same": "a", "other": "b", "tags": {"k": "1"}, "zones": ["a"], "disk": [{"size": "1"}]}
    planned = {"same": "a", "other": "c", "tags": {"k": "2"}, "zones": ["a", "b"], "disk": []}
    counting = {"other", "secret", 'tags["k"]', "zones[1]", "disk", "disk[0].size"}
    rest = {"same", 'tags["l"]', "zones[0]", "zones[7]", "nothing", "nothing.at.all", ""}
    paths = [parse_path(each) for each in sorted(counting | rest)]
    assert {str(each) for each in necessary(paths, parts, prior, planned)} == counting | {""}
    assert necessary(paths, parts, None, planned) == ()
    assert necessary(paths, parts, prior, None) == ()

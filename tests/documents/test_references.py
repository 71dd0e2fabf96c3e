"""Who refers to whom, through variables and outputs of modules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.documents.shown import parsed, shared_documents
from tofutypes import TofuTypesError
from tofutypes.documents import Reference, ResourceAddress, read_plan


def references(*texts: str) -> dict[str, Any]:
    return {"references": list(texts)}


def resource(address: str, /, **more: Any) -> dict[str, Any]:
    return {"address": address, "expressions": {}, **more}


CONFIGURATION = {
    "root_module": {
        "variables": {"region": {}},
        "outputs": {"url": {"expression": references("module.app.url", "module.app")}},
        "resources": [
            resource("net_vpc.main", expressions={"region": references("var.region")}),
            resource(
                "net_subnet.a",
                expressions={
                    "vpc_id": references("net_vpc.main.id", "net_vpc.main"),
                    "rule": [
                        {
                            "from": references(
                                "net_vpc.main.ranges[0].cidr",
                                "net_vpc.main.ranges[0]",
                                "net_vpc.main.ranges",
                                "net_vpc.main",
                            )
                        },
                        {"from": references("local.office")},
                    ],
                    "cidr": {"constant_value": "10.0.0.0/8"},
                },
                count_expression=references("data.net_zones.all.names", "data.net_zones.all"),
                depends_on=["net_vpc.main"],
            ),
            resource(
                "dns_record.www",
                expressions={
                    "value": references('module.app["x"].url', 'module.app["x"]', "module.app")
                },
            ),
            resource(
                "dns_record.all", expressions={"value": references("module.app", "each.value")}
            ),
        ],
        "module_calls": {
            "app": {
                "expressions": {
                    "network": references("net_subnet.a[0].id", "net_subnet.a[0]", "net_subnet.a")
                },
                "module": {
                    "variables": {"network": {}},
                    "outputs": {
                        "url": {"expression": references("vm_host.h.address", "vm_host.h")},
                        "net": {"expression": references("var.network")},
                    },
                    "resources": [
                        resource(
                            "vm_host.h",
                            expressions={"net": references("var.network.id", "var.network")},
                        )
                    ],
                },
            },
            "loop": {
                "expressions": {"x": references("module.loop.y", "module.loop")},
                "module": {
                    "outputs": {"y": {"expression": references("var.x")}},
                    "resources": [resource("a_b.c", expressions={"d": references("var.x")})],
                },
            },
        },
    }
}
PLAN = read_plan({"format_version": "1.2", "configuration": CONFIGURATION})


def told(found: tuple[Reference, ...]) -> list[str]:
    return [f"{each} via {'+'.join(each.through)}" if each.through else str(each) for each in found]


def test_references_of_a_resource() -> None:
    assert told(PLAN.references("net_subnet.a[7]")) == [
        "net_subnet.a.vpc_id → net_vpc.main.id",
        "net_subnet.a.rule[0].from → net_vpc.main.ranges[0].cidr",
        "net_subnet.a.rule[1].from → local.office",
        "net_subnet.a.count → data.net_zones.all.names",
        "net_subnet.a.depends_on → net_vpc.main",
    ]


def test_references_through_modules() -> None:
    assert told(PLAN.references('module.app["x"].vm_host.h')) == [
        "module.app.vm_host.h.net → net_subnet.a.id via module.app.var.network"
    ]
    url = "dns_record.www.value → module.app.vm_host.h.address via module.app.output.url"
    assert told(PLAN.references("dns_record.www")) == [url]
    assert told(PLAN.references("dns_record.all")) == [
        "dns_record.all.value → module.app.vm_host.h.address via module.app.output.url",
        "dns_record.all.value → net_subnet.a.id via module.app.output.net+module.app.var.network",
    ]


def test_who_refers_to_it() -> None:
    assert [each.source for each in PLAN.referrers("net_vpc.main")] == ["net_subnet.a"] * 3
    hosts = ["dns_record.www", "dns_record.all", "output.url"]
    assert [each.source for each in PLAN.referrers("module.app.vm_host.h")] == hosts
    assert [each.source for each in PLAN.referrers("var.region")] == ["net_vpc.main"]
    [local] = PLAN.referrers("local.office")
    assert local.source_path == PLAN.references("net_subnet.a")[2].source_path


def test_circles_end() -> None:
    assert PLAN.references("module.loop.a_b.c") == ()


def test_a_plan_without_configuration_has_none() -> None:
    assert read_plan({"format_version": "1.2"}).references("a.b") == ()


def test_references_of_real_plans_lead_to_real_resources(shared: Path) -> None:
    followed = 0
    for file in shared_documents(shared):
        try:
            plan = read_plan(file)
        except TofuTypesError:
            continue
        if plan.configuration is None:
            continue
        blocks = set(plan._graph._by_source)
        for change in parsed(file).get("resource_changes", []):
            for reference in plan.references(change["address"]):
                if isinstance(reference.target, ResourceAddress):
                    assert reference.target in blocks, (file.name, str(reference))
                    followed += 1
    assert followed > 30

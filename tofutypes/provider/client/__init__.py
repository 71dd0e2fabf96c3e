"""Clients of providers: test any provider from Python, and read its schemas.

    from tofutypes.provider.client import launch

    with launch("./terraform-provider-null") as provider:
        plan = provider.plan(NullResource(triggers={"a": "1"}))
        state = provider.apply(plan)

Like Terraform Core and OpenTofu, a client talks to one provider over one connection.
"""

from typing import TYPE_CHECKING

from tofutypes.lazy_names import import_on_use

if TYPE_CHECKING:
    from tofutypes.provider.client.actions import Invocation
    from tofutypes.provider.client.attaching import attach, connect
    from tofutypes.provider.client.client import Client
    from tofutypes.provider.client.connection import Connection, UnsupportedCallError
    from tofutypes.provider.client.hosting import host
    from tofutypes.provider.client.launching import launch
    from tofutypes.provider.client.lists import Listing
    from tofutypes.provider.client.process import provider_name
    from tofutypes.provider.client.results import (
        ApplyError,
        Data,
        Imported,
        Listed,
        Opened,
        Outcome,
        Plan,
        PlannedAction,
        State,
    )
    from tofutypes.provider.client.state_stores import StateStoreClient
    from tofutypes.provider.transport.addresses import Address

__all__ = [
    "Address",
    "ApplyError",
    "Client",
    "Connection",
    "Data",
    "Imported",
    "Invocation",
    "Listed",
    "Listing",
    "Opened",
    "Outcome",
    "Plan",
    "PlannedAction",
    "State",
    "StateStoreClient",
    "UnsupportedCallError",
    "attach",
    "connect",
    "host",
    "launch",
    "provider_name",
]

__getattr__ = import_on_use(
    __name__,
    {
        "Address": "tofutypes.provider.transport.addresses",
        "ApplyError": "results",
        "Client": "client",
        "Connection": "connection",
        "Data": "results",
        "Imported": "results",
        "Invocation": "actions",
        "Listed": "results",
        "Listing": "lists",
        "Opened": "results",
        "Outcome": "results",
        "Plan": "results",
        "PlannedAction": "results",
        "State": "results",
        "StateStoreClient": "state_stores",
        "UnsupportedCallError": "connection",
        "attach": "attaching",
        "connect": "attaching",
        "host": "hosting",
        "launch": "launching",
        "provider_name": "process",
    },
)

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
        ListedObject,
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
    "ListedObject",
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

if not TYPE_CHECKING:  # for them, every name would be there
    __getattr__, __dir__ = import_on_use(
        __name__,
        {
            "tofutypes.provider.client.actions": ("Invocation",),
            "tofutypes.provider.client.attaching": ("attach", "connect"),
            "tofutypes.provider.client.client": ("Client",),
            "tofutypes.provider.client.connection": ("Connection", "UnsupportedCallError"),
            "tofutypes.provider.client.hosting": ("host",),
            "tofutypes.provider.client.launching": ("launch",),
            "tofutypes.provider.client.lists": ("Listing",),
            "tofutypes.provider.client.process": ("provider_name",),
            "tofutypes.provider.client.results": (
                "ApplyError",
                "Data",
                "Imported",
                "ListedObject",
                "Opened",
                "Outcome",
                "Plan",
                "PlannedAction",
                "State",
            ),
            "tofutypes.provider.client.state_stores": ("StateStoreClient",),
            "tofutypes.provider.transport.addresses": ("Address",),
        },
    )

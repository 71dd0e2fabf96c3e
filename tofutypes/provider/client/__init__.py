"""Clients of providers: test any provider from Python, and read its schemas.

    from tofutypes.provider.client import launch

    with launch("./terraform-provider-null") as provider:
        plan = provider.plan(NullResource(triggers={"a": "1"}))
        state = provider.apply(plan)

Like Terraform Core and OpenTofu, a client talks to one provider over one connection.
"""

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

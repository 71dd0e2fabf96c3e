"""Clients of providers, to test any provider from Python, and to ask for its schemas.

with launch("./terraform-provider-null") as provider:
plan = provider.plan(NullResource(triggers={"a": "1"}))
state = provider.apply(plan)
"""

from tofutypes.provider.client.client import Client
from tofutypes.provider.client.connection import Connection, UnsupportedCallError
from tofutypes.provider.client.hosting import host
from tofutypes.provider.client.launching import attach, connect, launch
from tofutypes.provider.client.process import provider_name
from tofutypes.provider.client.results import ApplyError, Imported, Opened, Plan, State

__all__ = [
    "ApplyError",
    "Client",
    "Connection",
    "Imported",
    "Opened",
    "Plan",
    "State",
    "UnsupportedCallError",
    "attach",
    "connect",
    "host",
    "launch",
    "provider_name",
]

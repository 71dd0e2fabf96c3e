"""The floor of a start: one pydantic model and an empty gRPC server. `floor.py SOCKET`."""

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
from pydantic import BaseModel


class Thing(BaseModel):
    """A model as large as that of the provider."""

    name: str
    size: int | None = None


server = grpc.server(ThreadPoolExecutor())
server.add_insecure_port(f"unix:{sys.argv[1]}")
server.start()
sys.stdout.write(f"1|6|unix|{sys.argv[1]}|grpc|\n")
sys.stdout.flush()
server.wait_for_termination()

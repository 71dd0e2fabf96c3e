"""msgpack-rpc: peers that call each other over two byte streams."""

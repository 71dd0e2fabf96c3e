"""Programs that `make bench BENCH=provider` starts."""

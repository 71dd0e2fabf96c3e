"""How long something takes, next to something else."""

from __future__ import annotations

import gc
import timeit
from collections.abc import Callable, Sequence

ROUNDS = 15
"""How often each is measured; the fastest round counts, for noise only ever adds."""


def seconds(*actions: Callable[[], object]) -> Sequence[float]:
    """The seconds that each action takes, measured in turns."""
    timers = [timeit.Timer(action) for action in actions]
    counts = [max(1, timer.autorange()[0] // 10) for timer in timers]
    best = [float("inf")] * len(timers)
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for index, (timer, count) in enumerate(zip(timers, counts, strict=True)):
                best[index] = min(best[index], timer.timeit(count) / count)
    finally:
        gc.enable()
    return best

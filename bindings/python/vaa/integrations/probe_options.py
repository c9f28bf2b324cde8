"""What a probe is told, by environment variables: an engine's workers hand on nothing else (docs/probe.md)."""
import dataclasses
from typing import Mapping, Optional


@dataclasses.dataclass(frozen=True)
class ProbeOptions:
    folder: str
    every: int = 1          # one step in so many is written
    rows: int = 1000        # one row in so many with all its probabilities; 0: none
    noise: int = 0          # 1: uniforms and recovery noise of those rows, too
    part_mb: int = 256      # size of a file
    parts: int = 8          # files of a process that are kept
    free_mb: int = 1024     # what the disk keeps free
    server: str = ""        # a name that the files carry


_LIMITS = {"every": (1, 10**9), "rows": (0, 10**9), "noise": (0, 1), "part_mb": (1, 1 << 20), "parts": (1, 10**6), "free_mb": (0, 1 << 30)}


def read_options(environment: Mapping[str, str]) -> Optional[ProbeOptions]:
    """None: no probe. Raises ValueError for a value that is not allowed."""
    folder = environment.get("VAA_PROBE", "")
    if not folder:
        return None
    given = {}
    for name, (least, most) in _LIMITS.items():
        variable = f"VAA_PROBE_{name.upper()}"
        text = environment.get(variable, "")
        if not text:
            continue
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise ValueError(f"{variable}: is {text[:40]!r}, allowed are {least} to {most}")
        given[name] = int(text)
    return ProbeOptions(folder, server=environment.get("VAA_PROBE_SERVER", ""), **given)

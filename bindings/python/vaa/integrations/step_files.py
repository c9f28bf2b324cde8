"""Writes vaa.steps/1 files (docs/reject-dump.md), rotated and bounded."""
import json
import os
import struct
import time
from typing import Any, Dict, List

MAGIC = b"vaasteps"
_LONGEST_WAIT = 4096  # steps that are passed over after a disk said no


class StepFiles:
    """Files `<name>.<part>.vaasteps` with one header. Steps are written whole or not at all: what was written of one is cut off again where the disk is full, and after that
    1, 2, 4, … of them are passed over. Raises OSError; `lost` counts what was not written."""

    def __init__(self, folder: str, name: str, header: Dict[str, Any], part_bytes: int, parts: int, free_bytes: int) -> None:
        self.folder, self.name, self.header, self.part_bytes, self.parts, self.free_bytes = folder, name, header, part_bytes, parts, free_bytes
        self.lost = self.written = 0
        self._file: Any = None
        self._size = self._part = self._wait = self._skip = 0
        self._paths: List[str] = []

    def write(self, records: bytes) -> bool:
        """False: passed over."""
        if self._skip > 0:
            self._skip -= 1
            self.lost += 1
            return False
        try:
            if self._file is None or self._size + len(records) > self.part_bytes:
                self._begin()
            self._append(records)
        except OSError:
            self.lost += 1
            self._wait = min(_LONGEST_WAIT, max(1, 2 * self._wait))
            self._skip = self._wait
            raise
        self._wait = 0
        self.written += 1
        return True

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self.close()
        os.makedirs(self.folder, exist_ok=True)
        while len(self._paths) >= self.parts:
            path = self._paths.pop(0)
            if os.path.exists(path):
                os.remove(path)
        disk = os.statvfs(self.folder)
        if disk.f_bavail * disk.f_frsize < self.free_bytes:
            raise OSError(f"{self.folder}: {disk.f_bavail * disk.f_frsize >> 20} MiB are free, {self.free_bytes >> 20} are kept free")
        text = json.dumps({"format": "vaa.steps/1", "part": self._part, **self.header}).encode()
        path = os.path.join(self.folder, f"{self.name}.{self._part}.vaasteps")
        file = open(path, "xb", buffering=0)
        self._part += 1
        self._paths.append(path)
        self._file, self._size = file, 0
        self._append(MAGIC + struct.pack("<I", len(text)) + text)

    def _append(self, data: bytes) -> None:
        try:
            done = 0
            while done < len(data):
                done += self._file.write(memoryview(data)[done:]) or 0
        except OSError:
            if self._size == 0:  # without its header a file says nothing
                path = self._paths.pop()
                self.close()
                os.remove(path)
            else:
                self._file.truncate(self._size)
                self._file.seek(self._size)
            raise
        self._size += len(data)


class FaultFile:
    """What went wrong in a probe, a JSON line each, at most `most` lines: where that cannot be written either, nothing is."""

    def __init__(self, folder: str, most: int = 200) -> None:
        self.path, self.most, self.count = os.path.join(folder, f"probe-{os.getpid()}.log"), most, 0

    def say(self, what: str, **more: Any) -> None:
        self.count += 1
        if self.count > self.most:
            return
        try:
            os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"time_s": time.time(), "count": self.count, "said": what[:2000], **more}) + "\n")
        except (OSError, ValueError):
            pass

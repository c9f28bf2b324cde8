"""vaa's readers beside Python's json on the same lines, in one process.

    python tests/bench/reader_vs_python.py LIBVAA.so LINES.jsonl…

Python: json.loads of each line and a look at the answer. vaa: the cursor of libvaa through ctypes, one call a sample, one thread.
"""
import ctypes
import json
import sys
import time


class Str(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


def vaa_read(library, path):
    records, cursor, sample, more = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int32(1)
    name = path.encode()
    if library.vaa_records_open(Str(name, len(name)), Str(b"", 0), ctypes.byref(records), None):
        raise SystemExit(f"{path}: not opened")
    library.vaa_cursor_new(records, ctypes.byref(cursor), None)
    library.vaa_sample_new(ctypes.byref(sample), None)
    count = 0
    while not library.vaa_cursor_next(cursor, sample, ctypes.byref(more), None) and more.value:
        count += 1
    library.vaa_sample_free(sample)
    library.vaa_cursor_free(cursor)
    library.vaa_records_free(records)
    return count


def python_read(path):
    count = 0
    with open(path, "rb") as lines:
        for line in lines:
            row = json.loads(line)
            count += 1 if row else 0
    return count


def main():
    library = ctypes.CDLL(sys.argv[1])
    for name in ("vaa_sample_free", "vaa_cursor_free", "vaa_records_free"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    library.vaa_cursor_new.argtypes = [ctypes.c_void_p] * 3
    library.vaa_cursor_next.argtypes = [ctypes.c_void_p] * 4
    library.vaa_sample_new.argtypes = [ctypes.c_void_p] * 2
    print(f"{'lines':60} {'vaa MB/s':>9} {'json MB/s':>9} {'ratio':>6}")
    for path in sys.argv[2:]:
        size = sum(len(line) for line in open(path, "rb"))
        best = {}
        for name, read in (("vaa", lambda: vaa_read(library, path)), ("json", lambda: python_read(path))) * 2:
            start = time.perf_counter()
            count = read()
            best[name] = min(best.get(name, 1e9), time.perf_counter() - start)
        print(f"{path[-60:]:60} {size / best['vaa'] / 1e6:9.0f} {size / best['json'] / 1e6:9.0f} {best['json'] / best['vaa']:6.1f}   {count} samples")


if __name__ == "__main__":
    main()

"""What a call costs through the generated bindings: a call less the same call from C, for a tally push and an id-array call, beside ctypes, a C extension written
by hand, and Go. Ratios are to the same call's cost through the hand-written extension. All in one run, the best of several rounds.

    python tests/bench/binding_overhead.py     needs the package vaa, pkg-config vaa, cc; Go where it is there
"""

import array
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time

import vaa
from vaa import _cvaa

ROOT = pathlib.Path(__file__).resolve().parents[2]
IDS = array.array("i", range(4096))
FIELD_TEXT, FIELD_IDS = 105, 401

# The same two calls from C in a loop, and as an extension by hand that checks as much as the generated one.
BY_HAND = r"""
#include <Python.h>
#include <time.h>
#include "vaa/vaa.h"
static vaa_sample *sample; static vaa_tally *tally; static vaa_checker *checker;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec * 1e9 + (double)t.tv_nsec; }
static PyObject *ready(PyObject *self, PyObject *args) {
  vaa_str none = {"", 0}, rows = {"{\"max_rows\":0}", 14}, text = {"ok", 2};
  (void)self; (void)args;
  if (vaa_checker_new(none, NULL, &checker, NULL) || vaa_tally_new(checker, rows, &tally, NULL) || vaa_sample_new(&sample, NULL) ||
      vaa_sample_set_str(sample, VAA_FIELD_OUTPUT_TEXT, text, NULL)) return PyErr_Format(PyExc_RuntimeError, "not ready");
  Py_RETURN_NONE;
}
static PyObject *c_push(PyObject *self, PyObject *count) {
  long i, n = PyLong_AsLong(count); double start = now(); vaa_findings found; vaa_error *err;
  (void)self;
  for (i = 0; i < n; ++i) if (vaa_tally_push(tally, sample, &found, &err)) return NULL;
  return PyFloat_FromDouble((now() - start) / (double)n);
}
static PyObject *c_ids(PyObject *self, PyObject *args) {
  PyObject *o; long i, n; Py_buffer b; vaa_error *err; double start; vaa_ids ids;
  (void)self;
  if (!PyArg_ParseTuple(args, "Ol", &o, &n) || PyObject_GetBuffer(o, &b, PyBUF_ND | PyBUF_FORMAT)) return NULL;
  ids.data = b.buf; ids.size = (size_t)b.shape[0]; start = now();
  for (i = 0; i < n; ++i) if (vaa_sample_set_ids(sample, VAA_FIELD_OUTPUT_TOKEN_IDS, ids, &err)) return NULL;
  start = (now() - start) / (double)n;
  PyBuffer_Release(&b);
  vaa_sample_unset(sample, VAA_FIELD_OUTPUT_TOKEN_IDS, NULL);
  return PyFloat_FromDouble(start);
}
static PyObject *hand_push(PyObject *self, PyObject *args) {
  vaa_findings found; vaa_error *err; vaa_status status;
  (void)self; (void)args;
  Py_BEGIN_ALLOW_THREADS status = vaa_tally_push(tally, sample, &found, &err); Py_END_ALLOW_THREADS
  if (status) return PyErr_Format(PyExc_RuntimeError, "failed");
  return Py_BuildValue("(nK)", (Py_ssize_t)found.size, (unsigned long long)found.unknown);
}
static PyObject *hand_ids(PyObject *self, PyObject *o) {
  Py_buffer b; vaa_error *err; vaa_status status; vaa_ids ids;
  (void)self;
  if (PyObject_GetBuffer(o, &b, PyBUF_ND | PyBUF_FORMAT)) return NULL;
  if (b.ndim != 1 || b.itemsize != 4 || b.format[0] != 'i') { PyBuffer_Release(&b); return PyErr_Format(PyExc_TypeError, "ids"); }
  ids.data = b.buf; ids.size = (size_t)b.shape[0];
  Py_BEGIN_ALLOW_THREADS status = vaa_sample_set_ids(sample, VAA_FIELD_OUTPUT_TOKEN_IDS, ids, &err); Py_END_ALLOW_THREADS
  PyBuffer_Release(&b);
  if (status) return PyErr_Format(PyExc_RuntimeError, "failed");
  Py_RETURN_NONE;
}
static PyMethodDef methods[] = {{"ready", ready, METH_NOARGS, ""}, {"c_push", c_push, METH_O, ""}, {"c_ids", c_ids, METH_VARARGS, ""},
  {"push", hand_push, METH_NOARGS, ""}, {"ids", hand_ids, METH_O, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "by_hand", "", -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_by_hand(void) { return PyModule_Create(&module); }
"""


def best(call, count, rounds=31):
    """Nanoseconds a call, the best of some rounds; the loop's own cost taken off."""
    def measure(function):
        turns = range(count)
        start = time.perf_counter_ns()
        for _ in turns:
            function()
        return (time.perf_counter_ns() - start) / count

    return min(measure(call) for _ in range(rounds)) - min(measure(_nothing) for _ in range(rounds))


def _nothing():
    pass


def pkg_config(*words):
    return subprocess.run(["pkg-config", *words, "vaa"], capture_output=True, text=True, check=True).stdout.split()


def by_hand(folder):
    """The hand-written extension, on the installed libvaa."""
    source = pathlib.Path(folder, "by_hand.c")
    source.write_text(BY_HAND)
    flags = pkg_config("--cflags", "--libs")
    paths = [f"-Wl,-rpath,{flag[2:]}" for flag in flags if flag.startswith("-L")]
    subprocess.run(["cc", "-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2", "-shared", "-fPIC", f"-I{sysconfig.get_paths()['include']}", str(source), "-o",
                    str(pathlib.Path(folder, "by_hand.so")), *flags, *paths], check=True)
    sys.path.insert(0, folder)
    import by_hand

    by_hand.ready()
    return by_hand


def through_ctypes():
    """(push, ids) as ctypes calls them."""
    where = [flag[2:] for flag in pkg_config("--libs") if flag.startswith("-L")]
    lib = ctypes.CDLL(next(str(path) for folder in [*where, "/usr/lib", "/usr/local/lib"] for path in pathlib.Path(folder).glob("libvaa.so")))

    class View(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    class Findings(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("unknown", ctypes.c_uint64)]

    pointer = ctypes.c_void_p
    error, checker, tally, sample = pointer(), pointer(), pointer(), pointer()
    none = View(None, 0)
    rows = b'{"max_rows":0}'
    lib.vaa_checker_new.argtypes = [View, pointer, ctypes.POINTER(pointer), ctypes.POINTER(pointer)]
    lib.vaa_tally_new.argtypes = [pointer, View, ctypes.POINTER(pointer), ctypes.POINTER(pointer)]
    lib.vaa_sample_new.argtypes = [ctypes.POINTER(pointer), ctypes.POINTER(pointer)]
    lib.vaa_sample_set_str.argtypes = [pointer, ctypes.c_int32, View, ctypes.POINTER(pointer)]
    lib.vaa_sample_set_ids.argtypes = [pointer, ctypes.c_int32, View, ctypes.POINTER(pointer)]
    lib.vaa_tally_push.argtypes = [pointer, pointer, ctypes.POINTER(Findings), ctypes.POINTER(pointer)]
    error_slot = ctypes.byref(error)
    assert lib.vaa_checker_new(none, None, ctypes.byref(checker), error_slot) == 0
    assert lib.vaa_tally_new(checker, View(ctypes.cast(ctypes.c_char_p(rows), pointer), len(rows)), ctypes.byref(tally), error_slot) == 0
    assert lib.vaa_sample_new(ctypes.byref(sample), error_slot) == 0
    assert lib.vaa_sample_set_str(sample, FIELD_TEXT, View(ctypes.cast(ctypes.c_char_p(b"ok"), pointer), 2), error_slot) == 0

    def push():
        found = Findings()
        if lib.vaa_tally_push(tally, sample, ctypes.byref(found), error_slot):
            raise RuntimeError
        return found.size, found.unknown

    def ids():
        address, size = IDS.buffer_info()
        if lib.vaa_sample_set_ids(sample, FIELD_IDS, View(address, size), error_slot):
            raise RuntimeError

    return push, ids


def go():
    """{benchmark: ns} of the Go package; {} where there is no Go."""
    if not shutil.which("go"):
        return {}
    folders = ":".join(flag[2:] for flag in pkg_config("--libs") if flag.startswith("-L"))
    done = subprocess.run(["go", "test", "-run", "^$", "-bench", "Push|SetIDs", "-count", "3", "."], cwd=ROOT / "bindings" / "go", capture_output=True, text=True,
                          env=dict(os.environ, LD_LIBRARY_PATH=folders))
    times = {}
    for name, nanoseconds in re.findall(r"Benchmark(\w+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", done.stdout):
        times[name] = min(times.get(name, float("inf")), float(nanoseconds))
    return times


def main():
    sample, tally = vaa.Sample(text="ok"), vaa.Checker().tally(max_rows=0)
    with tempfile.TemporaryDirectory() as folder:
        hand = by_hand(folder)
        ctypes_push, ctypes_ids = through_ctypes()
        c_push = min(hand.c_push(5000) for _ in range(31))
        c_ids = min(hand.c_ids(IDS, 2000) for _ in range(31))
        go_times = go()
        raw_push, raw_ids = _cvaa.vaa_tally_push, _cvaa.vaa_sample_set_ids
        tables = [
            ("tally push of \"ok\"", c_push, 5000, [
                ("hand-written C", hand.push), ("generated wrapper", lambda: raw_push(tally._handle, sample._handle)), ("vaa.Tally.push", lambda: tally.push(sample)),
                ("ctypes", ctypes_push), ("Go vaa.Tally.Push", go_times.get("Push"))]),
            ("4,096 ids into a sample", c_ids, 2000, [
                ("hand-written C", lambda: hand.ids(IDS)), ("generated wrapper", lambda: raw_ids(sample._handle, FIELD_IDS, IDS)),
                ("vaa.Sample[…] = ids", lambda: sample.__setitem__("output.token_ids", IDS)), ("ctypes", ctypes_ids), ("Go Sample.SetIDs", go_times.get("SetIDs"))]),
        ]
        for title, base, count, rows in tables:
            print(f"{title}: {base:.0f} ns from C")
            by_hand_overhead = None
            for name, call in rows:
                if call is None:
                    print(f"  {name:20} not measured")
                    continue
                whole = call if isinstance(call, float) else best(call, count)
                overhead = whole - base
                by_hand_overhead = overhead if by_hand_overhead is None else by_hand_overhead
                ratio = f"{overhead / by_hand_overhead:5.1f}x the hand-written" if by_hand_overhead > 0 else ""
                print(f"  {name:20} {whole:8.0f} ns a call, overhead {overhead:7.0f} ns = {overhead / base:7.1%} of the call  {ratio}")


if __name__ == "__main__":
    main()

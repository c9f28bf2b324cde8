"""Every type of the border through the Python typemaps, on the probe library. Expected sums are formulas."""

import array
import ctypes
import gc
import sys
import threading
import time

import numpy as np
import pytest

GATHERED = [("ids", "int32", "i"), ("i64s", "int64", "q"), ("u8s", "uint8", "B"), ("f32s", "float32", "f"), ("f64s", "float64", "d")]


def weighted(values):
    """What probe_sum_* gives."""
    return float(sum(x * (i + 1) for i, x in enumerate(values)))


@pytest.mark.parametrize("name, dtype, letter", GATHERED)
def test_arrays_come_in_from_any_buffer_of_their_type(probe, name, dtype, letter):
    call = getattr(probe, f"probe_sum_{name}")
    values = [3, 1, 4, 1, 5, 9]
    for given in (np.array(values, dtype), array.array(letter, values), memoryview(np.array(values, dtype)), np.array(values, dtype).newbyteorder("=")
                  if hasattr(np.ndarray, "newbyteorder") else np.array(values, dtype)):
        assert call(given) == (weighted(values), 6)
    assert call(np.array([], dtype)) == (0.0, 0)
    read_only = np.array(values, dtype)
    read_only.flags.writeable = False
    assert call(read_only) == (weighted(values), 6)
    assert call(np.array(values + [7], dtype)[1:]) == (weighted(values[1:] + [7]), 6)


@pytest.mark.parametrize("name", ["ids", "i64s", "f32s", "f64s"])
def test_lists_and_tuples_come_in(probe, name):
    call = getattr(probe, f"probe_sum_{name}")
    assert call([3, 1, 4]) == (17.0, 3)
    assert call((3, 1, 4)) == (17.0, 3)
    assert call([]) == (0.0, 0)
    assert call([np.int64(3), True, np.uint8(4)]) == (17.0, 3)


def test_wide_ids_are_narrowed_when_each_fits(probe):
    assert probe.probe_sum_ids(np.array([2**31 - 1, -(2**31)], "int64")) == (float(2**31 - 1 - 2 * 2**31), 2)
    for given in (np.array([0, 2**31], "int64"), [0, 2**31], [0, 10**30]):
        with pytest.raises(OverflowError, match=r"^values\[1\]: "):
            probe.probe_sum_ids(given)
    with pytest.raises(OverflowError):
        probe.probe_sum_i64s([2**63])


def test_exact_widening(probe):
    assert probe.probe_sum_f64s(np.array([0.1], "float32")) == (float(np.float32(0.1)), 1)
    assert probe.probe_sum_i64s(np.array([-5], "int32")) == (-5.0, 1)


BAD = [("ids", "uint32"), ("ids", "float32"), ("ids", "int16"), ("ids", "bool"), ("i64s", "uint64"), ("i64s", "float64"), ("u8s", "int8"), ("u8s", "int32"),
       ("f32s", "float64"), ("f32s", "float16"), ("f32s", "int32"), ("f64s", "int64"), ("f64s", "complex64")]


@pytest.mark.parametrize("name, dtype", BAD)
def test_other_types_are_refused(probe, name, dtype):
    with pytest.raises(TypeError, match="^values: has elements of format"):
        getattr(probe, f"probe_sum_{name}")(np.zeros(4, dtype))


@pytest.mark.parametrize("name, dtype, letter", GATHERED)
def test_other_byte_orders_strides_and_shapes_are_refused(probe, name, dtype, letter):
    call = getattr(probe, f"probe_sum_{name}")
    with pytest.raises(ValueError, match="^values: must be"):
        call(np.zeros(8, dtype)[::2])
    with pytest.raises(ValueError, match="^values: has 2 dimensions"):
        call(np.zeros((2, 2), dtype))
    with pytest.raises(ValueError):
        call(np.array(1, dtype))
    if dtype != "uint8":
        swapped = np.zeros(4, np.dtype(dtype).newbyteorder(">" if sys.byteorder == "little" else "<"))
        with pytest.raises(TypeError):
            call(swapped)


@pytest.mark.parametrize("name", ["ids", "i64s", "u8s", "f32s", "f64s", "str", "f32_rows", "f64_rows"])
def test_what_is_no_array_is_refused(probe, name):
    for given in (None, 3, 1.5, object(), {1: 2}):
        with pytest.raises(TypeError):
            getattr(probe, f"probe_sum_{name}")(given)
    if name != "str":
        with pytest.raises(TypeError):
            getattr(probe, f"probe_sum_{name}")("text")


def test_elements_that_are_no_numbers_are_named(probe):
    with pytest.raises(TypeError, match=r"^values\[1\]: is str, must be an int"):
        probe.probe_sum_ids([1, "2"])
    with pytest.raises(TypeError, match=r"^values\[2\]: is float"):
        probe.probe_sum_ids([1, 2, 3.0])
    with pytest.raises(TypeError, match=r"^values\[0\]: is NoneType, must be a number"):
        probe.probe_sum_f64s([None])


def test_a_list_that_shrinks_while_it_is_read(probe):
    values = [0] * 10

    class Sly:
        def __index__(self):
            del values[3:]
            return 1

    values[0] = Sly()
    assert probe.probe_sum_ids(values) == (1.0, 3)


@pytest.mark.parametrize("name, dtype", [("f32_rows", "float32"), ("f64_rows", "float64")])
def test_matrices(probe, name, dtype):
    call = getattr(probe, f"probe_sum_{name}")
    values = np.arange(12, dtype=dtype).reshape(3, 4)

    def expect(m):
        return float(sum(m[r, c] * (r + 1) * (1000 + c) for r in range(m.shape[0]) for c in range(m.shape[1]))), *m.shape

    for given in (values, values[:, 1:3], values[::2], values[1:2], values[:, :1], np.asfortranarray(values[:1]), values[:0], values[:, :0]):
        assert call(given) == expect(given)
    for wrong in (values.T, values[:, ::2], values[::-1], np.asfortranarray(values), np.broadcast_to(values[0], (3, 4))):
        with pytest.raises(ValueError, match="^values: "):
            call(wrong)
    with pytest.raises(ValueError):
        call(values[0])
    with pytest.raises(TypeError):
        call(values.astype("int32"))


@pytest.mark.parametrize("name, dtype, letter", GATHERED)
def test_buffers_are_filled(probe, name, dtype, letter):
    call = getattr(probe, f"probe_fill_{name}")
    values = np.full(6, 77, dtype)
    assert call(4, values) == 4
    assert values.tolist() == [0, 1, 2, 3, 77, 77]
    own = array.array(letter, [9] * 3)
    assert call(3, own) == 3
    assert own.tolist() == [0, 1, 2]
    with pytest.raises(probe.Error) as caught:
        call(7, values)
    assert caught.value.status == 6
    read_only = np.zeros(6, dtype)
    read_only.flags.writeable = False
    for wrong in (read_only, np.zeros(12, dtype)[::2]):
        with pytest.raises(ValueError, match="writable"):
            call(4, wrong)
    for wrong in ([0] * 6, None, np.zeros(6, "float16")):
        with pytest.raises(TypeError):
            call(4, wrong)
    assert call(0, np.zeros(0, dtype)) == 0


@pytest.mark.parametrize("name, dtype", [("f32_rows", "float32"), ("f64_rows", "float64")])
def test_matrices_are_filled(probe, name, dtype):
    whole = np.full((3, 5), -1, dtype)
    assert getattr(probe, f"probe_fill_{name}")(whole[:, 1:4]) is None
    assert whole[:, 1:4].tolist() == [[0, 1, 2], [100, 101, 102], [200, 201, 202]]
    assert (whole[:, [0, 4]] == -1).all()


NUMBERS = [("int32", -(2**31), 2**31 - 1), ("int64", -(2**63), 2**63 - 1), ("uint64", 0, 2**64 - 1), ("size", 0, 2**64 - 1), ("field", -(2**31), 2**31 - 1)]


@pytest.mark.parametrize("name, low, high", NUMBERS)
def test_integers_go_through_whole(probe, name, low, high):
    call = getattr(probe, f"probe_{name}")
    for value in (low, high, 0, 1, np.int32(7), np.uint8(7), True):
        assert call(value) == value
    for value in (low - 1, high + 1, 10**40):
        with pytest.raises(OverflowError, match="^value: is"):
            call(value)
    for value in (1.0, "1", None, np.float64(1)):
        with pytest.raises(TypeError, match="^value: is"):
            call(value)
    if name != "field":
        assert getattr(probe, f"probe_return_{name}")(high) == high


def test_real_numbers_go_through(probe):
    for value in (0.1, -0.0, 1e308, float("inf"), 5, np.float32(0.25)):
        assert probe.probe_double(value) == value
        assert probe.probe_return_double(value) == value
    assert str(probe.probe_double(float("nan"))) == "nan"
    with pytest.raises(TypeError):
        probe.probe_double("1")


TEXTS = ["", "a", "\0", "a\0b", "Grüße, 世界 🙂", "\ud800", "x\udfffy", "\ud83d\ude42"[:1]]


@pytest.mark.parametrize("text", TEXTS)
def test_text_keeps_nul_and_lone_surrogates(probe, text):
    thing = probe.probe_thing_new()
    probe.probe_thing_keep(thing, text)
    assert probe.probe_thing_text(thing) == text
    assert probe.probe_thing_str(thing) == text
    data = text.encode("utf-8", "surrogatepass")
    assert probe.probe_sum_str(text) == (weighted(data), len(data))
    for same in (data, bytearray(data), memoryview(data)):
        assert probe.probe_sum_str(same) == (weighted(data), len(data))


def test_text_that_is_not_utf8_comes_back_as_bytes(probe):
    thing = probe.probe_thing_new()
    probe.probe_thing_keep(thing, b"a\xff\0")
    assert probe.probe_thing_text(thing) == b"a\xff\0"


@pytest.mark.parametrize("name, dtype, letter", GATHERED)
def test_lent_arrays_keep_their_owner(probe, name, dtype, letter):
    before = probe.probe_thing_count()
    thing = probe.probe_thing_new()
    view = getattr(probe, f"probe_thing_{name}")(thing)
    values = np.asarray(view)
    assert values.dtype == dtype and values.tolist() == [10, 11, 12, 13, 14] and len(view) == 5
    assert not values.flags.writeable
    del thing, view
    gc.collect()
    assert probe.probe_thing_count() == before + 1
    assert values.tolist() == [10, 11, 12, 13, 14]
    del values
    gc.collect()
    assert probe.probe_thing_count() == before


def test_a_lent_array_of_nothing(probe):
    values = np.asarray(probe.probe_thing_nothing(probe.probe_thing_new()))
    assert values.shape == (0,) and values.dtype == "float64"


def test_a_lent_array_is_read_only(probe):
    view = probe.probe_thing_ids(probe.probe_thing_new())
    with pytest.raises((BufferError, TypeError)):
        (ctypes.c_int32 * 5).from_buffer(view)


def test_findings_and_many_results_at_once(probe):
    thing = probe.probe_thing_new()
    first, second = ((*range(base, base + 14), base + 14.5, base + 15.5) for base in (0, 100))
    assert probe.probe_thing_findings(thing) == [(first, second), 2**63 + 1]
    probe.probe_thing_keep(thing, "so")
    found, a, b, c, text, ids, size = probe.probe_thing_all(thing)
    assert (found, a, b, c, text, size) == ([(first, second), 2**63 + 1], -7, -(2**63), 0.5, "so", 2**64 - 1)
    assert np.asarray(ids).tolist() == [10, 11, 12, 13, 14]


def test_handles(probe):
    assert probe.probe_given(None) == 0
    for wrong in (None, 3, "x", object()):
        with pytest.raises(TypeError):
            probe.probe_thing_text(wrong)
    with pytest.raises(TypeError):
        probe.probe_thing()


def test_errors_have_status_name_and_message(probe):
    with pytest.raises(probe.Error) as caught:
        probe.probe_fail(2, 0)
    assert caught.value.status == 2 and caught.value.name == "VAA_ERROR_OPTION"
    assert caught.value.message and str(caught.value) == caught.value.message
    with pytest.raises(probe.Error) as caught:
        probe.probe_fail(9, 1)
    assert caught.value.status == 9 and caught.value.message == ""


def test_a_buffer_is_held_while_the_call_works(probe):
    values = array.array("i", [1] * 1000)
    worker = threading.Thread(target=probe.probe_work, args=(values, 0.3))
    worker.start()
    time.sleep(0.1)
    with pytest.raises(BufferError):
        values.append(1)
    worker.join()
    values.append(1)


def test_the_gil_is_free_while_a_call_works(probe):
    count = 0
    worker = threading.Thread(target=probe.probe_work, args=([1, 2, 3], 0.3))
    worker.start()
    while worker.is_alive():
        count += 1
    assert count > 1000


def test_nothing_leaks_over_many_failures(probe):
    values, wrong, text = np.zeros(8, "int32"), np.zeros(8, "float16"), "\ud800" * 9
    watched = (values, wrong, text)
    before = [sys.getrefcount(x) for x in watched]
    for _ in range(10000):
        with pytest.raises(TypeError):
            probe.probe_sum_ids(wrong)
        with pytest.raises(probe.Error):
            probe.probe_fill_ids(9, values)
        probe.probe_sum_str(text)
    assert [sys.getrefcount(x) for x in watched] == before

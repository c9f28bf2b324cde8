"""The generators of engines: real torch's own draws (tests/golden/torch_random.json), the vectors, bad input, and a live torch where there is one."""

import base64
import hashlib
import json
import math
import shutil
import subprocess
import sys
import threading

import numpy
import pytest

import vaa
from conftest import GOLDEN, ROOT

TORCH = json.loads((GOLDEN / "torch_random.json").read_text())
VERSIONS = sorted(TORCH)
WIDTH = {"float32": "float32", "float64": "float64", "float16": "float32", "bfloat16": "float32"}


def rng_of(version, seed):
    return vaa.Rng(TORCH[version]["generator"], seed, torch=version)


def drawn(version, call):
    """(numbers, band) of ours for one call of the golden file."""
    rng, kind = rng_of(version, call["seed"]), call["call"]
    if kind == "uniform":
        values = rng.uniform(call["n"], call["dtype"])
    elif kind == "exponential":
        return rng.exponential(call["n"], call["dtype"])
    elif kind == "normal":
        values = rng.normal(call["n"], call["dtype"])[-len(call["values"]):]
    elif kind == "randint":
        values = rng.randint(call["low"], call["high"], call["n"])
    else:
        size = call["rows"] * call["columns"]
        weights = (numpy.arange(size) * 37 % 101 + 1).reshape(call["rows"], call["columns"]).astype(call["dtype"])
        values = rng.multinomial(weights, call["samples"], call["replacement"])
    return values, numpy.zeros(values.shape)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ["uniform", "exponential", "normal", "randint", "multinomial"])
def test_draws_are_those_of_torch(version, kind):
    calls = [call for call in TORCH[version]["calls"] if call["call"] == kind]
    assert calls or kind == "normal"
    for call in calls:
        values, band = drawn(version, call)
        if "sha256" in call:
            assert (band == 0).all()
            assert hashlib.sha256(values.tobytes()).hexdigest() == call["sha256"], call
            continue
        want = numpy.array(call["values"])
        if kind == "normal":  # torch's float32 logarithm and sine in vectors; a double's is libm's
            band = 1e-6 if call["dtype"] == "float32" and call["n"] >= 16 else numpy.spacing(numpy.abs(want).astype(call["dtype"])) if call["dtype"] == "float32" else 1e-14
        assert (numpy.abs(values.astype("float64") - want) <= band).all() if kind in ("normal", "exponential") else (values == want.reshape(values.shape)).all(), (call, values)


def test_the_exponentials_of_single_precision_have_no_band_but_where_the_cast_is_near():
    values, band = vaa.Rng("torch_cpu", 3).exponential(200000)
    assert (band > 0).mean() < 1e-5 and (values >= 0).all()
    values, band = vaa.Rng("torch_cpu_mkl", 3).exponential(1000)
    assert (band == numpy.spacing(values)).all()


@pytest.mark.parametrize("version", [version for version in VERSIONS if "states" in TORCH[version]])
def test_states_are_those_of_torch(version):
    assert hashlib.sha256(vaa.Rng("torch_cpu", 7).save()).hexdigest() == TORCH[version]["fresh_state_sha256"]
    for case in TORCH[version]["states"]:
        rng = vaa.Rng("torch_cpu", 7)
        rng.uniform(case["draws"])
        rng.normal(3)
        state = numpy.frombuffer(rng.save(), dtype="uint8").copy()
        if case["state"]:  # the kept normal is of torch's libm: bytes 5024 to 5031
            want = numpy.frombuffer(base64.b64decode(case["state"]), dtype="uint8")
            same = numpy.delete(numpy.arange(5056), numpy.arange(5024, 5032))
            assert (state[same] == want[same]).all()
            rng = vaa.Rng("torch_cpu", state=want)
            assert rng.save() == want.tobytes()
        normal = rng.normal(1)
        assert abs(normal[0] - case["normal_then_uniform"][0]) < 1e-6
        assert rng.uniform(2).tolist() == case["normal_then_uniform"][1:]


def test_a_stream_does_not_depend_on_how_it_is_asked_for():
    for name in ("torch_cpu", "llama_cpp", "tensorrt_llm", "mkl_mcg31", "philox4x32", "threefry2x32"):
        whole = vaa.Rng(name, 5).raw(2000)
        rng = vaa.Rng(name, 5)
        assert numpy.concatenate([rng.raw(n) for n in (1, 0, 623, 1, 700, 675)]).tolist() == whole.tolist(), name
    rng = vaa.Rng("torch_cpu", 5)
    rng.skip(1500)
    assert rng.raw(500).tolist() == vaa.Rng("torch_cpu", 5).raw(2000)[1500:].tolist()
    assert vaa.Rng("torch_cpu", 5).raw(2000).tolist() == numpy.random.RandomState(5).randint(0, 2**32, 2000, dtype="uint32").tolist()


def test_a_saved_state_goes_on_where_it_was():
    for name, draw in (("torch_cpu", lambda r: r.raw(700)), ("torch_cuda", lambda r: r.raw(700)), ("llama_cpp", lambda r: r.raw(700)), ("tensorrt_llm", lambda r: r.raw(7)),
                       ("philox4x32", lambda r: r.raw(8)), ("philox4x64", lambda r: r.raw(8, 64)), ("threefry2x32", lambda r: r.raw(8)), ("mkl_mcg31", lambda r: r.raw(7))):
        rng = vaa.Rng(name, 11)
        fresh = rng.save()
        first = draw(rng).tolist()
        later, then = rng.save(), draw(rng).tolist()
        assert draw(vaa.Rng(name, state=later)).tolist() == then, name
        rng.load(fresh)
        assert draw(rng).tolist() == first != then, name
        for state in (fresh[:-1], b"", fresh + b"\0"):
            with pytest.raises(vaa.Error, match=f"state: has {len(state)} bytes, must be {len(fresh)}"):
                rng.load(state)
        assert rng.save() == draw_of(name, fresh, draw)


def draw_of(name, state, draw):
    """The state behind one draw: what a refused load leaves as it was."""
    rng = vaa.Rng(name, state=state)
    draw(rng)
    return rng.save()


@pytest.mark.parametrize("name", ["torch_cpu", "torch_cuda", "vllm_v2", "sglang"])
def test_seeds_are_exact_and_negative_ones_twos_complement(name):
    def first(seed):
        rng = vaa.Rng(name, seed)
        return (rng.raw(4) if name.startswith("torch") else rng.raw_at(3, [0, 1, 2, 3])).tolist()

    assert first(-1) == first(2**64 - 1) == first("0xffffffffffffffff") == first("-1")
    assert first(-2**63) == first(2**63) == first(str(2**63))
    if name != "torch_cpu":  # which takes the low 32 bits
        assert first(2**63) != first(2**63 + 1) != first(1) and first(2**63) != first(0)
    else:
        assert first(2**63) == first(0)
    for seed in (2**64, -2**63 - 1, 10**30, "0x1ffffffffffffffff"):
        with pytest.raises(vaa.Error, match="seed: is .*, allowed are -9223372036854775808 to 18446744073709551615"):
            vaa.Rng(name, seed)
    for seed in ("", "x", "1.0", "0x", "-", "+1", " 1", "1e3"):
        with pytest.raises(vaa.Error, match="seed: is .* must be a whole number"):
            vaa.Rng(name, seed)


def test_the_seed_of_llama_cpp_has_32_bits_and_minus_one_is_random():
    assert vaa.Rng("llama_cpp", 2**32 - 2).raw(1).tolist() == vaa.Rng("llama_cpp", -2).raw(1).tolist()
    for seed, words in ((-1, "random"), (2**32 - 1, "random"), (2**32, "32 bits")):
        with pytest.raises(vaa.Error, match=words):
            vaa.Rng("llama_cpp", seed)


def test_bad_options_are_refused_by_name():
    with pytest.raises(vaa.Error, match="generator: \"torch_gpu\" is not known; did you mean torch_cpu\\?; known are torch_cpu, torch_cpu_mkl, .*, captured") as caught:
        vaa.Rng("torch_gpu", 1)
    assert caught.value.name == "VAA_ERROR_OPTION"
    for arguments, words in (({"generator": "torch_cpu"}, "seed: is not given"), ({"generator": "torch_cpu", "seed": 1, "state": b"x"}, "state: is given beside a seed"),
                             ({"generator": "sglang", "state": b""}, "state: sglang has none"), ({"generator": "sglang", "seed": 1, "variant": "x"}, "allowed are clamped, unclamped"),
                             ({"generator": "llama_cpp", "seed": 1, "variant": "x"}, "variant: llama_cpp has none"), ({"generator": "llama_cpp", "seed": 1, "sm_count": 3}, "sm_count: llama_cpp does not take it"),
                             ({"generator": "torch_cuda", "seed": 1, "sm_count": 0}, "allowed are 1 to 1024"), ({"generator": "vllm_v2", "seed": 1, "triton": "3.1"}, "allowed are new, old"),
                             ({"generator": "torch_cpu", "seed": 1, "torch": "new"}, "must be a version such as 2.6"), ({"generator": "torch_cpu_mkl", "seed": 1, "torch": "2.7"}, "use torch_cpu"),
                             ({"generator": "torch_cpu", "seed": 1, "sedd": 2}, "did you mean seed")):
        with pytest.raises(vaa.Error, match=words):
            vaa.Rng(**arguments)


def test_impossible_states_are_refused():
    rng = vaa.Rng("torch_cpu", 1)
    good = bytearray(rng.save())
    for at, value, words in ((8, 0, "left is 0"), (12, 0, "seeded 0"), (16, 5, "next 5"), (28, 1, "word 0 is"), (5040, 2, "marked 2")):
        bad = bytearray(good)
        bad[at] = value
        with pytest.raises(vaa.Error, match=words):
            rng.load(bad)
    assert rng.save() == bytes(good)
    with pytest.raises(vaa.Error, match="multiple of 4"):
        vaa.Rng("torch_cuda", state=bytes(8) + b"\x02" + bytes(7))


def test_what_cannot_be_known_is_refused():
    with pytest.raises(vaa.Error, match="sm_count: is not given, and is needed for a draw of 129280"):
        vaa.Rng("torch_cuda", 1).uniform(129280)
    with pytest.raises(vaa.Error, match="torch: is not given"):
        vaa.Rng("torch_cpu", 1).randint(0, 2**31, 1)
    for width in ("float16", "bfloat16"):
        with pytest.raises(vaa.Error, match="torch: is not given"):
            vaa.Rng("torch_cpu", 1).uniform(1, width)
    for name in ("tensorrt_llm", "mkl_mcg31"):
        with pytest.raises(vaa.Error, match="draws float32 alone"):
            vaa.Rng(name, 1).uniform(1, "float16")
    with pytest.raises(vaa.Error, match="torch: is not given"):
        vaa.Rng("torch_cpu", 1).multinomial(numpy.ones(3), 1, True)
    with pytest.raises(vaa.Error, match="llama_cpp has no gumbel; those that do: vllm_v2, sglang, .*captured") as caught:
        vaa.Rng("llama_cpp", 1).gumbel_row(0, 8)
    assert caught.value.name == "VAA_ERROR_UNSUPPORTED"
    with pytest.raises(vaa.Error, match="position: is 1, must be 0"):
        vaa.Rng("vllm_cpu", 1).gumbel_row(1, 8)


def test_counts_and_ranges_are_checked():
    rng = vaa.Rng("torch_cpu", 1)
    before = rng.save()
    for n in (-1, 2**32 + 1):
        with pytest.raises(ValueError):
            rng.uniform(n)
    for low, high in ((0, 0), (3, 2), (2**63 - 1, -2**63)):
        with pytest.raises(vaa.Error, match="high: is"):
            rng.randint(low, high, 1)
    with pytest.raises(vaa.Error, match="must be at most 68719476736"):
        rng.skip(2**36 + 1)
    weights = numpy.array([[0.5, 0, 0.5]], dtype="float32")
    for probs, samples, words in ((weights * numpy.nan, 1, "must be finite"), (-weights, 1, "must be finite and at least 0"), (weights * 0, 1, "no weight above 0"), (weights, 3, "has 2 weights above 0"),
                                  (weights, 4, "4 samples without replacement of 3"), (weights, 0, "multiple"), (weights[:0], 1, "must")):
        with pytest.raises(vaa.Error, match=words):
            rng.multinomial(probs, samples)
    assert rng.save() == before
    cuda = vaa.Rng("torch_cuda", 1)
    for units in (2**64 - 1, 2**64 - 3):
        with pytest.raises(vaa.Error, match="would go past 2\\^64"):
            cuda.skip(units)
    with pytest.raises(OverflowError):
        cuda.skip(-1)


def test_a_multinomial_takes_rows_of_any_stride():
    table = numpy.abs(numpy.sin(numpy.arange(60, dtype="float32"))).reshape(5, 12)
    assert vaa.Rng("torch_cpu", 3).multinomial(table[::2, 2:7], 2).tolist() == vaa.Rng("torch_cpu", 3).multinomial(table[::2, 2:7].copy(), 2).tolist()


def test_the_band_of_cuda_is_absolute_from_one_half_on_and_the_floor_exact():
    u = vaa.Rng("torch_cuda", 9, sm_count=132).uniform(129280).astype("float64")
    q, band = vaa.Rng("torch_cuda", 9, sm_count=132).exponential(129280)
    inner = (u >= 0.5) & (u < 1 - 2**-24)
    assert (band[inner] >= numpy.float32(2**-21.4)).all() and (band[inner] < 2**-21).all()
    outer = (u < 0.5) & (u > 0)
    assert (numpy.abs(q[outer] + numpy.log(u[outer])) <= band[outer]).all() and (band[outer] <= 7 * numpy.spacing(q[outer])).all()
    # A word of 2^32 - 1 gives u = 1, which torch.rand folds to 0 and exponential_ floors.
    floor = (u == 0) | (u >= 1 - 2**-24)
    assert (q[floor] == 2**-24).all() and (band[floor] == 0).all()


def test_rows_are_their_columns_and_captured_noise_comes_back():
    for name in ("vllm_v2", "sglang"):
        rng = vaa.Rng(name, 77)
        row, band = rng.gumbel_row(12, 1000)
        assert rng.gumbel_at(12, [0, 999, 5]).values.tolist() == row[[0, 999, 5]].tolist() and (band > 0).all()
        assert (numpy.abs(row + numpy.log(-numpy.log(rng.uniform_at(12, list(range(1000)))))) < 1e-5).all() or name == "vllm_v2"
    noise = numpy.array([0.5, 2.0, 0.0])
    captured = vaa.Rng("captured", variant="exponential")
    captured.give(4, noise)
    assert captured.gumbel_row(4, 3).values.tolist() == pytest.approx([-numpy.log(0.5), -numpy.log(2.0), numpy.inf])
    for position, vocabulary, words in ((5, 3, "no noise was given for 5"), (4, 4, "has 3 numbers")):
        with pytest.raises(vaa.Error, match=words):
            captured.gumbel_row(position, vocabulary)
    with pytest.raises(vaa.Error, match="noise\\[1\\]: is -1"):
        captured.give(4, [1.0, -1.0])


def test_the_noise_of_any_uniform():
    for generator in ("vllm_v2", "sglang", "sglang_legacy", "vllm_cpu"):
        rng = vaa.Rng(generator, 3)
        drawn = rng.uniform_at(0, [1, 2, 3])
        assert rng.gumbel_of(drawn).values.tolist() == rng.gumbel_at(0, [1, 2, 3]).values.tolist()
    # The form with epsilons at 1: -log(0 + 1e-20); the clamp at log u = -2^-32: 32 log 2.
    assert vaa.Rng("vllm_v2", 0, variant="vllm_ascend").gumbel_of([1]).values[0] == pytest.approx(20 * math.log(10), rel=1e-6)
    assert vaa.Rng("sglang", 0).gumbel_of([1.0]).values[0] == pytest.approx(32 * math.log(2))
    assert vaa.Rng("sglang", 0, variant="unclamped").gumbel_of([1.0]).values[0] == math.inf
    with pytest.raises(vaa.Error, match=r"uniforms\[1\]: is 1.5"):
        vaa.Rng("vllm_cpu", 0).gumbel_of([0.5, 1.5])
    with pytest.raises(vaa.Error, match="vllm_v2"):
        vaa.Rng("torch_cuda", 0).gumbel_of([0.5])


def test_the_table_says_what_each_generator_has():
    table = vaa.generators()
    assert len({line["name"] for line in table}) == len(table) >= 17
    calls = {"raw_u32": lambda r: r.raw(2), "raw_u64": lambda r: r.raw(2, 64), "uniform_f32": lambda r: r.uniform(2), "uniform_f64": lambda r: r.uniform(2, "float64"),
             "exponential_f32": lambda r: r.exponential(2), "exponential_f64": lambda r: r.exponential(2, "float64"), "normal": lambda r: r.normal(20),
             "randint": lambda r: r.randint(0, 9, 2), "multinomial": lambda r: r.multinomial(numpy.ones(3)), "multinomial with replacement": lambda r: r.multinomial(numpy.ones(3), 2, True),
             "skip": lambda r: r.skip(8), "save and load": lambda r: r.load(r.save()), "raw_at": lambda r: r.raw_at(0, [0, 1]), "uniform_at": lambda r: r.uniform_at(0, [0, 1]),
             "gumbel": lambda r: (r.give(0, [1.0, 2.0]) if "give" in line["draws"] else None, r.gumbel_row(0, 2)), "give": lambda r: r.give(0, [1.0]),
             "gumbel_of": lambda r: r.gumbel_of([0.5])}
    for line in table:
        for name, call in calls.items():
            rng = vaa.Rng(line["name"], 3)
            if name in line["draws"]:
                call(rng)
            else:
                with pytest.raises(vaa.Error, match="has no " + name):
                    call(rng)
        assert set(line["draws"]) <= set(calls) and line["exact"] and line["title"]


def test_the_vectors_pass_and_a_changed_one_fails(tmp_path):
    document = json.loads((GOLDEN / "vectors" / "rng.json").read_text())

    def judged(changed):
        path = tmp_path / "rng.json"
        path.write_text(json.dumps(changed))
        return subprocess.run([sys.executable, "-m", "vaa.conformance", str(path)], capture_output=True, text=True).stdout.splitlines()

    assert judged(document)[0] == f"{len(document['vectors'])} passed, 0 failed, 0 unknown"
    text = json.dumps(document)
    for old, new in (("0x8c7f0aac", "0x8c7f0aad"), ("0.9700530018065531", "0.9700530018065532"), ("415135158", "1"), ("0.18363765151910857", "0.1836376515192"), ("103415", "103416")):
        if old in text:
            assert " 1 failed, " in judged(json.loads(text.replace(old, new, 1)))[-1], old
    unknown = {**document["vectors"][0], "generator": "RANDU"}
    assert judged({"vectors": [unknown]}) == ["0 passed, 0 failed, 1 unknown", "unknown: generator RANDU: 1"]


def test_generators_of_threads_do_not_meet():
    want, got = vaa.Rng("torch_cpu", 1).raw(50000).tolist(), {}

    def work(i):
        got[i] = vaa.Rng("torch_cpu", 1).raw(50000).tolist()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(got[i] == want for i in range(4))


def test_a_live_torch_agrees_with_the_stored_one(tmp_path):
    """Debian's python3-torch, or whatever the system's Python has."""
    python = shutil.which("python3", path="/usr/bin")
    if not python or subprocess.run([python, "-c", "import torch, numpy"], capture_output=True).returncode:
        pytest.skip("the system's Python has no torch (Debian: python3-torch): the stored draws of five versions are what is tested")
    script = tmp_path / "make_torch_random.py"
    script.write_text((ROOT / "tests" / "golden" / "make_torch_random.py").read_text())
    subprocess.run([python, script], check=True)
    for version, made in json.loads((tmp_path / "torch_random.json").read_text()).items():
        assert version not in TORCH or made == TORCH[version]

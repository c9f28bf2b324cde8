"""Replays of files: .npy, .safetensors and records; what is cut, lies or is of another kind is refused by name."""

import json
import pathlib
import struct
import subprocess
import sys

import numpy
import pytest

import vaa
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
import replay_engines as engines  # noqa: E402

PROMPT = [3, 1, 4]
ASKED = dict(engine="vllm_v1", generator="torch_cpu", seed=5, **engines.PARAMS)


@pytest.fixture(scope="module")
def sequence():
    logits = engines.made_logits(640, 77)
    return logits, engines.run(logits, engines.PARAMS, 5, PROMPT, engines.Fault())


def safetensors(path, tensors, metadata=None):
    """The format by its description: length of the header, header, bytes."""
    header, data = {} if metadata is None else {"__metadata__": metadata}, b""
    for name, (kind, array) in tensors.items():
        held = array.tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(held)]}
        data += held
    words = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(words)) + words + data)
    return path


def test_every_kind_of_file_gives_the_report_of_the_rows(tmp_path, sequence):
    logits, tokens = sequence
    want = vaa.replay(logits, tokens, prompt=PROMPT, **ASKED)
    assert want.verdict == "pass"
    numpy.save(tmp_path / "z.npy", logits)
    numpy.save(tmp_path / "z64.npy", logits.astype(float))
    numpy.save(tmp_path / "fortran.npy", numpy.asfortranarray(logits))
    numpy.save(tmp_path / "ids.npy", numpy.array(tokens, numpy.int64))
    (tmp_path / "ids.json").write_text(json.dumps(tokens))
    (tmp_path / "ids.txt").write_text("\n".join(map(str, tokens)))
    safetensors(tmp_path / "z.safetensors", {"logits": ("F32", logits)}, metadata={"by": "test"})
    safetensors(tmp_path / "both.safetensors", {"ids": ("I32", numpy.array(tokens, numpy.int32)), "logits": ("F32", logits)})
    for rows, ids in (("z.npy", "ids.npy"), ("z64.npy", "ids.json"), ("fortran.npy", "ids.txt"), ("z.safetensors", "ids.npy")):
        assert vaa.replay(tmp_path / rows, tmp_path / ids, prompt=PROMPT, **ASKED).to_json() == want.to_json(), rows
    both = tmp_path / "both.safetensors"
    assert vaa.replay(both, both, tensor="logits", ids_tensor="ids", prompt=PROMPT, **ASKED).to_json() == want.to_json()


def test_narrow_floats_are_what_they_say(tmp_path, sequence):
    logits, _ = sequence
    rounded = engines.bf16(logits)
    tokens = rounded.argmax(1)
    safetensors(tmp_path / "z.safetensors", {"z": ("BF16", (rounded.view(numpy.uint32) >> 16).astype(numpy.uint16))})
    assert vaa.replay(tmp_path / "z.safetensors", tokens, engine="vllm_v1", temperature=0).verdict == "pass"
    half = logits.astype(numpy.float16)
    safetensors(tmp_path / "h.safetensors", {"z": ("F16", half)})
    assert vaa.replay(tmp_path / "h.safetensors", half.argmax(1), engine="vllm_v1", temperature=0).verdict == "pass"


def test_captured_noise_comes_from_a_file(tmp_path, sequence):
    logits, tokens = sequence
    stream = engines.Stream(5)
    noise = numpy.array([stream.exponential(engines.VOCABULARY) for _ in tokens]).astype(numpy.float32)
    numpy.save(tmp_path / "q.npy", noise)
    asked = {k: v for k, v in ASKED.items() if k not in ("generator", "seed")}
    assert vaa.replay(logits, tokens, noise=tmp_path / "q.npy", **asked).verdict == "pass"
    assert vaa.replay(logits, tokens, noise=noise[::-1], **asked).to_dict()["replay"]["streams"]["alignment"] == "not_aligned"


def cut(data, at):
    return lambda path: path.write_bytes(data[:at])


def header_of(header, data=b""):
    words = header if isinstance(header, bytes) else json.dumps(header).encode()
    return lambda path: path.write_bytes(struct.pack("<Q", len(words)) + words + data)


TENSOR = {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]}


@pytest.mark.parametrize("name, write, words", [
    ("z.npy", lambda path: path.write_bytes(b""), "z.npy: is empty"),
    ("z.npy", lambda path: path.write_bytes(b"\x93NUMPY"), "is no whole .npy file"),
    ("z.npy", lambda path: path.write_bytes(b"PK\x03\x04" + bytes(50)), "is no .npy file: it begins otherwise"),
    ("z.npy", lambda path: numpy.save(path, numpy.array([{}], dtype=object), allow_pickle=True), "is no whole .npy file.*(pickle|objects)"),
    ("z.npy", lambda path: numpy.save(path, numpy.zeros((3, 4), complex)), "holds complex128"),
    ("z.npy", lambda path: numpy.save(path, numpy.zeros((2, 4), numpy.int32)), "is 2-D of int32, must be rows"),
    ("z.npy", lambda path: numpy.save(path, numpy.zeros(4, numpy.float32)), "is 1-D of float32, must be rows"),
    ("z.npy", lambda path: numpy.save(path, numpy.zeros((3, 4), numpy.float32)), "has 3 rows, and there are 2 ids"),
    ("z.safetensors", cut(b"", 0), "is cut: has 0 bytes"),
    ("z.safetensors", cut(struct.pack("<Q", 2**63), 8), "is cut: its header has 9223372036854775808 bytes, and 0 follow"),
    ("z.safetensors", header_of(b"{"), "its header is no JSON"),
    ("z.safetensors", header_of(b"[" * 100000), "its header is no JSON"),
    ("z.safetensors", header_of([1]), "its header is no JSON object"),
    ("z.safetensors", header_of({}), "holds 0 tensors"),
    ("z.safetensors", header_of({"a": TENSOR, "b": TENSOR}, bytes(32)), "holds 2 tensors, say which: a, b"),
    ("z.safetensors", header_of({"a": TENSOR}, bytes(31)), "is cut: it ends at byte 32, and there are 31"),
    ("z.safetensors", header_of({"a": {**TENSOR, "data_offsets": [0, 31]}}, bytes(32)), "its offsets 0 to 31 do not hold 8 numbers"),
    ("z.safetensors", header_of({"a": {**TENSOR, "data_offsets": [-1, 31]}}, bytes(32)), "must be whole numbers"),
    ("z.safetensors", header_of({"a": {**TENSOR, "shape": [2**40, 2**40]}}, bytes(32)), "do not hold"),
    ("z.safetensors", header_of({"a": {**TENSOR, "shape": [True, 8]}}, bytes(32)), "must be whole numbers"),
    ("z.safetensors", header_of({"a": {**TENSOR, "dtype": "F8_E4M3"}}, bytes(32)), "is of 'F8_E4M3', must be one of"),
    ("z.safetensors", header_of({"a": {"dtype": "F32"}}), "lacks dtype, shape or data_offsets"),
    ("z.safetensors", header_of({"a": 3}), "lacks dtype, shape or data_offsets"),
])
def test_a_file_that_is_cut_or_lies_is_refused_by_name(tmp_path, name, write, words):
    path = tmp_path / name
    write(path)
    with pytest.raises(ValueError, match=words) as fault:
        vaa.replay(path, [0, 1], engine="vllm_v1", temperature=0)
    assert str(path) in str(fault.value)


def test_every_cut_of_a_file_is_refused_or_read(tmp_path):
    logits = numpy.arange(8, dtype=numpy.float32).reshape(2, 4)
    numpy.save(tmp_path / "whole.npy", logits)
    safetensors(tmp_path / "whole.safetensors", {"a": ("F32", logits)})
    for kind in ("npy", "safetensors"):
        data = (tmp_path / f"whole.{kind}").read_bytes()
        path = tmp_path / f"cut.{kind}"
        for at in range(len(data)):
            path.write_bytes(data[:at])
            with pytest.raises(ValueError, match=str(path)):
                vaa.replay(path, [3, 3], engine="vllm_v1", temperature=0)


@pytest.mark.parametrize("text, words", [("[1, 2.5]", r"ids\[1\] is 2.5"), ("[1, -2]", r"ids\[1\] is -2"), ("[true, 1]", r"ids\[0\] is True"), ("1 two", "neither JSON nor whole numbers"), ("[" * 9999, "neither JSON"), ("[1, 2147483648]", r"ids\[1\]")])
def test_lists_of_ids_that_are_none(tmp_path, text, words):
    (tmp_path / "ids.txt").write_text(text)
    with pytest.raises(ValueError, match=words):
        vaa.replay(numpy.zeros((2, 4), numpy.float32), tmp_path / "ids.txt", engine="vllm_v1", temperature=0)


def records(path, logits, answers, k=20, **sampling):
    """Answers as records with lists of raw logprobs: the k likeliest, and the chosen token behind them where it is not among these."""
    with open(path, "w", encoding="utf-8") as file:
        for number, (rows, tokens) in enumerate(zip(logits, answers)):
            logprobs = rows - numpy.log(numpy.exp(rows.astype(float)).sum(1, keepdims=True))
            lists = [[int(i) for i in numpy.argsort(-row)[:k]] for row in logprobs]
            lists = [ids if token in ids else [*ids, token] for ids, token in zip(lists, tokens)]
            sample = vaa.Sample({"id": str(number), "prompt.token_ids": PROMPT, "output.token_ids": tokens, "output.top_ids": sum(lists, []),
                                 "output.top_logprobs": [float(row[i]) for row, ids in zip(logprobs, lists) for i in ids], "output.top_ends": numpy.cumsum([len(ids) for ids in lists]),
                                 "sampling.seed": str(900 + number), **{f"sampling.{name}": value for name, value in sampling.items()}})
            file.write(sample.to_json() + "\n")
    return path


def test_a_run_of_records_is_replayed_with_its_own_seeds_and_parameters(tmp_path):
    params = {"temperature": 0.7, "top_k": 12}
    logits = [engines.made_logits(110, 300 + i) for i in range(6)]
    answers = [engines.run(rows, params, 900 + i, PROMPT, engines.Fault()) for i, rows in enumerate(logits)]
    asked = dict(engine="vllm_v1", generator="torch_cpu", vocabulary=engines.VOCABULARY)
    path = records(tmp_path / "run.jsonl", logits, answers, **params)
    report = vaa.replay(path, **asked)
    assert report.verdict == "pass" and report.to_dict()["replay"]["sequences"] == 6, report.to_text()
    hot = [engines.run(rows, {**params, "temperature": 1.0}, 900 + i, PROMPT, engines.Fault()) for i, rows in enumerate(logits)]
    report = vaa.replay(records(tmp_path / "hot.jsonl", logits, hot, **params), **asked)
    assert report.verdict == "fail" and report.to_dict()["replay"]["cause"] == "temperature_ignored"
    more = [engines.run(rows, {**params, "top_k": 200}, 900 + i, PROMPT, engines.Fault()) for i, rows in enumerate(logits)]
    assert vaa.replay(records(tmp_path / "more.jsonl", logits, more, **params), **asked).to_dict()["replay"]["illegal"] > 0
    shifted = vaa.replay(path, **asked, seed=1)
    assert shifted.to_dict()["replay"]["streams"]["alignment"] == "not_aligned"
    with pytest.raises(ValueError, match="ids: are given beside a run of records"):
        vaa.replay(path, [1], **asked)
    two = tmp_path / "two.jsonl"
    two.write_text(path.read_text() + records(tmp_path / "other.jsonl", logits[:1], answers[:1], temperature=0.9, top_k=12).read_text())
    with pytest.raises(ValueError, match="temperature is 0.9, that of the samples before was 0.7"):
        vaa.replay(two, **asked)
    with pytest.raises(ValueError, match="raw ones"):
        vaa.replay(records(tmp_path / "p.jsonl", logits[:1], answers[:1], logprobs_mode="processed_logprobs", **params), **asked)


def command(*arguments, cwd=None):
    return subprocess.run([sys.executable, "-m", "vaa", "replay", *map(str, arguments)], capture_output=True, text=True, cwd=cwd)


def test_the_command_has_the_report_and_its_exit_codes(tmp_path, sequence):
    logits, tokens = sequence
    numpy.save(tmp_path / "z.npy", logits)
    (tmp_path / "ids.json").write_text(json.dumps(tokens))
    asked = ["--ids", tmp_path / "ids.json", "--engine", "vllm_v1", "--generator", "torch_cpu", "--temperature", "0.7", "--top-k", "40", "--top-p", "0.95", "--min-p", "0.02"]
    done = command(tmp_path / "z.npy", *asked, "--seed", "5", "--lang", "en")
    assert done.returncode == 0 and done.stdout.rstrip() == vaa.replay(logits, tokens, **ASKED).to_text().rstrip(), done.stderr
    assert command(tmp_path / "z.npy", *asked, "--seed", "6").returncode == 2
    hot = command(tmp_path / "z.npy", *asked, "--seed", "5", "--temperature", "1.4", "--format", "json", "--lang", "zh")
    assert hot.returncode == 1 and json.loads(hot.stdout)["kind"] == "replay"
    few = command(tmp_path / "z.npy", "--ids", tmp_path / "ids.json", "--engine", "nothing")
    assert few.returncode == 2 and "known: hf, llama_cpp" in few.stderr
    (tmp_path / "cut.npy").write_bytes((tmp_path / "z.npy").read_bytes()[:500])
    broken = command(tmp_path / "cut.npy", *asked, "--seed", "5")
    assert broken.returncode == 2 and "cut.npy: is no whole .npy file" in broken.stderr and broken.stderr.count("\n") == 1
    assert command(tmp_path / "nowhere.npy", *asked).returncode == 2
    written = command(tmp_path / "z.npy", *asked, "--seed", "0x5", "--out", tmp_path / "r.md", "--format", "markdown")
    assert written.returncode == 0 and "pass, written to" in written.stderr and (tmp_path / "r.md").read_text().startswith("# ")


def test_what_the_library_says_of_an_option_has_the_name_of_the_command():
    lists = pathlib.Path(__file__).parents[1] / "golden" / "samples" / "openai_completion_response_vllm.jsonl"
    done = command(lists, "--engine", "vllm_v1", "--generator", "torch_cpu", "--seed", "1")
    assert done.returncode == 2 and done.stderr == "vaa: --vocabulary: is not given, and rows of logprobs need it\n"

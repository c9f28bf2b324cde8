"""The monitor: chunks of ids and text, and the example that stops a loop."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import threading

import numpy
import pytest
from hypothesis import given, settings, strategies as st

import vaa

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNIT = "and so it goes on "


def looping_ids(before, period, length):
    return list(range(100_000, 100_000 + before)) + [i % period for i in range(length)]


def stopped_at(chunks, **options):
    """Symbols that were pushed when the monitor said to stop; None where it never did."""
    monitor, pushed = vaa.Monitor(**options), 0
    for chunk in chunks:
        pushed += len(chunk)
        if monitor.push(chunk) == vaa.Monitor.LOOP:
            return pushed
    return None


def test_a_loop_of_ids_begun_at_600_is_stopped_at_900():
    ids = looping_ids(600, 30, 30_000)
    assert stopped_at([i] for i in ids) == 900
    assert stopped_at(numpy.array(ids)[i:i + 7] for i in range(0, len(ids), 7)) == 903
    assert stopped_at([i] for i in looping_ids(32_000, 30, 768)) == 32_300


def test_the_table_of_the_docs_says_when_a_loop_is_stopped():
    page = (ROOT / "docs" / "monitor.md").read_text(encoding="utf-8")
    rows = [[int(cell.replace(",", "")) for cell in row] for row in re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", page, re.M)]
    assert len(rows) == 8
    for period, suspected, stopped, holds in rows:
        ids, monitor, states = looping_ids(600, period, 9000), vaa.Monitor(), []
        for i in ids[:stopped]:
            states.append(monitor.push([i]))
        assert (states.index(vaa.Monitor.SUSPECTED) if vaa.Monitor.SUSPECTED in states else stopped - 1) == suspected - 1
        assert states.index(vaa.Monitor.LOOP) == stopped - 1
        assert holds == 600 + min(max(10 * period, 150), max(4 * period, 1000))  # the rule of that page
        assert stopped - holds <= (holds - 600) / 8


def test_a_loop_has_its_evidence_in_the_units_that_were_pushed():
    monitor = vaa.Monitor()
    assert monitor.push("It began 水。 " + UNIT * 5) == vaa.Monitor.NOTHING and monitor.finding is None
    assert monitor.push(UNIT * 3) == monitor.state == vaa.Monitor.SUSPECTED
    assert (monitor.finding.severity, monitor.finding.confidence) == ("warn", "suspected")
    assert monitor.push((UNIT * 28).encode()) == monitor.state == vaa.Monitor.LOOP
    found = monitor.finding
    assert (found.flag, found.severity, found.confidence, found.part) == ("repetition_loop", "fail", "certain", "text")
    assert (found.onset_char, found.onset_byte, found.period_chars, found.period_bytes) == (11, 15, 18, 18)
    assert (found.count, found.length_chars, found.measure, found.onset_token) == (36, 36 * 18 + 1, 36 * 18 + 1, None)  # the blank before it too
    report = monitor.report()
    assert (report["schema"], report["state"], report["bytes"], report["tokens"]) == ("vaa.monitor/1", "loop", 15 + 1 + 36 * 18, None)
    assert "so it goes" in report["finding"]["excerpt"]
    monitor.reset()
    assert monitor.state == vaa.Monitor.NOTHING and monitor.finding is None and monitor.push([1, 2]) == vaa.Monitor.NOTHING


def test_what_the_prompt_asks_for_is_no_loop():
    line = "I will not chew gum in class.\n"
    assert stopped_at([line * 100]) == 100 * len(line)
    assert stopped_at([line * 100], prompt="Write it 100 times.") is None
    assert stopped_at([line * 100], prompt=b"Write it one hundred times.\xff") is None
    assert stopped_at([line] * 200, prompt="Write it 100 times.") == 102 * len(line)


def test_counters_finds_loops_whose_numbers_change():
    text = "".join(f"{i}. The cat sat on the mat and looked at the door. " for i in range(1, 300))
    assert stopped_at([text]) is None
    assert stopped_at([text], counters=True) == len(text)
    with pytest.raises(vaa.Error, match="counters"):
        vaa.Monitor(counters=True).push([1])


def test_a_vocabulary_tells_words_from_rules():
    vocab = vaa.Vocab.from_tokens([b"----", b" there"])
    assert stopped_at(([1] for _ in range(2000)), vocab=vocab) == 150
    assert stopped_at(([0] for _ in range(2000)), vocab=vocab) == 1024
    assert stopped_at(([1] for _ in range(2000))) == 1024


def test_bad_input_is_an_error():
    for options in ({"min_count": 3}, {"max_period": 0}, {"min_cover": 0.5}, {"nonsense": 1}):
        with pytest.raises(vaa.Error) as fault:
            vaa.Monitor(**options)
        assert fault.value.name == "VAA_ERROR_OPTION" and next(iter(options)) in fault.value.message
    monitor = vaa.Monitor()
    monitor.push("a")
    with pytest.raises(vaa.Error, match="ids after text"):
        monitor.push([1])
    assert monitor.push(b"\xff\x00\xed\xa0\x80") == vaa.Monitor.NOTHING
    with pytest.raises((TypeError, OverflowError)):
        vaa.Monitor().push([2**31])
    with pytest.raises(TypeError):
        vaa.Monitor().push(None)
    with pytest.raises(TypeError):
        vaa.Monitor().push([1.5])


loops = st.tuples(st.binary(max_size=200), st.binary(min_size=1, max_size=60), st.integers(0, 120), st.binary(max_size=200)).map(
    lambda t: t[0] + t[1] * t[2] + t[3])
sizes = st.lists(st.integers(1, 97), min_size=1, max_size=30)


def pieces(whole, cuts):
    at = 0
    while at < len(whole):
        size = cuts[at % len(cuts)]
        yield whole[at:at + size]
        at += size


@settings(max_examples=200, deadline=None)
@given(loops, sizes, st.booleans())
def test_text_may_be_cut_anywhere(text, cuts, counters):
    whole, cut = vaa.Monitor(counters=counters), vaa.Monitor(counters=counters)
    whole.push(text)
    for piece in pieces(text, cuts):
        cut.push(piece)
    assert cut.report() == whole.report() and cut.state == whole.state


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-2**31, 2**31 - 1), max_size=100), st.lists(st.integers(-2**31, 2**31 - 1), min_size=1, max_size=40), st.integers(0, 60), sizes)
def test_ids_may_be_cut_anywhere(before, unit, copies, cuts):
    ids = before + unit * copies
    whole, cut = vaa.Monitor(), vaa.Monitor()
    whole.push(ids)
    for piece in pieces(ids, cuts):
        cut.push(piece)
    assert cut.report() == whole.report()
    if len(unit) >= 3 and len(unit) * copies >= 1000 and copies >= 10:  # docs/monitor.md
        assert whole.state == vaa.Monitor.LOOP


def test_threads_may_each_have_one():
    wrong = []

    def work(period):
        for _ in range(3):
            at = stopped_at([i] for i in looping_ids(100, period, 2000))
            if at != 100 + max(150, 10 * period):
                wrong.append((period, at))

    threads = [threading.Thread(target=work, args=(period,)) for period in range(3, 19)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.fixture(scope="module")
def stop_loop():
    spec = importlib.util.spec_from_file_location("stop_loop", ROOT / "examples" / "stop_loop.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("options", [[], ["--text"]])
def test_the_example_stops_the_loop_and_saves_the_rest(options):
    done = subprocess.run([sys.executable, ROOT / "examples" / "stop_loop.py", "--demo", *options], capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stderr
    assert lines[0] == "stopped at token 900 of 32,768: saved 31,868 tokens" and lines[2] == "the server stopped soon after: yes"


def test_the_example_lets_an_answer_end():
    done = subprocess.run([sys.executable, ROOT / "examples" / "stop_loop.py", "--demo", "--max-tokens", "700"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "the answer ended after 700 tokens\n"), done.stderr
    for arguments in ([], ["http://localhost:9", "--demo"]):
        assert subprocess.run([sys.executable, ROOT / "examples" / "stop_loop.py", *arguments], capture_output=True).returncode == 2


class Pieces:
    """A response whose body comes in the pieces given."""

    def __init__(self, body, size):
        self.left, self.size = body, size

    def read1(self, most):
        piece, self.left = self.left[:self.size], self.left[self.size:]
        return piece


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_the_example_reads_events_by_the_standard(stop_loop, end, size):
    body = end.join([b": a comment", b"event: x", b"data: one", b"", b"data:two", b"data:  three", b"", b"", b"id: 4", "data: 水".encode(), b"", b"data: unfinished"])
    assert list(stop_loop.events(Pieces(body, size))) == ["one", "two\n three", "水"]


def test_the_example_reads_chunks_of_servers(stop_loop):
    assert stop_loop.delta({"choices": [{"text": " a", "token_ids": [5]}]}) == ([5], " a")
    assert stop_loop.delta({"choices": [{"delta": {"role": "assistant", "content": ""}}]}) == (None, None)
    assert stop_loop.delta({"choices": [{"delta": {"reasoning_content": "so"}, "token_ids": None}]}) == (None, "so")
    assert stop_loop.delta({"choices": [], "usage": {}}) == (None, None)
    assert stop_loop.delta({"error": {"message": "no"}}) == (None, None)

"""What holds for any text, ids and options (hypothesis)."""

import json
import math
import pathlib
import sys
import tempfile

import numpy as np
from hypothesis import given, settings, strategies as st

import vaa
from conftest import GOLDEN, ROOT

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
from planted_faults import FAULTS  # noqa: E402
from planted_texts import Source  # noqa: E402

anything = st.text(st.characters(), max_size=300) | st.text("ab\0 \ud800\udfff\ufffd", max_size=300)
repeated = st.builds(lambda head, unit, times: head + unit * times, st.text(max_size=30), st.text(min_size=1, max_size=12), st.integers(1, 80))
# What detectors look at, in any order: tags, turns, calls, code, marks of tokenizers and wrong encodings, scripts, counters, lists, and much of one of them.
PIECES = ["<think>", "</think>", "<tool_call>{", '{"a": ', '"}', "}", "</tool_call>", "<function=f><parameter=p>", "### Human:", "### Assistant:\n", "assistant", "<|im_start|>user\n",
          "<|im_end|>", "</s>", "```\n", "`", "~~~\n", "\\boxed{", "<0xE4>", "<0xBD>", "Ġthe", "Ċ", "▁of", "Ã©", "â€™", "\u0085", "\ufffd", "\0", "\ue000", "\u0378", "\u202e", "\u0301",
          "水", "がぎ", "한국", "при", "αβ", "שלום", "مرحبا", "नमस्ते", "ไทย", "🙂", "word ", "Another sentence ends here. ", "a, ", "1. ", "7", "| a | b |\n", "---", " ", "\n", "\t", ",", "“", "#tag "]
piece = st.sampled_from(PIECES) | st.text(max_size=6)
mixed = st.lists(st.builds(lambda text, times: text * times, piece, st.sampled_from([1, 1, 1, 2, 5, 40, 200])), max_size=12).map("".join)
finish = st.sampled_from([None, "stop", "length", "tool_calls", "abort"])
ids = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=200)


@settings(deadline=None, max_examples=200)
@given(anything | repeated | mixed, finish)
def test_a_text_and_its_bytes_give_the_same(text, ended):
    data = text.encode("utf-8", "surrogatepass")
    one, other = vaa.check_text(text, finish_reason=ended), vaa.check_text(data, finish_reason=ended)
    assert dict(one) == dict(other)
    assert one.output_bytes == len(data)
    for finding in one.findings:
        if finding.onset_byte is not None:
            assert 0 <= finding.onset_byte <= len(data) and finding.onset_byte + (finding.length_bytes or 0) <= len(data)
    assert not one.flags & one.unknown


@settings(deadline=None, max_examples=300)
@given(mixed | repeated, mixed, st.none() | mixed, st.none() | mixed, finish)
def test_findings_lie_in_their_part_and_keep_the_severity_of_their_flag(text, more, prompt, reasoning, ended):
    parts = {"text": text + more, "reasoning": reasoning or ""}
    severity = {flag["name"]: flag["severity"] for flag in vaa.flags()}
    order = ("info", "warn", "fail")
    found = vaa.check_text(parts["text"], prompt, finish_reason=ended, reasoning=reasoning)
    for finding in found.findings:
        assert order.index(finding.severity) <= order.index(severity[finding.flag])
        if finding.onset_char is not None:
            end = finding.onset_char + (finding.length_chars or 0)
            assert 0 <= finding.onset_char <= end <= len(parts[finding.part])
            assert len(parts[finding.part][:finding.onset_char].encode("utf-8", "surrogatepass")) == finding.onset_byte
    assert dict(found) == dict(vaa.check_text(parts["text"], prompt, finish_reason=ended, reasoning=reasoning))


TEXTS = json.loads((GOLDEN / "udhr.json").read_text(encoding="utf-8"))
# Flags that what stands before the fault does not change.
LOCAL = {"repetition_loop", "counter_loop", "replacement_char", "control_char", "invalid_unicode", "special_token_leak", "byte_fallback_leak", "tokenizer_artifact", "role_leak"}


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([fault for fault in FAULTS if fault.want & LOCAL and not any(words in fault.name for words in ("of ids", "vocabulary", "nothing else"))]), st.integers(0, 10**6),
       st.integers(0, 19))
def test_clean_text_before_a_fault_shifts_its_onset(fault, seed, paragraph):
    source = Source(TEXTS, seed)
    case = fault.plant(source, source.random.choice(fault.languages))
    text = case.text or case.reasoning
    before = TEXTS["eng"][paragraph] + "\n\n"
    before = before.encode() if isinstance(text, bytes) else before
    size = len(before if isinstance(before, bytes) else before.encode())

    def places(text):
        found = vaa.check_text(text, case.prompt, finish_reason=case.finish).findings
        return {(f.flag, f.onset_byte, f.length_bytes) for f in found if f.flag in fault.want & LOCAL}

    assert places(before + text) == {(flag, onset + size, length) for flag, onset, length in places(text)}


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(mixed, st.none() | mixed, finish), min_size=1, max_size=30), st.integers(1, 4))
def test_a_file_gives_what_single_checks_find(rows, threads):
    samples = [vaa.Sample(text=text, prompt=prompt, finish_reason=ended, id=str(i)) for i, (text, prompt, ended) in enumerate(rows)]
    with tempfile.TemporaryDirectory() as folder:
        run, out = pathlib.Path(folder) / "run.jsonl", pathlib.Path(folder) / "lines.jsonl"
        run.write_text("".join(sample.to_json() + "\n" for sample in samples), encoding="utf-8")
        vaa.check(run, format="vaa", threads=threads, samples_path=str(out))
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(rows)
    checker = vaa.Checker()
    for sample, line in zip(samples, lines):
        alone = checker.check_sample(vaa.Sample.from_json(sample.to_json()))
        assert line["findings"] == [dict(f) for f in alone.findings] and line["flags"] == alone["flags"] and line["unknown"] == alone["unknown"]


@settings(deadline=None, max_examples=100)
@given(anything, ids)
def test_a_sample_keeps_what_it_is_given(text, numbers):
    sample = vaa.Sample(text=text, token_ids=numbers)
    assert sample["output.text"] == text and sample["output.token_ids"].tolist() == numbers
    again = vaa.Sample.from_json(sample.to_json())
    # In JSON a high and a low surrogate side by side are one character.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert again["output.text"] == joined and again["output.token_ids"].tolist() == numbers
    assert vaa.Sample(token_ids=np.array(numbers, "int64"))["output.token_ids"].tolist() == numbers


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, max_value=0), max_size=50))
def test_logprobs_go_through_a_record_bit_by_bit(numbers):
    sample = vaa.Sample(logprobs=numbers)
    assert sample["output.logprobs"].tolist() == numbers
    assert vaa.Sample.from_json(sample.to_json())["output.logprobs"].tolist() == numbers


@settings(deadline=None, max_examples=60)
@given(st.lists(repeated | anything | mixed, max_size=8))
def test_a_tally_counts_what_single_checks_find(texts):
    tally = vaa.Checker().tally()
    for text in texts:
        pushed = tally.push(vaa.Sample(text=text))
        alone = vaa.check_text(text)
        assert pushed.flags == alone.flags and pushed.unknown == alone.unknown and len(pushed.findings) >= len(alone.findings)
    report = tally.report()
    assert report.number("/counts/samples") == len(texts)
    assert [s.flags for s in report.samples] == [vaa.check_text(text).flags for text in texts]
    json.loads(report.to_json())


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.text(max_size=4), max_size=2),
                       min_size=1, max_size=3))
def test_any_options_are_taken_or_refused(options):
    try:
        vaa.Checker(**options)
    except vaa.Error as error:
        assert error.name == "VAA_ERROR_OPTION" and error.message and "\n" not in error.message
    else:
        assert all(value is None or key in ("flags", "max_excerpt") or (isinstance(value, float) and math.isnan(value)) for key, value in options.items())

"""The Python package: what goes in, what comes out, what is refused. Expected findings are those the texts were made to have."""

import copy
import gc
import json
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import vaa
from conftest import GOLDEN
from vaa._sample import field_number

LOOP = "The answer follows. " + "and so it goes on " * 60
RECORDS = GOLDEN / "samples" / "vaa_records.jsonl"


def test_empty_and_missing_text_are_different():
    empty, missing = vaa.check_text(""), vaa.check_text(None)
    assert empty.flags == {"empty"}
    assert missing.flags == set() and "empty" in missing.unknown and "empty" not in empty.unknown


def test_a_finding_has_its_evidence():
    result = vaa.check_text(LOOP, finish_reason="length")
    assert "repetition_loop" in result.flags
    loop = next(f for f in result.findings if f.flag == "repetition_loop")
    assert (loop.severity, loop.confidence, loop.part) == ("fail", "certain", "text")
    assert abs(loop.onset_byte - 20) <= 18 and loop.period_chars == 18 and loop.period_tokens is None
    assert "and so it goes on" in loop.excerpt and loop["flag"] == "repetition_loop" and "period_tokens" not in loop
    with pytest.raises(AttributeError, match="it has flag"):
        loop.nonsense
    truncated = next(f for f in result.findings if f.flag == "truncated")
    assert truncated.severity == "info" and "truncated" not in result.flags


def test_text_of_every_kind():
    assert "invalid_unicode" in vaa.check_text("so \ud83d it ends").flags
    assert "invalid_unicode" in vaa.check_text(b"so \xff\xfe it ends").flags
    assert "replacement_char" in vaa.check_text("caf\ufffd and so on").flags
    assert vaa.check_text("a\0b").flags == vaa.check_text(b"a\0b").flags == vaa.check_text(bytearray(b"a\0b")).flags != set()
    assert vaa.check_text("世界" * 3)["output_chars"] == 6 and vaa.check_text("世界" * 3).output_bytes == 18


@pytest.mark.parametrize("wrong", [3, 1.5, ["a"], object()])
def test_what_is_no_text_is_refused(wrong):
    with pytest.raises(TypeError, match="must be str or bytes"):
        vaa.check_text(wrong)


@pytest.mark.parametrize("ids", [[7] * 400, (7,) * 400, np.full(400, 7), np.full(400, 7, "int32"), memoryview(np.full(400, 7, "int32"))])
def test_ids_of_every_kind(ids):
    result = vaa.check_text(None, token_ids=ids, finish_reason="length")
    assert "repetition_loop" in result.flags
    assert result.findings[0].period_tokens == 1


def test_ids_that_do_not_fit():
    with pytest.raises(OverflowError):
        vaa.check_text("a", token_ids=[2**31])
    with pytest.raises(TypeError):
        vaa.check_text("a", token_ids=np.zeros(3, "float32"))
    with pytest.raises(TypeError):
        vaa.check_text("a", token_ids=3)


def test_options_are_checked():
    with pytest.raises(vaa.Error) as caught:
        vaa.check_text("a", flagz=["empty"])
    assert caught.value.name == "VAA_ERROR_OPTION" and "flagz" in caught.value.message and "flags" in caught.value.message
    with pytest.raises(vaa.Error, match="no such|names no|is no"):
        vaa.check_text("a", flags=["emptyy"])
    with pytest.raises(TypeError, match="options"):
        vaa.Checker(flags=object())
    assert vaa.check_text("", flags={"truncated"}).flags == set()


def test_an_error_is_one_type_with_status_name_and_message():
    with pytest.raises(vaa.Error) as caught:
        vaa.check("/no/such/run")
    error = caught.value
    assert error.status == 3 and error.name == "VAA_ERROR_NOT_FOUND" and "/no/such/run" in error.message and str(error) == error.message
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.status, again.message) == (vaa.Error, 3, error.message)
    assert isinstance(error, Exception) and vaa.Error.__module__ == "vaa"


# ---- samples ----

def test_a_sample_is_a_mapping_of_what_is_recorded():
    sample = vaa.Sample(text="", token_ids=[], finish_reason="stop")
    assert set(sample) == {"output.text", "output.token_ids", "finish_reason"} and len(sample) == 3
    assert sample["output.text"] == "" and sample["output.token_ids"].tolist() == [] and "prompt.text" not in sample
    assert sample.get("prompt.text") is None
    with pytest.raises(KeyError):
        sample["prompt.text"]
    sample["output.text"] = None
    assert "output.text" not in sample
    del sample["finish_reason"]
    with pytest.raises(KeyError):
        del sample["finish_reason"]
    with pytest.raises(vaa.Error, match="output.text"):
        sample["output.txt"] = "a"
    assert 3 not in sample
    sample.clear()
    assert len(sample) == 0


def test_every_field_takes_its_type_and_no_other():
    values = {1: "stop", 2: 1, 3: 0.5, 4: [1, 2], 5: [0.5, math.nan], 6: [1, 2]}
    special = {"prompt.messages": "[]", "output.tool_calls": "[]", "extra": "{}", "sampling.seed": "18446744073709551615"}
    sample = vaa.Sample()
    for name in vaa.Sample.fields():
        kind = field_number(name) // 100
        for wrong_kind, wrong in ((1, [1.5]), (2, "x"), (3, "x"), (4, "x"), (5, 3), (6, 3)):
            if wrong_kind == kind:
                with pytest.raises((TypeError, vaa.Error)):
                    sample[name] = wrong
        try:
            sample[name] = special.get(name, values[kind])
        except vaa.Error as refused:  # a field with a list of words: the message names them
            assert kind == 1 and name in refused.message, name
            continue
        assert name in sample
    record = sample.to_dict()
    assert record["schema"] == "vaa.record/1" and record["sampling"]["seed"] == 2**64 - 1


def test_arrays_of_a_sample_are_its_own_copies():
    sample = vaa.Sample(token_ids=[1, 2, 3], logprobs=[None, -0.5, -1.0])
    ids, logprobs = sample["output.token_ids"], sample["output.logprobs"]
    assert ids.dtype == "int32" and logprobs.dtype == "float64" and math.isnan(logprobs[0]) and logprobs[1] == -0.5
    ids[0] = 9
    sample["output.token_ids"] = np.array([4, 5], "int64")
    assert sample["output.token_ids"].tolist() == [4, 5] and ids.tolist() == [9, 2, 3]


def test_text_goes_round_through_a_sample_and_its_record():
    for text in ("", "a\0b", "世界", "x\udc80", "\ud83d"):
        sample = vaa.Sample(text=text)
        assert sample["output.text"] == text
        assert vaa.Sample.from_json(sample.to_json())["output.text"] == text
    assert vaa.Sample(text=b"\xff")["output.text"] == b"\xff"
    with pytest.raises(vaa.Error) as caught:
        vaa.Sample.from_json("{")
    assert caught.value.name == "VAA_ERROR_FORMAT"


# ---- records ----

def test_records_are_read_as_often_as_one_likes():
    records = vaa.Records(RECORDS)
    first, second = list(records), [s.to_dict() for s in records]
    assert len(first) == 10 and [s.to_dict() for s in first] == second
    assert records.format == "vaa" and records.run["schema"] == "vaa.run/1" and records.problems["count"] == 0
    assert first[0]["id"] == "0" and first[2]["output.text"] == ""
    stopped = iter(records)
    next(stopped)
    del stopped, records
    gc.collect()
    assert first[1]["id"] == "1"


def test_broken_lines_are_counted(tmp_path):
    path = tmp_path / "some.jsonl"
    path.write_text(RECORDS.read_text() + "{broken\n")
    records = vaa.Records(path)
    assert len(list(records)) == 10
    assert records.problems["count"] == 1 and records.problems["lines"][0]["line"] == 12
    vaa.Records(str(path)), vaa.Records(bytes(path))


# ---- checks ----

def test_push_by_push():
    checker = vaa.Checker(flags=["empty", "repetition_loop", "truncated"])
    tally = checker.tally()
    with pytest.raises(vaa.Error):
        tally.result(vaa.Sample())
    good = tally.push(vaa.Sample(text="All is well here.", finish_reason="stop"))
    assert good.flags == set() and good.findings == [] and good.unknown == set()
    bad_sample = vaa.Sample(text=LOOP, finish_reason="length", id="b")
    bad = tally.push(bad_sample)
    assert bad.flags == {"repetition_loop"} and [f.flag for f in bad.findings] == ["repetition_loop", "truncated"]
    result = tally.result(bad_sample)
    assert result.id == "b" and [dict(f, excerpt=0) for f in bad.findings][0].keys() <= {*result.findings[0], "reason"}
    assert {k: v for k, v in result.findings[0].items() if k not in ("excerpt", "reason")} == dict(bad.findings[0])
    report = tally.report()
    assert report.number("/counts/samples") == 2
    del checker, tally
    gc.collect()
    assert [s.id for s in report.samples] == [None, "b"]


def test_a_report_in_every_form(tmp_path):
    report = vaa.check(RECORDS)
    assert report.verdict == "fail" and report.exit_code == 1 and repr(report) == "<vaa.Report fail>"
    assert json.loads(report.to_json()) == report.to_dict()
    assert "|" in report.to_markdown() and report.to_markdown(lang="zh") != report.to_markdown()
    assert "gsm8k" in report.to_text() and "\x1b[" in report.to_text(color=True) and "\x1b[" not in str(report)
    assert len(report.samples) == 10 and report.samples[1].flags >= {"repetition_loop"} and report.samples[1]["id"] == "1"
    assert report.samples[2].findings[0].flag == "empty"
    out = tmp_path / "report.md"
    report.write(out, format="markdown")
    assert out.read_text(encoding="utf-8").rstrip("\n") == report.to_markdown().rstrip("\n")
    with pytest.raises(vaa.Error) as caught:
        report.write(tmp_path / "no" / "report.md")
    assert caught.value.name == "VAA_ERROR_IO"
    for pointer, name in (("/nowhere", "VAA_ERROR_NOT_FOUND"), ("/schema", "VAA_ERROR_ARGUMENT")):
        with pytest.raises(vaa.Error) as caught:
            report.number(pointer)
        assert caught.value.name == name
    with pytest.raises(vaa.Error, match="colour"):
        report.render(colour=True)


def test_a_column_holds_its_report():
    report = vaa.check(RECORDS)
    with pytest.raises(vaa.Error) as caught:
        report.column("nothing", "x")
    tables = [t for t in report.to_dict()["tables"]]
    table = tables[0]["name"] if isinstance(tables, list) and isinstance(tables[0], dict) else tables[0]
    with pytest.raises(vaa.Error) as caught:
        report.column(table, "nothing")
    name = caught.value.message.rsplit(" ", 1)[-1]
    column = report.column(table, name)
    assert isinstance(column, np.ndarray) and column.dtype == "float64" and not column.flags.writeable and not column.flags.owndata
    before = column.tolist()
    del report, caught
    gc.collect()
    assert np.array_equal(column, before, equal_nan=True)


def test_threads_change_nothing():
    assert vaa.check(RECORDS, threads=3).to_json() == vaa.check(RECORDS).to_json()


def test_progress_and_task():
    task, seen = vaa.Task(), []
    report = vaa.check(RECORDS, task=task, progress=seen.append)
    assert report.exit_code == 1 and task.samples == 10 and task.done == task.total == RECORDS.stat().st_size and not task.cancelled


def test_no_text_leaves_no_text():
    report = vaa.check(RECORDS, text=False)
    words = report.to_json() + report.to_text() + report.to_markdown() + "".join(str(dict(s)) for s in report.samples)
    assert "Twelve stops" not in words and "excerpt" not in str(dict(report.samples[1]))


def test_vocabulary():
    vocab = vaa.Vocab.from_tokens([b"a", b"\xff", b"", "世".encode(), b"<eos>"], special=[4])
    assert len(vocab) == 5 and vocab.token(1) == b"\xff" and vocab.token(99) == b"" and vocab.is_special(4) and not vocab.is_special(0)
    assert vocab.decode([0, 3, 1, 4]) == b"a\xe4\xb8\x96\xff" and vocab.decode([0, 4], keep_special=True) == b"a<eos>"
    with pytest.raises(vaa.Error, match="5"):
        vocab.decode([5])
    with pytest.raises(vaa.Error):
        vaa.Vocab("/no/such/tokenizer.json")
    checker = vaa.Checker(vocab=vocab)
    del vocab
    gc.collect()
    assert "empty" in checker.check_sample(vaa.Sample(text="")).flags


def test_rows_can_be_copied_and_pickled():
    result = vaa.check_text(LOOP, finish_reason="length")
    for again in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert again.flags == result.flags and dict(again) == dict(result)


def test_flags_and_formats_are_listed():
    names = {flag["name"] for flag in vaa.flags()}
    assert {"empty", "repetition_loop", "truncated"} <= names and all(flag["summary"]["zh"] for flag in vaa.flags())
    assert {"vaa", "jsonl"} <= {one["name"] for one in vaa.formats()}
    assert vaa.__version__.count(".") == 2


def test_flags_are_explained():
    told = vaa.explain("repetition_loop")
    assert told.name == "repetition_loop" and told.severity == "fail" and "vllm-ascend#11849" in told.causes and "vaa check" in told.next
    assert told.summary == next(flag["summary"]["en"] for flag in vaa.flags() if flag["name"] == "repetition_loop")
    assert vaa.explain("repetition_loop", lang="zh").title == "循环重复"
    everything = vaa.explain(lang="zh")
    assert [one.name for one in everything][:len(vaa.flags())] == [flag["name"] for flag in vaa.flags()]
    with pytest.raises(vaa.Error, match="did you mean repetition_loop") as caught:
        vaa.explain("repetitionloop")
    assert caught.value.name == "VAA_ERROR_NOT_FOUND"
    with pytest.raises(vaa.Error, match="lang"):
        vaa.explain("empty", lang="de")


def test_numpy_is_imported_only_for_arrays():
    words = "import sys, vaa, vaa.cli; vaa.check_text('a', token_ids=[1]); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout.strip() == "False"

"""Bad input to the command: a clear message, the right exit code, nothing else lost, and never a partial file under the final name."""
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = REPOSITORY / "tests" / "golden" / "samples"
PASSES, FAILS, NOT_CHECKED = 0, 1, 2


def vaa(*arguments, **keywords):
    """Runs the command; gives (exit code, stdout, stderr)."""
    keywords.setdefault("timeout", 300)
    done = subprocess.run([sys.executable, "-m", "vaa", *map(str, arguments)], capture_output=True, text=True, errors="surrogateescape", **keywords)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def line(number, text="The answer is 4, and that is all there is to say.", **more):
    return json.dumps({"data_abbr": "made", "id": number, "success": True, "uuid": f"{number:032x}", "origin_prompt": "What is 2 + 2?", "prediction": text, **more})


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def report(path, *arguments):
    code, out, err = vaa("check", path, "--format", "json", *arguments)
    return code, json.loads(out), err


@pytest.mark.parametrize("make, words", [
    (lambda p: p / "nowhere.jsonl", ["nowhere.jsonl", "No such file"]),
    (lambda p: _touch(p / "empty.jsonl"), ["empty.jsonl", "empty"]),
    (lambda p: _mkdir(p / "folder"), ["folder", "no run"]),
    (lambda p: _bytes(p / "noise.bin", bytes(range(256)) * 64), ["noise.bin"]),
    (lambda p: _bytes(p / "cut.jsonl.zst", bytes.fromhex("28b52ffd")), ["cut.jsonl.zst"]),
    (lambda p: SAMPLES / "aisbench_perf.csv", ["aisbench_perf.csv"]),
    (lambda p: SAMPLES / "aisbench_results_details.json", ["run folder"]),
    (lambda p: SAMPLES / "vllm_bench_serve.json", ["vllm_bench_serve.json"]),
    (lambda p: SAMPLES / "vllm_metrics_after.prom", ["vllm_metrics_after.prom"]),
    (lambda p: SAMPLES / "lighteval_details_view.jsonl", ["lighteval"]),
    (lambda p: write(p / "other.jsonl", ['{"question": "a", "reply": {"text": "b"}}']), ["other.jsonl", "text-field"]),
], ids=["missing", "empty", "no run", "binary", "cut zst", "perf csv", "results alone", "bench serve", "prometheus", "lighteval", "unknown jsonl"])
def test_what_cannot_be_checked_is_named(tmp_path, make, words):
    code, out, err = vaa("check", make(tmp_path))
    assert code == NOT_CHECKED
    assert out == ""
    for word in words:
        assert word in err
    assert len(err.strip().splitlines()) == 1


def _touch(path):
    path.touch()
    return path


def _mkdir(path):
    path.mkdir()
    return path


def _bytes(path, data):
    path.write_bytes(data)
    return path


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_unreadable_file_is_named(tmp_path):
    path = write(tmp_path / "locked.jsonl", [line(0)])
    path.chmod(0)
    code, _, err = vaa("check", path)
    assert code == NOT_CHECKED and "locked.jsonl" in err and "Permission denied" in err


def test_one_percent_of_broken_lines_is_counted_and_the_rest_is_checked(tmp_path):
    rows = [line(i) for i in range(1000)]
    for i in range(0, 1000, 100):
        rows[i] = rows[i][:-20]
    code, document, _ = report(write(tmp_path / "run.jsonl", rows))
    assert code == PASSES
    assert document["counts"]["samples"] == 990
    assert document["problems"]["count"] == 10
    assert document["problems"]["first"][0]["file"].endswith("run.jsonl")
    assert document["problems"]["first"][1]["line"] == 101


def test_all_lines_broken_is_not_checked(tmp_path):
    code, _, _ = vaa("check", write(tmp_path / "run.jsonl", [line(i)[:-9] for i in range(20)]))
    assert code == NOT_CHECKED


def test_a_wrong_type_names_key_and_kind(tmp_path):
    rows = [line(0), line(1, 17), line(2)]
    _, document, _ = report(write(tmp_path / "run.jsonl", rows))
    assert document["counts"]["samples"] == 2
    message = document["problems"]["first"][0]["message"]
    assert "prediction" in message and "number" in message


def test_hostile_json_is_a_bad_line(tmp_path):
    many_keys = "{" + ",".join(f'"k{i}":{i}' for i in range(1_000_000)) + "}"
    deep = '{"data_abbr":"made","id":7,"prediction":"x","extra":' + "[" * 10_000 + "]" * 10_000 + "}"
    rows = [line(0), many_keys, deep, line(1), '{"data_abbr":"made","id":3,"prediction":"\\ud83d"}']
    code, document, _ = report(write(tmp_path / "run.jsonl", rows))
    assert code in (PASSES, FAILS)
    assert document["counts"]["samples"] == 3
    assert document["problems"]["count"] == 2


def test_bytes_that_are_no_utf8_and_nul_are_findings(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(line(0).encode() + b"\n" + line(1, "abXc").encode().replace(b"X", b"\xff") + b"\n" + line(2, "ab\0c").encode() + b"\n")
    code, out, _ = vaa("check", path, "--format", "jsonl")
    rows = [json.loads(row) for row in out.splitlines()]
    assert [row["flags"] for row in rows] == [[], ["invalid_unicode"], ["control_char"]]
    assert code == FAILS


def test_mixed_formats_in_one_folder_are_each_read(tmp_path):
    write(tmp_path / "a.jsonl", [line(i) for i in range(5)])
    (tmp_path / "b.jsonl").write_bytes((SAMPLES / "mindie_infer.jsonl").read_bytes())
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    _, document, _ = report(tmp_path)
    assert document["counts"]["samples"] == 5 + 6
    assert "notes.txt" in json.dumps(document)


def test_duplicate_ids_are_repeats(tmp_path):
    _, out, _ = vaa("check", write(tmp_path / "run.jsonl", [line(4), line(4), line(5)]), "--format", "jsonl")
    assert [(row["id"], row["repeat"]) for row in map(json.loads, out.splitlines())] == [("4", 0), ("4", 1), ("5", 0)]


def test_seeds_stay_exact(tmp_path):
    import vaa as library

    record = {"schema": "vaa.record/1", "id": "a", "output": {"text": "x"}, "sampling": {"seed": 2**63}}
    (tmp_path / "run.jsonl").write_text(json.dumps(record) + "\n")
    (sample,) = library.Records(str(tmp_path / "run.jsonl"))
    assert sample.to_dict()["sampling"]["seed"] == 2**63


@pytest.mark.parametrize("arguments, words", [
    (["--threads", "0"], ["threads", "0"]),
    (["--thread", "2"], ["--thread"]),
    (["--baseline", "5/4"], ["baseline", "5/4"]),
    (["--fail-on", "lopes"], ["fail_on", "lopes", "repetition_loop"]),
    (["--require", "nothing"], ["require", "nothing"]),
    (["--expect", "fast"], ["expect", "fast"]),
    (["--format", "xml"], ["xml", "markdown"]),
    (["--max-line", "5"], ["max_line", "5"]),
    (["--lang", "fr"], ["fr", "zh"]),
    (["--baseline", ""], ["baseline", "empty"]),
    (["--expect", ""], ["expect", "empty"]),
], ids=lambda value: " ".join(value) if isinstance(value, list) and value[0].startswith("--") else "")
def test_a_wrong_option_names_itself_and_what_is_allowed(tmp_path, arguments, words):
    code, out, err = vaa("check", write(tmp_path / "run.jsonl", [line(0)]), *arguments)
    assert code == NOT_CHECKED and out == ""
    for word in words:
        assert word.replace("_", "") in err.replace("_", "").replace("-", "") or word in err


def test_output_that_cannot_be_written(tmp_path):
    run = write(tmp_path / "run.jsonl", [line(i) for i in range(50)])
    for form in ("text", "json", "jsonl", "markdown"):
        for path, words in (("/dev/full", "No space left"), (tmp_path / "no" / "folder" / "out", "No such file")):
            code, _, err = vaa("check", run, "--format", form, "--out", path)
            assert code == NOT_CHECKED and words in err and str(path) in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.jsonl"]


def test_a_full_disk_keeps_what_was_there(tmp_path):
    run = write(tmp_path / "run.jsonl", [line(i, "") for i in range(50)])
    out = tmp_path / "out.json"
    out.write_text("before")
    code, _, _ = vaa("check", run, "--format", "json", "--out", out, "--export", "any", "--export-out", "/dev/full")
    assert code == NOT_CHECKED and out.read_text() == "before"


def test_the_report_and_the_requests_need_two_files(tmp_path):
    run = write(tmp_path / "run.jsonl", [line(i) for i in range(5)])
    code, out, err = vaa("check", run, "--format", "jsonl", "--out", tmp_path / "out", "--export", "any", "--export-out", tmp_path / "." / "out")
    assert code == NOT_CHECKED and out == "" and "--export-out" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.jsonl"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_closed_streams_are_no_verdict(tmp_path, form):
    run = write(tmp_path / "run.jsonl", [line(i, f"Answer {i} is what was asked for.") for i in range(5)])
    before = run.read_bytes()

    def closed(redirection, *arguments):
        command = f'exec "$@" {redirection}'
        done = subprocess.run(["sh", "-c", command, "sh", sys.executable, "-m", "vaa", "check", str(run), "--format", form, *map(str, arguments)],
                              capture_output=True, text=True, timeout=300)
        assert "Traceback" not in done.stderr
        return done

    assert closed("2>&-").returncode == PASSES
    assert closed("<&-").returncode == PASSES
    without = closed(">&-")
    assert without.returncode == NOT_CHECKED and "bad file descriptor" in without.stderr.lower() and without.stderr.count("\n") == 1
    assert closed(">&- 2>&-").returncode == NOT_CHECKED
    assert closed(">&- 2>&-", "--out", tmp_path / "out").returncode == PASSES and (tmp_path / "out").read_text()
    assert run.read_bytes() == before


def test_ctrl_c_leaves_nothing_partial(tmp_path):
    run = tmp_path / "run.jsonl"
    os.mkfifo(run)
    row = (line(0, "Then item 17 moves to the next shelf. " * 3 + "x" * 4000) + "\n").encode()
    process = subprocess.Popen([sys.executable, "-m", "vaa", "check", str(run), "--format", "jsonl", "--out", str(tmp_path / "out.jsonl")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with pytest.raises(BrokenPipeError), open(run, "wb", buffering=0) as pipe:  # a run without an end: it cannot be done before the signal
        for written in range(10_000_000):
            pipe.write(row)
            if written == 5_000:
                process.send_signal(signal.SIGINT)
                sent = time.monotonic()
    _, err = process.communicate(timeout=20)
    assert process.returncode in (130, -signal.SIGINT), err
    assert time.monotonic() - sent < 2
    assert b"Traceback" not in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.jsonl"]


def test_lines_over_max_line_are_named_and_skipped(tmp_path):
    rows = [line(0), line(1, "y" * 200_000), line(2)]
    code, document, _ = report(write(tmp_path / "run.jsonl", rows), "--max-line", "100000")
    assert code == PASSES and document["counts"]["samples"] == 2
    assert document["problems"]["first"][0]["line"] == 2


def test_gzip_that_ends_early_says_so_and_keeps_what_came(tmp_path):
    packed = gzip.compress("".join(line(i, f"Answer {i} " + "of the day. " * 3) + "\n" for i in range(2000)).encode())
    path = tmp_path / "run.jsonl.gz"
    path.write_bytes(packed[:len(packed) // 2])
    _, document, _ = report(path)
    assert 0 < document["counts"]["samples"] < 2000
    assert document["problems"]["count"] >= 1


def test_a_pipe_is_read_as_it_comes(tmp_path):
    pipe = tmp_path / "lines.jsonl"
    os.mkfifo(pipe)
    process = subprocess.Popen([sys.executable, "-m", "vaa", "check", str(pipe), "--format", "json"], stdout=subprocess.PIPE)
    with open(pipe, "w") as out:
        for i in range(500):
            out.write(line(i) + "\n")
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == PASSES and json.loads(stdout)["counts"]["samples"] == 500


def test_ten_megabytes_on_one_line(tmp_path):
    words = " ".join(f"item{i * 7919 % 100003}" for i in range(900_000))
    code, document, _ = report(write(tmp_path / "run.jsonl", [line(0, words), line(1)]))
    assert code == PASSES and document["counts"]["samples"] == 2


def test_model_output_is_escaped_where_it_is_shown(tmp_path):
    evil = "\x1b[31mred\x1b]0;title\x07 \u202egnp.exe \ufffd | <script>alert(1)</script>"
    for form in ("text", "markdown", "json", "jsonl"):
        _, out, err = vaa("check", write(tmp_path / "run.jsonl", [line(i, evil) for i in range(20)]), "--format", form)
        for character in "\x1b\x07\u202e":
            assert character not in out + err


def test_no_text_leaves_the_house_without_text(tmp_path):
    secret = "zanzibar-quokka " * 40
    run = write(tmp_path / "run.jsonl", [line(i, secret, gold="quokka-gold") for i in range(20)])
    for form in ("text", "markdown", "json", "jsonl"):
        _, out, _ = vaa("check", run, "--format", form, "--no-text")
        assert "quokka" not in out

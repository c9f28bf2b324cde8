"""Speculation by its counters: the command and vaa.reject."""
import gzip
import json
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

import vaa

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "examples" / "spec_decode"
sys.path.insert(0, str(ROOT / "tests" / "calibration"))

from made_counters import Load, accepts_all, audit, falls_on, lower_on, no_fault, pages, rejects_all, rejects_all_from, write_examples  # noqa: E402


def findings(report, status="fail"):
    return {(f["check"], f["engine"]) for f in report.to_dict()["reject"]["findings"] if f["status"] == status}


def command(*words):
    done = subprocess.run([sys.executable, "-m", "vaa", "reject", "--lang", "en", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_counters_alone_point_at_the_sampler_that_rejects_every_sampled_draft():
    for name in ("metrics.prom", "server.log"):
        faulty, fixed = vaa.reject(DATA / "faulty" / name), vaa.reject(DATA / "fixed" / name)
        assert faulty.verdict == "fail" and findings(faulty) == {("zero_stretch", "engine 0"), ("zero_stretch", "engine 1")}
        assert fixed.verdict == "pass" and not findings(fixed)
        onset = next(f["onset"] for f in faulty.to_dict()["reject"]["findings"] if f["check"] == "zero_stretch")
        assert onset["at"].endswith("08-20 10:01:40")  # the tenth window begins there
        assert "08-20 10:01:40" in faulty.to_text() and "08-20 10:01:40" in faulty.to_text(lang="zh")


def test_the_two_by_two_names_the_random_path():
    report = vaa.reject(DATA / "faulty" / "answers.jsonl", plain=[DATA / "plain.jsonl"])
    assert findings(report) == {("sampled_zero", None)}
    cells = report.to_dict()["reject"]["samples"]["cells"]
    assert [(c["sampled"], c["speculation"], c["answers"]) for c in cells] == [(False, False, 40), (True, False, 40), (False, True, 40), (True, True, 40)]
    assert cells[3]["accepted"] == 0 and cells[2]["accepted"] > 3000
    assert vaa.reject([DATA / "fixed" / "answers.jsonl"]).verdict == "pass"


def streamed(path, temperature, chunks, answers=40):
    with open(path, "a", encoding="utf-8") as out:
        for i in range(answers):
            out.write(json.dumps({"schema": "vaa.record/1", "id": f"{temperature}/{i}", "output": {"text": "An answer, word for word."}, "sampling": {"temperature": temperature}, "extra": {"chunk_tokens": chunks}}) + "\n")


@pytest.mark.parametrize("sampled, greedy, status", [([[1, 200]], [[1, 60], [2, 70], [3, 10]], "fail"), ([[1, 100], [2, 60]], [[1, 60], [2, 70]], "pass"), ([[1, 200]], [[1, 200]], "undecided"), ([[1, 200]], None, "undecided")])
def test_chunks_of_streams_tell_what_no_counter_does(tmp_path, sampled, greedy, status):
    run = tmp_path / "run.jsonl"
    streamed(run, 0.6, sampled)
    if greedy:
        streamed(run, 0, greedy)
    report = vaa.reject([], speculative=[run])
    found = next(f for f in report.to_dict()["reject"]["findings"] if f["check"] == "chunk_ids")
    assert (found["status"], found["suspected"], found["n"]) == (status, True, 40 * sum(n for _, n in sampled))
    assert not any(f["check"] == "chunk_ids" for f in vaa.reject([], speculative=[DATA / "fixed" / "answers.jsonl"]).to_dict()["reject"]["findings"])  # counted


def test_chunks_that_are_not_what_they_should_be_count_for_nothing(tmp_path):
    run = tmp_path / "run.jsonl"
    for chunks in ("no list", [[1]], [[1, -5]], [[-1, 5]], [["1", {}]], [[2, 1 << 62], [2, 1 << 62]], {"1": 2}):
        streamed(run, 0.6, chunks, answers=1)
    streamed(run, 0.6, [[1, 7], [0, 3]], answers=1)
    found = [f for f in vaa.reject([], speculative=[run]).to_dict()["reject"]["findings"] if f["check"] == "chunk_ids"]
    assert [f["n"] for f in found] == [7]


def test_a_page_a_file_in_a_folder_is_the_series_too(tmp_path):
    whole = vaa.reject(DATA / "faulty" / "metrics.prom").to_dict()["reject"]["engines"]
    pieces = (DATA / "faulty" / "metrics.prom").read_text().split("# time ")[1:]
    for piece in pieces:
        time_s, page = piece.split("\n", 1)
        (tmp_path / f"scrape_{time_s}.prom.gz").write_bytes(gzip.compress(page.encode()))
    (tmp_path / "notes.html").write_text("<html>502 Bad Gateway</html>")
    report = vaa.reject(tmp_path)
    assert report.to_dict()["reject"]["engines"] == whole
    assert report.to_dict()["reject"]["pages"]["failed"] == 1
    assert report.verdict == "fail"


def test_old_names_and_pages_with_labels_that_need_escapes():
    made = vaa.Audit()
    for time_s, scale in ((0, 0), (10, 1)):
        made.push_page("\n".join([
            "# HELP vllm:spec_decode_num_draft_tokens Number of draft tokens.", "# TYPE vllm:spec_decode_num_draft_tokens counter",
            'vllm:spec_decode_num_draft_tokens{model_name="a\\"b\\\\c\\nd"} %d' % (80000 * scale),
            'vllm:spec_decode_num_accepted_tokens{model_name="a\\"b\\\\c\\nd"} %d' % (40000 * scale),
            'vllm:spec_decode_num_accepted_tokens_created{model_name="a\\"b\\\\c\\nd"} 1.787e9',
            'vllm:spec_decode_num_accepted_tokens_bucket{le="+Inf"} 5']), time_s=time_s)
    engine = made.report().to_dict()["reject"]["engines"][0]
    assert engine["model"] == 'a"b\\c\nd' and engine["draft_tokens"] == 80000 and engine["accepted"] == 40000 and engine["drafts"] is None
    assert made.report().verdict == "pass"


def test_hostile_inputs_are_counted_and_never_end_it(tmp_path):
    line = (DATA / "faulty" / "server.log").read_text().splitlines()[1]
    log = tmp_path / "mixed.log"
    log.write_bytes(b"\x00\xff\n" + line.encode() + b"\n" + line[:250].encode() + b"\n" + b"y" * (10 << 20) + line.encode() + b"\nDecode batch. accept len: nan\nDecode batch, accept len: 2.50, accept rate: 0.50, gen throughput (token/s): 80.0\n" + line[:-30].encode())
    report = vaa.reject(log).to_dict()["reject"]
    assert report["log"]["bad"] >= 2 and report["log"]["long_lines"] == 1
    assert {engine["kind"] for engine in report["engines"]} == {"vllm", "sglang"}
    with pytest.raises(vaa.Error, match="no log with a line about speculation"):
        (tmp_path / "other.log").write_text("nothing here\n")
        vaa.reject(tmp_path / "other.log")
    with pytest.raises(vaa.Error):
        vaa.reject(tmp_path / "nowhere")
    with pytest.raises(vaa.Error, match="no line of it is a metric"):
        vaa.Audit().push_page("<html>")
    with pytest.raises(vaa.Error, match="margin"):
        vaa.Audit(margin=2)
    with pytest.raises(vaa.Error, match="did you mean floor"):
        vaa.Audit(flor=2)


def test_impossible_counts_of_a_request_fail(tmp_path):
    records = [json.loads(line) for line in (DATA / "fixed" / "answers.jsonl").read_text().splitlines()]
    records[3]["spec"]["accepted_tokens"] = records[3]["spec"]["draft_tokens"] + 1
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    report = vaa.reject(tmp_path / "run.jsonl")
    assert findings(report) == {("count_bounds", None)} and "q003" in report.to_text()


def test_a_request_that_switches_speculation_off_is_named(tmp_path):
    records = [json.loads(line) for line in (DATA / "fixed" / "answers.jsonl").read_text().splitlines()]
    for record in records[:10]:
        record["spec"] = {"steps": 0, "draft_tokens": 0, "accepted_tokens": 0}
        record["sampling"]["min_p"] = 0.1
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    report = vaa.reject(tmp_path / "run.jsonl")
    assert report.to_dict()["reject"]["samples"]["switches"] == {"min_p": 10}
    assert "10 carry min_p" in " ".join(report.to_text().split())


@pytest.mark.parametrize("name, load, fault, check", [
    ("healthy", Load(), no_fault, None), ("healthy ranks", Load(engines=4), no_fault, None), ("long requests", Load(engines=4, request_drafts=2000), no_fault, None),
    ("none", Load(), rejects_all, "zero_acceptance"), ("none from the middle on", Load(), rejects_all_from(30), "zero_stretch"), ("all", Load(carry=1), accepts_all, "full_acceptance"),
    ("a rank falls", Load(engines=4), falls_on(2, 30, 0.3), "acceptance_decay"), ("a rank is lower", Load(engines=8), lower_on(2, 0.2), "rank_fall")])
def test_made_engines(name, load, fault, check):
    """The small form of docs/reject.md's table: of 12 runs at most one false alarm, and at least 9 detections."""
    reports = [audit(load, seed, fault) for seed in range(12)]
    failed = [{f["check"] for f in report["reject"]["findings"] if f["status"] == "fail"} for report in reports]
    if check is None:
        assert sum(bool(checks) for checks in failed) <= 1, failed
    else:
        assert sum(check in checks for checks in failed) >= 9, failed


def test_a_restart_is_named_and_kept_apart():
    made = vaa.Audit()
    for part, offset in ((1, 0), (2, 400)):
        for time_s, page in pages(Load(windows=20), part):
            made.push_page(page, time_s=time_s + offset)
    report = made.report()
    engine = report.to_dict()["reject"]["engines"][0]
    assert engine["restarts"] == 1 and report.verdict == "pass"
    assert "restarted 1 time" in " ".join(report.to_text().split())


def test_reports_are_of_the_schema():
    validator = __import__("test_schemas").validator("report.schema.json")
    for name in ("faulty/metrics.prom", "fixed/server.log", "faulty/answers.jsonl"):
        assert not list(validator.iter_errors(json.loads(vaa.reject(DATA / name).to_json()))), name


def test_the_stored_examples_are_what_the_program_makes(tmp_path):
    write_examples(tmp_path)
    for path in sorted(p for p in tmp_path.rglob("*") if p.is_file()):
        assert path.read_bytes() == (DATA / path.relative_to(tmp_path)).read_bytes(), path


def test_the_examples_of_the_page_print_what_stands_beside_them():
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "reject.md").read_text(encoding="utf-8"), re.S):
        done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True)
        printed = re.findall(r"^print\(.*\) +# (\w+)$", block, re.M)
        assert done.returncode == 0 and printed and all(word in done.stdout.splitlines() for word in printed), done


def test_the_command():
    code, out, err = command(DATA / "faulty" / "metrics.prom")
    assert code == 1 and out.startswith("FAIL") and not err
    code, out, err = command(DATA / "fixed" / "metrics.prom", DATA / "fixed" / "answers.jsonl", "--plain", DATA / "plain.jsonl", "--format", "json")
    assert code == 0 and json.loads(out)["kind"] == "reject"
    assert command()[0] == 2 and command(DATA / "nowhere")[0] == 2
    code, out, err = command("--margin", "7", DATA / "fixed" / "metrics.prom")
    assert code == 2 and "margin" in err
    code, out, err = command(DATA / "faulty" / "metrics.prom", "--format", "markdown", "--lang", "zh")
    assert code == 1 and "检查" in out


def test_a_live_server_is_scraped_and_ctrl_c_ends_with_a_report(serve, capture, tmp_path):
    """The scripted server counts what it drafts; one GET of /metrics a scrape, no request of ours."""
    server = serve()
    saved = tmp_path / "scrapes.prom"
    code, out, err = command("--url", server.url, "--every", "0.2s", "--for", "1s", "--save", saved, "--format", "json", "--quiet")
    document = json.loads(out)
    assert document["kind"] == "reject" and document["reject"]["pages"]["read"] == 6, err
    assert saved.read_text().count("# time ") == 6
    started = subprocess.Popen([sys.executable, "-m", "vaa", "reject", "--lang", "en", "--url", server.url, "--every", "0.2s", "--for", "1h"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=20)
    assert "metrics pages" in out and "interrupted" in err and started.returncode in (0, 2, 3), (out, err)
    code, out, err = command("--url", "http://127.0.0.1:9", "--every", "0.2s", "--for", "0.3s")
    assert code == 2 and "127.0.0.1:9" in err

"""vaa compare --ask where token ids are recorded: the file is what vaa ask takes, and asks one token behind the common beginning."""
import json
import os
import subprocess
import sys

import asking
import vaa
from toy_model import Options
from vaa import _cvaa


def test_first_divergences_are_asked_again_and_the_server_takes_them(serve, tmp_path, capture):
    server = serve(chunk_ids=16)
    done = asking.vaa("ask", asking.write_requests(tmp_path / "requests.jsonl", 6, max_tokens=60), "--for", "compare", "--url", server.url, "--out", tmp_path / "run.jsonl")
    assert done.returncode == 0, done.stderr
    records = asking.read_records(tmp_path / "run.jsonl")[1]
    other = [dict(r, output={"text": r["output"]["text"] + " indeed"}) for r in records]
    (tmp_path / "other.jsonl").write_text("".join(json.dumps(r) + "\n" for r in other))
    document = vaa.compare(tmp_path / "run.jsonl", tmp_path / "other.jsonl").to_dict()
    # What a comparison of ids plans: the third and the last divergence do not fit the run as it is read again.
    cuts = [{"dataset": r.get("dataset") or "", "id": r["id"], "repeat": r.get("repeat") or 0, "prompt_tokens": len(r["prompt"]["token_ids"]), "at": 7 + i} for i, r in enumerate(records)]
    cuts[2]["prompt_tokens"] += 1
    cuts[5]["at"] = 10**6
    document["comparison"]["ask"] = {"settles": "tokens", "divergences": cuts, "divergences_all": 6, "ladder": [64, 4096], "repeats": None, "missing": {"en": "", "zh": ""}}
    report = vaa.Report(_cvaa.vaa_report_from_json(json.dumps(document)))
    plan = vaa.compare_asks(report, vaa.Records(tmp_path / "run.jsonl"), tmp_path / "ask.jsonl")
    assert plan["settles"] == "tokens" and plan["lines"] == 4 and plan["left_out"] == 2
    lines = [json.loads(line) for line in (tmp_path / "ask.jsonl").read_text().splitlines()]
    by_id = {r["id"]: r for r in records}
    asked = {}
    for line in lines:
        body = line["body"]
        record = next(r for r in by_id.values() if line["custom_id"].split("@")[0].endswith(f"{r['id']}/{r.get('repeat') or 0}"))
        cut = next(c for c in cuts if c["id"] == record["id"])
        assert body["prompt"] == record["prompt"]["token_ids"] + record["output"]["token_ids"][:cut["at"]]
        assert body["max_tokens"] == 1 and body["temperature"] == 0 and body["logprobs"] == 20 and line["url"] == "/v1/completions"
        asked[line["custom_id"]] = record["output"]["token_ids"][cut["at"]]
    done = asking.vaa("ask", tmp_path / "ask.jsonl", "--for", "compare", "--url", server.url, "--out", tmp_path / "tokens.jsonl")
    assert done.returncode == 0, done.stderr
    answered = asking.read_records(tmp_path / "tokens.jsonl")[1]
    assert len(answered) == 4
    for record in answered:  # greedy before and now: the same token comes behind the same ids, with a list of the likeliest
        assert len(record["output"]["token_ids"]) == 1 and record["output"]["token_ids"][0] in asked.values()
    commands = [step["command"] for step in plan["steps"]]
    assert sum("vaa ask" in c for c in commands) == 3 and all("--for compare" in c for c in commands if "vaa ask" in c) and any("--aa again/tokens.jsonl" in c for c in commands) and any("vaa ladder" in c and "--at 64,4096" in c for c in commands)


def test_nothing_is_written_where_nothing_fits(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps({"schema": "vaa.record/1", "id": "1", "output": {"text": "It is so."}, "finish_reason": "stop"}) + "\n")
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"schema": "vaa.record/1", "id": "1", "output": {"text": "So it is."}, "finish_reason": "stop"}) + "\n")
    report = vaa.compare(run, other)
    plan = vaa.compare_asks(report, vaa.Records(run), tmp_path / "ask.jsonl")
    assert plan["lines"] == 0 and not (tmp_path / "ask.jsonl").exists()


def run_steps(plan, folder, reference, target):
    """The commands as they are printed, but for the URLs; exit codes."""
    shim = folder / "bin" / "vaa"
    shim.parent.mkdir(exist_ok=True)
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m vaa "$@"\n')
    shim.chmod(0o755)
    codes = {}
    for step in plan["steps"]:
        command = step["command"].replace("REFERENCE", reference).replace("TARGET", target)
        if command:
            done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"})
            assert "Traceback" not in done.stderr, done.stderr
            codes[command] = done.returncode
            assert done.returncode == 0 if " ask " in command else done.returncode in (0, 1, 3), f"{command}\n{done.stdout}{done.stderr}"
    return codes


def test_answers_alone_are_settled_by_tokens_and_the_commands_run_as_printed(serve, tmp_path, capture):
    """Two stock runs, sampled, without ids: each question once with logprobs on both sides and on the reference again; and the repeats that would do."""
    reference, target = serve(chunk_ids=16), serve(chunk_ids=16)
    for side in "old", "new":
        (tmp_path / f"{side}.jsonl").write_text("".join(json.dumps(
            {"schema": "vaa.record/1", "id": str(i), "dataset": "made", "prompt": {"messages": [{"role": "user", "content": asking.question(i)}]}, "output": {"text": f"It is {i}."}, "finish_reason": "stop",
             "sampling": {"temperature": 0.6, "max_tokens": 40}, "score": {"metric": "accuracy", "correct": (i + (side == "new")) % 3 != 0}}) + "\n" for i in range(12)))
    report = vaa.compare(tmp_path / "old.jsonl", tmp_path / "new.jsonl")
    assert report.exit_code == 3
    plan = vaa.compare_asks(report, vaa.Records(tmp_path / "old.jsonl"), tmp_path / "next.jsonl")
    assert plan["settles"] == "answers" and plan["lines"] == 12
    commands = [step["command"] for step in plan["steps"]]
    assert sum("--for compare" in c for c in commands) == 3 and any("--concurrency 1" in c for c in commands) and any("--aa again/tokens.jsonl" in c for c in commands)
    small = {**plan, "steps": [step for step in plan["steps"] if "repeat" not in step["command"]]}  # repeats are hundreds
    run_steps(small, tmp_path, reference.url, target.url)
    settled = vaa.compare(tmp_path / "reference/tokens.jsonl", tmp_path / "target/tokens.jsonl", aa=tmp_path / "again/tokens.jsonl", primary="tokens").to_dict()
    assert settled["comparison"]["noise"] is not None and settled["comparison"]["verdict"] == "identical"
    repeats = next(c for c in commands if "--repeat" in c)
    assert repeats.startswith("mkdir -p reference && vaa ask ") and "--for compare" not in repeats  # sampled as they were


def test_ids_without_the_reference_against_itself_ask_it_again(serve, tmp_path, capture):
    reference, target = serve(chunk_ids=16), serve(chunk_ids=16, model=Options(noise=2 / 256, noise_seed=3))
    asking.write_requests(tmp_path / "requests.jsonl", 12, max_tokens=60)
    for name, server in ("old", reference), ("new", target):
        (tmp_path / name).mkdir()
        assert asking.vaa("ask", tmp_path / "requests.jsonl", "--for", "compare", "--url", server.url, "--out", tmp_path / name / "run.jsonl").returncode == 0
    done = asking.vaa("compare", "old/run.jsonl", "new/run.jsonl", "--ask", "next.jsonl", "--lang", "zh", cwd=tmp_path)
    report = vaa.compare(tmp_path / "old/run.jsonl", tmp_path / "new/run.jsonl")
    plan = vaa.compare_asks(report, vaa.Records(tmp_path / "old/run.jsonl"), tmp_path / "next.jsonl")
    assert plan["settles"] == "noise", plan
    again, compare = (step["command"] for step in plan["steps"][:2])
    assert "--for compare" in again and "--concurrency 1" in again and compare.endswith("--aa again.jsonl")
    assert "：vaa ask --from old/run.jsonl" in done.stderr and "\n\n" not in done.stderr
    run_steps({"steps": plan["steps"][:2]}, tmp_path, reference.url, target.url)
    assert vaa.compare(tmp_path / "old/run.jsonl", tmp_path / "new/run.jsonl", aa=tmp_path / "again.jsonl").to_dict()["comparison"]["noise"] is not None

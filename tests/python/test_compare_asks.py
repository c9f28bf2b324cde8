"""vaa compare --ask where token ids are recorded: the file is what vaa ask takes, and asks one token behind the common beginning."""
import json

import asking
import vaa
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
    cuts = [{"dataset": r.get("dataset") or "run", "id": r["id"], "repeat": r.get("repeat") or 0, "prompt_tokens": len(r["prompt"]["token_ids"]), "at": 7 + i} for i, r in enumerate(records)]
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
    assert sum("vaa ask" in c for c in commands) == 2 and any("vaa ladder" in c and "--at 64,4096" in c for c in commands)


def test_nothing_is_written_where_nothing_fits(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps({"schema": "vaa.record/1", "id": "1", "output": {"text": "It is so."}, "finish_reason": "stop"}) + "\n")
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"schema": "vaa.record/1", "id": "1", "output": {"text": "So it is."}, "finish_reason": "stop"}) + "\n")
    report = vaa.compare(run, other)
    plan = vaa.compare_asks(report, vaa.Records(run), tmp_path / "ask.jsonl")
    assert plan["lines"] == 0 and not (tmp_path / "ask.jsonl").exists()

"""What each kind of server gives, what its requests look like, and whether the path under test ran."""
import json

import asking
import pytest

GIVEN_IDS = {"vllm": True, "vllm_ascend": True, "sglang": False, "llamacpp": True, "mindie": False, "openai": False}


def ask(folder, url, *more, count=4, **body):
    """(the command, the report, {id: record})."""
    report = folder / "report.json"
    done = asking.vaa("ask", asking.write_requests(folder / "requests.jsonl", count, **body), "--url", url, "--out", folder / "out.jsonl", "--force", "--format", "json", "--report", report, *more)
    assert report.exists(), done.stderr
    headers, records = asking.read_records(folder / "out.jsonl")
    return done, json.loads(report.read_text()), headers, {record["id"]: record for record in records}


def counted(headers):
    """What each engine counted, by the header at the end."""
    server, = headers[-1]["counters"]["servers"]
    return (server["counted"] or {}).get("engines") or []


def sent(server):
    """The bodies of all requests but trials."""
    return [exchange.body for exchange in server.journal.generations() if asking.MARK.search(asking.prompt_of(exchange))]


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("engine", sorted(GIVEN_IDS))
def test_what_each_engine_gives_is_recorded(serve, tmp_path, capture, engine, stream):
    server = serve(engine=engine)
    done, _, headers, records = ask(tmp_path, server.url, *([] if stream else ["--no-stream"]), stop=["里"])
    assert done.returncode in (0, 3), done.stderr
    made = asking.by_question(server.journal.generations())
    for q, record in records.items():
        told = made[q][0].made[0]
        assert record.get("error") is None and record["output"]["text"] == told.text and record["finish_reason"] == told.finish
        assert record["output"].get("token_ids") in ([told.ids] if GIVEN_IDS[engine] and engine != "llamacpp" else [None, told.ids])
        assert record["usage"]["completion_tokens"] == len(told.ids) and record["model"] == "toy-8b" and record["endpoint"].startswith(server.url)
        timing = record["timing"]
        assert timing["start_s"] <= timing["start_s"] + (timing.get("ttft_s") or 0) <= timing["end_s"]
    assert headers[0]["engine"]["name"] == engine


@pytest.mark.parametrize("engine", sorted(GIVEN_IDS))
def test_an_engine_is_told_by_asking(serve, capture, engine):
    server = serve(engine=engine)
    known, = json.loads(asking.vaa("ask", "--probe", "--url", server.url, "--format", "json").stdout)
    assert known["engine"] == engine, known
    assert known["gives"]["token_ids"] in ((GIVEN_IDS[engine],) if engine != "llamacpp" else (True, False, None))
    assert known["gives"]["stream"] and known["gives"]["finish_reason"] and known["gives"]["usage"]
    assert known["gives"]["metrics"] is (engine in ("vllm", "vllm_ascend", "sglang", "llamacpp"))


def test_a_server_that_refuses_what_it_does_not_know_is_asked_for_less(serve, tmp_path, capture):
    server = serve(engine="openai", strict=True)
    path = tmp_path / "requests.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for number in range(3):
            body = {"messages": [{"role": "user", "content": asking.question(number)}], "temperature": 0, "max_tokens": 20}
            file.write(json.dumps({"custom_id": f"q{number}", "method": "POST", "url": "/v1/chat/completions", "body": body}) + "\n")
    done = asking.vaa("ask", path, "--url", server.url, "--out", tmp_path / "out.jsonl")
    records = asking.read_records(tmp_path / "out.jsonl")[1]
    assert done.returncode in (0, 3) and len(records) == 3 and all(record.get("error") is None for record in records), done.stderr
    assert all("return_token_ids" not in body for body in sent(server)) and "ids" in done.stdout + done.stderr


def test_the_purpose_chooses_the_fields(serve, tmp_path, capture):
    for purpose in ("quality", "compare", "spec", "cache"):
        server = serve(spec=3)
        ask(tmp_path, server.url, "--for", purpose, temperature=0.7, top_p=0.9)
        bodies = sent(server)
        assert len(bodies) == (8 if purpose == "cache" else 4)
        for body in bodies:
            assert body["return_token_ids"] is True
            assert bool(body.get("logprobs")) == (purpose == "compare") and (body.get("top_logprobs") or 0) == (20 if purpose == "compare" else 0)
            assert body["temperature"] == (0.7 if purpose in ("quality", "spec") else 0)


def test_speculation_that_ran_is_counted(serve, tmp_path, capture):
    server = serve(spec=3, engines=2)
    done, report, headers, records = ask(tmp_path, server.url, "--for", "spec", count=8)
    assert done.returncode == 0, done.stderr
    drafted = sum(engine.counts["drafted"] for engine in server.engines)
    assert drafted > 0 and len(counted(headers)) == 2
    for engine, told in zip(server.engines, sorted(counted(headers), key=lambda told: told["engine"])):
        trials = engine.counts["drafted"] - told["spec"]["draft_tokens"]
        assert 0 <= trials <= engine.counts["drafted"] / 2, "only the trial requests may lie outside"
        assert told["spec"]["accepted_tokens"] == sum(told["spec"]["accepted_per_position"]) and told["spec"]["draft_tokens"] == 3 * told["spec"]["drafts"]
    assert {record["rank"] for record in records.values()} == {0, 1}
    assert "draft" in json.dumps(report)


@pytest.mark.parametrize("member", [{"logprobs": True, "top_logprobs": 2}, {"min_p": 0.1}, {"presence_penalty": 0.5}])
def test_speculation_that_did_not_run_is_said(serve, tmp_path, capture, member):
    server = serve(spec=3, version="0.13.0")
    done, report, headers, _ = ask(tmp_path, server.url, **member)
    name = next(iter(member))
    words = json.dumps(report, ensure_ascii=False)
    assert done.returncode == 0 and f"requests carried {name} and 0 tokens were drafted: this run tested plain decoding" in words, words
    assert sum(engine["spec"]["draft_tokens"] for engine in counted(headers)) == 0
    done = asking.vaa("ask", tmp_path / "requests.jsonl", "--for", "spec", "--url", server.url, "--out", tmp_path / "spec.jsonl")
    assert done.returncode in (2, 3) and name in done.stderr + done.stdout, "for spec such requests are refused by name"


def test_a_run_for_speculation_that_tested_plain_decoding_is_no_success(serve, tmp_path, capture):
    for options in ({"spec": 3, "drafts": False}, {}):
        done, report, _, _ = ask(tmp_path, serve(**options).url, "--for", "spec")
        reason = report["verdict"]["reason"]
        assert done.returncode == 3 and ("0 tokens were drafted: plain decoding was tested" in reason if options else "nothing tells whether tokens were drafted" in reason), reason


def test_the_prefix_cache_is_seen_to_hit(serve, tmp_path, capture):
    shared = "The same long beginning of every prompt, which fills some blocks of the cache. " * 4
    path = tmp_path / "requests.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for number in range(4):
            body = {"messages": [{"role": "user", "content": shared + asking.question(number)}], "temperature": 0, "max_tokens": 20, "ignore_eos": True}
            file.write(json.dumps({"custom_id": f"q{number}", "method": "POST", "url": "/v1/chat/completions", "body": body}) + "\n")
    for cached in (True, False):
        server, out, report = serve(prefix_cache=cached), tmp_path / f"{cached}.jsonl", tmp_path / f"{cached}.json"
        done = asking.vaa("ask", path, "--for", "cache", "--url", server.url, "--out", out, "--format", "json", "--report", report)
        headers, records = asking.read_records(out)
        seen = counted(headers)[0]["prefix_cache"]
        assert done.returncode == (0 if cached else 3), done.stderr
        if cached:
            assert seen["hits"] > 0 and any(record["usage"]["cached_tokens"] for record in records)
        else:
            assert not seen or not seen.get("hits")


def test_preemptions_are_counted(serve, tmp_path, capture):
    server = serve(preempt_rate=1.0)
    _, report, headers, _ = ask(tmp_path, server.url)
    assert counted(headers)[0]["preemptions"] == 4 and "preempt" in json.dumps(report)


def test_without_metrics_nothing_is_claimed(serve, tmp_path, capture):
    done, report, headers, _ = ask(tmp_path, serve(metrics=False, spec=3).url, "--for", "spec")
    words = json.dumps(report)
    assert not headers[-1]["counters"] or not any(counted(headers))
    assert "metrics" in words and done.returncode in (0, 3)


@pytest.mark.parametrize("path", ["/metrics", "/version", "/tokenize"])
def test_a_small_endpoint_that_hangs_does_not_stop_the_run(serve, tmp_path, capture, path):
    done, report, _, records = ask(tmp_path, serve(script=[{"fault": "hang", "path": path}]).url, "--idle-timeout", "2")
    assert done.returncode == 0 and len(records) == 4, done.stderr
    server, = report["servers"]
    assert server["gives"]["metrics"] is (path != "/metrics") and server["gives"]["tokenize"] is (path != "/tokenize") and (server["version"] is None) == (path == "/version")
    assert path != "/metrics" or "no byte for 2 s" in " ".join(server["problems"])


def test_an_old_run_is_asked_again(serve, tmp_path, capture):
    server = serve()
    ask(tmp_path, server.url, count=6)
    done = asking.vaa("ask", "--from", tmp_path / "out.jsonl", "--sample", "3", "--url", server.url, "--out", tmp_path / "again.jsonl")
    assert done.returncode == 0, done.stderr
    first, again = ({record["id"]: record for record in asking.read_records(tmp_path / name)[1]} for name in ("out.jsonl", "again.jsonl"))
    assert len(again) == 3 and set(again) <= set(first)
    assert all(asking.output_of(record) == asking.output_of(first[q]) and record["prompt"]["token_ids"] == first[q]["prompt"]["token_ids"] for q, record in again.items())
    assert asking.vaa("check", tmp_path / "again.jsonl").returncode in (0, 1, 3)


def test_nothing_is_sent_in_a_dry_run(serve, tmp_path, capture):
    server = serve()
    done = asking.vaa("ask", asking.write_requests(tmp_path / "requests.jsonl", 3), "--dry-run", "--url", server.url)
    assert done.returncode == 0 and sent(server) == [] and len(done.stdout.splitlines()) == 3, done.stdout

"""`vaa ask` ended at any moment and started again: nothing is lost, nothing is asked twice. Also hundreds of streams at once, and output that cannot be written."""
import json
import os
import random
import resource
import signal

import asking
import pytest
from toy_model import Options

KILLS = 200 if os.environ.get("VAA_EXPLORE") else 12
QUESTIONS = 12
SEED = random.SystemRandom().randrange(2**32) if os.environ.get("VAA_EXPLORE") else 20261130


def whole_lines(path):
    """The records of a file that may be torn at its end: (whole ones, whether it is torn)."""
    data = path.read_bytes() if path.exists() else b""
    lines = data.split(b"\n")
    records = []
    for line in lines[:-1]:
        entry = json.loads(line)
        if entry["schema"] == "vaa.record/1":
            records.append(entry)
    return records, lines[-1] != b""


def ids_of(records):
    return [(record["id"], record["repeat"]) for record in records]


def test_killed_at_any_moment_nothing_is_lost_and_nothing_asked_twice(serve, tmp_path, capture):
    rng = random.Random(SEED)
    server = serve(pace=0.0005)
    requests = asking.write_requests(tmp_path / "requests.jsonl", QUESTIONS, max_tokens=12)
    out, kills, rounds, torn = tmp_path / "out.jsonl", 0, 0, 0
    with asking.Forks() as forks:
        while kills < KILLS:
            out.unlink(missing_ok=True)
            rounds += 1
            begun, ended = len(server.journal.exchanges), False
            while not ended:
                had = whole_lines(out)[0]
                before = len(server.journal.exchanges)
                pid = forks.start(["ask", requests, "--url", server.url, "--out", out, "--concurrency", rng.choice([1, 3, 16]), "--quiet", *(["--resume"] if out.exists() else [])])
                if kills < KILLS and rng.random() < 0.8:
                    moment = before + rng.randrange(1, 12 + QUESTIONS)      # the probe asks some questions of its own
                    with server.journal.changed:
                        while len(server.journal.exchanges) < moment and alive(pid):
                            server.journal.changed.wait(0.02)
                    for _ in range(rng.randrange(3000)):                    # and a little later
                        pass
                    os.kill(pid, signal.SIGKILL)
                code = forks.wait()
                server.journal.settled()
                kills += code == -signal.SIGKILL
                records, is_torn = whole_lines(out)
                torn += is_torn
                assert set(ids_of(had)) <= set(ids_of(records)), f"seed {SEED}: lost"
                asked = asking.by_question(server.journal.generations(before))
                assert not {record["id"] for record in had} & set(asked), f"seed {SEED}: asked twice"
                assert code in (0, -signal.SIGKILL), f"seed {SEED}: exit code {code}"
                ended = code == 0
            made = asking.by_question(server.journal.generations(begun))
            assert sorted(ids_of(records)) == sorted((f"q{number}", 0) for number in range(QUESTIONS)), f"seed {SEED}"
            for record in records:
                assert asking.output_of(record) == asking.of(made[record["id"]][-1].made[0]), f"seed {SEED}"
            assert not is_torn and begun < len(server.journal.exchanges)
    print(f"{kills} kills in {rounds} rounds, {torn} torn files")


def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_cut_at_any_byte_the_file_is_made_whole(serve, tmp_path, capture):
    server = serve()
    requests = asking.write_requests(tmp_path / "requests.jsonl", 5, max_tokens=6)
    whole = tmp_path / "whole.jsonl"
    assert asking.vaa("ask", requests, "--url", server.url, "--out", whole, "--concurrency", 1).returncode == 0
    data = whole.read_bytes()
    expected = {record["id"]: asking.output_of(record) for record in asking.read_records(whole)[1]}
    edges = [place + by for place, byte in enumerate(data) if byte == 10 for by in (0, 1, 2)]
    places = sorted({0, 1, len(data), *(edge for edge in edges if edge <= len(data)), *random.Random(SEED).sample(range(len(data)), 40)})
    out = tmp_path / "out.jsonl"
    with asking.Forks() as forks:
        for place in places if KILLS > 100 else places[::3]:
            out.write_bytes(data[:place])
            had = {record["id"] for record in whole_lines(out)[0]}
            before = len(server.journal.exchanges)
            forks.start(["ask", requests, "--url", server.url, "--out", out, "--resume", "--quiet"])
            assert forks.wait() == 0, f"cut at byte {place} of {len(data)}"
            assert {record["id"]: asking.output_of(record) for record in asking.read_records(out)[1]} == expected
            assert len(asking.read_records(out)[1]) == 5
            asked = set(asking.by_question(server.journal.generations(before)))
            assert not had & asked and asked <= set(expected) - had, f"cut at byte {place}"


def test_what_failed_is_asked_again_on_resume_and_stands_once(serve, tmp_path, capture):
    server = serve(script=[{"fault": "error", "attempts": 1, "prompt": "[q1]"}, {"fault": "cut", "with": {"kind": "event", "after": 6}, "attempts": 1, "prompt": "[q3]"}])
    requests, out = asking.write_requests(tmp_path / "requests.jsonl", 5), tmp_path / "out.jsonl"
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out).returncode == 3
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--resume").returncode == 0
    records = asking.read_records(out)[1]
    made = asking.by_question(server.journal.generations())
    assert sorted(ids_of(records)) == [(f"q{number}", 0) for number in range(5)] and all(record.get("error") is None for record in records)
    assert [len(made[f"q{number}"]) for number in range(5)] == [1, 2, 1, 2, 1]
    assert all(asking.output_of(record) == asking.of(made[record["id"]][-1].made[0]) for record in records)


def test_repeats_are_counted_one_by_one_on_resume(serve, tmp_path, capture):
    server = serve()
    requests, out = asking.write_requests(tmp_path / "requests.jsonl", 3, temperature=1.0), tmp_path / "out.jsonl"
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--repeat", 2).returncode == 0
    before = len(server.journal.exchanges)
    lines = out.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if b"vaa.record/1" in line][2:]
    out.write_bytes(b"".join([lines[0], *kept]))
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--repeat", 2, "--resume").returncode == 0
    records = asking.read_records(out)[1]
    assert sorted(ids_of(records)) == [(f"q{number}", repeat) for number in range(3) for repeat in range(2)]
    assert sum(map(len, asking.by_question(server.journal.generations(before)).values())) == 2


def test_lines_that_stand_again_are_asked_again(serve, tmp_path, capture):
    server = serve()
    requests, out = asking.write_requests(tmp_path / "requests.jsonl", 2, temperature=1.0), tmp_path / "out.jsonl"
    requests.write_text(requests.read_text() * 3)
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out).returncode == 0
    names = sorted((f"q{number}", repeat) for number in range(2) for repeat in range(3))
    assert sorted(ids_of(asking.read_records(out)[1])) == names
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:3]))
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--resume").returncode == 0
    assert sorted(ids_of(asking.read_records(out)[1])) == names and sum(map(len, asking.by_question(server.journal.generations()).values())) == 6 + 4


def test_512_streams_at_once(serve, tmp_path, capture):
    wanted = 2 * 512 + 100
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    server = serve(script=[{"fault": "gate", "with": {"count": 512}, "prompt": "marbles"}])
    out = tmp_path / "out.jsonl"
    done = asking.vaa("ask", asking.write_requests(tmp_path / "requests.jsonl", 600, max_tokens=40), "--url", server.url, "--out", out, "--concurrency", 512)
    assert done.returncode == 0, done.stderr
    records, made = asking.read_records(out)[1], asking.by_question(server.journal.generations())
    assert sorted(ids_of(records)) == sorted((f"q{number}", 0) for number in range(600))
    assert all(len(exchanges) == 1 for exchanges in made.values()) and max(exchange.running for exchange in server.journal.exchanges) == 512
    assert all(asking.output_of(record) == asking.of(made[record["id"]][0].told[0]) and len(record["output"]["token_ids"]) == 40 for record in records)


def test_a_million_tokens_in_one_stream(serve, tmp_path, capture):
    count = 10**6
    server = serve(max_model_len=1 << 21, script=[{"fault": "canned", "prompt": "marbles"}])
    out = tmp_path / "out.jsonl"
    done = asking.vaa("ask", asking.write_requests(tmp_path / "requests.jsonl", 1, max_tokens=count), "--url", server.url, "--out", out)
    assert done.returncode == 0, done.stderr
    record, = asking.read_records(out)[1]
    assert asking.output_of(record) == asking.of(asking.by_question(server.journal.generations())["q0"][0].told[0]) and len(record["output"]["token_ids"]) == count


def test_ctrl_c_keeps_what_arrived(serve, tmp_path, capture):
    server = serve(script=[{"fault": "hang", "prompt": "[q7]"}])
    requests, out = asking.write_requests(tmp_path / "requests.jsonl", 12), tmp_path / "out.jsonl"
    with asking.Forks() as forks:
        pid = forks.start(["ask", requests, "--url", server.url, "--out", out, "--quiet"])
        server.journal.wait(lambda exchanges: len([e for e in exchanges if e.ended == "complete" and e.made and asking.MARK.search(asking.prompt_of(e))]) == 11)
        os.kill(pid, signal.SIGINT)
        assert forks.wait() == 130
    records = asking.read_records(out)[1]
    whole = {record["id"] for record in records if record.get("error") is None}
    made = asking.by_question(server.journal.generations())
    assert len(ids_of(records)) == len(set(ids_of(records))) and all(asking.output_of(record) == asking.of(made[record["id"]][0].made[0]) for record in records if record["id"] in whole)
    server.play([])
    before = len(server.journal.exchanges)
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--resume").returncode == 0
    assert sorted(ids_of(asking.read_records(out)[1])) == sorted((f"q{number}", 0) for number in range(12))
    assert not whole & set(asking.by_question(server.journal.generations(before)))


def test_output_that_exists_is_not_touched_unless_told(serve, tmp_path, capture):
    server = serve()
    requests, out = asking.write_requests(tmp_path / "requests.jsonl", 2), tmp_path / "out.jsonl"
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out).returncode == 0
    data = out.read_bytes()
    done = asking.vaa("ask", requests, "--url", server.url, "--out", out)
    assert done.returncode == 2 and str(out) in done.stderr and "resume" in done.stderr and "force" in done.stderr
    assert out.read_bytes() == data and sum(map(len, asking.by_question(server.journal.generations()).values())) == 2
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--force").returncode == 0
    assert len(asking.read_records(out)[1]) == 2
    foreign = tmp_path / "notes.txt"
    foreign.write_text("my notes\n")
    done = asking.vaa("ask", requests, "--url", server.url, "--out", foreign, "--resume")
    assert done.returncode == 2 and foreign.read_text() == "my notes\n" and str(foreign) in done.stderr


def test_a_full_disk_is_said(serve, tmp_path, capture):
    server = serve()
    requests = asking.write_requests(tmp_path / "requests.jsonl", 40, max_tokens=200)
    done = asking.vaa("ask", requests, "--url", server.url, "--out", "/dev/full")
    assert done.returncode == 2 and "/dev/full" in done.stderr and "space" in done.stderr and "Traceback" not in done.stderr
    out, limit = tmp_path / "out.jsonl", 30000
    done = asking.vaa("ask", requests, "--url", server.url, "--out", out, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert done.returncode == 2 and str(out) in done.stderr and "Traceback" not in done.stderr, done
    records, _ = whole_lines(out)
    assert 0 < out.stat().st_size <= limit and records
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--resume").returncode == 0
    assert sorted(ids_of(asking.read_records(out)[1])) == sorted((f"q{number}", 0) for number in range(40))


def test_noise_of_a_server_is_no_second_question(serve, tmp_path, capture):
    server = serve(model=Options(noise=0.02))
    requests, out = asking.write_requests(tmp_path / "requests.jsonl", 3), tmp_path / "out.jsonl"
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out).returncode == 0
    before = len(server.journal.exchanges)
    assert asking.vaa("ask", requests, "--url", server.url, "--out", out, "--resume").returncode == 0
    assert not asking.by_question(server.journal.generations(before)) and len(asking.read_records(out)[1]) == 3

"""`vaa ladder`: what each engine says after the same ids, and the first position from which two of them part. The position of the fault is known: it was planted."""
import json

import asking
import pytest
from toy_model import Options

LONG, ANSWERS = 700, 12


@pytest.fixture(scope="module")
def run(tmp_path_factory, capture):
    """Answers of an engine without fault, with ids: (path, {id: ids from the prompt on})."""
    from server import Server
    folder = tmp_path_factory.mktemp("run")
    with Server(chunk_ids=16) as server:
        done = asking.vaa("ask", asking.write_requests(folder / "requests.jsonl", ANSWERS, max_tokens=LONG), "--url", server.url, "--out", folder / "run.jsonl")
        assert done.returncode == 0, done.stderr
    return folder / "run.jsonl", {record["id"]: record["prompt"]["token_ids"] + record["output"]["token_ids"] for record in asking.read_records(folder / "run.jsonl")[1]}


def ladder(run, folder, *more):
    """(exit code, the report)."""
    report = folder / "report.json"
    done = asking.vaa("ladder", run, "--out", folder / "ladder.jsonl", "--format", "json", "--report", report, *more)
    assert "Traceback" not in done.stderr and report.exists(), done.stderr
    return done.returncode, json.loads(report.read_text())


def bisect(serve, run, folder, target, reference=None, *more, **options):
    urls = [serve(model=model or Options(), **options).url for model in (reference, target)]
    return ladder(run, folder, "--bisect", "--url", urls[0], "--url", urls[1], *more)


@pytest.mark.parametrize("position, path", [(90, "both"), (512, "both"), (333, "decode"), (333, "prefill")])
def test_a_planted_fault_is_found_where_it_is(serve, run, tmp_path, position, path):
    code, report = bisect(serve, run[0], tmp_path, Options(fault_from=position, fault_path=path))
    found = report["bisect"]
    assert code == 1 and report["verdict"]["name"] == "fail" and found["lo"] < position <= found["hi"], found
    assert found["hi"] - found["lo"] <= 32
    shows = found["prefill"]["shows"], found["decode"]["shows"]
    assert shows == {"both": ("yes", "yes"), "decode": ("no", "yes"), "prefill": ("yes", "no")}[path] or "unknown" in shows, found


def test_a_fault_of_some_contexts_is_found(serve, run, tmp_path):
    code, report = bisect(serve, run[0], tmp_path, Options(fault_from=400, fault_rate=0.3, noise=0.003, noise_seed=1), Options(noise=0.003, noise_seed=2))
    found = report["bisect"]
    assert code == 1 and found["lo"] < 400 <= found["hi"], found


def test_a_window_that_was_shortened_is_found_and_named(serve, run, tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"model_type": "toy", "sliding_window": 256, "max_position_embeddings": 35000}))
    code, report = bisect(serve, run[0], tmp_path, Options(window=256), None, "--config", config)
    found = report["bisect"]
    assert code == 1 and found["lo"] < 257 <= found["hi"], found      # the id after 257 ids is the first that misses one
    assert "sliding_window" in json.dumps(found), found


@pytest.mark.parametrize("noise", [0.0, 0.004], ids=["exact", "noisy"])
def test_two_equal_engines_give_no_difference(serve, run, tmp_path, noise):
    code, report = bisect(serve, run[0], tmp_path, Options(noise=noise, noise_seed=1), Options(noise=noise, noise_seed=2))
    assert code == 0 and report["verdict"]["name"] == "pass", report["bisect"]


def test_a_fault_from_the_start_and_past_the_end(serve, run, tmp_path):
    code, report = bisect(serve, run[0], tmp_path, Options(seed=9))
    assert code == 1 and report["bisect"]["kind"] == "from_start", report["bisect"]
    for place in ("ladder.jsonl", "report.json"):
        (tmp_path / place).unlink()
    assert bisect(serve, run[0], tmp_path, Options(fault_from=5000))[0] == 0


def rungs(folder):
    """{"q7@64": ids after the cut}."""
    records = asking.read_records(folder / "ladder.jsonl")[1]
    found = {record["id"]: record["output"]["token_ids"] for record in records}
    assert len(found) == len(records), "each rung stands once"
    return found


def test_rungs_carry_the_ids_before_them_and_the_ids_after(serve, run, tmp_path):
    path, whole = run
    server = serve()
    ladder(path, tmp_path, "--at", "64,100,333", "--tokens", "8", "--url", server.url)
    asked = [exchange.body for exchange in server.journal.generations() if exchange.body["max_tokens"] == 8]
    assert sorted(body["prompt"] for body in asked) == sorted(ids[:at] for ids in whole.values() for at in (64, 100, 333))
    assert all(body["temperature"] == 0 and body["logprobs"] == 20 and "prompt_logprobs" not in body for body in asked), "prompt_logprobs would run prefill alone"
    assert rungs(tmp_path) == {f"{q}@{at}": ids[at:at + 8] for q, ids in whole.items() for at in (64, 100, 333)}


def test_two_servers_are_compared_position_by_position(serve, run, tmp_path):
    code, report = ladder(run[0], tmp_path, "--at", "64,100,333", "--url", serve().url, "--url", serve(model=Options(fault_from=120)).url)
    table = {name: values for name, values in zip(report["tables"][0]["columns"], report["tables"][0]["values"])}
    assert code == 1 and report["verdict"]["name"] == "fail"
    assert table["at"] == [64, 100, 333] and table["compared"] == [ANSWERS] * 3 and table["suspect"][0] == 0 and table["suspect"][1] > 0 and table["suspect"][2] > ANSWERS / 2
    assert table["first_suspect"][:2] == [0, 0] and table["first_suspect"][2] > 0, "at 100 the first token is right: decode parts at 120"


def test_a_ladder_goes_on_with_a_ladder_alone(serve, run, tmp_path):
    other = tmp_path / "answers.jsonl"
    other.write_bytes(run[0].read_bytes())
    done = asking.vaa("ladder", run[0], "--at", "64", "--url", serve().url, "--out", other, "--resume")
    assert done.returncode == 2 and "other questions than those of ladder" in done.stderr, done.stderr
    assert other.read_bytes() == run[0].read_bytes()


def test_a_ladder_resumes(serve, run, tmp_path):
    server = serve()
    ladder(run[0], tmp_path, "--at", "64,100", "--url", server.url)
    whole, out = rungs(tmp_path), tmp_path / "ladder.jsonl"
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:ANSWERS]) + lines[ANSWERS][:50])
    before = len(server.journal.exchanges)
    ladder(run[0], tmp_path, "--at", "64,100", "--url", server.url, "--resume")
    again = [exchange for exchange in server.journal.generations(before) if isinstance(exchange.body.get("prompt"), list) and len(exchange.body["prompt"]) in (64, 100)]
    assert rungs(tmp_path) == whole and len(whole) == 2 * ANSWERS and len(again) == 2 * ANSWERS - (ANSWERS - 1)


def test_without_ids_it_says_how_to_get_them_or_marks_what_was_encoded_again(serve, run, tmp_path):
    path = tmp_path / "no_ids.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for line in open(run[0], encoding="utf-8"):
            record = json.loads(line)
            if record["schema"] == "vaa.record/1":
                record["prompt"].pop("token_ids", None)
                record["output"].pop("token_ids", None)
            file.write(json.dumps(record) + "\n")
    server = serve()
    done = asking.vaa("ladder", path, "--out", tmp_path / "ladder.jsonl", "--at", "64", "--url", server.url)
    assert done.returncode == 2 and "--reencode" in done.stderr.replace("reencode", "--reencode") and "vaa ask" in done.stderr, done.stderr
    code, report = ladder(path, tmp_path, "--at", "64", "--url", server.url, "--reencode", "--force")
    assert report["ladder"]["reencoded"] == ANSWERS and "encoded" in json.dumps(report)


def test_again_counts_the_bad_answers(serve, run, tmp_path):
    good, loops = serve(), serve(model=Options(loop_rate=0.5))
    report = tmp_path / "report.json"
    done = asking.vaa("ask", asking.write_requests(tmp_path / "requests.jsonl", 2, max_tokens=600, ignore_eos=False), "--again", "--repeat", "12", "--bad", "any", "--url", good.url, "--url", loops.url,
                      "--out", tmp_path / "again.jsonl", "--format", "json", "--report", report)
    assert done.returncode in (0, 1, 3), done.stderr
    records = asking.read_records(tmp_path / "again.jsonl")[1]
    assert len(records) == 2 * 2 * 12
    asked = [exchange for exchange in loops.journal.generations() if asking.MARK.search(asking.prompt_of(exchange))]
    looped = sum(exchange.made[0].finish == "length" for exchange in asked)
    assert len(asked) == 24 and 0 < looped < 24
    cells = json.loads(report.read_text())["again"]["totals"]
    assert [(cell["k"], cell["n"]) for cell in cells] == [(0, 24), (looped, 24)]


def test_a_target_that_does_not_repeat_itself_has_no_position(serve, run, tmp_path):
    """Noise of one side alone, far beyond a near tie: no fault from the start, and no pass."""
    code, report = bisect(serve, run[0], tmp_path, Options(noise=0.5, noise_seed=3))
    assert code == 3, report["verdict"]
    assert "from itself too" in report["verdict"]["reason"]
    rate = report["bisect"]["target_itself"]
    assert rate["low"] > report["bisect"]["itself"]["high"] and rate["k"] > 0

"""The package's own calls, with the server in threads of the same process: whatever held the interpreter would stop both."""
import json
import threading

import asking
import pytest

import vaa


def request(number, **body):
    return {"custom_id": f"q{number}", "method": "POST", "url": "/v1/chat/completions",
            "body": {"messages": [{"role": "user", "content": asking.question(number)}], "temperature": 0, "max_tokens": 12, "ignore_eos": True, "return_token_ids": True, **body}}


def test_questions_are_pushed_and_answers_come_as_they_arrive(serve, capture):
    server = serve(script=[{"fault": "error", "with": {"status": 400, "message": "no such thing"}, "prompt": "[q3]"}])
    asker = vaa.Asker(server.url, concurrency=4)
    for number in range(6):
        asker.push(request(number) if number % 2 else json.dumps(request(number)))
    samples = {sample["id"]: sample for sample in asker}
    made = asking.by_question(server.journal.generations())
    assert sorted(samples) == [f"q{number}" for number in range(6)] and asker.next() is None
    for q, sample in samples.items():
        if q == "q3":
            assert "no such thing" in sample["error.message"]
        else:
            assert (sample["output.text"], sample["finish_reason"]) == (made[q][0].made[0].text, "length") and list(sample["output.token_ids"]) == made[q][0].made[0].ids
    asker.push(request(9, n=3, temperature=1.0))
    assert sorted(sample["repeat"] for sample in asker) == [0, 1, 2]


def test_a_request_that_is_none_is_refused_at_once(serve, capture):
    asker = vaa.Asker(serve().url)
    for line in ("", "{", "[]", '{"custom_id": "a"}', '{"custom_id": "a", "body": {}}', '{"custom_id": "a", "url": "/v1/embeddings", "body": {"input": "x"}}'):
        with pytest.raises(vaa.Error):
            asker.push(line)
    assert asker.next() is None


def test_a_run_in_the_process_of_the_server(serve, tmp_path, capture):
    server, seen = serve(), []
    path = asking.write_requests(tmp_path / "requests.jsonl", 5)
    report = vaa.ask(path, tmp_path / "out.jsonl", url=server.url, progress=lambda task: seen.append((task.samples, task.total)))
    assert report.verdict == "pass" and report.exit_code == 0 and all(samples <= 5 for samples, _ in seen)
    assert len(asking.read_records(tmp_path / "out.jsonl")[1]) == 5
    with pytest.raises(vaa.Error, match="out.jsonl"):
        vaa.ask(path, tmp_path / "out.jsonl", url=server.url)
    assert vaa.check(tmp_path / "out.jsonl").verdict


def test_a_task_ends_it_from_another_thread(serve, tmp_path, capture):
    server = serve(script=[{"fault": "hang", "prompt": "marbles"}])
    path, task = asking.write_requests(tmp_path / "requests.jsonl", 3), vaa.AskTask()

    def end():
        server.journal.wait(lambda exchanges: len([e for e in exchanges if e.method == "POST" and asking.MARK.search(e.raw.decode())]) == 3)
        task.cancel()

    thread = threading.Thread(target=end)
    thread.start()
    with pytest.raises(vaa.Error) as fault:
        vaa.ask(path, tmp_path / "out.jsonl", url=server.url, task=task)
    thread.join()
    assert "cancel" in fault.value.message
    server.play([])
    assert vaa.ask(path, tmp_path / "out.jsonl", url=server.url, resume=(tmp_path / "out.jsonl").exists()).exit_code == 0
    assert len(asking.read_records(tmp_path / "out.jsonl")[1]) == 3


def test_one_asker_in_two_threads_waits_and_two_askers_do_not(serve, tmp_path, capture):
    server = serve(script=[{"fault": "gate", "with": {"count": 16}, "prompt": "marbles"}])
    path = asking.write_requests(tmp_path / "requests.jsonl", 8)
    faults = []

    def run(number):
        try:
            vaa.Asker(server.url, concurrency=8).ask(path, tmp_path / f"{number}.jsonl")
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults and [len(asking.read_records(tmp_path / f"{number}.jsonl")[1]) for number in range(2)] == [8, 8]
    server.play([])
    asker, servers = vaa.Asker(server.url), []
    threads = [threading.Thread(target=lambda: servers.append(asker.servers()[0]["engine"])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert servers == ["vllm"] * 4


def test_the_ladder_and_the_bisection_of_the_package(serve, tmp_path, capture):
    from toy_model import Options
    good, bad = serve(chunk_ids=16), serve(model=Options(fault_from=200))
    run = tmp_path / "run.jsonl"
    vaa.ask(asking.write_requests(tmp_path / "requests.jsonl", 12, max_tokens=260), run, url=good.url)
    report = vaa.bisect(run, tmp_path / "bisect.jsonl", reference=good.url, target=bad.url, tokens=8, structure=["table=199", "chunk=4000"])
    found = json.loads(report.render(format="json"))["bisect"]
    assert report.verdict == "fail" and found["lo"] < 200 <= found["hi"] and [hit["name"] for hit in found["structural"]] == ["table"]
    report = vaa.ladder(run, tmp_path / "ladder.jsonl", ["128", 240], url=[good.url, bad.url], tokens=4)
    assert report.verdict == "fail" and len(asking.read_records(tmp_path / "ladder.jsonl")[1]) == 2 * 2 * 12

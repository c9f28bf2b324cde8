"""`vaa ask` against every fault of the scripted server: what was sent is what the records hold, token for token, and an error is kept as what it is."""
import json

import asking
import pytest
from server import Server

# Bytes in other shapes: the record is that of an answer without fault.
HARMLESS = [{}, *({"fault": name} for name in ("crlf", "cr", "split_crlf", "split_utf8", "slow_bytes", "split_random", "comments", "fields", "multi_line", "no_space", "bom", "gzip",
                                               "close_after", "reset_reused")), {"fault": "framing", "with": {"kind": "close"}}, {"fault": "framing", "with": {"kind": "chunked"}},
            {"fault": "wrong_content_type", "with": {"content_type": "text/plain"}}, {"fault": "usage"}]

# What may be asked again, and is answered then.
AGAIN = [{"fault": name, "attempts": 1} for name in ("close", "reset", "html", "loading")] + \
    [{"fault": "rate_limited", "with": {"retry_after": seconds, "as_date": as_date}, "attempts": 1} for seconds, as_date in ((1, False), (1, True), (None, False))] + \
    [{"fault": "error", "with": {"status": status}, "attempts": 1} for status in (408, 502, 503, 504)]

# (rule, status of the error, words of its message): asked once, and kept as an error.
REFUSED = [({"fault": "error", "with": {"status": status, "shape": shape, "message": f"said by {shape}"}}, status, f"said by {shape}")
           for status, shape in ((400, "vllm"), (404, "vllm"), (500, "vllm"), (400, "flat"), (422, "fastapi"), (400, "string"), (500, "llamacpp"))] + \
    [({"fault": "html", "with": {"status": 500, "message": "Internal Server Error"}}, 500, "Internal Server Error"),
     ({"fault": "redirect", "with": {"to": "http://127.0.0.1:1/elsewhere"}}, 307, ""),
     ({"fault": "error_200"}, 500, "EngineCore encountered an issue."),        # by the code in the body
     ({"fault": "instead", "with": {"text": ""}}, None, ""), ({"fault": "instead", "with": {"text": "{\"choices\": [{\"index\": 0, \"mess"}}, None, ""),
     ({"fault": "instead", "with": {"text": "[1, 2]"}}, None, ""), ({"fault": "instead", "with": {"text": "<html>hello</html>", "content_type": "text/html"}}, None, "")]

# (rule, how the stream ended): what had come is kept, and never stands for a whole answer.
PARTS = [({"fault": "stream_error", "with": {"after": 5, "shape": shape}}, "error") for shape in ("vllm", "flat", "string", "llamacpp")] + \
    [({"fault": "stream_error", "with": {"after": 5, "done": False}}, "error"), ({"fault": "stream_error", "with": {"after": 0}}, "error"),
     ({"fault": "no_finish"}, "no_finish_reason"), ({"fault": "cut", "with": {"kind": "headers"}}, "cut"), ({"fault": "cut", "with": {"kind": "mid_event", "after": 6}}, None),
     ({"fault": "cut", "with": {"kind": "mid_utf8", "after": 6}}, None), ({"fault": "cut", "with": {"kind": "event", "after": 6}}, "cut"),
     ({"fault": "cut", "with": {"kind": "clean", "after": 6}}, "cut")]

ALL = [(rule, "harmless") for rule in HARMLESS] + [(rule, "again") for rule in AGAIN] + [(rule[0], "refused") for rule in REFUSED] + [(rule[0], "part") for rule in PARTS]


def numbers(kind):
    return [number for number, (_, kind_of) in enumerate(ALL) if kind_of == kind]


def name_of(number):
    rule = ALL[number][0]
    return "-".join([rule.get("fault", "none"), *(str(value) for value in rule.get("with", {}).values())]).replace("/", "").replace(" ", "_")


class Asked:
    """One run over all faults, a question each."""

    def __init__(self, folder, stream):
        rules = [{**rule, "prompt": f"[q{number}]"} for number, (rule, _) in enumerate(ALL) if rule]
        with Server(script=rules) as server:
            self.done = asking.vaa("ask", asking.write_requests(folder / "requests.jsonl", len(ALL)), "--url", server.url, "--out", folder / "out.jsonl", "--concurrency", 8,
                                   *([] if stream else ["--no-stream"]))
            self.exchanges = asking.by_question(server.journal.generations())
        assert (folder / "out.jsonl").exists(), self.done.stderr
        self.headers, records = asking.read_records(folder / "out.jsonl")
        self.records = {record["id"]: record for record in records}
        assert len(records) == len(self.records) == len(ALL), "each question stands once"

    def of(self, number):
        """(record, exchanges) of a question."""
        return self.records[f"q{number}"], self.exchanges[f"q{number}"]


@pytest.fixture(scope="module", params=[True, False], ids=["stream", "whole"])
def asked(request, tmp_path_factory, capture):
    return Asked(tmp_path_factory.mktemp("faults"), request.param)


@pytest.mark.parametrize("number", numbers("harmless"), ids=name_of)
def test_how_the_bytes_come_changes_nothing(asked, number):
    record, exchanges = asked.of(number)
    assert record.get("error") is None
    assert asking.output_of(record) == asking.of(exchanges[-1].made[0]) == asking.of(exchanges[-1].told[0])
    assert len(record["output"]["token_ids"]) == 24 and [exchange.ended for exchange in exchanges[:-1]] == ["reset"] * (len(exchanges) - 1)


@pytest.mark.parametrize("number", numbers("again"), ids=name_of)
def test_what_says_nothing_of_the_question_is_asked_again(asked, number):
    record, exchanges = asked.of(number)
    assert record.get("error") is None and asking.output_of(record) == asking.of(exchanges[-1].made[0])
    assert len(exchanges) == 2 and exchanges[0].told == {} and exchanges[0].raw == exchanges[1].raw


@pytest.mark.parametrize("number", numbers("refused"), ids=name_of)
def test_an_error_is_kept_as_what_it_is(asked, number):
    record, exchanges = asked.of(number)
    _, status, words = REFUSED[numbers("refused").index(number)]
    assert record["error"]["message"] and words in record["error"]["message"], record["error"]
    assert len(exchanges) == 1 and record["error"].get("status") in (status, None if status else 200)
    ids, text, finish = asking.output_of(record)
    assert not ids and text is None and finish is None, "nothing was answered: an empty answer would be another thing"


@pytest.mark.parametrize("asked", [True], ids=["stream"], indirect=True)
@pytest.mark.parametrize("number", numbers("part"), ids=name_of)
def test_a_part_of_an_answer_is_kept_as_a_part(asked, number):
    record, exchanges = asked.of(number)
    _, ending = PARTS[numbers("part").index(number)]
    told = exchanges[0].told.get(0)
    assert len(exchanges) == 1
    ids, text, finish = asking.output_of(record)
    assert (ids or [], text or "") == ((told.ids, told.text) if told else ([], "")) and finish in (None, "error", "abort", "unknown")
    assert record["stream_end"] == ending or ending is None and record["stream_end"] in ("cut", "cut_in_event"), record["stream_end"]
    assert ending == "no_finish_reason" or record["error"]["message"]


def test_a_whole_body_that_is_cut_is_no_answer(serve, tmp_path, capture):
    server = serve(script=[{"fault": "cut", "with": {"kind": "body", "after": after}, "prompt": f"[q{number}]"} for number, after in enumerate((0, 1, 200, 500))])
    done = asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 5), "--url", server.url, "--out", tmp_path / "out.jsonl", "--no-stream")
    records = {record["id"]: record for record in asking.read_records(tmp_path / "out.jsonl")[1]}
    assert done.returncode == 3 and records["q4"].get("error") is None
    for number in range(4):
        assert records[f"q{number}"]["error"]["message"] and not records[f"q{number}"]["output"], "a part of a JSON object says nothing"
    assert [len(exchanges) for exchanges in asking.by_question(server.journal.generations()).values()] == [1] * 5


def test_a_part_that_cannot_be_read_is_told(serve, tmp_path, capture):
    events = [{"id": "1", "choices": [{"index": 0, "delta": {"content": text}, "token_ids": [number], "finish_reason": finish}]} for text, number, finish in (("a", 1, None), ("b", 2 ** 31, None), ("c", 3, "stop"))]
    stream = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    server = serve(script=[{"fault": "instead", "with": {"text": stream, "content_type": "text/event-stream"}, "prompt": "[q0]"}])
    done = asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 2), "--url", server.url, "--out", tmp_path / "out.jsonl")
    assert done.returncode == 3 and "a part of 1 of them could not be read" in " ".join(done.stdout.split()) and "token_ids" in done.stdout, done.stdout


def test_the_run_says_that_some_failed(asked):
    assert asked.done.returncode == 3, asked.done.stderr
    failed = sum(record.get("error") is not None for record in asked.records.values())
    assert str(failed) in asked.done.stdout


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_what_the_server_leaves_out_is_not_made_up(serve, tmp_path, capture, stream):
    for number, (rule, key) in enumerate(([{"fault": "ids_missing"}, "ids"], [{"fault": "ids_null"}, "ids"])):
        server = serve(script=[rule])
        out = tmp_path / f"{number}.jsonl"
        done = asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 3), "--url", server.url, "--out", out, *([] if stream else ["--no-stream"]))
        assert done.returncode in (0, 3), done.stderr
        for record in asking.read_records(out)[1]:
            told = asking.by_question(server.journal.generations())[record["id"]][-1]
            assert record["output"]["text"] == told.made[0].text and record["finish_reason"] == "length"
            assert record["output"].get("token_ids") is None and told.told[0].ids == []
        assert "ids" in done.stdout + done.stderr


@pytest.mark.parametrize("by", [-1, 1])
def test_logprobs_of_a_wrong_length_are_said(serve, tmp_path, capture, by):
    server = serve(script=[{"fault": "logprobs_length", "with": {"by": by}, "prompt": "[q1]"}])
    out = tmp_path / "out.jsonl"
    done = asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 2), "--for", "compare", "--url", server.url, "--out", out)
    records = {record["id"]: record for record in asking.read_records(out)[1]}
    assert len(records["q0"]["output"]["logprobs"]) == 24
    bad = records["q1"]
    assert len(bad["output"]["token_ids"]) == 24
    assert bad["output"].get("logprobs") is None or len(bad["output"]["logprobs"]) != 24 or bad.get("error"), "24 logprobs for 24 ids would be a repair"
    assert done.returncode in (0, 3)


def test_choices_of_one_request_are_told_apart(serve, tmp_path, capture):
    server = serve()
    out = tmp_path / "out.jsonl"
    asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 4, n=3, temperature=1.0, seed=5), "--url", server.url, "--out", out)
    records = asking.read_records(out)[1]
    made = asking.by_question(server.journal.generations())
    assert sorted((record["id"], record["repeat"]) for record in records) == [(f"q{number}", repeat) for number in range(4) for repeat in range(3)]
    for record in records:
        assert asking.output_of(record) == asking.of(made[record["id"]][0].made[record["repeat"]])


def test_a_server_that_hangs_is_left_after_the_idle_time(serve, tmp_path, capture):
    server = serve(script=[{"fault": "hang", "prompt": "[q0]"}, {"fault": "cut", "with": {"kind": "hang", "after": 5}, "prompt": "[q1]"}])
    out = tmp_path / "out.jsonl"
    done = asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 3), "--url", server.url, "--out", out, "--idle-timeout", 3, "--retries", 0)
    records = {record["id"]: record for record in asking.read_records(out)[1]}
    assert done.returncode == 3 and records["q2"].get("error") is None
    assert all("3" in records[q]["error"]["message"] for q in ("q0", "q1")), records
    told = asking.by_question(server.journal.generations())["q1"][0].told[0]
    assert (records["q1"]["output"]["token_ids"], records["q1"]["output"]["text"]) == (told.ids, told.text)


def test_events_that_come_twice_are_kept_and_the_count_beside_them_says_so(serve, tmp_path, capture):
    server = serve(script=[{"fault": "doubled", "prompt": "[q0]"}])
    out = tmp_path / "out.jsonl"
    done = asking.vaa("ask", asking.write_requests(tmp_path / "r.jsonl", 2), "--url", server.url, "--out", out)
    assert done.returncode == 3 and "48 token ids, 24 counted" in " ".join(done.stdout.split()), done.stdout
    records = {record["id"]: record for record in asking.read_records(out)[1]}
    told = asking.by_question(server.journal.generations())["q0"][0].told[0]
    assert asking.output_of(records["q0"]) == asking.of(told) and len(told.ids) == 48, "no reader can know which of two equal events was meant"
    assert records["q0"]["usage"]["completion_tokens"] == 24 and len(records["q1"]["output"]["token_ids"]) == 24

"""Replies and engine counters from Python."""
import json
import time

import pytest

import vaa
from conftest import GOLDEN

SAMPLES = GOLDEN / "samples"
STREAM = (b'data: {"id":"a","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"caf\xc3\xa9"},"token_ids":[5]}]}\n\n'
          b'data: {"id":"a","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"!"},"token_ids":[6,7],"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')


def test_a_stream_pushed_byte_by_byte():
    reply = vaa.Reply()
    with reply.begin({"messages": [{"role": "user", "content": "q"}], "seed": 2**64 - 1}, start_s=100.0):
        reply.head(200, "text/event-stream; charset=latin-1")
        counts = [reply.push(STREAM[i:i + 1], time_s=100.5) for i in range(len(STREAM))]
    assert sorted(set(counts)) == [0, 1, 3] and reply.tokens == 3
    (sample,) = reply.samples
    assert sample["output.text"] == "café!"
    assert sample["output.token_ids"].tolist() == [5, 6, 7]
    assert sample["timing.ttft_s"] == 0.5
    assert sample["sampling.seed"] == str(2**64 - 1)
    assert json.loads(sample["extra"])["chunk_tokens"] == [[1, 1], [2, 1]]
    assert "error.message" not in sample


def test_an_exception_is_the_transports_fault():
    reply = vaa.Reply()
    with pytest.raises(ConnectionError):
        with reply.begin():
            reply.head(200)
            reply.push(STREAM[:140])
            raise ConnectionError("reset by peer")
    (sample,) = reply.samples
    assert sample["error.message"] == "reset by peer" and sample["output.text"] == "café" and sample["stream_end"] == "cut_in_event"


def test_a_failure_has_status_and_message_and_no_output():
    reply = vaa.Reply(max_event=4096)
    reply.begin('{"prompt": "q"}').head(503)
    reply.push("<html>busy</html>")
    (sample,) = reply.end()
    assert (sample["error.message"], sample["error.status"], sample["prompt.text"]) == ("<html>busy</html>", 503, "q")
    assert "output.text" not in sample
    assert abs(sample["timing.start_s"] - time.time()) < 3600


@pytest.mark.parametrize("call, status, words", [
    (lambda: vaa.Reply(max_event=5), "VAA_ERROR_OPTION", "max_event"),
    (lambda: vaa.Reply(most=5), "VAA_ERROR_OPTION", "most"),
    (lambda: vaa.Reply().push(b"x"), "VAA_ERROR_ARGUMENT", "vaa_reply_begin comes first"),
    (lambda: vaa.Metrics().push("<html>"), "VAA_ERROR_FORMAT", "no line of it is a metric"),
    (lambda: vaa.Metrics().push("a 1", time_s=float("nan")), "VAA_ERROR_ARGUMENT", "time_s"),
])
def test_what_is_refused(call, status, words):
    with pytest.raises(vaa.Error, match=words) as caught:
        call()
    assert caught.value.name == status


def test_counters_of_two_scrapes():
    metrics = vaa.Metrics()
    assert metrics.engines == []
    for i, name in enumerate(("before", "after")):
        metrics.push((SAMPLES / f"vllm_metrics_{name}.prom").read_bytes(), time_s=float(i))
    counted = metrics.counted()
    assert counted["schema"] == "vaa.counters/1" and counted["scrapes"] == 2 and counted["to_s"] == 1
    assert sum(engine["spec"]["accepted_tokens"] for engine in metrics.engines) == 760
    assert metrics.engines[1]["requests"] is None

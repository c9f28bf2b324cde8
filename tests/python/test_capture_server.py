"""The scripted server itself: what it sends is what its journal says, in each dialect and under each fault."""
import gzip
import hashlib
import json
import re
import socket
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zlib

import pytest

from conftest import ROOT
import toy_model
import toy_vocab as vocab
from dialects import ENGINES
from faults import FAULTS, Script
from journal import Told

CHAT = {"model": "toy-8b", "messages": [{"role": "user", "content": "How long is one side?"}], "max_tokens": 40, "temperature": 0, "ignore_eos": True,
        "return_token_ids": True, "logprobs": True, "top_logprobs": 3}
STREAM = {**CHAT, "stream": True, "stream_options": {"include_usage": True}}


def raw(server, body, path="/v1/chat/completions", more=()):
    """All bytes that come back until the server closes, and whether it did so by a reset."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {len(data)}", "Connection: close", *more]
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + data)
        came = bytearray()
        try:
            while part := connection.recv(1 << 20):
                came += part
        except ConnectionResetError:
            return bytes(came), True
    return bytes(came), False


def chunks(body):
    """What each chunk holds; the last one may be cut."""
    place = 0
    while place < len(body):
        end = body.index(b"\r\n", place)
        size, place = int(body[place:end], 16), end + 2
        yield body[place:place + size]
        place += size + 2


def unframed(came):
    """Headers and body of an answer; of chunks that were cut, what there is."""
    head, _, body = came.partition(b"\r\n\r\n")
    headers = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
    if headers.get("transfer-encoding") == "chunked":
        body = b"".join(chunks(body))
    if headers.get("content-encoding") == "gzip":
        body = zlib.decompressobj(31).decompress(body)
    return headers, body


def events(body):
    """Data of each whole event, by the specification's line rules."""
    text = body.decode(errors="replace")
    if text.startswith("\ufeff"):
        text = text[1:]
    found, data = [], []
    for line in re.split("\r\n|\n|\r", text)[:-1]:
        if not line:
            found, data = found + ["\n".join(data)] * bool(data), []
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
    return found


def read(events_of):
    """(ids, text, finish) of choice 0."""
    ids, text, finish = [], "", None
    for data in events_of:
        if data == "[DONE]":
            continue
        for choice in json.loads(data).get("choices", ()):
            ids += choice.get("token_ids") or []
            text += choice["delta"].get("content") or ""
            finish = choice["finish_reason"] or finish
    return ids, text, finish


ALONE = [{}, *({"fault": name} for name in sorted(FAULTS) if name not in ("redirect", "framing", "cut", "hang", "reset_reused", "gate")),
         {"fault": "redirect", "with": {"to": "http://127.0.0.1:1/"}}, {"fault": "framing", "with": {"kind": "close"}}, {"fault": "framing", "with": {"kind": "length"}},
         {"fault": "framing", "with": {"kind": "chunked"}}, {"fault": "doubled", "with": {"at": 4}},
         *({"fault": "cut", "with": {"kind": kind}} for kind in ("headers", "mid_event", "mid_utf8", "event", "clean")), {"fault": "cut", "with": {"kind": "body", "after": 100}}]


@pytest.mark.parametrize("rule", ALONE, ids=lambda rule: "-".join([rule.get("fault", "none"), *map(str, rule.get("with", {}).values())]).replace("/", ""))
@pytest.mark.parametrize("body", [CHAT, STREAM], ids=["whole", "stream"])
def test_the_journal_accounts_for_every_byte_and_token(serve, rule, body):
    server = serve(script=[rule] if rule else [])
    came, was_reset = raw(server, body)
    exchange, = server.journal.settled()
    assert (len(came), hashlib.sha256(came).hexdigest()) == (exchange.sent_bytes, exchange.sent_hash.hexdigest())
    assert was_reset == (exchange.ended == "reset") and exchange.faults == [rule[key] for key in rule if key == "fault"]
    if not came or b" 200 OK" not in came[:20]:
        assert exchange.told == {}
        return
    headers, content = unframed(came)
    if body is STREAM and not exchange.told and exchange.made == {}:
        return      # a body without any event
    told = exchange.told.get(0)
    if body is STREAM:
        ids, text, finish = read(events(content)) if events(content) else ([], "", None)
    elif told:
        answer = json.loads(content)["choices"][0]
        ids, text, finish = answer.get("token_ids") or [], answer["message"]["content"], answer["finish_reason"]
    if told:
        assert (ids, text, finish) == (told.ids, told.text, told.finish)
    if exchange.ended == "complete" and not rule:
        assert told == exchange.made[0] or (told.ids, told.text, told.finish, told.logprobs) == (exchange.made[0].ids, exchange.made[0].text, "length", 40)


def test_what_the_faults_send(serve):
    def of(name, body=STREAM, **arguments):
        return unframed(raw(serve(script=[{"fault": name, "with": arguments}]), body)[0])

    plain = unframed(raw(serve(), STREAM)[0])[1]
    ids = read(events(plain))[0]
    assert len(ids) == 40 and plain.endswith(b"data: [DONE]\n\n")
    assert of("crlf")[1] == plain.replace(b"\n", b"\r\n") and of("cr")[1] == plain.replace(b"\n", b"\r")
    assert of("no_space")[1] == plain.replace(b"data: ", b"data:")
    assert of("gzip")[1] == plain and of("slow_bytes")[1] == plain and of("split_random")[1] == plain and of("split_utf8")[1] == plain
    assert of("bom")[1] == b"\xef\xbb\xbf" + plain
    assert [json.loads(data) for data in events(of("multi_line")[1])[:-1]] == [json.loads(data) for data in events(plain)[:-1]]
    assert of("comments")[1].count(b": ping\n\n") == len(events(plain)) and events(of("comments")[1]) == events(plain) == events(of("fields")[1])
    assert events(of("no_done")[1]) == events(plain)[:-1] and read(events(of("no_finish")[1])) == (ids, read(events(plain))[1], None)
    assert events(of("doubled", at=2)[1]) == events(plain)[:2] + events(plain)[2:3] * 2 + events(plain)[3:]
    assert b"token_ids" not in of("ids_missing")[1] and set(re.findall(rb'"token_ids":(.{4})', of("ids_null")[1])) == {b"null"}
    assert events(of("stream_error", after=2)[1])[2:] == ['{"error":{"message":"EngineCore encountered an issue.","type":"InternalServerError","param":null,"code":500}}', "[DONE]"]
    assert events(of("stream_error", after=0, done=False)[1])[1:] == []
    short = json.loads(of("logprobs_length", CHAT)[1])["choices"][0]
    assert len(short["logprobs"]["content"]) == 39 and len(short["token_ids"]) == 40
    cut = of("cut", kind="mid_utf8", after=2)[1]
    assert plain.startswith(cut) and cut[-1] >= 0xC0
    cut = of("cut", kind="mid_event", after=2)[1]
    assert plain.startswith(cut) and len(events(cut)) == 2 and not cut.endswith(b"\n")
    head = raw(serve(script=[{"fault": "rate_limited", "with": {"retry_after": 3, "as_date": True}}]), CHAT)[0]
    assert b"HTTP/1.1 429 " in head and re.search(rb"Retry-After: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n", head)


def test_splits_are_where_they_say(serve):
    came = raw(serve(script=[{"fault": "split_crlf"}]), STREAM)[0]
    parts = list(chunks(came.partition(b"\r\n\r\n")[2]))
    assert not any(b"\r\n" in part for part in parts) and sum(part.startswith(b"\n") for part in parts) > 40


def test_a_reused_connection_may_be_reset(serve):
    server = serve(script=[{"fault": "reset_reused", "times": 1}])
    data = json.dumps(CHAT).encode()
    request = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data) + data
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall(request)
        server.journal.wait(lambda exchanges: exchanges and exchanges[0].ended != "open")
        assert b" 200 OK" in connection.recv(1 << 20)
        connection.sendall(request)
        with pytest.raises(ConnectionResetError):
            while connection.recv(1 << 20):
                pass
            raise ConnectionResetError      # closed without one: the same to a reader
    assert b" 200 OK" in raw(server, CHAT)[0]


def test_rules_hold_where_they_say():
    def facts(**more):
        return {"path": "/v1/completions", "generates": True, "order": 0, "attempt": 0, "reused": False, "id": None, "prompt": lambda: "a question", "raw": b"{}", **more}

    def names(rule, **more):
        return Script([{"fault": "html", **rule}]).plan(facts(**more)).names

    assert names({}) == ["html"] and names({}, generates=False) == [] and names({"path": "/metrics"}, path="/metrics", generates=False) == ["html"]
    assert names({"at": 2}) == [] and names({"at": [1, 2]}, order=2) == ["html"] and names({"every": 3}, order=4) == [] and names({"every": 3}, order=6) == ["html"]
    assert names({"id": "q7"}) == [] and names({"id": "q7"}, id="q7") == ["html"] and names({"prompt": "quest"}) == ["html"] and names({"prompt": "x"}) == []
    assert names({"attempts": 2}, attempt=1) == ["html"] and names({"attempts": 2}, attempt=2) == []
    script = Script([{"fault": "html", "times": 2}])
    assert [script.plan(facts()).names for _ in range(3)] == [["html"], ["html"], []]
    drawn = [bool(names({"rate": 0.3, "seed": 5}, raw=b"%d" % n)) for n in range(2000)]
    assert abs(sum(drawn) / 2000 - 0.3) < 0.06 and drawn == [bool(names({"rate": 0.3, "seed": 5}, raw=b"%d" % n)) for n in range(2000)]
    with pytest.raises(ValueError, match="fault: there is no 'htlm'"):
        Script([{"fault": "htlm"}])
    with pytest.raises(ValueError, match="html: no such key: when"):
        Script([{"fault": "html", "when": 3}])


def get(server, path, body=None, key=None, method=None):
    """(status, object or text)."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    request = urllib.request.Request(server.url + path, None if body is None else json.dumps(body).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            status, data = answer.status, answer.read().decode()
    except urllib.error.HTTPError as failed:
        status, data = failed.code, failed.read().decode()
    return status, json.loads(data) if data.startswith(("{", "[")) else data


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_engines_say_the_same_in_their_own_words(serve, engine):
    server = serve(engine=engine)
    whole = get(server, "/v1/chat/completions", CHAT)[1]
    streamed, content = unframed(raw(server, STREAM)[0])
    choice = whole["choices"][0]
    assert choice["message"]["content"] == read(events(content))[1] and whole["usage"]["completion_tokens"] == 40 and choice["finish_reason"] == "length"
    entries = choice["logprobs"]["content"]
    assert len(entries) == 40 and [len(entry["top_logprobs"]) for entry in entries] == [3] * 40
    assert ("token_ids" in choice) == engine.startswith("vllm") and ("matched_stop" in choice) == (engine == "sglang") and ("id" in entries[0]) == (engine == "llamacpp")
    assert ("timings" in whole) == (engine == "llamacpp") and ("stop_reason" in choice) == engine.startswith("vllm")
    body = {"model": "toy-8b", "prompt": vocab.apply_template(CHAT["messages"]), "max_tokens": 40, "temperature": 0, "ignore_eos": True, "logprobs": 3}
    completion = get(server, "/v1/completions", body)[1]
    assert completion["choices"][0]["text"] == choice["message"]["content"]
    assert get(server, "/v1/chat/completions", {**CHAT, "model": "toy-9b"})[0] == 404 and get(server, "/v1/chat/completions", {**CHAT, "max_tokens": 0})[0] == 400
    assert get(server, "/v1/chat/completions", {**CHAT, "max_tokens": 10**6})[0] == 400 and get(server, "/nowhere")[0] == 404
    assert get(server, "/v1/models")[1]["data"][0]["id"] == "toy-8b" and (get(server, "/version")[0] == 200) == engine.startswith("vllm")
    assert (get(server, "/props")[0], get(server, "/get_server_info")[0]) == (200 if engine == "llamacpp" else 404, 200 if engine == "sglang" else 404)


def test_native_endpoints(serve):
    prompt = vocab.apply_template(CHAT["messages"])
    answer = get(serve(), "/v1/completions", {"prompt": prompt, "max_tokens": 20, "temperature": 0, "ignore_eos": True, "return_token_ids": True})[1]["choices"][0]
    sglang = serve(engine="sglang")
    body = {"input_ids": prompt, "sampling_params": {"temperature": 0, "max_new_tokens": 20, "ignore_eos": True}, "return_logprob": True}
    generated = get(sglang, "/generate", body)[1]
    assert (generated["text"], generated["output_ids"]) == (answer["text"], answer["token_ids"]) and generated["meta_info"]["finish_reason"] == {"type": "length", "length": 20}
    last = json.loads(events(unframed(raw(sglang, {**body, "stream": True}, "/generate")[0])[1])[-2])
    assert last["output_ids"] == generated["output_ids"] and last["meta_info"]["output_token_logprobs"] == generated["meta_info"]["output_token_logprobs"]
    llamacpp = serve(engine="llamacpp")
    body = {"prompt": prompt, "n_predict": 20, "temperature": 0, "ignore_eos": True, "return_tokens": True, "n_probs": 2}
    completed = get(llamacpp, "/completion", body)[1]
    assert (completed["content"], completed["tokens"], completed["stop_type"]) == (answer["text"], answer["token_ids"], "limit")
    assert [entry["id"] for entry in completed["completion_probabilities"]] == answer["token_ids"]
    parts = [json.loads(data) for data in events(unframed(raw(llamacpp, {**body, "stream": True}, "/completion")[0])[1])]
    assert [token for part in parts for token in part["tokens"]] == answer["token_ids"] and parts[-1]["stop"] and parts[-1]["stop_type"] == "limit"
    inferred = get(serve(engine="mindie"), "/infer", {"inputs": "hello", "parameters": {"max_new_tokens": 5, "temperature": 0}})[1]
    assert inferred["details"]["generated_tokens"] == 5


def test_the_tokenizer_endpoints(serve):
    ids = vocab.encode("How long is one café?")
    vllm = serve()
    assert get(vllm, "/tokenize", {"model": "toy-8b", "prompt": "How long is one café?", "add_special_tokens": False})[1]["tokens"] == ids
    assert get(vllm, "/tokenize", {"model": "toy-8b", "messages": CHAT["messages"]})[1]["tokens"] == vocab.apply_template(CHAT["messages"])
    assert get(vllm, "/detokenize", {"model": "toy-8b", "tokens": ids})[1] == {"prompt": "How long is one café?"} and get(vllm, "/tokenize", {})[0] == 400
    assert get(serve(engine="llamacpp"), "/tokenize", {"content": "How long is one café?"})[1] == {"tokens": ids}
    assert get(serve(engine="sglang"), "/detokenize", {"tokens": ids})[1] == {"text": "How long is one café?"}


def counted(server, name):
    """Values of a family by its labels."""
    page = get(server, "/metrics")[1]
    return {labels: float(value) for labels, value in re.findall(rf"^{name}\{{(.*)\}} (\S+)$", page, re.M)}


def test_metrics_count_what_happened(serve):
    server = serve(spec=3, engines=2, preempt_rate=1.0)
    ask = {**CHAT, "logprobs": False, "messages": [{"role": "user", "content": "a long question about sides " * 8}]}
    made = [get(server, "/v1/chat/completions", ask)[1]["usage"] for _ in range(6)]
    assert sum(counted(server, "vllm:generation_tokens_total").values()) == 240 == sum(usage["completion_tokens"] for usage in made)
    drafts, drafted = counted(server, "vllm:spec_decode_num_drafts_total"), counted(server, "vllm:spec_decode_num_draft_tokens_total")
    accepted, places = counted(server, "vllm:spec_decode_num_accepted_tokens_total"), counted(server, "vllm:spec_decode_num_accepted_tokens_per_pos_total")
    assert len(drafts) == 2 and drafts['engine="0",model_name="toy-8b"'] == drafts['engine="1",model_name="toy-8b"'] > 0
    assert sum(drafted.values()) == 3 * sum(drafts.values()) and sum(places.values()) == sum(accepted.values()) and len(places) == 6
    prompt = made[0]["prompt_tokens"]
    cached = (prompt - 1) // 16 * 16
    assert [usage["prompt_tokens_details"]["cached_tokens"] for usage in made] == [0, 0] + [cached] * 4
    assert sum(counted(server, "vllm:prefix_cache_queries_total").values()) == 6 * prompt and sum(counted(server, "vllm:prefix_cache_hits_total").values()) == 4 * cached
    assert sum(counted(server, "vllm:num_preemptions_total").values()) == 6 and counted(server, "vllm:request_success_total")['engine="1",finished_reason="length",model_name="toy-8b"'] == 3
    for plain in ({"logprobs": True}, {"min_p": 0.1}, {"presence_penalty": 0.5}, {"repetition_penalty": 1.1}):
        get(server, "/v1/chat/completions", {**ask, **plain})
    assert counted(server, "vllm:spec_decode_num_drafts_total") == drafts, "these fields take a request out of speculation"
    assert get(serve(metrics=False), "/metrics")[0] == 404 == get(serve(engine="mindie"), "/metrics")[0]
    assert "sglang:prompt_tokens_total" in get(serve(engine="sglang"), "/metrics")[1] and "llamacpp:tokens_predicted_total" in get(serve(engine="llamacpp"), "/metrics")[1]


def test_keys(serve):
    server = serve(keys=("right",), forbidden=("known",))
    assert get(server, "/v1/models")[0] == 401 and get(server, "/v1/models", key="wrong") == (401, {"error": "Unauthorized"})
    assert get(server, "/v1/models", key="known")[0] == 403 and get(server, "/v1/models", key="right")[0] == 200 and get(server, "/version")[0] == 200
    assert get(serve(engine="openai", keys=("right",)), "/v1/models")[1]["error"]["code"] == "invalid_api_key"
    status, refused = get(serve(engine="openai", strict=True), "/v1/chat/completions", CHAT)
    assert status == 400 and refused["error"]["message"] == "Unrecognized request argument supplied: ignore_eos"


def test_tls(serve, certificate):
    path = certificate()
    server = serve(certificate=str(path))
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(server.url + "/version")
    trusting = ssl.create_default_context(cafile=str(path))
    assert urllib.request.urlopen(server.url + "/version", context=trusting).status == 200


def test_a_gate_opens_when_so_many_are_in_work(serve):
    server = serve(script=[{"fault": "gate", "with": {"count": 20}}])
    threads = [threading.Thread(target=get, args=(server, "/v1/chat/completions", CHAT)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    exchanges = server.journal.settled()
    assert max(exchange.running for exchange in exchanges) == 20 and {exchange.ended for exchange in exchanges} == {"complete"}


def test_prompt_logprobs_and_stop_strings(serve):
    server = serve()
    prompt = vocab.apply_template(CHAT["messages"])
    ask = {"prompt": prompt, "max_tokens": 30, "temperature": 0, "return_token_ids": True, "prompt_logprobs": 2, "ignore_eos": True}
    choice = get(server, "/v1/completions", ask)[1]["choices"][0]
    forced = get(server, "/v1/completions", {**ask, "prompt": prompt + choice["token_ids"]})[1]["choices"][0]["prompt_logprobs"]
    ends = [entries.get(str(vocab.EOS), {}).get("rank") == 1 for entries in forced[len(prompt):]]      # where it was not allowed
    assert forced[0] is None and [entries[str(token)]["rank"] for entries, token in zip(forced[len(prompt):], choice["token_ids"])] == [1 + end for end in ends]
    word = choice["text"][9:12]
    stopped = get(server, "/v1/completions", {**ask, "stop": [word]})[1]["choices"][0]
    assert (stopped["finish_reason"], stopped["stop_reason"], stopped["text"]) == ("stop", word, choice["text"][:choice["text"].find(word)])


def test_a_million_ids_in_one_stream(serve):
    server = serve(max_model_len=1 << 21, script=[{"fault": "canned"}])
    body = {"prompt": [1, 300], "max_tokens": 10**6, "temperature": 0, "stream": True, "return_token_ids": True, "stream_options": {"include_usage": True}}
    came, _ = raw(server, body, "/v1/completions")
    exchange = server.journal.exchanges[0]
    told, made = exchange.told[0], exchange.made[0]
    assert (len(came), hashlib.sha256(came).hexdigest()) == (exchange.sent_bytes, exchange.sent_hash.hexdigest())
    assert len(told.ids) == 10**6 and (told.ids, told.text, told.finish) == (made.ids, made.text, "length") and told.ids[1:1000] == told.ids[65:1064]
    assert came.count(b"data: ") == 10**6 + 2 and b'"completion_tokens":1000000' in came[-400:]


@pytest.mark.parametrize("tokens", [2, 3, 65, 66, 67, 130])
def test_a_canned_stream_has_the_length_that_was_asked(serve, tokens):
    body = {"prompt": [1, 300], "max_tokens": tokens, "temperature": 0, "stream": True, "return_token_ids": True}
    content = unframed(raw(serve(script=[{"fault": "canned"}]), body, "/v1/completions")[0])[1]
    choices = [json.loads(data)["choices"][0] for data in events(content)[:-1]]
    assert [len(choice["token_ids"]) for choice in choices] == [1] * tokens and [choice["finish_reason"] for choice in choices] == [None] * (tokens - 1) + ["length"]


def test_it_runs_by_hand(tmp_path):
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([{"fault": "gzip"}]))
    command = [sys.executable, ROOT / "tests/capture/server.py", "--port", "0", "--engine", "vllm", "--script", rules, "--journal", tmp_path / "served.jsonl", "--served", "a,b"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = int(process.stdout.readline())
            request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps({**CHAT, "model": "b"}).encode())
            answer = json.loads(gzip.decompress(urllib.request.urlopen(request, timeout=20).read()))
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=20)      # answered after the line was written
        finally:
            process.terminate()
    written = json.loads((tmp_path / "served.jsonl").read_text().splitlines()[0])
    assert written["told"]["0"]["ids"] == 40 and written["faults"] == ["gzip"] and answer["model"] == "b"
    assert written["told"]["0"]["ids_sha256"] == hashlib.sha256(",".join(map(str, answer["choices"][0]["token_ids"])).encode()).hexdigest()


def test_engines_with_equal_models_agree_and_noise_is_benign(serve):
    quiet = [serve(model=toy_model.Options(noise=0.01, noise_from=2)) for _ in range(2)]
    assert get(quiet[0], "/v1/chat/completions", CHAT)[1]["choices"] == get(quiet[1], "/v1/chat/completions", CHAT)[1]["choices"]


@pytest.mark.parametrize("rule", [{"fault": "hang"}, {"fault": "cut", "with": {"kind": "hang", "after": 2}}], ids=["at_once", "in_the_stream"])
def test_a_server_that_hangs_does_so_until_its_reader_leaves(serve, rule):
    server = serve(script=[rule])
    data = json.dumps(STREAM).encode()
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data) + data)
        server.journal.wait(lambda exchanges: exchanges and (rule["fault"] == "hang" or len(exchanges[0].told.get(0, Told()).parts) == 2))
        assert server.journal.exchanges[0].ended == "open"
    assert server.journal.settled()[0].ended == "hung"


def test_a_stream_may_end_in_a_reset(serve):
    server = serve(script=[{"fault": "cut", "with": {"kind": "reset", "after": 2}}])
    came, was_reset = raw(server, STREAM)
    assert was_reset and len(came) <= server.journal.settled()[0].sent_bytes and server.journal.exchanges[0].ended == "reset"

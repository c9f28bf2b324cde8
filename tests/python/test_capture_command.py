"""The command against servers, files and users that do not fit: a clear message, the right exit code, no traceback, and never a key."""
import json
import re
import socket
import subprocess
import sys

import asking
import pytest

KEY = "sk-very-secret-0123456789"


def refused(done, *words, code=2):
    """The command said why, in one go, and did nothing else."""
    assert done.returncode == code, (done.returncode, done.stderr, done.stdout)
    assert "Traceback" not in done.stderr and done.stderr.startswith("vaa"), done.stderr
    assert len(done.stderr.splitlines()) <= 4, done.stderr
    for word in words:
        assert word in done.stderr, (word, done.stderr)


@pytest.fixture
def requests(tmp_path, capture):
    return asking.write_requests(tmp_path / "requests.jsonl", 3)


def ask(requests, url, *more, **options):
    return asking.vaa("ask", requests, "--url", url, "--out", requests.parent / "out.jsonl", "--retries", "0", *more, **options)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_no_server(requests):
    port = free_port()
    refused(ask(requests, f"http://127.0.0.1:{port}"), f"http://127.0.0.1:{port}")
    refused(ask(requests, "http://no-such-host.invalid:8000"), "no-such-host.invalid")
    assert not (requests.parent / "out.jsonl").exists(), "no answer, no file"


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000/v1", "ftp://127.0.0.1", "http://", "http://[::1", "http://127.0.0.1:99999", "http://127.0.0.1:8000/v1?x=1", "http://a b/"])
def test_a_url_that_is_none(requests, url):
    refused(ask(requests, url), "url")


def test_a_server_of_something_else(requests, serve):
    html = [{"fault": "instead", "path": path, "with": {"text": "<html><head><title>Login</title></head></html>", "content_type": "text/html"}} for path in ("/v1/models", "/version")]
    server = serve(script=[*html, {"fault": "instead", "with": {"text": "<html>Login</html>", "content_type": "text/html"}}])
    refused(ask(requests, server.url), server.url)
    refused(ask(requests, server.url + "/wrong/prefix"), "/wrong/prefix")
    server = serve(script=[{"fault": "html", "path": "/v1/models"}])
    refused(ask(requests, server.url), server.url, "502")


def test_a_model_that_is_not_served(requests, serve):
    server = serve(served=("toy-8b", "toy-1b"))
    refused(ask(requests, server.url, "--model", "toy-9b"), "toy-9b", "toy-8b", "toy-1b")
    refused(ask(requests, server.url), "model", "toy-8b", "toy-1b")
    assert ask(requests, server.url, "--model", "toy-1b").returncode == 0
    assert {record["model"] for record in asking.read_records(requests.parent / "out.jsonl")[1]} == {"toy-1b"}


@pytest.mark.parametrize("engine", ["vllm", "openai", "llamacpp"])
def test_keys_open_and_are_never_shown(requests, serve, engine):
    server = serve(engine=engine, keys=(KEY,), forbidden=("sk-known-but-forbidden",))
    out = requests.parent / "out.jsonl"
    refused(ask(requests, server.url), "401")
    done = ask(requests, server.url, "--key-env", "WRONG_KEY", variables={"WRONG_KEY": "sk-wrong-987654321"})
    refused(done, "401")
    assert "987654321" not in done.stderr + done.stdout
    done = ask(requests, server.url, "--key-env", "KNOWN", variables={"KNOWN": "sk-known-but-forbidden"})
    refused(done, "403")
    assert "forbidden" not in (done.stderr + done.stdout).replace("Forbidden", "")
    key_file = requests.parent / "key.txt"
    key_file.write_text(KEY + "\n")
    for number, (more, variables) in enumerate(((("--key-env", "THE_KEY"), {"THE_KEY": KEY}), (("--key-file", key_file), {}))):
        report = requests.parent / f"report{number}.json"
        done = ask(requests, server.url, *more, "--format", "json", "--report", report, "--force", variables=variables)
        assert done.returncode == 0, done.stderr
        for place in (out.read_text(), report.read_text(), done.stdout, done.stderr):
            assert KEY not in place and KEY[3:] not in place
    assert KEY in server.journal.settled()[-1].headers["authorization"]


def test_a_key_that_a_server_repeats_is_taken_out(requests, serve):
    server = serve(keys=(KEY,), script=[{"fault": "error", "with": {"status": 400, "message": f"bad key {KEY} in the request"}, "prompt": "marbles"}])
    done = ask(requests, server.url, "--key-env", "THE_KEY", variables={"THE_KEY": KEY})
    assert done.returncode in (2, 3)
    assert KEY not in (requests.parent / "out.jsonl").read_text() + done.stdout + done.stderr


def test_a_key_is_taken_out_wherever_a_server_repeats_it(requests, serve):
    error = {"error": {"message": f"no {KEY}", "type": f"of {KEY}", "code": KEY, "param": KEY}}
    answer = {"id": KEY, "model": KEY, "choices": [{"index": 0, "text": KEY, "message": {"role": "assistant", "content": f"said {KEY} and team-secret-1"}, "finish_reason": "stop", "stop_reason": KEY}]}
    server = serve(keys=(KEY,), version=f"0.25.1+{KEY}", script=[{"fault": "instead", "with": {"status": 400, "text": json.dumps(error)}, "prompt": "[q0]"},
                                                                 {"fault": "instead", "with": {"text": json.dumps(answer)}, "prompt": "[q1]"}])
    done = ask(requests, server.url, "--key-env", "THE_KEY", "--header", "X-Team-Token: team-secret-1", variables={"THE_KEY": KEY})
    assert done.returncode == 3, done.stderr
    text = (requests.parent / "out.jsonl").read_text() + done.stdout + done.stderr
    assert KEY not in text and "team-secret-1" not in text and "said <key> and <key>" in text


def test_a_user_and_password_of_a_url_are_not_kept(requests, serve):
    server = serve()
    done = ask(requests, server.url.replace("http://", "http://someone:password77@"))
    assert done.returncode == 0, done.stderr
    assert "password77" not in (requests.parent / "out.jsonl").read_text() + done.stdout + done.stderr


def test_keys_that_are_not_there(requests, serve):
    url = serve().url
    refused(ask(requests, url, "--key-env", "NOT_SET_ANYWHERE"), "NOT_SET_ANYWHERE")
    refused(ask(requests, url, "--key-file", requests.parent / "nothing"), "nothing")
    empty = requests.parent / "empty.txt"
    empty.write_text("\n")
    refused(ask(requests, url, "--key-file", empty), "empty.txt")


def test_tls_is_verified(requests, serve, certificate):
    pem = certificate()
    server = serve(certificate=str(pem))
    refused(ask(requests, server.url), server.url, "certificate")
    assert ask(requests, server.url, "--ca-file", pem).returncode == 0
    other = serve(certificate=str(certificate("other.example")))
    refused(ask(requests, other.url, "--ca-file", pem.with_name("other.example.pem"), "--force"), other.url)
    refused(ask(requests, server.url.replace("https", "http"), "--force"), "http")
    plain = serve()
    refused(ask(requests, plain.url.replace("http", "https"), "--force"), "https")
    refused(ask(requests, server.url, "--ca-file", requests.parent / "no.pem", "--force"), "no.pem")


def test_broken_lines_are_named_passed_over_and_counted(tmp_path, capture, serve):
    server = serve()
    path = asking.write_requests(tmp_path / "requests.jsonl", 3)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{not json", lines[1], "", '{"custom_id": "x", "body": {}}', '"a text"', lines[2]]) + "\n")
    done = ask(path, server.url)
    assert done.returncode in (0, 3), done.stderr
    told = done.stdout + done.stderr
    assert all(re.search(rf"requests\.jsonl:{line}\b", told) for line in (2, 5, 6)) and not re.search(r"requests\.jsonl:4\b", told), told
    assert [record["id"] for record in sorted(asking.read_records(tmp_path / "out.jsonl")[1], key=lambda record: record["id"])] == ["q0", "q1", "q2"]
    path.write_text("{not json\n\n")
    refused(ask(path, server.url, "--force"), "requests.jsonl")
    path.write_text("")
    refused(ask(path, server.url, "--force"), "requests.jsonl")
    refused(ask(tmp_path / "nowhere.jsonl", server.url), "nowhere.jsonl")


def test_nothing_answered_is_an_error(requests, serve):
    server = serve(script=[{"fault": "error", "prompt": "marbles"}])
    done = ask(requests, server.url)
    assert done.returncode in (2, 3) and "Traceback" not in done.stderr
    assert len(asking.read_records(requests.parent / "out.jsonl")[1]) == 3


def test_output_in_a_folder_that_is_not_there(requests, serve):
    done = asking.vaa("ask", requests, "--url", serve().url, "--out", requests.parent / "no" / "out.jsonl")
    refused(done, "no/out.jsonl")


@pytest.mark.parametrize("more, words", [(["--concurrency", "0"], "concurrency"), (["--concurrency", "many"], "concurrency"), (["--repeat", "0"], "repeat"), (["--for", "fun"], "fun"),
                                         (["--max-tokens", "-1"], "max_tokens"), (["--top-logprobs", "99"], "top_logprobs"), (["--rate", "-1"], "rate"), (["--engine", "vlm"], "vlm"),
                                         (["--sample", "-2"], "sample"), (["--header", "nothing"], "nothing"), (["--bad", "empty"], "flag")])
def test_options_that_are_none(requests, serve, more, words):
    done = ask(requests, serve().url, *more)
    assert done.returncode == 2 and words.replace("_", "-") in done.stderr.replace("_", "-") and "Traceback" not in done.stderr, done.stderr


def test_what_is_asked_is_never_written_over(requests, serve):
    server, before = serve(), requests.read_bytes()
    for more in ("--force", "--resume"):
        refused(asking.vaa("ask", requests, "--url", server.url, "--out", requests, more), "is what is read")
    assert requests.read_bytes() == before
    refused(asking.vaa("ask", "--from", requests.parent, "--url", server.url, "--out", requests.parent / "new.jsonl"), "lies in the folder that is read")


def test_answers_that_are_there_stay_where_no_server_is(requests, serve):
    assert ask(requests, serve().url).returncode == 0
    before = (requests.parent / "out.jsonl").read_bytes()
    assert ask(requests, f"http://127.0.0.1:{free_port()}", "--force").returncode == 2
    assert (requests.parent / "out.jsonl").read_bytes() == before


def test_a_server_that_loads_is_waited_for(requests, serve):
    server = serve(engine="llamacpp", script=[{"fault": "loading", "times": 2, "path": "/v1/models"}, {"fault": "loading", "times": 1}])
    done = asking.vaa("ask", requests, "--url", server.url, "--out", requests.parent / "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert len(asking.read_records(requests.parent / "out.jsonl")[1]) == 3


def test_retry_after_is_waited_for_and_bounded(requests, serve):
    server = serve(script=[{"fault": "rate_limited", "with": {"retry_after": 3600}, "prompt": "marbles"}])
    done = asking.vaa("ask", requests, "--url", server.url, "--out", requests.parent / "out.jsonl", "--max-retry-wait", "0.2", "--retries", "2")
    records = asking.read_records(requests.parent / "out.jsonl")[1]
    assert done.returncode in (2, 3) and len(records) == 3 and all(record["error"]["status"] == 429 for record in records)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_terminal_obeys_nothing_that_a_server_says(serve, capture, form):
    done = asking.vaa("ask", "--probe", "--url", serve(served=("toy\x1b]0;title\x07\u009b31m\u202e",), version="1\r\x1b[2J").url, "--format", form)
    assert done.returncode == 0 and "\\u001b]0;title\\u0007\\u009b31m\\u202e" in done.stdout, done.stdout
    assert all(char.isprintable() or char == "\n" for char in done.stdout)


def test_what_is_said_of_the_probe(serve, capture):
    done = asking.vaa("ask", "--probe", "--url", serve(max_model_len=12345).url, "--format", "json")
    server, = json.loads(done.stdout)
    assert done.returncode == 0 and (server["engine"], server["version"], server["model"], server["max_model_len"]) == ("vllm", "0.25.1", "toy-8b", 12345)
    assert all(server["gives"][name] for name in ("token_ids", "prompt_token_ids", "finish_reason", "logprobs", "top_logprobs", "stream", "usage", "prompt_as_ids", "tokenize", "metrics"))


def test_the_probe_speaks_the_language_that_is_asked_for(serve, capture):
    url = serve().url
    for lang, yes in (("en", "yes"), ("zh", "是")):
        done = asking.vaa("ask", "--probe", "--url", url, "--lang", lang)
        assert done.returncode == 0 and f"  stream         {yes}\n" in done.stdout, done.stdout
    server, = json.loads(asking.vaa("ask", "--probe", "--url", url, "--format", "json").stdout)
    assert len(server["problems"]) == len(server["problems_zh"])


def test_a_dry_run_prints_the_requests_between_what_others_print(requests, serve, tmp_path):
    server = serve()
    done = asking.vaa("ask", requests, "--url", server.url, "--dry-run")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and [line["body"]["return_token_ids"] for line in lines] == [True] * 3
    assert not (requests.parent / "out.jsonl").exists()
    both = tmp_path / "both.txt"
    with open(both, "w") as file:
        script = 'echo before; "$0" -m vaa ask "$1" --url "$2" --dry-run; echo behind'
        subprocess.run(["sh", "-c", script, sys.executable, str(requests), server.url], stdout=file, check=True)
    assert both.read_text() == "before\n" + done.stdout + "behind\n"


def test_a_report_is_not_written_over_what_is_read(requests, serve):
    before = requests.read_bytes()
    refused(ask(requests, serve().url, "--report", str(requests)), "--report")
    assert requests.read_bytes() == before

"""What tests of `vaa ask` share: numbered questions, the command, its records, and the exchanges that belong to them.

Run as a program it is the command `vaa` for many runs: imports once, then forks for each line of arguments (a JSON list) and
says the process id, and at the end its exit code: so a test can end it at any moment, and starting it costs little.
"""
import collections
import json
import os
import re
import subprocess
import sys

import toy_vocab as vocab

MARK = re.compile(r"\[(q\d+)\]")


def question(number):
    return f"[q{number}] How many marbles are in jar {number}?"


def write_requests(path, count, chat=True, **body):
    """OpenAI batch lines with ids q0, q1, … ; greedy answers of 24 ids unless `body` says otherwise."""
    body = {"temperature": 0, "max_tokens": 24, "ignore_eos": True, **body}
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            asked = {"messages": [{"role": "user", "content": question(number)}]} if chat else {"prompt": question(number)}
            url = "/v1/chat/completions" if chat else "/v1/completions"
            file.write(json.dumps({"custom_id": f"q{number}", "method": "POST", "url": url, "body": {**asked, **body}}) + "\n")
    return path


def vaa(*arguments, variables=None, **more):
    """The command, to its end."""
    environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", **(variables or {})}
    return subprocess.run([sys.executable, "-m", "vaa", *map(str, arguments)], capture_output=True, text=True, env=environment, timeout=300, **more)


def read_records(path):
    """(the headers, the records) of a file."""
    lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    return [line for line in lines if line["schema"] == "vaa.run/1"], [line for line in lines if line["schema"] == "vaa.record/1"]


def prompt_of(exchange):
    body = exchange.body
    if "messages" in body:
        return vocab.decode(vocab.apply_template(body["messages"]))
    return body["prompt"] if isinstance(body["prompt"], str) else vocab.decode(body["prompt"])


def by_question(exchanges):
    """{q: its exchanges in the order of arrival}; trial requests have none."""
    found = collections.defaultdict(list)
    for exchange in exchanges:
        mark = MARK.search(prompt_of(exchange))
        if mark:
            found[mark.group(1)].append(exchange)
    return found


def output_of(record):
    output = record.get("output") or {}
    return output.get("token_ids"), output.get("text"), record.get("finish_reason")


def of(told):
    """What a record has to hold of a Told."""
    return told.ids, told.text, told.finish


class Forks:
    """The command in a child that can be ended: `with Forks() as forks: pid = forks.start([...])`; `forks.wait()` gives the exit code, negative for a signal."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        return False

    def start(self, arguments):
        self.process.stdin.write(json.dumps([str(argument) for argument in arguments]) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def wait(self):
        self.process.stdin.write("wait\n")         # only then the child is reaped: until then its process id is nobody else's
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


def serve_forks():
    from vaa.cli import main
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = 70
            try:
                code = main(json.loads(line))
            except SystemExit as ended:
                code = ended.code or 0
            finally:
                os._exit(code)
        print(child, flush=True)
        sys.stdin.readline()
        status = os.waitpid(child, 0)[1]
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve_forks()

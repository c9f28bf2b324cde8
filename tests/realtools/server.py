"""A small OpenAI-compatible server whose answers are scripted: Python's standard library only.

    python3 server.py --plan plan.json --port 8000 --log served.jsonl

Serves /v1/models, /v1/chat/completions, /v1/completions (streamed or not; echo with logprobs), /version, /health, and
the three endpoints by which lm-eval borrows a server's tokenizer (/tokenizer_info, /tokenize, /detokenize).

The plan: {"model": name, "reasoning_parser": false, "same_repeats": false, "items": [{"key": text found in the prompt,
"ending", "steps", "answer", "wrong", "kinds": [kind of the 1st request, of the 2nd, …, the last one for all further]}]}.
Of several keys in one prompt (examples before the question) the last one counts. `same_repeats`: every repeat of a
question is worded alike. What was served goes to the log, one line a request: item, arrival, kind, text, finish.
"""
import argparse
import json
import math
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import answers

PIECE = re.compile(r"<\|?[a-z_0-9]+\|?>| ?[A-Za-z]{1,6}| ?[0-9]{1,3}|\s|[^A-Za-z0-9\s]", re.S)


class Vocabulary:
    """Piece of text ↔ id, filled as pieces come. Ids 0 to 2 are special."""

    def __init__(self):
        self.pieces = ["<pad>", "<s>", "</s>"]
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        self.lock = threading.Lock()

    def encode(self, text):
        with self.lock:
            found = PIECE.findall(text)
            for piece in found:
                if piece not in self.ids:
                    self.ids[piece] = len(self.pieces)
                    self.pieces.append(piece)
            return [self.ids[piece] for piece in found]

    def decode(self, ids):
        return "".join(self.pieces[i] for i in ids)


class Model:
    """The plan, and how often each of its items was asked."""

    def __init__(self, plan, log):
        self.name = plan["model"]
        self.reasoning_parser = plan.get("reasoning_parser", False)
        self.same_repeats = plan.get("same_repeats", False)
        self.items = plan["items"]
        self.asked = [0] * len(self.items)
        self.lock = threading.Lock()
        self.log = open(log, "w", encoding="utf-8")
        self.vocabulary = Vocabulary()

    def find(self, prompt):
        places = [(prompt.rfind(item["key"]), n) for n, item in enumerate(self.items)]
        place, number = max(places)
        return number if place >= 0 else None

    def answer(self, prompt):
        """The next reply to this prompt: item number, arrival, kind, Reply; None for a prompt that is not in the plan."""
        number = self.find(prompt)
        if number is None:
            return None
        with self.lock:
            arrival = self.asked[number]
            self.asked[number] += 1
        item = self.items[number]
        kind = item["kinds"][min(arrival, len(item["kinds"]) - 1)]
        return number, arrival, kind, answers.say(item, kind, 0 if self.same_repeats else arrival)

    def record(self, **row):
        with self.lock:
            self.log.write(json.dumps(row) + "\n")
            self.log.flush()


class Output:
    """A reply as it leaves the engine: cut at the token limit and at stop strings, split into reasoning and content."""

    def __init__(self, reply, limit, stops, reasoning_parser):
        raw = reply.text
        if reply.reasoning is not None:
            raw = ("<think>\n" if reply.opened else "") + reply.reasoning + ("\n</think>" if reply.closed else "") + raw
        pieces = PIECE.findall(raw)
        self.finish = reply.finish
        if len(pieces) > limit:
            pieces, self.finish = pieces[:limit], "length"
        text = "".join(pieces)
        places = [text.find(stop) for stop in stops if stop and stop in text]
        if places:
            text, self.finish = text[:min(places)], "stop"
        self.tokens = len(PIECE.findall(text))
        self.raw, self.reasoning, self.content = text, None, text
        if reasoning_parser and reply.reasoning is not None:
            head, found, tail = text.partition("</think>")
            self.reasoning, self.content = head.replace("<think>", "", 1).strip(), tail if found else None
        if reply.content_null:
            self.content = None


def surprise(text):
    """A logprob that depends on the text alone: between -0.05 and -6."""
    return -0.05 - (sum((n + 1) * ord(c) for n, c in enumerate(text)) % 97) / 16


class Quiet(ThreadingHTTPServer):
    """A client that goes away (AISBench does when a stream breaks) is no news."""
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model = None

    def log_message(self, *args):
        pass

    def send_json(self, body, status=200):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_error_body(self, status, message, kind):
        self.send_json({"error": {"message": message, "type": kind, "param": None, "code": status}}, status)

    def do_GET(self):
        if self.path == "/v1/models":
            self.send_json({"object": "list", "data": [{"id": self.model.name, "object": "model", "created": 1787220000,
                            "owned_by": "vaa-tests", "root": self.model.name, "parent": None, "max_model_len": 4096}]})
        elif self.path == "/version":
            self.send_json({"version": "0.0.0"})
        elif self.path == "/health":
            self.send_json({})
        elif self.path == "/tokenizer_info":
            self.send_json({"eos_token": "</s>", "bos_token": "<s>", "pad_token": "<pad>", "chat_template": None})
        else:
            self.send_error_body(404, "no such path", "NotFoundError")

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if self.path == "/tokenize":
            ids = self.model.vocabulary.encode(request["prompt"])
            self.send_json({"count": len(ids), "max_model_len": 4096, "tokens": ids})
        elif self.path == "/detokenize":
            self.send_json({"prompt": self.model.vocabulary.decode(request["tokens"])})
        elif self.path == "/v1/chat/completions":
            self.generate(request, "\n".join(str(m["content"]) for m in request["messages"]), chat=True)
        elif self.path == "/v1/completions":
            prompt = request["prompt"]
            if isinstance(prompt, list) and len(prompt) == 1 and isinstance(prompt[0], (list, str)):
                prompt = prompt[0]
            if isinstance(prompt, list):
                prompt = self.model.vocabulary.decode(prompt)
            if request.get("echo"):
                self.echo(prompt, request)
            else:
                self.generate(request, prompt, chat=False)
        else:
            self.send_error_body(404, "no such path", "NotFoundError")

    def echo(self, prompt, request):
        """The prompt's own tokens with logprobs and one generated token: what loglikelihood tasks ask for."""
        pieces = PIECE.findall(prompt)
        right = any(prompt.endswith(item["key"]) for item in self.model.items)
        logprobs = [None] + [surprise(prompt[:40] + p + str(n)) * (0.1 if right else 1) for n, p in enumerate(pieces[1:])]
        offsets, place = [], 0
        for piece in pieces:
            offsets.append(place)
            place += len(piece)
        tops = [None] + [{p: l} if right else {p: l, "the": l + 0.5} for p, l in zip(pieces[1:], logprobs[1:])]
        self.send_json({"id": "cmpl-0", "object": "text_completion", "created": 1787220000, "model": self.model.name,
                        "choices": [{"index": 0, "text": prompt + ".", "finish_reason": "length", "logprobs": {
                            "tokens": pieces + ["."], "token_logprobs": logprobs + [-0.5],
                            "text_offset": offsets + [place], "top_logprobs": tops + [{".": -0.5}]}}],
                        "usage": {"prompt_tokens": len(pieces), "completion_tokens": 1, "total_tokens": len(pieces) + 1}})

    def generate(self, request, prompt, chat):
        found = self.model.answer(prompt)
        if found is None:
            self.send_error_body(400, "the prompt is not in the plan", "BadRequestError")
            return
        number, arrival, kind, reply = found
        stops = request.get("stop") or []
        out = Output(reply, request.get("max_tokens") or 16, [stops] if isinstance(stops, str) else stops,
                     chat and self.model.reasoning_parser)
        self.model.record(item=number, arrival=arrival, kind=kind, text=out.raw, reasoning=out.reasoning,
                          content=out.content, finish=out.finish, tokens=out.tokens, fault=reply.fault)
        usage = {"prompt_tokens": len(PIECE.findall(prompt)), "completion_tokens": out.tokens,
                 "total_tokens": len(PIECE.findall(prompt)) + out.tokens}
        time.sleep(0.002 * math.sqrt(out.tokens))   # longer answers come later, as everywhere
        if reply.fault == "http500":
            self.send_error_body(500, "EngineCore encountered an issue", "InternalServerError")
        elif reply.fault == "disconnect":
            self.close_connection = True
        elif reply.fault == "error200":
            self.send_json({"object": "error", "message": "EngineCore encountered an issue", "type": "InternalServerError",
                            "param": None, "code": 500})
        elif reply.fault == "badjson":
            self.send_json('{"id": "x", "choices": [{"index": 0, "mess')
        elif request.get("stream"):
            self.stream(request, out, usage, reply.fault, chat)
        else:
            self.send_json(self.whole(out, usage, chat))

    def whole(self, out, usage, chat):
        choice = {"index": 0, "logprobs": None, "finish_reason": out.finish, "stop_reason": None}
        if chat:
            choice["message"] = {"role": "assistant", "content": out.content, "reasoning_content": out.reasoning,
                                 "tool_calls": []}
        else:
            choice["text"] = out.content
        return {"id": "chatcmpl-1" if chat else "cmpl-1", "object": "chat.completion" if chat else "text_completion",
                "created": 1787220000, "model": self.model.name, "choices": [choice], "usage": usage}

    def stream(self, request, out, usage, fault, chat):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        events = list(self.deltas(out, chat))
        if fault:
            events = events[:max(2, len(events) // 2)]
        for delta in events:
            self.event(self.chunk(delta, None, chat))
        if fault == "stream_abort":         # the connection breaks: no final chunk of the transfer coding
            self.wfile.flush()
            self.close_connection = True
            return
        if fault == "stream_bad_json":      # the last event is cut inside its JSON
            self.event('{"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"del')
        elif fault == "stream_error":
            self.event({"error": {"message": "EngineCore encountered an issue", "type": "InternalServerError",
                                  "param": None, "code": 500}})
        elif not fault:
            self.event(self.chunk({"content": ""} if chat else "", out.finish, chat))
            if (request.get("stream_options") or {}).get("include_usage"):
                self.event({**self.chunk("", None, chat), "choices": [], "usage": usage})
        if fault not in ("stream_no_done", "stream_bad_json"):
            self.event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def deltas(self, out, chat, step=4):
        if chat:
            yield {"role": "assistant", "content": ""}
        for key, text in (("reasoning_content", out.reasoning), ("content", out.content)):
            pieces = PIECE.findall(text or "")
            for n in range(0, len(pieces), step):
                part = "".join(pieces[n:n + step])
                yield {key: part} if chat else part

    def chunk(self, delta, finish, chat):
        choice = {"index": 0, "finish_reason": finish, "logprobs": None}
        choice["delta" if chat else "text"] = delta
        return {"id": "chatcmpl-1" if chat else "cmpl-1",
                "object": "chat.completion.chunk" if chat else "text_completion", "created": 1787220000,
                "model": self.model.name, "choices": [choice]}

    def event(self, body):
        data = b"data: " + (body if isinstance(body, str) else json.dumps(body)).encode() + b"\n\n"
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()


def serve(plan, port, log):
    """Starts on the loopback in a thread of its own; returns the server (stop it with .shutdown())."""
    handler = type("PlannedHandler", (Handler,), {"model": Model(plan, log)})
    server = Quiet(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plan", required=True)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--log", default="served.jsonl")
    options = parser.parse_args()
    with open(options.plan, encoding="utf-8") as plan:
        serve(json.load(plan), options.port, options.log)
    threading.Event().wait()


if __name__ == "__main__":
    main()

"""Asks an OpenAI-compatible server, watches the answer as it streams, and hangs up when it begins to loop. The server then stops too: engines abort a request whose client is gone.

    python examples/stop_loop.py http://localhost:8000/v1/completions --model NAME --prompt "..." --max-tokens 32768
    python examples/stop_loop.py http://localhost:8000/v1/chat/completions --model NAME --prompt "..."
    python examples/stop_loop.py --demo            a server of its own, which loops from token 600 on

It watches token ids where the server sends them (vLLM does when return_token_ids is set, as it is here), text otherwise. Only the standard library and vaa are needed.
Exit code: 0 the answer ended, 1 it was stopped, 2 the server refused.
"""
import argparse
import http.client
import http.server
import json
import sys
import threading
import time
import urllib.parse

import vaa


def events(response):
    """The data of each server-sent event, as the HTML standard has it: lines end in CR, LF or CRLF, an empty line ends the event, UTF-8 whatever the header says."""
    buffer, data, after_cr = b"", [], False
    while piece := response.read1(65536):
        if after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
        after_cr = piece.endswith(b"\r")
        *lines, buffer = (buffer + piece).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data).decode("utf-8", "replace")
                data = []


def delta(chunk):
    """Token ids and text of a chunk; None where it has none."""
    for choice in chunk.get("choices") or []:
        message = choice.get("delta") or {}
        words = [choice.get("text"), message.get("reasoning_content") or message.get("reasoning"), message.get("content")]
        return choice.get("token_ids") or None, "".join(word for word in words if word) or None
    return None, None


def ask(url, body, monitor, use_ids=True):
    """Streams the answer through the monitor; returns the tokens that came. The monitor's state tells whether it was stopped."""
    parts = urllib.parse.urlsplit(url)
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = connect(parts.netloc, timeout=600)
    tokens = 0
    try:
        connection.request("POST", parts.path, json.dumps(body), {"Content-Type": "application/json", "Accept": "text/event-stream"})
        response = connection.getresponse()
        if response.status != 200:
            raise SystemExit(f"{url}: HTTP {response.status}: {response.read(2000).decode('utf-8', 'replace')}")
        watched = None
        for data in events(response):
            if data == "[DONE]":
                break
            ids, text = delta(json.loads(data))
            if ids is None and text is None:
                continue
            watched = watched or ("ids" if use_ids and ids else "text")
            tokens += len(ids) if ids else 1  # servers send a token an event, mostly
            piece = ids if watched == "ids" else text
            if piece and monitor.push(piece) == vaa.Monitor.LOOP:
                break
    finally:
        connection.close()
    return tokens


class LoopingServer(http.server.BaseHTTPRequestHandler):
    """The demonstration: 600 different tokens, then 30 of them again and again, each made when the one before has gone out."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.server.made = 0
        try:
            for n in range(body["max_tokens"]):
                token = n if n < 600 else 600 + n % 30
                chunk = {"choices": [{"index": 0, "text": f" word{token}", "token_ids": [token] if body.get("return_token_ids") else None}]}
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.server.made = n + 1
                time.sleep(0.0002)
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            pass  # the client hung up, and this server stops at once
        self.server.ended.set()

    def log_message(self, *_):
        pass


def demo_server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), LoopingServer)
    server.daemon_threads = True
    server.ended = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/v1/completions"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url", nargs="?", help="of /v1/completions or /v1/chat/completions")
    parser.add_argument("--demo", action="store_true", help="ask a server that this program starts, which loops from token 600 on")
    parser.add_argument("--model", default="demo")
    parser.add_argument("--prompt", default="Tell me a story.")
    parser.add_argument("--max-tokens", type=int, default=32768)
    parser.add_argument("--text", action="store_true", help="watch the text, also where there are token ids")
    args = parser.parse_args()
    if args.demo == bool(args.url):
        parser.error("give a URL or --demo")
    server, url = demo_server() if args.demo else (None, args.url)
    body = {"model": args.model, "max_tokens": args.max_tokens, "stream": True}
    if urllib.parse.urlsplit(url).path.endswith("/chat/completions"):
        body["messages"] = [{"role": "user", "content": args.prompt}]
    else:
        body["prompt"] = args.prompt
    if not args.text:
        body["return_token_ids"] = True
    monitor = vaa.Monitor(prompt=args.prompt)
    tokens = ask(url, body, monitor, not args.text)
    if monitor.state != vaa.Monitor.LOOP:
        print(f"the answer ended after {tokens:,} tokens")
        return 0
    print(f"stopped at token {tokens:,} of {args.max_tokens:,}: saved {args.max_tokens - tokens:,} tokens")
    found = monitor.finding
    unit = "tokens" if found.period_tokens else "characters"
    onset, period = (found.onset_token, found.period_tokens) if found.period_tokens else (found.onset_char, found.period_chars)
    print(f"from {unit[:-1]} {onset:,} on the same {period:,} {unit} came {found.count:,} times")
    if server:
        server.ended.wait(10)
        print(f"the server stopped soon after: {'yes' if server.made < args.max_tokens // 4 else 'no'}")
    return 1


if __name__ == "__main__":
    sys.exit(main())

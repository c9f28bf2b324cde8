"""A server whose model is a hash and whose faults are scripted, for the tests of vaa_capture: Python's standard library only.

    python3 server.py --port 0 --engine vllm --script faults.json --journal served.jsonl

Prints its port as the first line and serves until it is ended. In Python: `with Server(engine="vllm", script=[...]) as server:`
gives server.url and server.journal. The model is in toy_model.py, the faults in faults.py, what is written down in journal.py.
"""
import argparse
import asyncio
import collections
import dataclasses
import hashlib
import inspect
import json
import re
import ssl
import sys
import threading

import toy_model
import toy_vocab as vocab
from choice import Choice, Options
from counters import PAGES, Engine
from dialects import ENGINES
from faults import Plan, Script
from journal import GENERATING, Exchange, Journal, Told
from native import NATIVE
from questions import Refused, parse, understand
from wire import Connection, Left, Ready, stream, whole


class Server:
    """Serves on the loopback from a thread of its own between `with` and its end."""

    def __init__(self, script=(), port=0, journal=None, **options):
        self.options = Options(**options)
        self.model = toy_model.Model(self.options.model)
        self.dialect = ENGINES[self.options.engine](self.options)
        if self.options.ids is not None:
            self.dialect.gives_ids = self.options.ids
        self.journal = Journal(journal)
        self.engines = [Engine(number) for number in range(self.options.engines)]
        self.port = port
        self.play(script)
        self.attempts = collections.Counter()
        self.orders = collections.Counter()
        self.arrivals = self.running = self.waiting = self.most_waiting = self.connections = 0
        self.working = set()

    # life

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=lambda: self.loop.run_until_complete(self._serve(ready)), daemon=True)
        self.thread.start()
        ready.wait()
        if self.port is None:
            raise OSError("the server did not start")
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()
        self.loop.close()
        return False

    async def _serve(self, ready):
        self.over, self.gate = asyncio.Event(), asyncio.Condition()
        tls = None
        if self.options.certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(self.options.certificate)
        try:
            listening = await asyncio.start_server(self._connected, "127.0.0.1", self.port, limit=1 << 26, backlog=1024, ssl=tls)
            self.port = listening.sockets[0].getsockname()[1]
        except OSError:
            self.port = None
            raise
        finally:
            ready.set()
        await self.over.wait()
        listening.close()
        for task in self.working:
            task.cancel()
        await asyncio.gather(*self.working, return_exceptions=True)

    @property
    def url(self):
        return f"http{'s' if self.options.certificate else ''}://127.0.0.1:{self.port}"

    def play(self, script):
        """Another script from now on."""
        self.script = Script(script)

    # connections

    async def _connected(self, reader, writer):
        self.working.add(asyncio.current_task())
        self.connections += 1
        connection = Connection(reader, writer, self.connections)
        try:
            while await self._exchange(connection, *await connection.read()):
                pass
        except (Left, asyncio.CancelledError):      # the other side has closed, or the server ends
            pass
        finally:
            self.working.discard(asyncio.current_task())
            writer.close()

    async def _exchange(self, connection, method, target, headers, raw):
        """One request and its answer; whether the connection stays."""
        path = target.split("?")[0]
        exchange = Exchange(len(self.journal.exchanges), connection.number, method, path, headers, raw)
        generates = method == "POST" and path in GENERATING
        kind = "text" if generates else path
        exchange.order, exchange.attempt = self.orders[kind], self.attempts[path, raw]
        self.orders[kind] += 1
        self.attempts[path, raw] += 1
        plan = self.script.plan({"path": path, "generates": generates, "order": exchange.order, "attempt": exchange.attempt, "reused": connection.served > 1,
                                 "id": _request_id(headers, raw), "prompt": lambda: _prompt_text(raw), "raw": raw})
        exchange.faults = plan.names
        self.running += generates
        exchange.running = self.running
        self.journal.add(exchange)
        ended = "gone"
        try:
            ended = await self._answer(connection, exchange, plan)
        finally:
            self.running -= generates
            self.journal.end(exchange, ended)
        if ended == "reset":
            connection.reset()
        return ended == "complete" and plan.then == "keep" and plan.framing != "close" and headers.get("connection", "").lower() != "close"

    async def _answer(self, connection, exchange, plan):
        """Answers; returns how it ended."""
        if plan.before:
            if plan.before == "hang":
                await connection.gone()
            return {"hang": "hung", "close": "refused", "reset": "reset"}[plan.before]
        if plan.instead:
            return await whole(connection, exchange, plan, *plan.instead[:2], "application/json", plan.instead[2])
        try:
            self._admit(exchange)
            ended = await self._route(connection, exchange, plan)
        except Refused as refused:
            status, body = refused.status, self.dialect.unauthorized() if refused.status == 401 else self.dialect.error(refused)
            return await whole(connection, exchange, plan, status, [], "application/json", body)
        if ended == "hang":
            await connection.gone()
            return "hung"
        return ended

    def _admit(self, exchange):
        if not self.options.keys and not self.options.forbidden or self.options.engine in ("vllm", "vllm_ascend") and not exchange.path.startswith("/v1"):
            return
        key = exchange.headers.get("authorization", "").partition("Bearer ")[2]
        if key in self.options.forbidden:
            raise Refused(403, "You are not allowed to sample from this model", "PermissionDeniedError")
        if key not in self.options.keys:
            raise Refused(401, "Unauthorized")

    async def _route(self, connection, exchange, plan):
        method, path = exchange.method, exchange.path
        if method == "POST" and path in ("/v1/chat/completions", "/v1/completions"):
            return await self._generate(connection, exchange, plan, self.dialect, parse(exchange.raw), path == "/v1/chat/completions")
        native = NATIVE.get((self.options.engine, path))
        if native and method == "POST":
            return await self._generate(connection, exchange, plan, native(self.options), native.body(parse(exchange.raw)), False)
        if path == "/v1/models" and method == "GET":
            found = 200, self.dialect.models()
        elif path == "/metrics" and method == "GET" and self.options.metrics and self.options.engine in PAGES:
            page = "\n".join(PAGES[self.options.engine](self.engines, self.options)) + "\n"
            return await whole(connection, exchange, plan, 200, [], "text/plain; version=0.0.4; charset=utf-8", page.encode())
        else:
            try:
                found = self.dialect.small(method, path, parse(exchange.raw) if method == "POST" else None)
            except (KeyError, TypeError) as missing:
                raise Refused(400, f"Field required: {missing}") from None
        status, body = found or (404, {"detail": "Not Found"})
        return await whole(connection, exchange, plan, status, [], "application/json", body)

    # text

    async def _generate(self, connection, exchange, plan, dialect, body, chat):
        question = understand(body, chat, self.options)
        arrival, engine = self.arrivals, self.engines[self.arrivals % len(self.engines)]
        self.arrivals += 1
        if plan.gate:
            await self._pass(plan.gate)
        cached = sum(engine.begin(prompt, self.options.prefix_cache) for prompt in question.prompts)
        engine.counts["preemptions"] += toy_model.unit(arrival ^ 0x9E) < self.options.preempt_rate
        if len(self.engines) > 1:
            plan.headers.append(("x-data-parallel-rank", str(engine.number)))
        base = dialect.base(question, hashlib.sha256(b"%d" % arrival).hexdigest()[:32], "chunk" if question.stream else "whole")
        choices = []
        for index, prompt in question.choices:
            told = exchange.made[index] = Told()
            choices.append(Choice(self, question, engine, index, prompt, arrival, told))
        try:
            if question.stream:
                events = self._canned(dialect, question, base, choices[0], plan.canned) if plan.canned else self._events(dialect, question, base, choices, cached)
                return await stream(connection, exchange, plan, events)
            pieces = [await self._run(choice) for choice in choices]
            answer = dialect.whole(question, base, pieces, self._usage(dialect, question, choices, cached))
            if question.prompt_logprobs is not None and dialect.gives_ids:
                self._add_prompt_logprobs(question, answer)
            return await whole(connection, exchange, plan, 200, [], "application/json", answer)
        finally:
            finishes = [choice.finish for choice in choices]
            engine.end("abort" if None in finishes else finishes[0])

    async def _pass(self, count):
        async with self.gate:       # opens for good once it opened
            self.waiting += 1
            self.most_waiting = max(self.most_waiting, self.waiting)
            self.gate.notify_all()
            try:
                await self.gate.wait_for(lambda: self.most_waiting >= count)
            finally:
                self.waiting -= 1

    async def _events(self, dialect, question, base, choices, cached):
        for choice in choices:
            for event in dialect.opening(question, base, choice.piece):
                yield event
        working = list(choices)
        while working:
            for choice in list(working):
                piece = choice.next()
                event = dialect.chunk(question, base, piece)
                if question.usage_always:
                    event["usage"] = self._usage(dialect, question, choices, cached)
                yield event
                if piece.finish:
                    working.remove(choice)
            await asyncio.sleep(self.options.pace)
        for event in dialect.closing(question, base, self._usage(dialect, question, choices, cached)):
            yield event

    async def _canned(self, dialect, question, base, choice, size):
        """The first ids of an answer without end, then the next `size` of them repeated up to the limit."""
        choice.wanted.ignore_eos = True
        for event in dialect.opening(question, base, choice.piece) + [dialect.chunk(question, base, choice.next())]:
            yield event
        pieces = [choice.next() for _ in range(size)]
        block = Ready([dialect.chunk(question, base, piece) for piece in pieces])
        blocks, rest = divmod(question.max_tokens - 2, size)
        for number in range(blocks):
            yield block
            if number % 16 == 0:
                await asyncio.sleep(self.options.pace)
        last = pieces[rest]
        last.finish = choice.finish = "length"
        for event in [dialect.chunk(question, base, piece) for piece in pieces[:rest] + [last]]:
            yield event
        choice.told.ids = choice.told.ids[:1] + (block.ids * (blocks + 1))[:question.max_tokens - 1]
        choice.told.parts = choice.told.parts[:1] + ["".join(piece.text for piece in pieces)] * blocks + [piece.text for piece in pieces[:rest + 1]]
        choice.told.finish = "length"
        for event in dialect.closing(question, base, dialect.usage(len(question.prompts[0]), question.max_tokens, 0)):
            yield event

    async def _run(self, choice):
        """All pieces of a choice as one."""
        sum_of = choice.next()
        parts = [sum_of.text]
        while not choice.finish:
            if len(parts) % 64 == 0:
                await asyncio.sleep(self.options.pace)
            piece = choice.next()
            parts.append(piece.text)
            sum_of.ids += piece.ids
            sum_of.entries += piece.entries
            sum_of.finish, sum_of.stop = piece.finish, piece.stop
        sum_of.text = "".join(parts)
        return sum_of

    def _usage(self, dialect, question, choices, cached):
        return dialect.usage(sum(map(len, question.prompts)), sum(len(choice.told.ids) for choice in choices), cached)

    def _add_prompt_logprobs(self, question, answer):
        """Prefill alone: what each position of the prompt said of the id that stands there."""
        for choice, (_, prompt) in zip(answer["choices"], question.choices):
            sequence, entries = self.model.sequence(prompt), [None]
            for place in range(1, len(prompt)):
                found = self.model.next(sequence, toy_model.PREFILL, place=place)
                listed = dict.fromkeys([prompt[place]] + [token for token, _ in found.top(question.prompt_logprobs)])
                entries.append({str(token): dict(zip(("logprob", "rank"), found.of(token)), decoded_token=vocab.shown(token)) for token in listed})
            (answer if question.chat else choice)["prompt_logprobs"] = entries


def _request_id(headers, raw):
    if "x-request-id" in headers:
        return headers["x-request-id"]
    try:
        body = json.loads(raw)
        return body.get("request_id") or body.get("user")
    except (ValueError, AttributeError):
        return None


def _prompt_text(raw):
    """The text of a prompt, ids decoded."""
    try:
        body = json.loads(raw)
        if "messages" in body:
            return vocab.decode(vocab.apply_template(body["messages"]))
        prompt = body.get("prompt", body.get("text", body.get("inputs", "")))
        return vocab.decode(prompt) if isinstance(prompt, list) else str(prompt)
    except (ValueError, AttributeError, TypeError, IndexError):
        return ""


def comment_of(kind, field):
    """What stands behind a field of the options, as its help."""
    found = re.search(rf"^    {field}: .*?# (.*)$", inspect.getsource(kind), re.M)
    return found[1].replace("%", "%%") if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", help="JSON file: a list of rules, see faults.py")
    parser.add_argument("--journal", help="file that gets a JSON line for each exchange")
    for kind, left_out in ((Options, ("model",)), (toy_model.Options, ())):
        for field in dataclasses.fields(kind):
            name, told = "--" + field.name.replace("_", "-"), comment_of(kind, field.name)
            if field.name in left_out:
                continue
            if isinstance(field.default, bool):
                parser.add_argument(name, type=lambda text: text == "1", default=field.default, metavar="0|1", dest=field.name, help=told)
            elif isinstance(field.default, tuple):
                parser.add_argument(name, type=lambda text: tuple(text.split(",")), default=field.default, metavar="A,B", dest=field.name, help=told)
            elif field.name == "ids":
                parser.add_argument(name, type=lambda text: text == "1", default=None, metavar="0|1", help=told)
            else:
                kind_of = int if field.name in ("fault_from", "window") else str if field.default is None else type(field.default)
                parser.add_argument(name, type=kind_of, default=field.default, dest=field.name, help=told)
    chosen = vars(parser.parse_args())
    model = toy_model.Options(**{field.name: chosen.pop(field.name) for field in dataclasses.fields(toy_model.Options)})
    script = chosen.pop("script")
    if script:
        with open(script, encoding="utf-8") as rules:
            script = json.load(rules)
    with Server(script or (), model=model, **chosen) as server:
        print(server.port, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.exit(0)


if __name__ == "__main__":
    main()

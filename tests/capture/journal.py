"""What was asked and what was sent, request by request, so that a test can account for every byte and every token."""
import dataclasses
import hashlib
import json
import threading
from typing import Optional


@dataclasses.dataclass
class Told:
    """Ids and text of one choice. Ids as a list, text as its parts in order."""
    ids: list = dataclasses.field(default_factory=list)
    parts: list = dataclasses.field(default_factory=list)
    finish: Optional[str] = None
    logprobs: int = 0                   # entries

    @property
    def text(self):
        return "".join(self.parts)

    def tell(self, choice):
        """What a choice of a body or of an event says."""
        said = choice.get("delta") or choice.get("message") or choice
        self.ids += choice.get("token_ids") or ()
        self.parts.append(said.get("content") or said.get("text") or "")
        self.finish = choice.get("finish_reason") or self.finish
        logprobs = choice.get("logprobs") or {}
        self.logprobs += len(logprobs.get("content") or logprobs.get("tokens") or ())

    def summary(self):
        """Counts and hashes. That of the ids: sha256 of them in decimal with a comma between."""
        ids, text = ",".join(map(str, self.ids)), self.text.encode()
        return {"ids": len(self.ids), "ids_sha256": hashlib.sha256(ids.encode()).hexdigest(), "text_bytes": len(text), "text_sha256": hashlib.sha256(text).hexdigest(),
                "finish": self.finish, "logprobs": self.logprobs}


@dataclasses.dataclass
class Exchange:
    """One request as received, and its answer as far as it was sent."""
    number: int                         # among all requests, by arrival
    connection: int
    method: str
    path: str
    headers: dict                       # names in lower case
    raw: bytes                          # the body
    order: int = 0                      # among those of its kind
    attempt: int = 0                    # with this body, from 0
    running: int = 0                    # requests in work when it arrived, itself included
    faults: list = dataclasses.field(default_factory=list)
    status: int = 0                     # 0: nothing was sent
    ended: str = "open"                 # open, complete, cut, reset, hung, refused (nothing sent), gone (the reader left)
    sent_bytes: int = 0                 # on the wire, head and framing included
    sent_hash: object = dataclasses.field(default_factory=hashlib.sha256)
    made: dict = dataclasses.field(default_factory=dict)        # choice -> Told: what the model said
    told: dict = dataclasses.field(default_factory=dict)        # choice -> Told: what whole events and bodies on the wire said
    changed: object = None              # the journal's, for those who wait

    @property
    def body(self):
        return json.loads(self.raw) if self.raw else None

    def tell(self, data):
        """Counts what a body or an event says, once its last byte was written."""
        if isinstance(data, dict):
            for choice in data.get("choices") or ():
                self.told.setdefault(choice["index"], Told()).tell(choice)
        elif hasattr(data, "raw"):      # events made beforehand
            told = self.told.setdefault(0, Told())
            told.ids += data.ids
            told.parts.append(data.text)
        with self.changed:
            self.changed.notify_all()

    def summary(self):
        return {"number": self.number, "connection": self.connection, "method": self.method, "path": self.path, "order": self.order, "attempt": self.attempt,
                "running": self.running, "faults": self.faults, "body_bytes": len(self.raw), "body_sha256": hashlib.sha256(self.raw).hexdigest(), "status": self.status,
                "ended": self.ended, "sent_bytes": self.sent_bytes, "sent_sha256": self.sent_hash.hexdigest(),
                "made": {index: told.summary() for index, told in self.made.items()}, "told": {index: told.summary() for index, told in self.told.items()}}


class Journal:
    """All exchanges in the order of arrival; each also as a line of `path` when it has ended. Other threads may wait on it."""

    def __init__(self, path=None):
        self.exchanges = []
        self.file = open(path, "w", encoding="utf-8") if path else None
        self.changed = threading.Condition()

    def add(self, exchange):
        exchange.changed = self.changed
        with self.changed:
            self.exchanges.append(exchange)
            self.changed.notify_all()

    def end(self, exchange, how):
        with self.changed:
            exchange.ended = how
            if self.file:
                self.file.write(json.dumps(exchange.summary()) + "\n")
                self.file.flush()
            self.changed.notify_all()

    def wait(self, holds, timeout=60):
        """Until holds(exchanges) is true; what it gave."""
        with self.changed:
            if not self.changed.wait_for(lambda: holds(self.exchanges), timeout):
                raise TimeoutError("the journal never came to that")
            return holds(self.exchanges)

    def settled(self):
        """All exchanges, once none is open: a reader may have the last byte before its exchange has ended."""
        self.wait(lambda exchanges: all(exchange.ended != "open" for exchange in exchanges))
        return list(self.exchanges)

    def generations(self, begin=0):
        """The settled exchanges from this number on that asked for text."""
        return [exchange for exchange in self.settled()[begin:] if exchange.method == "POST" and exchange.path in GENERATING]


GENERATING = ("/v1/chat/completions", "/v1/completions", "/generate", "/completion", "/infer")

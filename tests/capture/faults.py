"""What can go wrong between a server and its reader, each under a name, and the script that says when.

A script is a list of rules, JSON or Python: {"fault": name, "with": {arguments}, … when …}. All rules that hold apply, in order.
When, each optional, all must hold:
    "path": of these requests (default: those that ask for text)     "id": x-request-id, or "request_id" or "user" of the body
    "at": N or [N, …], numbers in the order of arrival from 0         "prompt": text that the prompt holds
    "every": N, each N-th from 0                                      "rate", "seed": this share, drawn by the body of the request
    "attempts": N, only the first N requests with the same body       "times": N, at most so often
"""
import datetime
import email.utils
import hashlib
import json

from toy_model import unit

STOP = object()     # ends a stream where it stands


class Plan:
    """How one request is answered. The defaults are an answer without fault."""

    def __init__(self):
        self.names = []
        self.instead = None             # (status, headers, body): this, not the model's answer
        self.before = None              # "hang", "close" or "reset" instead of any byte
        self.changes = []               # of events and whole bodies: f(number, data) -> list of data; number None: a whole body
        self.newline = b"\n"
        self.lead = b"data: "
        self.multi_line = False
        self.garnish = None             # f(number) -> bytes before event `number`
        self.content_type = None
        self.encoding = None            # "gzip"
        self.framing = None             # "chunked", "length", "close"
        self.split = None               # f(bytes) -> list of bytes, each written alone
        self.gap = 0.0                  # seconds between writes
        self.cut = None                 # (kind, after)
        self.headers = []               # more of them
        self.then = "keep"              # after the answer: "keep", "close"
        self.gate = 0                   # no answer begins before so many requests with a gate are in work at once
        self.canned = 0                 # ids in a block that is made once and sent again and again


FAULTS = {}


def fault(function):
    """A fault is a function of the plan and of its arguments; its name is the function's."""
    FAULTS[function.__name__] = function
    return function


# An answer that is none.

def _shape(shape, status, message):
    kind = {404: "NotFoundError", 401: "AuthenticationError", 429: "RateLimitError", 500: "InternalServerError", 503: "ServiceUnavailableError"}.get(status, "BadRequestError")
    return {"vllm": {"error": {"message": message, "type": kind, "param": None, "code": status}},
            "flat": {"object": "error", "message": message, "type": kind, "param": None, "code": status},
            "fastapi": {"detail": [{"type": "missing", "loc": ["body", "messages"], "msg": message, "input": {}}]},
            "string": {"error": message},
            "llamacpp": {"error": {"code": status, "message": message, "type": "server_error"}}}[shape]


@fault
def error(plan, status=500, shape="vllm", message="EngineCore encountered an issue.", headers=()):
    plan.instead = status, list(headers), json.dumps(_shape(shape, status, message)).encode()


@fault
def html(plan, status=502, message="Bad Gateway"):
    plan.instead = status, [], f"<html><head><title>{status} {message}</title></head><body><center><h1>{status} {message}</h1></center></body></html>".encode()
    plan.content_type = "text/html"


@fault
def rate_limited(plan, retry_after=1, as_date=False):
    """429; `retry_after`: seconds, None for no header."""
    headers = []
    if retry_after is not None:
        moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=retry_after)
        headers = [("Retry-After", email.utils.format_datetime(moment, usegmt=True) if as_date else str(retry_after))]
    error(plan, 429, "vllm", "Rate limit reached.", headers)


@fault
def loading(plan):
    error(plan, 503, "llamacpp", "Loading model")


@fault
def redirect(plan, to, status=307):
    plan.instead = status, [("Location", to)], b""


@fault
def instead(plan, text="", status=200, content_type="application/json"):
    """These bytes, whatever was asked."""
    plan.instead, plan.content_type = (status, [], text.encode()), content_type


@fault
def hang(plan):
    """Reads the request and never answers."""
    plan.before = "hang"


@fault
def close(plan):
    """Ends the connection before the first byte."""
    plan.before = "close"


@fault
def reset(plan):
    plan.before = "reset"


@fault
def reset_reused(plan):
    """Resets a connection that has served a request before (the rule holds for no other): a server whose keep-alive ran out just then."""
    plan.before = "reset"


# What the events say.

@fault
def stream_error(plan, after=3, shape="vllm", status=500, message="EngineCore encountered an issue.", done=True):
    """The status was 200; event number `after` is an error, then [DONE] or nothing."""
    plan.changes.append(lambda number, data: [_shape(shape, status, message), *(["[DONE]"] if done else []), STOP] if number == after else [data])


@fault
def error_200(plan, shape="flat", status=500):
    """A whole body with an error under status 200."""
    error(plan, status, shape)
    plan.instead = (200,) + plan.instead[1:]


@fault
def no_done(plan):
    plan.changes.append(lambda number, data: [] if data == "[DONE]" else [data])


@fault
def no_finish(plan):
    """No reason why it ended, anywhere."""
    plan.changes.append(_each_choice(lambda choice: choice.update({"finish_reason": None}) if "finish_reason" in choice else None))


@fault
def doubled(plan, at=None):
    """Every event twice, or only the one of this number."""
    plan.changes.append(lambda number, data: [data, data] if number is not None and data != "[DONE]" and at in (None, number) else [data])


@fault
def ids_missing(plan):
    def strip(choice):
        for key in ("token_ids", "prompt_token_ids"):
            choice.pop(key, None)
    plan.changes.append(_each_choice(strip, strip))


@fault
def ids_null(plan):
    def void(choice):
        for key in ("token_ids", "prompt_token_ids"):
            if key in choice:
                choice[key] = None
    plan.changes.append(_each_choice(void, void))


@fault
def logprobs_length(plan, by=-1):
    """Entries of logprobs too few or too many in each event."""
    def cut(choice):
        found = choice.get("logprobs")
        for key, entries in (found or {}).items():
            found[key] = entries[:by] if by < 0 else entries + entries[-1:] * by
    plan.changes.append(_each_choice(cut))


@fault
def usage(plan, completion_tokens=None):
    """Another number of completion tokens than there were; None: no usage at all."""
    def change(number, data):
        if isinstance(data, dict) and data.get("usage"):
            if completion_tokens is None:
                return [{key: value for key, value in data.items() if key != "usage"}] if data["choices"] else []
            data["usage"] = {**data["usage"], "completion_tokens": completion_tokens}
        return [data]
    plan.changes.append(change)


def _each_choice(change, top=lambda data: None):
    def apply(number, data):
        if isinstance(data, dict):
            top(data)
            for choice in data.get("choices") or ():
                change(choice)
        return [data]
    return apply


# How the bytes come.

@fault
def crlf(plan):
    plan.newline = b"\r\n"


@fault
def cr(plan):
    plan.newline = b"\r"


@fault
def split_crlf(plan, gap=0.0):
    """CRLF, and a packet ends between the two."""
    crlf(plan)
    plan.split, plan.gap = (lambda data: _parts(data, [n + 1 for n in range(len(data) - 1) if data[n:n + 2] == b"\r\n"])), gap


@fault
def split_utf8(plan, gap=0.0):
    """A packet ends after the first byte of each character of several."""
    plan.split, plan.gap = (lambda data: _parts(data, [n + 1 for n, byte in enumerate(data) if byte >= 0xC0])), gap


@fault
def slow_bytes(plan, gap=0.0):
    plan.split, plan.gap = (lambda data: [data[n:n + 1] for n in range(len(data))]), gap


@fault
def split_random(plan, seed=1, mean=5):
    plan.split = lambda data: _parts(data, [n for n in range(1, len(data)) if unit(seed * 7919 + n * 31 + len(data)) * mean < 1])


def _parts(data, places):
    edges = [0, *places, len(data)]
    return [data[begin:end] for begin, end in zip(edges, edges[1:]) if end > begin]


@fault
def comments(plan):
    plan.garnish = lambda number: b": ping" + plan.newline + plan.newline


@fault
def fields(plan):
    """Fields that a reader has no use for, known and unknown."""
    plan.garnish = lambda number: b"".join(line + plan.newline for line in (b"event: message", b"id: %d" % number, b"retry: 10", b"x-unknown: 1", b"alone"))


@fault
def multi_line(plan):
    """JSON over several lines: one event of several data fields."""
    plan.multi_line = True


@fault
def no_space(plan):
    plan.lead = b"data:"


@fault
def bom(plan):
    plan.garnish = lambda number: b"\xef\xbb\xbf" if number == 0 else b""


@fault
def gzip(plan):
    plan.encoding = "gzip"


@fault
def framing(plan, kind):
    """How the end of the body is known: "chunked", "length" or "close"."""
    plan.framing = kind


@fault
def wrong_content_type(plan, content_type="text/plain"):
    plan.content_type = content_type


@fault
def cut(plan, kind="mid_event", after=3):
    """The connection ends too early: "headers" (after them), "mid_event" and "mid_utf8" (inside event `after`, or the next that has such a
    character), "event" (after that many whole events), "clean" (likewise, but the body is ended as it should be), "reset" (likewise, by a reset),
    "hang" (likewise, and then nothing more comes), "body" (after that many bytes of a whole body)."""
    plan.cut = kind, after


@fault
def close_after(plan):
    """A whole answer; then the connection ends though it should have stayed."""
    plan.then = "close"


@fault
def gate(plan, count):
    """No fault: no answer begins before so many requests that this rule holds for were in work at once."""
    plan.gate = count


@fault
def canned(plan, block=64):
    """No fault: a stream of one id an event up to max_tokens, whose ids repeat after so many, so that making it costs the server next to nothing."""
    plan.canned = block


class Script:
    """Rules, and how often each has held."""

    def __init__(self, rules=()):
        self.rules = list(rules)
        for rule in self.rules:
            if rule["fault"] not in FAULTS:
                raise ValueError(f"fault: there is no {rule['fault']!r}; there are {', '.join(sorted(FAULTS))}")
            unknown = set(rule) - {"fault", "with", "path", "at", "every", "id", "prompt", "rate", "seed", "attempts", "times"}
            if unknown:
                raise ValueError(f"{rule['fault']}: no such key: {', '.join(sorted(unknown))}")
        self.held = [0] * len(self.rules)

    def plan(self, facts):
        """The Plan of a request. `facts`: path, generates, order (among those of its kind), attempt (from 0), reused, id, prompt (a function), raw."""
        plan = Plan()
        for place, rule in enumerate(self.rules):
            if self._holds(rule, facts) and self.held[place] < rule.get("times", 1 << 62):
                self.held[place] += 1
                plan.names.append(rule["fault"])
                FAULTS[rule["fault"]](plan, **rule.get("with", {}))
        return plan

    @staticmethod
    def _holds(rule, facts):
        at = rule.get("at")
        return ((facts["path"] == rule["path"] if "path" in rule else facts["generates"])
                and (at is None or facts["order"] in (at if isinstance(at, list) else [at]))
                and facts["order"] % rule.get("every", 1) == 0
                and (rule["fault"] != "reset_reused" or facts["reused"])
                and facts["attempt"] < rule.get("attempts", 1 << 62)
                and ("id" not in rule or facts["id"] == rule["id"])
                and ("prompt" not in rule or rule["prompt"] in facts["prompt"]())
                and ("rate" not in rule or _drawn(rule.get("seed", 1), facts["raw"]) < rule["rate"]))


def _drawn(seed, raw):
    return unit(int.from_bytes(hashlib.sha256(raw).digest()[:8], "big") ^ seed)

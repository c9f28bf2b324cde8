"""Responses of servers while they arrive, and what the servers count: for an HTTP client of your own."""

from __future__ import annotations

import json
import threading
import time
from typing import Any, Mapping, Optional, Union

from . import _cvaa
from ._border import Text, load, option_json, text_of
from ._sample import Sample


class Reply:
    """Makes samples of a server's response while its bytes arrive: chat and completion responses, streamed or whole, /generate of SGLang, /completion of llama.cpp, /infer of
    MindIE, and errors of any shape, which are samples with their error.

        reply = vaa.Reply()
        with reply.begin(body), httpx.stream("POST", url, json=body) as response:
            reply.head(response.status_code, response.headers.get("content-type"))
            for piece in response.iter_bytes():
                reply.push(piece)
        for sample in reply.samples:
            print(sample["output.text"], sample.get("timing.ttft_s"))

    An exception inside `with` is the transport's fault: the samples hold what had arrived and say so, and the exception goes on. max_event: bytes of one event or of a
    whole body, default 256 MiB. One object serves response after response. A second thread that calls waits for the first.
    """

    def __init__(self, *, max_event: Optional[int] = None, **options: Any) -> None:
        options.update(max_event=max_event)
        self._handle = _cvaa.vaa_reply_new(option_json(options))
        self._lock = threading.Lock()
        self._samples: list[Sample] = []

    def begin(self, request: Union[Mapping[str, Any], Text, None] = None, *, start_s: Optional[float] = None) -> "Reply":
        """A new response; forgets the last one. request: the body that was sent, as a dict or as JSON; start_s: Unix time when it was sent, default now."""
        body = json.dumps(request) if isinstance(request, Mapping) else request or ""
        with self._lock:
            _cvaa.vaa_reply_begin(self._handle, body, time.time() if start_s is None else start_s)
            self._samples = []
        return self

    def head(self, status: int, content_type: Optional[str] = None) -> None:
        """The status and the Content-Type header."""
        with self._lock:
            _cvaa.vaa_reply_head(self._handle, status, content_type or "")

    def push(self, piece: Text, *, time_s: Optional[float] = None) -> int:
        """The next bytes of the body, uncompressed, cut anywhere; time_s: when they came, default now. Gives the output tokens so far."""
        now = time.time() if time_s is None else time_s
        with self._lock:
            _cvaa.vaa_reply_push(self._handle, piece, now)
            return _cvaa.vaa_reply_tokens(self._handle)

    @property
    def tokens(self) -> int:
        """Output tokens that arrived so far: ids where the server sends them, else chunks with output, over all choices."""
        with self._lock:
            return _cvaa.vaa_reply_tokens(self._handle)

    def end(self, fault: str = "", *, end_s: Optional[float] = None) -> list[Sample]:
        """The end of the body, and its samples, one a choice. fault: why the transport broke off, "" where it did not."""
        now = time.time() if end_s is None else end_s
        with self._lock:
            _cvaa.vaa_reply_end(self._handle, now, fault)
            self._samples = []
            sample = Sample()
            while _cvaa.vaa_reply_next(self._handle, sample._handle):
                self._samples.append(sample)
                sample = Sample()
            return self._samples

    @property
    def samples(self) -> list[Sample]:
        """Those of the response that ended; empty before."""
        return self._samples

    def __enter__(self) -> "Reply":
        return self

    def __exit__(self, kind: Any, fault: Optional[BaseException], trace: Any) -> None:
        self.end("" if fault is None else str(fault) or type(fault).__name__)


class Metrics:
    """What an engine counted between scrapes of its /metrics page (vLLM, vLLM-Ascend, SGLang, llama.cpp).

        metrics = vaa.Metrics()
        metrics.push(requests.get(url + "/metrics").text)
        ...                                                # what is to be measured
        metrics.push(requests.get(url + "/metrics").text)
        for engine in metrics.engines:
            print(engine["spec"]["draft_tokens"], engine["requests"])
    """

    def __init__(self) -> None:
        self._handle = _cvaa.vaa_metrics_new()
        self._lock = threading.Lock()

    def push(self, page: Text, *, time_s: Optional[float] = None) -> None:
        """One page of one server; time_s: when it was scraped, Unix time, default now. Raises Error where no line of it is a metric, or the time goes back."""
        with self._lock:
            _cvaa.vaa_metrics_push(self._handle, page, time.time() if time_s is None else time_s)

    def counted(self) -> dict[str, Any]:
        """The increases over all pages (vaa.counters/1); None is "not exposed", which is not 0."""
        with self._lock:
            return load(text_of(_cvaa.vaa_metrics_counted(self._handle)))

    @property
    def engines(self) -> list[dict[str, Any]]:
        """One entry an engine (data-parallel rank)."""
        return self.counted()["engines"]

"""Questions to live engines."""

from __future__ import annotations

import functools
import json
import os
import threading
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _cvaa
from ._border import Path, Task, interruptible, load, option_json, path_bytes
from ._report import Report
from ._sample import Sample

try:
    from . import _capture
except ImportError as fault:  # a build without libcurl
    raise ImportError(f"vaa: this build cannot ask servers, since it was made without libcurl ({fault}): install libcurl's development files and build it again") from None

Urls = Union[str, Sequence[str]]

# Where systems keep the certificates that they trust: a wheel brings a libcurl that knows none of them. Debian and Ubuntu, openEuler and Fedora, SUSE, Alpine.
_TRUSTED = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem")


def trusted_certificates() -> Optional[str]:
    """The file of certificates that this system trusts: SSL_CERT_FILE, else the first there is of those that systems use."""
    return next((path for path in (os.environ.get("SSL_CERT_FILE"), *_TRUSTED) if path and os.path.exists(path)), None)


class AskTask(Task):
    """Cancels an ask and tells how far it is: .samples answers of .total (0: not known), .failed of them failed, .done tokens."""

    library = _capture


def _text(handle: Any) -> Any:
    return _capture.vaa_text_str(handle)


def _report(handle: Any) -> Report:
    """The report as one of vaa's own library: handles stay within the module that made them."""
    return Report(_cvaa.vaa_report_from_json(_text(_capture.vaa_report_render(handle, ""))))


class Asker:
    """Servers that can be asked. An asker is used by one thread at a time; a second one that calls waits.

    url: base URL of an OpenAI-compatible server ("/v1" may be left out), or a list of them. engine: "auto", "vllm", "vllm_ascend", "sglang", "llamacpp", "mindie", "openai".
    key_env, key_file: where the key is; it never stands in a record, report or message. Times are in seconds. What each option means and may be: vaa/capture.h.
    Raises Error for an option that is wrong or a key that is not there.

        >>> asker = vaa.Asker("http://127.0.0.1:8000")
        >>> asker.servers()[0]["gives"]["token_ids"]
        True
    """

    def __init__(self, url: Urls, *, engine: Optional[str] = None, model: Optional[str] = None, key_env: Optional[str] = None, key_file: Optional[Path] = None,
                 headers: Optional[Mapping[str, str]] = None, ca_file: Optional[Path] = None, proxy: Optional[str] = None, concurrency: Optional[int] = None, rate: Optional[float] = None,
                 connect_timeout_s: Optional[float] = None, idle_timeout_s: Optional[float] = None, timeout_s: Optional[float] = None, retries: Optional[int] = None,
                 max_retry_wait_s: Optional[float] = None, **options: Any) -> None:
        options.update(urls=[url] if isinstance(url, str) else list(url), engine=engine, model=model, key_env=key_env, key_file=key_file,
                       headers=[f"{name}: {value}" for name, value in headers.items()] if headers else None, ca_file=ca_file or trusted_certificates(), proxy=proxy,
                       concurrency=concurrency, rate=rate, connect_timeout_s=connect_timeout_s, idle_timeout_s=idle_timeout_s, timeout_s=timeout_s, retries=retries,
                       max_retry_wait_s=max_retry_wait_s)
        self._handle = _capture.vaa_asker_new(option_json(options))
        self._lock = threading.Lock()

    def _call(self, function: Callable[..., Any], *given: Any, task: Optional[AskTask], progress: Optional[Callable[[AskTask], None]]) -> Any:
        task = task or AskTask()
        with self._lock:
            return interruptible(functools.partial(function, self._handle, *given, task._handle), task, progress)

    def servers(self, *, task: Optional[AskTask] = None) -> list[dict[str, Any]]:
        """What each server is and gives (vaa.server/1), by asking it: engine, version, model, max_model_len, gives, problems. Raises Error where one cannot be reached."""
        return load(_text(self._call(_capture.vaa_asker_servers, task=task, progress=None)))

    def metrics(self, index: int = 0, *, task: Optional[AskTask] = None) -> str:
        """The /metrics page of the URL at `index`, as it came: one GET, nothing else is asked. Raises Error where none comes within 10 s."""
        page: str = _text(self._call(_capture.vaa_asker_metrics, index, task=task, progress=None))
        return page

    def push(self, request: Union[str, bytes, Mapping[str, Any]]) -> None:
        """One request into the queue: a line of an OpenAI batch file, or the same as a dict ({"custom_id", "method", "url", "body"})."""
        with self._lock:
            _capture.vaa_asker_push(self._handle, json.dumps(request) if isinstance(request, Mapping) else request)

    def __iter__(self) -> Iterator[Sample]:
        """The answers to what was pushed, in the order in which they arrive. A request that failed for good is a sample with its error."""
        while (sample := self.next()) is not None:
            yield sample

    def next(self, *, task: Optional[AskTask] = None) -> Optional[Sample]:
        """The next answer that arrives; None where nothing is in the queue or in flight."""
        sample = _capture.vaa_sample_new()
        task = task or AskTask()
        with self._lock:
            more = interruptible(functools.partial(_capture.vaa_asker_next, self._handle, task._handle, sample), task, None)
        return Sample.from_json(_text(_capture.vaa_sample_to_json(sample))) if more else None

    def ask(self, input: Path, out: Path, *, purpose: Optional[str] = None, task: Optional[AskTask] = None, progress: Optional[Callable[[AskTask], None]] = None,
            **options: Any) -> Report:
        """Asks what `input` holds (a file of OpenAI batch lines, or any run that vaa.check reads), and appends the answers to `out` as they arrive.

        purpose: "quality" (default), "compare", "spec" or "cache": which fields the requests get, so that the path under test is left alone. Options: flag, sample, seed, repeat,
        max_tokens, temperature, top_p, top_k, request_seed, top_logprobs, stream, resume, force, metrics_every_s (vaa/capture.h). Ctrl-C keeps what arrived; resume=True goes on.
        """
        return _report(self._call(_capture.vaa_ask, path_bytes(input), path_bytes(out), option_json({"for": purpose, **options}), task=task, progress=progress))

    def ladder(self, run: Path, out: Path, at: Sequence[Union[int, str]], *, task: Optional[AskTask] = None, progress: Optional[Callable[[AskTask], None]] = None, **options: Any) -> Report:
        """Cuts answers of `run` at absolute positions ("1K", "4K-64", 4160; the prompt counted in) and asks for 32 greedy tokens after each: the first tests prefill there, the others decode.
        Options: flag, ids, sample, seed, tokens, reencode, resume, force."""
        places = option_json({"at": [str(one) for one in ([at] if isinstance(at, (int, str)) else at)], **options})
        return _report(self._call(_capture.vaa_ladder, path_bytes(run), path_bytes(out), places, task=task, progress=progress))

    def bisect(self, run: Path, out: Path, *, task: Optional[AskTask] = None, progress: Optional[Callable[[AskTask], None]] = None, **options: Any) -> Report:
        """Halves to the first absolute position from which the asker's second server parts from its first, beyond what the first differs from itself. Options: flag, ids, sample, seed, repeat,
        tokens, low, high, config, structure, reencode, resume, force. Verdict: pass (no difference), fail (with the interval of positions), undecided."""
        return _report(self._call(_capture.vaa_bisect, path_bytes(run), path_bytes(out), option_json(options), task=task, progress=progress))

    def ask_again(self, input: Path, out: Path, *, task: Optional[AskTask] = None, progress: Optional[Callable[[AskTask], None]] = None, **options: Any) -> Report:
        """Asks the cases of `input` `repeat` times on each server and at each of `concurrencies`: k of n bad with intervals, the same text or not. Options: those of ask(), stop_after."""
        return _report(self._call(_capture.vaa_ask_again, path_bytes(input), path_bytes(out), option_json(options), task=task, progress=progress))


_SERVER_OPTIONS = frozenset(("engine", "model", "key_env", "key_file", "headers", "ca_file", "proxy", "concurrency", "rate", "connect_timeout_s", "idle_timeout_s", "timeout_s", "retries", "max_retry_wait_s"))


def _asker(url: Urls, options: dict[str, Any]) -> Asker:
    return Asker(url, **{name: options.pop(name) for name in list(options) if name in _SERVER_OPTIONS})


def ask(input: Path, out: Path, *, url: Urls, **options: Any) -> Report:
    """Asker(url, …).ask(input, out, …): options of both.

        >>> report = vaa.ask("old_run", "again.jsonl", url="http://127.0.0.1:8000", sample=50)
        >>> vaa.check("again.jsonl").verdict
    """
    return _asker(url, options).ask(input, out, **options)


def ladder(run: Path, out: Path, at: Sequence[Union[int, str]], *, url: Urls, **options: Any) -> Report:
    """Asker(url, …).ladder(run, out, at, …): options of both."""
    return _asker(url, options).ladder(run, out, at, **options)


def bisect(run: Path, out: Path, *, reference: str, target: str, **options: Any) -> Report:
    """Asker([reference, target], …).bisect(run, out, …): options of both."""
    return _asker([reference, target], options).bisect(run, out, **options)


def ask_again(input: Path, out: Path, *, url: Urls, **options: Any) -> Report:
    """Asker(url, …).ask_again(input, out, …): options of both."""
    return _asker(url, options).ask_again(input, out, **options)

"""How each engine words answers, errors and its small endpoints. A dialect is a class; the table is at the end."""
import dataclasses
import json
from typing import Optional

import toy_vocab as vocab

CREATED = 1787220000


@dataclasses.dataclass
class Piece:
    """What one step, or all steps, of a choice came to. `stop`: a stop string or a stop id; `offset`: characters before it."""
    index: int
    prompt: list
    text: str = ""
    ids: list = dataclasses.field(default_factory=list)
    entries: list = dataclasses.field(default_factory=list)     # of logprobs: (logprob, [(id, logprob)]) an id
    finish: Optional[str] = None
    stop: object = None
    offset: int = 0
    first: bool = False


def least(logprob):
    """JSON has no infinities: vLLM's floor."""
    return max(logprob, -9999.0)


class OpenAI:
    """Nothing but what the API promises."""
    name = "openai"
    owner = "system"
    gives_ids = False           # token_ids beside the text where asked for
    version = None

    def __init__(self, options):
        self.options = options

    # answers

    def base(self, question, request_id, kind):
        objects = {(True, "chunk"): "chat.completion.chunk", (True, "whole"): "chat.completion"}
        return {"id": ("chatcmpl-" if question.chat else "cmpl-") + request_id, "object": objects.get((question.chat, kind), "text_completion"),
                "created": CREATED, "model": question.body.get("model") or self.options.served[0]}

    def token_name(self, token, question):
        return vocab.shown(token)

    def _bytes(self, token):
        return list(vocab.shown(token).encode())

    def logprob_entry(self, token, logprob, question):
        return {"token": self.token_name(token, question), "logprob": least(logprob), "bytes": self._bytes(token)}

    def chat_logprobs(self, question, piece):
        """The sampled token stands first among the alternatives."""
        content = []
        for token, (logprob, top) in zip(piece.ids, piece.entries):
            alternatives = [(token, logprob)] + [pair for pair in top if pair[0] != token] if top else []
            content.append({**self.logprob_entry(token, logprob, question),
                            "top_logprobs": [self.logprob_entry(*pair, question) for pair in alternatives[:question.logprobs]]})
        return {"content": content}

    def completion_logprobs(self, question, piece):
        offsets, offset = [], piece.offset
        for token in piece.ids:
            offsets.append(offset)
            offset += len(vocab.shown(token))
        tops = [{self.token_name(other, question): least(value) for other, value in [(token, logprob), *top]}
                for token, (logprob, top) in zip(piece.ids, piece.entries)]
        return {"tokens": [self.token_name(token, question) for token in piece.ids], "token_logprobs": [least(entry[0]) for entry in piece.entries],
                "text_offset": offsets, "top_logprobs": tops}

    def logprobs(self, question, piece):
        if question.logprobs is None:
            return None
        return self.chat_logprobs(question, piece) if question.chat else self.completion_logprobs(question, piece)

    def ending(self, finish, stop):
        """What says why a choice ended; `stop`: a stop string, a stop id, or None."""
        return {"finish_reason": finish}

    def ids_of(self, question, ids):
        return {"token_ids": ids} if self.gives_ids and question.token_ids else {}

    def prompt_of(self, question, prompt):
        return {"prompt_token_ids": prompt} if self.gives_ids and question.token_ids else {}

    def opening(self, question, base, piece):
        """The chunks before the first ids of a choice."""
        if not question.chat:
            return []
        return [{**base, "choices": [{"index": piece.index, "delta": {"role": "assistant", "content": ""}, "logprobs": None, "finish_reason": None}],
                 **self.prompt_of(question, piece.prompt)}]

    def choice(self, question, piece, said):
        return {"index": piece.index, **said, "logprobs": self.logprobs(question, piece), **self.ending(piece.finish, piece.stop), **self.ids_of(question, piece.ids)}

    def chunk(self, question, base, piece):
        choice = self.choice(question, piece, {"delta": {"content": piece.text}} if question.chat else {"text": piece.text})
        if piece.first and not question.chat:
            choice.update(self.prompt_of(question, piece.prompt))
        return {**base, "choices": [choice]}

    def closing(self, question, base, usage):
        """The events after all choices ended."""
        return ([{**base, "choices": [], "usage": usage}] if question.usage else []) + ["[DONE]"]

    def whole(self, question, base, pieces, usage):
        choices = []
        for piece in pieces:
            choices.append(self.choice(question, piece, self.said(question, piece)))
            if not question.chat:
                choices[-1].update(self.prompt_of(question, piece.prompt))
        return {**base, "choices": choices, "usage": usage, **(self.prompt_of(question, question.prompts[0]) if question.chat else {})}

    def said(self, question, piece):
        return {"message": {"role": "assistant", "content": piece.text, "refusal": None}} if question.chat else {"text": piece.text}

    def usage(self, prompt_tokens, completion_tokens, cached):
        return {"prompt_tokens": prompt_tokens, "total_tokens": prompt_tokens + completion_tokens, "completion_tokens": completion_tokens}

    # errors and small endpoints

    def error(self, refused):
        return {"error": {"message": refused.message, "type": "invalid_request_error", "param": refused.param, "code": None}}

    def unauthorized(self):
        return {"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error", "param": None, "code": "invalid_api_key"}}

    def models(self):
        return {"object": "list", "data": [{"id": name, "object": "model", "created": CREATED, "owned_by": self.owner} for name in self.options.served]}

    def small(self, method, path, body):
        """(status, body) of an endpoint that this engine has beside /v1; None: there is no such."""
        return None


class VLLM(OpenAI):
    name, owner, gives_ids, version = "vllm", "vllm", True, "0.25.1"

    def token_name(self, token, question):
        return f"token_id:{token}" if question.as_ids else vocab.shown(token)

    def ending(self, finish, stop):
        return {"finish_reason": finish, "stop_reason": stop}

    def usage(self, prompt_tokens, completion_tokens, cached):
        details = {"prompt_tokens_details": {"cached_tokens": cached} if self.options.prefix_cache else None}
        return {**super().usage(prompt_tokens, completion_tokens, cached), **details}

    def error(self, refused):
        return {"error": {"message": refused.message, "type": refused.kind, "param": refused.param, "code": refused.status}}

    def unauthorized(self):
        return {"error": "Unauthorized"}

    def models(self):
        return {"object": "list", "data": [{"id": name, "object": "model", "created": CREATED, "owned_by": "vllm", "root": "/data/weights/" + name,
                                            "parent": None, "max_model_len": self.options.max_model_len, "permission": []} for name in self.options.served]}

    def small(self, method, path, body):
        if method == "GET":
            return {"/version": (200, {"version": self.options.version or self.version}), "/health": (200, b""), "/ping": (200, b"")}.get(path)
        if path == "/tokenize":
            ids = self._tokenize(body)
            strings = {"token_strs": [vocab.shown(token) for token in ids]} if body.get("return_token_strs") else {"token_strs": None}
            return 200, {"count": len(ids), "max_model_len": self.options.max_model_len, "tokens": ids, **strings}
        if path == "/detokenize":
            return 200, {"prompt": vocab.decode(body["tokens"])}
        return None

    def _tokenize(self, body):
        if "messages" in body:
            ids = vocab.apply_template(body["messages"])
            return ids if body.get("add_generation_prompt", True) else ids[:-1]
        return ([vocab.BOS] if body.get("add_special_tokens", True) else []) + vocab.encode(body["prompt"])


class VLLMAscend(VLLM):
    """Started for development: only /server_info tells it from vLLM."""
    name, version = "vllm_ascend", "0.18.0rc1"

    def small(self, method, path, body):
        if (method, path) == ("GET", "/server_info"):
            return 200, {"vllm_config": "model='toy-8b', device_config=npu, max_seq_len=%d" % self.options.max_model_len}
        return super().small(method, path, body)


class SGLang(OpenAI):
    """Ids in none of its OpenAI endpoints, in its own /generate always."""
    name, owner = "sglang", "sglang"

    def ending(self, finish, stop):
        return {"finish_reason": finish, "matched_stop": vocab.EOS if finish == "stop" and stop is None else stop}

    def whole(self, question, base, pieces, usage):
        return {**super().whole(question, base, pieces, usage), "metadata": {"weight_version": "default"}}

    def usage(self, prompt_tokens, completion_tokens, cached):
        return {**super().usage(prompt_tokens, completion_tokens, cached), "prompt_tokens_details": None, "reasoning_tokens": 0}

    def error(self, refused):
        return {"object": "error", "message": refused.message, "type": refused.kind, "param": refused.param, "code": refused.status}

    def unauthorized(self):
        return {"error": "Unauthorized"}

    def models(self):
        return {"object": "list", "data": [{"id": name, "object": "model", "created": CREATED, "owned_by": "sglang", "root": name,
                                            "max_model_len": self.options.max_model_len} for name in self.options.served]}

    def small(self, method, path, body):
        if method == "GET":
            info = {"version": "0.5.9", "model_path": self.options.served[0], "context_length": self.options.max_model_len,
                    "speculative_algorithm": "EAGLE" if self.options.spec else None, "disable_radix_cache": not self.options.prefix_cache}
            model = {"model_path": self.options.served[0], "is_generation": True, "tokenizer_path": self.options.served[0]}
            return {"/get_server_info": (200, info), "/server_info": (200, info), "/get_model_info": (200, model), "/health": (200, b"")}.get(path)
        if path == "/tokenize":
            ids = ([vocab.BOS] if body.get("add_special_tokens", True) else []) + vocab.encode(body["prompt"])
            return 200, {"tokens": ids, "count": len(ids), "max_model_len": self.options.max_model_len}
        return (200, {"text": vocab.decode(body["tokens"])}) if path == "/detokenize" else None


class LlamaCpp(OpenAI):
    """Ids inside the entries of logprobs; where `return_tokens` asks in its own /completion, and with `verbose` in whole answers."""
    name, owner = "llamacpp", "llamacpp"

    def logprob_entry(self, token, logprob, question):
        return {"id": token, **super().logprob_entry(token, logprob, question)}

    def timings(self, usage):
        prompt, made = usage["prompt_tokens"], usage["completion_tokens"]      # one microsecond an id: less than it took
        return {"cache_n": 0, "prompt_n": prompt, "prompt_ms": 1e-3 * prompt, "prompt_per_token_ms": 1e-3, "prompt_per_second": 1e6,
                "predicted_n": made, "predicted_ms": 1e-3 * made, "predicted_per_token_ms": 1e-3, "predicted_per_second": 1e6}

    def whole(self, question, base, pieces, usage):
        asked = question.body.get("verbose") and question.body.get("return_tokens")
        verbose = {"__verbose": {"index": 0, "tokens": pieces[0].ids}} if asked else {}
        return {**super().whole(question, base, pieces, usage), "system_fingerprint": "b7600-abcdef0", "timings": self.timings(usage), **verbose}

    def closing(self, question, base, usage):
        events = super().closing(question, base, usage)
        return [{**event, "timings": self.timings(usage)} if isinstance(event, dict) else event for event in events]

    def error(self, refused):
        kind = {404: "not_found_error", 503: "unavailable_error"}.get(refused.status, "invalid_request_error")
        return {"error": {"code": refused.status, "message": refused.message, "type": kind}}

    def unauthorized(self):
        return {"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}}

    def models(self):
        meta = {"vocab_type": 2, "n_vocab": vocab.SIZE, "n_ctx_train": self.options.max_model_len, "n_embd": 64, "n_params": 1, "size": 1}
        return {"object": "list", "data": [{"id": name, "object": "model", "created": CREATED, "owned_by": "llamacpp", "meta": meta} for name in self.options.served]}

    def small(self, method, path, body):
        if method == "GET":
            settings = {"n_ctx": self.options.max_model_len, "params": {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05, "seed": 4294967295}}
            props = {"default_generation_settings": settings, "total_slots": 4, "model_path": "/models/toy.gguf", "chat_template": "", "build_info": "b7600-abcdef0"}
            return {"/props": (200, props), "/health": (200, {"status": "ok"})}.get(path)
        if path == "/tokenize":
            return 200, {"tokens": ([vocab.BOS] if body.get("add_special") else []) + vocab.encode(body["content"])}
        return (200, {"content": vocab.decode(body["tokens"])}) if path == "/detokenize" else None


class MindIE(OpenAI):
    """No ids anywhere."""
    name, owner = "mindie", "MindIE Server"

    def error(self, refused):
        return {"error": refused.message, "error_type": "Input Validation Error"}

    def small(self, method, path, body):
        if method == "GET":
            return {"/health": (200, b""), "/v2/health/ready": (200, b"")}.get(path)
        return (200, {"token_number": len(vocab.encode(body["inputs"])), "tokens": [vocab.shown(token) for token in vocab.encode(body["inputs"])]}) \
            if path == "/v1/tokenizer" else None


ENGINES = {dialect.name: dialect for dialect in (OpenAI, VLLM, VLLMAscend, SGLang, LlamaCpp, MindIE)}


def dump(data):
    """As the servers write: no spaces, UTF-8 as it is."""
    return data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()

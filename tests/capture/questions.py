"""What a request asks for: the fields of the OpenAI-compatible servers, checked as those check them."""
import dataclasses
import json
from typing import Optional

import toy_vocab as vocab
from generation import Wanted
from toy_model import Sampling, mix, unit

# Fields that take a request out of speculative decoding.
UNSPECULATED = {"min_p": 0.0, "presence_penalty": 0.0, "frequency_penalty": 0.0, "repetition_penalty": 1.0, "repeat_penalty": 1.0}

KNOWN_TO_OPENAI = set("""model messages prompt temperature top_p n stream stream_options stop max_tokens max_completion_tokens presence_penalty
frequency_penalty logit_bias logprobs top_logprobs seed user echo best_of suffix tools tool_choice response_format metadata store""".split())


class Refused(Exception):
    """A request that the server does not answer: status, then what the dialect puts into the body."""

    def __init__(self, status, message, kind="BadRequestError", param=None):
        super().__init__(message)
        self.status, self.message, self.kind, self.param = status, message, kind, param


@dataclasses.dataclass
class Question:
    """One request for text, understood."""
    body: dict
    chat: bool
    prompts: list                       # ids of each
    n: int
    max_tokens: int
    stream: bool
    stops: tuple
    logprobs: Optional[int]
    as_ids: bool                        # tokens named token_id:N
    token_ids: bool
    usage: bool                         # in a stream: a last chunk with it
    usage_always: bool                  # … and in every chunk
    prompt_logprobs: Optional[int]

    @property
    def choices(self):
        """(index, ids of its prompt) of each choice."""
        return [(place * self.n + k, prompt) for place, prompt in enumerate(self.prompts) for k in range(self.n)]

    @property
    def plain(self):
        """Whether the fields take the request out of speculative decoding."""
        return self.logprobs is not None or any((self.body.get(key) or off) != off for key, off in UNSPECULATED.items())

    def wanted(self, index, prompt, options, arrival, running):
        """The choice of this index as the model wants it; `arrival` numbers requests and seeds what they did not seed."""
        body, model = self.body, options.model
        seed = body.get("seed")
        sampling = Sampling(_number(body, "temperature", options.temperature), _number(body, "top_p", 1.0), int(_number(body, "top_k", 0)),
                            _number(body, "min_p", 0.0), mix(arrival ^ 0x5EED ^ options.start_seed << 32 if seed is None else int(seed) & (1 << 63) - 1) ^ index)
        key = mix(model.noise_seed * 1000003 + arrival)
        return Wanted(prompt, self.max_tokens, sampling, int(_number(body, "min_tokens", 0)), bool(body.get("ignore_eos")),
                      tuple(body.get("stop_token_ids") or ()), self.logprobs, options.spec if options.drafts and not self.plain else 0,
                      key if running >= model.noise_from else None, model.loop_rate > 0 and unit(key ^ 3) < model.loop_rate)


def _number(body, key, default):
    value = body.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(400, f"{key}: Input should be a valid number", param=key)
    return value


def parse(raw):
    """The body as an object."""
    try:
        body = json.loads(raw)
    except ValueError as fault:
        raise Refused(400, f"JSON decode error: {fault}") from None
    if not isinstance(body, dict):
        raise Refused(400, "Input should be a valid dictionary")
    return body


def understand(body, chat, options):
    """The Question, or Refused."""
    if options.strict:
        for key in body:
            if key not in KNOWN_TO_OPENAI:
                raise Refused(400, f"Unrecognized request argument supplied: {key}", "invalid_request_error", key)
    if body.get("model") not in (None, "", *options.served):
        raise Refused(404, f"The model `{body['model']}` does not exist.", "NotFoundError", "model")
    prompts = [vocab.apply_template(_messages(body))] if chat else _prompts(body.get("prompt"))
    for prompt in prompts:
        if not prompt:
            raise Refused(400, "Either prompt or prompt_embeds must be provided and non-empty.", param="prompt")
        if any(not 0 <= token < vocab.SIZE for token in prompt):
            raise Refused(400, f"Token id {max(prompt)} is out of vocabulary", param="prompt")
    stops = body.get("stop") or []
    stream_options = body.get("stream_options") or {}
    return Question(body, chat, prompts, int(_number(body, "n", 1)), _limit(body, prompts, chat, options), bool(body.get("stream")),
                    (stops,) if isinstance(stops, str) else tuple(stops), _logprobs(body, chat), bool(body.get("return_tokens_as_token_ids")),
                    bool(body.get("return_token_ids")), bool(stream_options.get("include_usage")), bool(stream_options.get("continuous_usage_stats")),
                    body.get("prompt_logprobs"))


def _messages(body):
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(message, dict) for message in messages):
        raise Refused(400, "[{'type': 'missing', 'loc': ('body', 'messages'), 'msg': 'Field required'}]", param="messages")
    return messages


def _prompts(prompt):
    """A text, ids, or a list of either."""
    if isinstance(prompt, str):
        return [[vocab.BOS] + vocab.encode(prompt)]
    if isinstance(prompt, list) and prompt and all(isinstance(token, int) for token in prompt):
        return [prompt]
    if isinstance(prompt, list) and prompt and all(isinstance(part, (str, list)) for part in prompt):
        return [ids for part in prompt for ids in _prompts(part)]
    raise Refused(400, "prompt: Field required", param="prompt")


def _limit(body, prompts, chat, options):
    asked = next((body[key] for key in ("max_completion_tokens", "max_tokens", "n_predict") if body.get(key) is not None), None)
    longest = max(map(len, prompts))
    if asked is not None and (not isinstance(asked, int) or asked < 1):
        raise Refused(400, f"max_tokens must be at least 1, got {asked}.", param="max_tokens")
    room = options.max_model_len - longest
    if asked is None:
        asked = room if chat else 16
    if asked > room or room < 1:
        raise Refused(400, f"This model's maximum context length is {options.max_model_len} tokens. However, you requested {asked + longest} tokens "
                           f"({longest} in the {'messages' if chat else 'prompt'}, {asked} in the completion). Please reduce the length of the "
                           f"{'messages' if chat else 'prompt'} or completion.", param="max_tokens")
    return asked


def _logprobs(body, chat):
    """How many alternatives, None for no logprobs."""
    if not chat:
        return None if body.get("logprobs") is None or body["logprobs"] is False else int(body["logprobs"])
    return int(_number(body, "top_logprobs", 0)) if body.get("logprobs") else None

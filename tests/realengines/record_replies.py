"""Records what a real engine answers, byte for byte: FOLDER/NAME.request and FOLDER/NAME.http.

    python record_replies.py URL FOLDER [NAME…]

One connection a request, closed by the server, so the .http file is all that came over it: status line, headers and body
as sent (chunked where the engine chunks). NAME: only these of the rows below.
"""
import json
import pathlib
import socket
import sys
import threading
import urllib.parse

QUESTION = [{"role": "user", "content": "What is the right to education?"}]
CHINESE = [{"role": "user", "content": "人人有权"}]
PROMPT = "Everyone has the right to"
IDS = [0, 40, 383, 92, 260, 72, 329, 359, 271, 224, 342, 293]     # PROMPT
SHORT = {"model": "lag", "max_tokens": 8, "temperature": 0}
STREAM = {"stream": True, "stream_options": {"include_usage": True}}
LLAMACPP_IDS = {"verbose": True, "return_tokens": True}
VLLM_IDS = {"return_token_ids": True, "return_tokens_as_token_ids": True}
CHAT_LOGPROBS = {"logprobs": True, "top_logprobs": 2}
NATIVE_CHINESE = ("POST /completion", {"prompt": [0, 2, 166, 105, 166, 105, 3], "n_predict": 8, "temperature": 0, "n_probs": 2,
                                       "return_tokens": True})
CHAT, TEXT = "POST /v1/chat/completions", "POST /v1/completions"

# name: (method and path, body or None). A body that is bytes goes out as it is. A third member is a request that another
# connection sends once the reply has begun.
ROWS = {
    "models": ("GET /v1/models", None),
    "version": ("GET /version", None),
    "health": ("GET /health", None),
    "props": ("GET /props", None),
    "slots": ("GET /slots", None),
    "metrics": ("GET /metrics", None),
    "server_info": ("GET /get_server_info", None),
    "not_found": ("GET /v1/nothing", None),
    "wrong_method": ("GET /v1/completions", None),
    "tokenize": ("POST /tokenize", {"model": "lag", "prompt": PROMPT}),
    "tokenize_content": ("POST /tokenize", {"content": PROMPT, "add_special": True, "with_pieces": True}),
    "detokenize": ("POST /detokenize", {"model": "lag", "tokens": IDS}),
    "chat": (CHAT, SHORT | {"messages": QUESTION}),
    "chat_ids": (CHAT, SHORT | VLLM_IDS | {"messages": QUESTION}),
    "chat_logprobs": (CHAT, SHORT | CHAT_LOGPROBS | {"messages": QUESTION}),
    "chat_ids_logprobs": (CHAT, SHORT | VLLM_IDS | CHAT_LOGPROBS | {"messages": QUESTION}),
    "chat_to_eos": (CHAT, SHORT | VLLM_IDS | {"messages": CHINESE, "max_tokens": 200}),
    "chat_stop_string": (CHAT, SHORT | {"messages": QUESTION, "max_tokens": 40, "stop": ["de"]}),
    "chat_stop_token": (CHAT, SHORT | VLLM_IDS | {"messages": QUESTION, "max_tokens": 40, "stop_token_ids": [270]}),
    "chat_two_choices": (CHAT, SHORT | {"messages": QUESTION, "n": 2, "temperature": 1, "seed": 1}),
    "chat_stream": (CHAT, SHORT | STREAM | {"messages": QUESTION}),
    "chat_stream_ids": (CHAT, SHORT | STREAM | VLLM_IDS | {"messages": QUESTION}),
    "chat_stream_logprobs": (CHAT, SHORT | STREAM | CHAT_LOGPROBS | {"messages": QUESTION}),
    "chat_stream_ids_logprobs": (CHAT, SHORT | STREAM | VLLM_IDS | CHAT_LOGPROBS | {"messages": QUESTION}),
    "chat_stream_two_choices": (CHAT, SHORT | STREAM | {"messages": QUESTION, "n": 2, "temperature": 1, "seed": 1}),
    "chat_stream_chinese": (CHAT, SHORT | STREAM | CHAT_LOGPROBS | VLLM_IDS | {"messages": CHINESE, "max_tokens": 24}),
    "chat_stream_second_caller": (CHAT, SHORT | STREAM | {"messages": QUESTION, "max_tokens": 60},
                                  (CHAT, SHORT | {"messages": CHINESE})),
    "completion": (TEXT, SHORT | {"prompt": PROMPT}),
    "chat_verbose": (CHAT, SHORT | CHAT_LOGPROBS | LLAMACPP_IDS | {"messages": CHINESE}),
    "chat_stream_verbose": (CHAT, SHORT | STREAM | CHAT_LOGPROBS | LLAMACPP_IDS | {"messages": CHINESE}),
    "chat_chinese_logprobs": (CHAT, SHORT | CHAT_LOGPROBS | VLLM_IDS | {"messages": CHINESE}),
    "completion_verbose": (TEXT, SHORT | LLAMACPP_IDS | {"prompt": IDS, "logprobs": 2}),
    "completion_default_length": (TEXT, {"model": "lag", "prompt": PROMPT, "temperature": 0}),
    "completion_of_ids": (TEXT, SHORT | VLLM_IDS | {"prompt": IDS}),
    "completion_logprobs": (TEXT, SHORT | {"prompt": PROMPT, "logprobs": 2}),
    "completion_ids_logprobs": (TEXT, SHORT | VLLM_IDS | {"prompt": PROMPT, "logprobs": 2}),
    "completion_echo": (TEXT, SHORT | {"prompt": PROMPT, "echo": True, "logprobs": 1, "max_tokens": 2}),
    "completion_prompt_logprobs": (TEXT, SHORT | VLLM_IDS | {"prompt": PROMPT, "prompt_logprobs": 1, "max_tokens": 2}),
    "completion_two_prompts": (TEXT, SHORT | {"prompt": [PROMPT, "No one"]}),
    "completion_stream": (TEXT, SHORT | STREAM | {"prompt": PROMPT}),
    "completion_stream_ids_logprobs": (TEXT, SHORT | STREAM | VLLM_IDS | {"prompt": PROMPT, "logprobs": 2}),
    "native_completion": ("POST /completion", {"prompt": PROMPT, "n_predict": 8, "temperature": 0, "n_probs": 2,
                                               "return_tokens": True}),
    "native_completion_stream": ("POST /completion", {"prompt": PROMPT, "n_predict": 4, "temperature": 0, "n_probs": 2,
                                                      "return_tokens": True, "stream": True}),
    "native_completion_chinese": NATIVE_CHINESE,
    "native_stream_chinese": (NATIVE_CHINESE[0], NATIVE_CHINESE[1] | {"stream": True}),
    "speculating_completion": (TEXT, SHORT | LLAMACPP_IDS | {"prompt": IDS, "logprobs": 1}),     # of one that drafts
    "speculating_stream": (TEXT, SHORT | STREAM | {"prompt": IDS, "logprobs": 1}),
    "speculating_metrics": ("GET /metrics", None),
    "unauthorized": ("GET /v1/models", None),     # of an engine that was started with a key
    "unauthorized_chat": (CHAT, SHORT | {"messages": QUESTION}),
    "error_wrong_model": (CHAT, SHORT | {"model": "absent", "messages": QUESTION}),
    "error_too_long": (TEXT, SHORT | {"prompt": [70] * 9000}),
    "error_too_long_text": (TEXT, SHORT | {"prompt": "a b" * 4500}),
    "error_too_many_tokens": (TEXT, SHORT | {"prompt": PROMPT, "max_tokens": 100000}),
    "error_malformed_json": (CHAT, b'{"model": "lag", "messages": ['),
    "error_no_messages": (CHAT, SHORT),
    "error_wrong_type": (CHAT, SHORT | {"messages": QUESTION, "temperature": "hot"}),
    "error_too_many_logprobs": (CHAT, SHORT | {"messages": QUESTION, "logprobs": True, "top_logprobs": 1000}),
    "stream_past_the_context": (TEXT, STREAM | {"model": "lag", "temperature": 0, "ignore_eos": True, "prompt": "a b" * 4090}),
    "error_in_stream_request": (TEXT, SHORT | STREAM | {"prompt": [70] * 9000}),
    "error_id_past_vocabulary": (TEXT, SHORT | {"prompt": [0, 99999]}),
}


def exchange(address, what, body, meanwhile=None):
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    head = f"{what} HTTP/1.1\r\nHost: {address.hostname}:{address.port}\r\nAccept: */*\r\nConnection: close\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    request = head.encode() + b"\r\n" + data
    with socket.create_connection((address.hostname, address.port), timeout=120) as line:
        line.sendall(request)
        parts, beside = [], None
        while part := line.recv(65536):
            parts.append(part)
            if meanwhile and not beside:
                beside = threading.Thread(target=exchange, args=(address, *meanwhile))
                beside.start()
        if beside:
            beside.join()
    return request, b"".join(parts)


def main():
    address, folder = urllib.parse.urlsplit(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or [name for name in ROWS if not name.startswith(("speculating", "unauthorized"))]
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        request, reply = exchange(address, *ROWS[name])
        if len(request) < 5000:     # the long prompts are this file's to make again
            (folder / f"{name}.request").write_bytes(request)
        if len(reply) < 100000:     # some engines say the whole prompt again, once an id
            (folder / f"{name}.http").write_bytes(reply)
        print(name, len(reply), reply.split(b"\r\n")[0].decode())


if __name__ == "__main__":
    main()

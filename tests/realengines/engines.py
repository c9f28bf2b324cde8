"""The real engines that run.py asks: how each is started, right and with a fault, and how it is stopped whatever happens."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.request

CONTEXT = 8192
START_S = 600       # vLLM on a busy machine of two cores takes minutes
SPECULATION = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
PLANTED = pathlib.Path(__file__).parent / "planted"     # its sitecustomize.py changes the rejection sampler


def llama_server(work, port, fault):
    wrong = {"": [], "no_rope_scaling": ["--rope-scaling", "none"], "short_context": ["-c", "1024"]}[fault]
    return [str(work / "llama.cpp/bin/llama-server"), "-m", str(work / "lag/model.gguf"), "--alias", "lag", "-c", str(4 * CONTEXT),
            "--parallel", "4", "--threads", "1", "--threads-batch", "1", "--metrics", "--host", "127.0.0.1", "--port", str(port)] + wrong


def llama_cpp_python(work, port, fault):
    # The option's numbers are llama.h's: 0 is none. There is no other way to say that the file's scaling does not hold.
    wrong = {"": [], "no_rope_scaling": ["--rope_scaling_type", "0", "--rope_freq_scale", "1"]}[fault]
    return [str(work / "llama-cpp-python/bin/python"), "-m", "llama_cpp.server", "--model", str(work / "lag/model.gguf"), "--model_alias", "lag",
            "--n_ctx", str(CONTEXT), "--logits_all", "true", "--n_threads", "1", "--n_threads_batch", "1", "--interrupt_requests", "false",
            "--host", "127.0.0.1", "--port", str(port)] + wrong


def vllm(work, port, fault):
    overrides = {"": {}, "no_rope_scaling": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e5}},
                 "short_window": {"layer_types": ["sliding_attention"] * 2, "sliding_window": 1024}}.get(fault, {})
    speculation = ["--speculative-config", json.dumps(SPECULATION)] if fault.startswith("speculates") else []
    return [str(work / "vllm/bin/vllm"), "serve", str(work / "lag/hf"), "--served-model-name", "lag", "--dtype", "float32", "--max-model-len",
            str(CONTEXT), "--max-num-seqs", "16", "--enforce-eager", "--host", "127.0.0.1", "--port", str(port)] + (
        ["--hf-overrides", json.dumps(overrides)] if overrides else []) + speculation


# name: (how to start it, what shows that it is ready)
ENGINES = {"llama-server": (llama_server, "/health"), "llama-cpp-python": (llama_cpp_python, "/v1/models"), "vllm": (vllm, "/health")}


def environment(work, fault):
    plant = fault.partition(" ")[2]
    planted = {"VAA_PLANT": plant, "PYTHONPATH": os.pathsep.join([str(PLANTED), os.environ.get("PYTHONPATH", "")])} if plant else {}
    return os.environ | planted | {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "VLLM_CPU_KVCACHE_SPACE": "1",
                         "OMP_NUM_THREADS": "1", "LLAMA_CPP_LIB_PATH": str(work / "llama.cpp/bin")}


def is_ready(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False


@contextlib.contextmanager
def running(work, name, ports):
    """Starts one engine a port, {port: fault}, waits until all answer, and ends them with all that they started."""
    command, ready = ENGINES[name]
    started = []
    try:
        for port, fault in ports.items():
            log = open(work / f"log/{name}-{port}.log", "wb")
            started.append((port, subprocess.Popen(command(work, port, fault), stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                                   env=environment(work, fault), start_new_session=True)))
        end = time.monotonic() + START_S
        for port, process in started:
            while not is_ready(f"http://127.0.0.1:{port}{ready}"):
                if process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{name} on port {port} did not start: {work}/log/{name}-{port}.log")
                time.sleep(0.5)
        yield
    finally:
        for wanted in (signal.SIGTERM, signal.SIGKILL):
            for _, process in started:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, wanted)
            for _, process in started:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=20)


def questions(path, declaration):
    """50 chat requests: 20 of English, 20 of French, 10 of Chinese, whose characters are several tokens."""
    texts = [text for language, n in (("eng", 20), ("fra", 20), ("cmn_hans", 10)) for text in declaration[language][:n]]
    lines = [{"custom_id": f"q{i:02}", "method": "POST", "url": "/v1/chat/completions",
              "body": {"model": "lag", "messages": [{"role": "user", "content": text}], "temperature": 0, "max_tokens": 200}}
             for i, text in enumerate(texts)]
    pathlib.Path(path).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def long_answers(path, declaration, tokens):
    """Three requests whose answers pass position 2,048; their <|eos|> does not count."""
    lines = [{"custom_id": f"long{i}", "method": "POST", "url": "/v1/completions",
              "body": {"model": "lag", "prompt": declaration["eng"][i], "temperature": 0, "max_tokens": tokens, "ignore_eos": True}}
             for i in range(3)]
    pathlib.Path(path).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")

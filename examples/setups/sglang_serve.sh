#!/bin/sh
# Serves the same model with SGLang.
exec python -m sglang.launch_server --model-path /models/qwen3-8b --sampling-defaults openai

#!/bin/sh
# Serves a model with vLLM.
exec vllm serve /models/qwen3-8b --max-model-len 32768 --generation-config auto

"""Writes the model of lag_model.py for real engines: FOLDER/hf (Hugging Face, float32) and FOLDER/model.gguf (llama.cpp).

    python make_model.py FOLDER

The hidden state: one number a vocabulary entry for the current token (one-hot), one a vocabulary entry for the logits that
the heads add, and a constant from which queries and keys are made. RMSNorm divides by a length that the constant dominates.
"""
import json
import pathlib
import sys

import gguf
import numpy as np
from safetensors.numpy import save_file

import lag_model as lm

LAYERS, HEADS = 2, 7
HIDDEN = HEADS * lm.HEAD
INNER = 128                                     # of the MLP, which is zero
TOKEN, LOGIT, CONSTANT = 0, lm.VOCABULARY, 2 * lm.VOCABULARY
BIG = 10000.0                                   # the constant and the one of the one-hot, before the norm
UNIT = BIG / np.sqrt(2 * BIG ** 2 / HIDDEN)     # the same two after it
EPSILON = 1e-6
TEMPLATE = ("{{ '<|bos|>' }}{% for message in messages %}{{ '<|assistant|>' if message['role'] == 'assistant' else '<|user|>' }}"
            "{{ message['content'] }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}")


def attention(model, lags):
    """q, k, v, o of one layer, as [out, in]; one head a lag."""
    q, k, v, o = (np.zeros((HIDDEN, HIDDEN)) for _ in range(4))
    for head, lag in enumerate(lags):
        rows = slice(head * lm.HEAD, (head + 1) * lm.HEAD)
        size = np.sqrt(model.pairs[lag] * lm.PEAK * lm.HEAD ** 0.5)
        angle = lm.frequencies() * lag
        rest = np.zeros(lm.HEAD)
        rest[lm.HEAD // 2 - 1] = np.sqrt(lm.SINK * lm.PEAK * lm.HEAD ** 0.5)    # the slowest pair: <|bos|> only
        key = np.concatenate([size * np.cos(angle), size * np.sin(angle)])
        q[rows, CONSTANT] = (np.concatenate([size, 0 * size]) + rest) / UNIT
        k[rows, CONSTANT] = key / UNIT
        k[rows, TOKEN + lm.BOS] = (rest - key) / UNIT
        v[rows, TOKEN:TOKEN + lm.VOCABULARY] = model.left[lag].T / UNIT
        o[LOGIT:LOGIT + lm.VOCABULARY, rows] = model.right[lag].T
    return q, k, v, o


def weights(model):
    """Name (Hugging Face's) → float32 array."""
    embedding = np.zeros((lm.VOCABULARY, HIDDEN))
    embedding[:, TOKEN:TOKEN + lm.VOCABULARY] = BIG * np.eye(lm.VOCABULARY)
    embedding[:, CONSTANT] = BIG
    head = np.zeros((lm.VOCABULARY, HIDDEN))
    head[:, TOKEN:TOKEN + lm.VOCABULARY] = model.bigram.T / UNIT
    head[:, LOGIT:LOGIT + lm.VOCABULARY] = np.eye(lm.VOCABULARY) * BIG / UNIT
    out = {"model.embed_tokens.weight": embedding, "lm_head.weight": head, "model.norm.weight": np.ones(HIDDEN)}
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."
        projections = attention(model, model.lags[layer * HEADS:(layer + 1) * HEADS])
        out |= {f"{name}self_attn.{p}_proj.weight": w for p, w in zip("qkvo", projections)}
        out |= {f"{name}mlp.{p}_proj.weight": np.zeros(shape) for p, shape in
                (("gate", (INNER, HIDDEN)), ("up", (INNER, HIDDEN)), ("down", (HIDDEN, INNER)))}
        out |= {f"{name}{p}_layernorm.weight": np.ones(HIDDEN) for p in ("input", "post_attention")}
    return {name: np.ascontiguousarray(w, dtype=np.float32) for name, w in out.items()}


def write_hf(model, tensors, folder):
    folder.mkdir(parents=True, exist_ok=True)
    rope = {"rope_type": "yarn", "rope_theta": lm.BASE, "factor": lm.FACTOR, "original_max_position_embeddings": lm.ORIGINAL}
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": lm.VOCABULARY,
              "hidden_size": HIDDEN, "intermediate_size": INNER, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "num_key_value_heads": HEADS, "head_dim": lm.HEAD, "hidden_act": "silu", "rms_norm_eps": EPSILON,
              "max_position_embeddings": lm.CONTEXT, "rope_parameters": rope, "tie_word_embeddings": False,
              "bos_token_id": lm.BOS, "eos_token_id": lm.EOS, "dtype": "float32"}
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    (folder / "generation_config.json").write_text(json.dumps({"bos_token_id": lm.BOS, "eos_token_id": lm.EOS}))
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<|bos|>", "eos_token": "<|eos|>",
         "chat_template": TEMPLATE, "model_max_length": lm.CONTEXT, "clean_up_tokenization_spaces": False}))
    model.tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def interleaved(w):
    """llama.cpp rotates neighbours (2 i, 2 i + 1), Hugging Face (i, i + 64)."""
    return w.reshape(HEADS, 2, lm.HEAD // 2, HIDDEN).swapaxes(1, 2).reshape(HIDDEN, HIDDEN)


def write_gguf(model, tensors, path):
    out = gguf.GGUFWriter(path, "llama")
    out.add_name("lag model")
    out.add_context_length(lm.CONTEXT)
    out.add_embedding_length(HIDDEN)
    out.add_feed_forward_length(INNER)
    out.add_block_count(LAYERS)
    out.add_head_count(HEADS)
    out.add_head_count_kv(HEADS)
    out.add_layer_norm_rms_eps(EPSILON)
    out.add_rope_dimension_count(lm.HEAD)
    out.add_rope_freq_base(lm.BASE)
    out.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    out.add_rope_scaling_factor(lm.FACTOR)
    out.add_rope_scaling_orig_ctx_len(lm.ORIGINAL)
    out.add_vocab_size(lm.VOCABULARY)
    out.add_file_type(gguf.LlamaFileType.ALL_F32)
    parts = json.loads(model.tokenizer.to_str())["model"]
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("gpt-2")
    out.add_token_list(sorted(parts["vocab"], key=parts["vocab"].get))
    out.add_token_types([gguf.TokenType.CONTROL if i < len(lm.SPECIAL) else gguf.TokenType.NORMAL for i in range(lm.VOCABULARY)])
    out.add_token_merges([" ".join(pair) for pair in parts["merges"]])
    out.add_bos_token_id(lm.BOS)
    out.add_eos_token_id(lm.EOS)
    out.add_add_bos_token(True)
    out.add_chat_template(TEMPLATE)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, LAYERS)
    for name, w in tensors.items():
        rotated = name.endswith(("q_proj.weight", "k_proj.weight"))
        out.add_tensor(names.get_name(name, try_suffixes=(".weight",)), interleaved(w) if rotated else w)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def main():
    folder = pathlib.Path(sys.argv[1])
    model = lm.LagModel()
    tensors = weights(model)
    write_hf(model, tensors, folder / "hf")
    write_gguf(model, tensors, folder / "model.gguf")
    model.save_pairs(folder)


if __name__ == "__main__":
    main()

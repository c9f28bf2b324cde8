"""A language model in tables: what the next token is, given the tokens 0, 1, 2 … 37 and 2,048 back.

    logits(t) = bigram[x(t)] + sum over heads of table[head][x(t - lag of the head)]

make_model.py writes it as the weights of a real llama model (two layers, 14 attention heads, no trained number in it) and
`logits` here computes the same with numpy alone, faults of an engine included: so the position where two engines must part
is known before they are asked. A head finds its lag by RoPE: its query is constant, its key is rotated by `lag` steps, and
the weights of the 64 frequencies are chosen (a linear program) so that no other distance up to 8,192 scores above 0.71 of
the right one. Where the sequence is shorter than the lag, the head rests on <|bos|>, which scores 0.87 and adds nothing.

YaRN leaves the fast frequencies alone. The heads of short lags are made to see the same with and without it; the head of
lag 2,048 sees nothing without it. An engine that lost its rope_scaling is therefore right up to position 2,048 and wrong
from there on, as with real models.
"""
import json
import pathlib

import numpy as np
from scipy.optimize import linprog
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOS, EOS, USER, ASSISTANT = range(4)
SPECIAL = ["<|bos|>", "<|eos|>", "<|user|>", "<|assistant|>"]
VOCABULARY = 384
CONTEXT, ORIGINAL, FACTOR, BASE = 8192, 2048, 4.0, 1e5
HEAD = 128                                  # numbers of a head; also the rank of a table
FAR = 2048                                  # the lag that a lost rope_scaling loses
SPOKEN = {1: 0.8, 2: 0.6, 3: 0.45, 4: 0.3}  # lag: weight of the corpus' pair statistics
NOISE = {5: 0.5, 7: 0.5, 11: 0.5, 16: 0.5, 20: 0.5, 23: 0.5, 27: 0.5, 32: 0.5, 37: 0.5, FAR: 2.0}     # lag: deviation
PEAK, SINK = 100.0, 0.87                    # score of the right distance; of <|bos|>, as a share of it
END_BIAS = 0.0                              # added to the logit of <|eos|>


def corpus():
    """Paragraphs of English, French and Chinese that the repository has anyway."""
    declaration = json.loads((ROOT / "tests/golden/udhr.json").read_text(encoding="utf-8"))
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").split("\n\n")
    texts = [" ".join(paragraph.split()) for paragraph in licence]
    return [text for text in texts + declaration["eng"] + declaration["fra"] + declaration["cmn_hans"] if text]


def tokenizer():
    """Byte-level BPE as GPT-2's, with <|bos|> put before every text."""
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL, show_progress=False,
                                                          initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    bpe.post_processor = processors.TemplateProcessing(single="<|bos|> $A", special_tokens=[("<|bos|>", BOS)])
    assert bpe.get_vocab_size() == VOCABULARY
    return bpe


def frequencies(yarn=True):
    """The rotations of the 64 pairs per position; with YaRN as the paper has it (beta 32 and 1)."""
    i = np.arange(HEAD // 2)
    f = BASE ** (-2 * i / HEAD)
    if not yarn:
        return f
    low, high = (HEAD * np.log(ORIGINAL / (2 * np.pi * beta)) / (2 * np.log(BASE)) for beta in (32, 1))
    ramp = np.clip((i - np.floor(low)) / (np.ceil(high) - np.floor(low)), 0, 1)
    return f / FACTOR * ramp + f * (1 - ramp)


def similarities(lag, yarn):
    """[distance, pair]: cosine between query and key; distances 0 to CONTEXT - 1."""
    return np.cos(np.outer(np.arange(CONTEXT), frequencies(yarn)) - frequencies() * lag)


def pair_weights(lag):
    """Weights of the pairs, sum 1, the last one left to <|bos|>, that keep every wrong distance lowest."""
    pairs = HEAD // 2 - 1
    with_yarn, without = (similarities(lag, yarn)[:, :pairs] for yarn in (True, False))
    wrong = [np.delete(with_yarn, lag, 0), np.delete(without, lag, 0)] + ([without[[lag]]] if lag == FAR else [])
    rows = np.vstack(wrong)
    rows, limits = np.hstack([rows, -np.ones((len(rows), 1))]), np.zeros(len(rows))
    if lag != FAR:      # without YaRN at least 0.97 at the right distance
        rows, limits = np.vstack([rows, np.append(-without[lag], 0)]), np.append(limits, -0.97)
    found = linprog([0] * pairs + [1], A_ub=rows, b_ub=limits, A_eq=[[1] * pairs + [0]], b_eq=[1],
                    bounds=[(0, 1)] * pairs + [(-1, 1)])
    assert found.status == 0 and found.x[-1] < 0.75, (lag, found.status, found.x[-1])
    return np.append(found.x[:pairs], 0.0)


class LagModel:
    """The tables. Deterministic: the same numbers from the same corpus."""

    def __init__(self, folder=None):
        """`folder`: where save_pairs() put the solutions of the linear programs, half a minute's work."""
        self.tokenizer = tokenizer()
        lines = [[BOS] + self.tokenizer.encode(text, add_special_tokens=False).ids + [EOS] for text in corpus()]
        share = np.bincount(sum(lines, []), minlength=VOCABULARY) + 0.05
        share /= share.sum()
        self.bigram = np.log(self.counts(lines, 0, share))
        self.bigram[:, [BOS, USER, ASSISTANT]] -= 10
        self.bigram[:, EOS] += END_BIAS
        self.bigram[EOS] = self.bigram[ASSISTANT] = self.bigram[BOS]
        self.lags = sorted(SPOKEN | NOISE)
        self.pairs = dict(zip(self.lags, np.load(pathlib.Path(folder) / "pairs.npy"))) if folder else {lag: pair_weights(lag) for lag in self.lags}
        self.left, self.right = {}, {}      # table = left @ right, rank HEAD
        for lag in self.lags:
            if lag in SPOKEN:
                u, s, v = np.linalg.svd(SPOKEN[lag] * np.log(self.counts(lines, lag, share) / share))
                left, right = u[:, :HEAD] * s[:HEAD], v[:HEAD]
            else:
                draw = np.random.default_rng(lag)
                left = draw.standard_normal((VOCABULARY, HEAD)) * NOISE[lag] / HEAD ** 0.5
                right = draw.standard_normal((HEAD, VOCABULARY))
                right[:, [EOS, BOS, USER, ASSISTANT]] = 0
            left[[BOS, USER, ASSISTANT]] = 0
            self.left[lag], self.right[lag] = left, right

    def save_pairs(self, folder):
        np.save(pathlib.Path(folder) / "pairs.npy", [self.pairs[lag] for lag in self.lags])

    @staticmethod
    def counts(lines, lag, share):
        """[token, next]: P(next | token was `lag` before the last one), smoothed towards the plain shares."""
        pairs = np.zeros((VOCABULARY, VOCABULARY))
        for ids in lines:
            np.add.at(pairs, (ids[: len(ids) - lag - 1], ids[lag + 1:]), 1)
        smooth = 0.5 if lag == 0 else 4.0
        return (pairs + smooth * share) / (pairs.sum(1, keepdims=True) + smooth)

    def logits(self, ids, yarn=True, window=CONTEXT, first=0):
        """[position from `first` on, token]: what an engine with this fault computes after each of the ids."""
        ids = np.asarray(ids)
        out = self.bigram[ids[first:]].copy()
        scale = PEAK * (0.1 * np.log(FACTOR) + 1) ** 2 if yarn else PEAK
        resting = SINK * np.cos(np.arange(CONTEXT) * frequencies(yarn)[-1])
        for lag in self.lags:
            score = similarities(lag, yarn) @ self.pairs[lag]
            for t in range(first, len(ids)):
                seen = np.arange(max(0, t - window + 1), t + 1)
                s = np.where(ids[seen] == BOS, resting[t - seen], score[t - seen]) * scale
                weight = np.exp(s - s.max())
                out[t - first] += weight @ self.left[lag][ids[seen]] @ self.right[lag] / weight.sum()
        return out

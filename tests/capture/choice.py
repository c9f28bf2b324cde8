"""What a server is set to, and one choice of an answer on its way."""
import dataclasses
from typing import Optional

import toy_model
import toy_vocab as vocab
from dialects import Piece
from generation import generate


@dataclasses.dataclass
class Options:
    """What kind of server."""
    engine: str = "vllm"                # vllm, vllm_ascend, sglang, llamacpp, mindie, openai
    served: tuple = ("toy-8b",)
    version: Optional[str] = None
    max_model_len: int = 35000
    temperature: float = 1.0            # where a request says none
    start_seed: int = 0                 # of the draws of requests that say no seed
    spec: int = 0                       # ids drafted a step
    drafts: bool = True                 # False: speculation is configured and counted, and never drafts
    prefix_cache: bool = True
    preempt_rate: float = 0.0           # share of requests that are preempted once
    engines: int = 1                    # data-parallel ranks, taken in turn
    metrics: bool = True
    ids: Optional[bool] = None          # token_ids where asked for; None: as the engine does
    strict: bool = False                # unknown fields are refused, as at OpenAI
    keys: tuple = ()                    # none: no key is asked for
    forbidden: tuple = ()               # keys that are known and may not (403)
    chunk_ids: int = 1                  # at least so many ids in an event
    pace: float = 0.0                   # seconds between the steps of a choice
    certificate: Optional[str] = None   # PEM file with key and certificate: TLS
    model: toy_model.Options = dataclasses.field(default_factory=toy_model.Options)


class Choice:
    """One choice on its way: steps of the model, made into pieces."""

    def __init__(self, server, question, engine, index, prompt, arrival, told):
        wanted = question.wanted(index, prompt, server.options, arrival, server.running)
        self.steps = generate(server.model, wanted)
        self.text = vocab.Detokenizer(question.stops)
        self.wanted, self.engine, self.told, self.enough = wanted, engine, told, server.options.chunk_ids
        self.piece = Piece(index, prompt, first=True)
        self.offset, self.finish = 0, None

    def next(self):
        """The next Piece."""
        piece, self.piece = self.piece, Piece(self.piece.index, self.piece.prompt)
        piece.offset = self.offset
        while not self.finish and (not piece.ids or len(piece.ids) < self.enough):
            step = next(self.steps)
            self.engine.step(step, self.wanted.draft)
            piece.text += self.text.push([token for token in step.ids if token != vocab.EOS], step.finish is not None)
            piece.ids += step.ids
            piece.entries += step.logprobs or ()
            if self.text.stop is not None:
                self.finish, piece.stop = "stop", self.text.stop
            elif step.finish:
                self.finish, piece.stop = step.finish, step.stop_id
        piece.finish = self.finish
        self.offset += len(piece.text)
        self.told.ids += piece.ids
        self.told.parts.append(piece.text)
        self.told.logprobs += len(piece.entries)
        self.told.finish = piece.finish
        return piece

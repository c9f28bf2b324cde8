"""The engines' own endpoints for text, beside the OpenAI-compatible ones: SGLang's /generate, llama.cpp's /completion, MindIE's /infer."""
import toy_vocab as vocab
from dialects import LlamaCpp, MindIE, SGLang


class Generate(SGLang):
    """Its stream repeats the whole text and all ids in each event."""

    @staticmethod
    def body(raw):
        """The same request in OpenAI's words."""
        parameters = raw.get("sampling_params") or {}
        body = {key: parameters[key] for key in ("temperature", "top_p", "top_k", "min_p", "stop", "stop_token_ids", "ignore_eos", "n") if key in parameters}
        return {**body, "prompt": raw.get("input_ids") or raw.get("text"), "max_tokens": parameters.get("max_new_tokens", 128), "seed": parameters.get("sampling_seed"),
                "logprobs": raw.get("top_logprobs_num", 0) if raw.get("return_logprob") else None, "stream": raw.get("stream", False)}

    def opening(self, question, base, piece):
        self.sofar = {}
        return []

    def chunk(self, question, base, piece):
        sofar = self.sofar.setdefault(piece.index, {"text": "", "ids": [], "entries": []})
        sofar["text"] += piece.text
        sofar["ids"] += piece.ids
        sofar["entries"] += piece.entries
        return self._told(question, base, piece, sofar["text"], sofar["ids"], sofar["entries"])

    def closing(self, question, base, usage):
        return ["[DONE]"]

    def whole(self, question, base, pieces, usage):
        told = [self._told(question, base, piece, piece.text, piece.ids, piece.entries) for piece in pieces]
        return told[0] if len(told) == 1 else told

    def _told(self, question, base, piece, text, ids, entries):
        finish = {"stop": {"type": "stop", "matched": vocab.EOS if piece.stop is None else piece.stop}, "length": {"type": "length", "length": len(ids)}}
        meta = {"id": base["id"], "finish_reason": finish.get(piece.finish), "prompt_tokens": len(piece.prompt), "completion_tokens": len(ids), "cached_tokens": 0}
        if question.logprobs is not None:
            meta["output_token_logprobs"] = [[entry[0], token, None] for token, entry in zip(ids, entries)]
            meta["output_top_logprobs"] = [[[value, other, None] for other, value in entry[1]] for entry in entries]
        return {"text": text, "output_ids": list(ids), "meta_info": meta, **({"index": piece.index} if question.n > 1 else {})}


class Completion(LlamaCpp):
    """Its stream ends with an event that holds the settings, without [DONE]."""

    @staticmethod
    def body(raw):
        return {**raw, "max_tokens": raw.get("n_predict") or 1 << 20, "logprobs": raw.get("n_probs") or None}

    def opening(self, question, base, piece):
        return []

    def _told(self, question, piece):
        told = {"index": piece.index, "content": piece.text, "tokens": piece.ids if question.body.get("return_tokens") else [], "id_slot": 0}
        if question.logprobs is not None:
            told["completion_probabilities"] = self.chat_logprobs(question, piece)["content"]
        return told

    def chunk(self, question, base, piece):
        if piece.finish:
            self.ended = piece
        return {**self._told(question, piece), "stop": False}

    def closing(self, question, base, usage):
        return [{"index": 0, "content": "", "tokens": [], "id_slot": 0, **self._ending(question, self.ended, usage)}]

    def whole(self, question, base, pieces, usage):
        return {**self._told(question, pieces[0]), **self._ending(question, pieces[0], usage)}

    def _ending(self, question, piece, usage):
        body = question.body
        stop = "limit" if piece.finish == "length" else "word" if isinstance(piece.stop, str) else "eos"
        settings = {key: body.get(key, default) for key, default in (("seed", 4294967295), ("temperature", 0.8), ("top_k", 40), ("top_p", 0.95), ("min_p", 0.05))}
        return {"stop": True, "model": self.options.served[0], "tokens_predicted": usage["completion_tokens"], "tokens_evaluated": usage["prompt_tokens"],
                "generation_settings": {**settings, "n_predict": question.max_tokens}, "prompt": vocab.decode(piece.prompt), "truncated": False, "stop_type": stop,
                "stopping_word": piece.stop if stop == "word" else "", "tokens_cached": usage["total_tokens"], "timings": self.timings(usage)}


class Infer(MindIE):
    @staticmethod
    def body(raw):
        parameters = raw.get("parameters") or {}
        return {**{key: parameters[key] for key in ("temperature", "top_p", "top_k", "seed") if key in parameters}, "prompt": raw.get("inputs"),
                "max_tokens": parameters.get("max_new_tokens", 20)}

    def whole(self, question, base, pieces, usage):
        finish = "length" if pieces[0].finish == "length" else "eos_token"
        return {"generated_text": pieces[0].text, "details": {"finish_reason": finish, "generated_tokens": usage["completion_tokens"], "seed": question.body.get("seed")}}


# (engine, path) of an endpoint: its class.
NATIVE = {("sglang", "/generate"): Generate, ("llamacpp", "/completion"): Completion, ("mindie", "/infer"): Infer}

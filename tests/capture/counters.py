"""What the engines of a server count, and the /metrics page that shows it. An engine is one data-parallel rank."""
import collections

from toy_model import mix

BLOCK = 16


class Engine:
    """Counters of one rank, and the prefix blocks it has computed."""

    def __init__(self, number):
        self.number = number
        self.counts = collections.Counter()
        self.finished = collections.Counter(stop=0, length=0, abort=0)
        self.per_position = collections.Counter()
        self.running = 0
        self.most_running = 0
        self.blocks = set()

    def begin(self, prompt, prefix_cache):
        """Prefill; returns how many of the prompt's ids were cached. The last id is always computed."""
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        self.counts["prompt"] += len(prompt)
        if not prefix_cache:
            return 0
        key, keys = 0, []
        for start in range(0, len(prompt) - BLOCK + 1, BLOCK):
            for token in prompt[start:start + BLOCK]:
                key = mix(key ^ token + 1)
            keys.append(key)
        hits = 0
        while hits < len(keys) and keys[hits] in self.blocks:
            hits += 1
        self.blocks.update(keys)
        cached = min(hits, (len(prompt) - 1) // BLOCK) * BLOCK
        self.counts["cache_queries"] += len(prompt)
        self.counts["cache_hits"] += cached
        return cached

    def step(self, step, drafted):
        self.counts["generated"] += len(step.ids)
        if step.accepted is not None:
            self.counts["drafts"] += 1
            self.counts["drafted"] += drafted
            self.counts["accepted"] += step.accepted
            for position in range(step.accepted):
                self.per_position[position] += 1

    def end(self, finish):
        self.running -= 1
        self.finished[finish] += 1


def _family(name, kind, text, rows):
    """HELP, TYPE and samples; `rows`: (labels, value)."""
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    return lines + [name + "{" + ",".join(f'{key}="{value}"' for key, value in sorted(labels.items())) + "} " + repr(float(number)) for labels, number in rows]


def vllm_page(engines, options):
    def rows(key):
        return [({"engine": engine.number, "model_name": options.served[0]}, engine.counts[key]) for engine in engines]

    def labels(engine, **more):
        return {"engine": engine.number, "model_name": options.served[0], **more}

    lines = _family("vllm:num_requests_running", "gauge", "Number of requests in model execution batches.", [(labels(e), e.running) for e in engines])
    lines += _family("vllm:num_requests_waiting", "gauge", "Number of requests waiting to be processed.", [(labels(e), 0) for e in engines])
    lines += _family("vllm:cache_config_info", "gauge", "Information of the LLMEngine CacheConfig",
                     [(labels(e, block_size=BLOCK, enable_prefix_caching=options.prefix_cache), 1) for e in engines])
    counters = [("prompt_tokens", "prompt", "Number of prefill tokens processed."), ("generation_tokens", "generated", "Number of generation tokens processed."),
                ("num_preemptions", "preemptions", "Cumulative number of preemption from the engine.")]
    if options.prefix_cache:
        counters += [("prefix_cache_queries", "cache_queries", "Prefix cache queries, in terms of number of queried tokens."),
                     ("prefix_cache_hits", "cache_hits", "Prefix cache hits, in terms of number of cached tokens.")]
    if options.spec:
        counters += [("spec_decode_num_drafts", "drafts", "Number of spec decoding drafts."), ("spec_decode_num_draft_tokens", "drafted", "Number of draft tokens."),
                     ("spec_decode_num_accepted_tokens", "accepted", "Number of accepted tokens.")]
    for name, key, text in counters:
        lines += _family(f"vllm:{name}_total", "counter", text, rows(key))
        lines += _family(f"vllm:{name}_created", "gauge", text, [(row, 1.7872199e9) for row, _ in rows(key)])
    if options.spec:
        lines += _family("vllm:spec_decode_num_accepted_tokens_per_pos_total", "counter", "Accepted tokens per draft position.",
                         [(labels(e, position=position), e.per_position[position]) for e in engines for position in range(options.spec)])
    lines += _family("vllm:request_success_total", "counter", "Count of successfully processed requests.",
                     [(labels(e, finished_reason=reason), count) for e in engines for reason, count in e.finished.items()])
    return lines


def sglang_page(engines, options):
    labels = {"model_name": options.served[0]}
    total = sum((engine.counts for engine in engines), collections.Counter())
    lines = _family("sglang:num_running_reqs", "gauge", "The number of running requests.", [(labels, sum(engine.running for engine in engines))])
    for name, key in (("prompt_tokens_total", "prompt"), ("generation_tokens_total", "generated"), ("cached_tokens_total", "cache_hits")):
        lines += _family("sglang:" + name, "counter", "Number of tokens.", [(labels, total[key])])
    if options.spec:
        length = 1 + total["accepted"] / total["drafts"] if total["drafts"] else 0
        lines += _family("sglang:spec_accept_length", "gauge", "The average acceptance length of speculative decoding.", [(labels, length)])
    return lines


def llamacpp_page(engines, options):
    total = sum((engine.counts for engine in engines), collections.Counter())
    lines = []
    for name, key in (("prompt_tokens_total", "prompt"), ("tokens_predicted_total", "generated")):
        lines += [f"# HELP llamacpp:{name} Number of tokens.", f"# TYPE llamacpp:{name} counter", f"llamacpp:{name} {total[key]}"]
    return lines + ["# HELP llamacpp:requests_processing Number of requests processing.", "# TYPE llamacpp:requests_processing gauge",
                    f"llamacpp:requests_processing {sum(engine.running for engine in engines)}"]


PAGES = {"vllm": vllm_page, "vllm_ascend": vllm_page, "sglang": sglang_page, "llamacpp": llamacpp_page}

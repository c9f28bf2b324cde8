"""The groups of verification.json that vaa.stats covers: from a vector's inputs to the fields that it expects."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Optional

from . import stats

Inputs = Mapping[str, Any]
Fields = dict[str, Any]
# None where inputs of this shape are not known.
Runner = Callable[[Inputs], Optional[Fields]]


def _mcnemar(v: Inputs) -> Fields:
    test, odds = stats.mcnemar(v["b"], v["c"]), stats.mcnemar_odds_ratio(v["b"], v["c"])
    return {"p_exact_two_sided": test.p_exact, "p_midp_two_sided": test.p_mid, "n_discordant": v["b"] + v["c"], "chi2_cc": test.chi2, "odds_ratio_b_over_c": odds.ratio,
            "odds_ratio_ci95_exact": [odds.low, odds.high]}


def _proportion(v: Inputs) -> Fields:
    k, n, confidence = v["k"], v["n"], v["conf"]
    return {"wilson": stats.wilson(k, n, confidence), "clopper_pearson": stats.clopper_pearson(k, n, confidence),
            "one_sided_upper95_exact": stats.rate_limits(k, n, confidence).upper, "rule_of_three": stats.rule_of_three(n)}


def _paired_difference(v: Inputs) -> Fields:
    cells = v["a"], v["b"], v["c"], v["d"]
    got = stats.paired_difference(*cells)
    return {"difference": got.difference, "newcombe10_ci95": [got.low, got.high], "phi_corrected": got.phi, "se_paired_n_minus_1": got.standard_error, "flips": got.flips,
            "mcnemar_exact_p": stats.mcnemar(v["b"], v["c"]).p_exact}


def _fisher(v: Inputs) -> Fields:
    return {"p": stats.fisher(v["ref_bad"], v["ref_ok"], v["target_bad"], v["target_ok"]).p}


def _rule_of_three(v: Inputs) -> Optional[Fields]:
    if "alpha" in v:
        need = stats.clean_runs_needed(v["p"], v["alpha"])
        return {"n_exact": need.exact, "n_poisson": need.poisson, "upper_bound_at_n": stats.rate_limits(0, need.exact, 1 - v["alpha"]).upper}
    return {"n": stats.clean_runs_needed(v["p"], v["beta"]).exact} if "beta" in v else None


def _kaplan_meier(v: Inputs) -> Fields:
    exits = v["exit"] if "exit" in v else v["time"]
    curve = stats.kaplan_meier(exits, v["event"], v.get("entry"))
    columns = ("t", "at_risk", "events", "S", "greenwood_se", "nelson_aalen")
    fields: Fields = {"rows": [dict(zip(columns, row)) for row in zip(*(column.tolist() for column in curve[:6]))], "median": curve.median}
    if "entry" not in v:
        fields[f"rmst_{max(exits)}"] = stats.restricted_mean(exits, v["event"], max(exits)).mean
    return fields


def _log_rank(v: Inputs) -> Fields:
    first, second = (v["time1"], v["event1"]), (v["time2"], v["event2"])
    got = stats.log_rank(*first, *second)
    return {"observed1": got.observed, "expected1": got.expected, "variance": got.variance, "chi2": got.chi2, "p": got.p, "median1": stats.kaplan_meier(*first).median,
            "median2": stats.kaplan_meier(*second).median}


def _survival_expected(v: Inputs) -> Optional[Fields]:
    if "gaps" not in v:
        return None
    at_risk = [gaps[:count] for gaps, count in zip(v["gaps"], v["tokens_at_risk"])]
    gaps = [gap for one in at_risk for gap in one]
    flips = [int(last and i == len(one) - 1) for one, last in zip(at_risk, v["diverged"]) for i in range(len(one))]
    test, sigma, likelihood = stats.flip_test(gaps, flips, v["sigma"]), stats.flip_sigma(gaps, flips), stats.flip_sigma_test(gaps, flips, v["sigma"])
    return {"expected_by_sequence": [stats.flip_test(one, [0] * len(one), v["sigma"]).expected for one in at_risk], "observed": sum(flips), "expected": test.expected,
            "variance": test.variance, "z": test.z, "p_upper": test.p_upper, "p_two_sided": test.p, "loglik_at_sigma": likelihood.log_likelihood, "loglik_max": likelihood.most,
            "lr_chi2": likelihood.chi2, "lr_p": likelihood.p, "sigma_hat": sigma.sigma}


def _distances(v: Inputs, reference: str, target: str) -> Fields:
    of_logits = "logits" in reference
    got = (stats.distances_of_logits if of_logits else stats.distances)(v[reference], v[target])
    fields = {"kl_pq_nats": got.kl_pq, "kl_qp_nats": got.kl_qp, "js_nats": got.js, "js_bits": got.js / math.log(2), "tv": got.tv, "bhattacharyya": got.bhattacharyya,
              "hellinger": got.hellinger, "kl_correct": got.kl_pq}
    if of_logits:
        fields["argmax_same"] = v[reference].index(max(v[reference])) == v[target].index(max(v[target]))
    return fields


def _distribution(v: Inputs) -> Optional[Fields]:
    for names in (("p", "q"), ("ref_logits", "target_logits")):
        if v.keys() == set(names):
            return _distances(v, *names)
    return None


def _peer_defect(v: Inputs) -> Optional[Fields]:
    return _distances(v, "golden_logits", "my_logits") if "golden_logits" in v else None


def _kl_estimator(v: Inputs) -> Fields:
    got = stats.kl_estimates(v["ref_logprob"], v["target_logprob"])
    return {"k1": got.k1, "k2": got.k2, "k3": got.k3, "mean_abs_diff": got.mean_difference, "max_abs_diff": got.most_difference, "max_ratio": math.exp(got.most_difference),
            "nemo_rl_error": got.mean_factor}


def _kld_stats(v: Inputs) -> Fields:
    kld, delta, rms = stats.mean(v["kld"]), stats.mean(v["delta_p"]), stats.root_mean_square(v["delta_p"])
    ratio = stats.paired_mean(v["nll_ref"], v["nll_target"])
    at = stats.quantiles(v["kld"], [0.5, 0.9, 0.99, 0.999, 1]).tolist()
    return {"mean_kld": kld.mean, "mean_kld_unc": kld.standard_error, **dict(zip(("median", "p90", "p99", "p999", "max"), at)), "mean_dp": delta.mean, "rms_dp": rms.mean,
            "rms_dp_unc": rms.standard_error, "ln_ppl_ratio": ratio.difference, "ln_ppl_ratio_unc": ratio.standard_error, "ppl_ratio": math.exp(ratio.difference)}


def _paired_se(v: Inputs) -> Fields:
    ref, target, cluster = v["ref"], v["target"], v["cluster"]
    got = stats.paired_mean(target, ref)  # the vector's difference is reference - target
    se_ref, se_target = stats.mean(ref).standard_error, stats.mean(target).standard_error
    differences = [a - b for a, b in zip(ref, target)]
    return {"mean_diff": got.difference, "se_ref": se_ref, "se_target": se_target, "se_unpaired": math.hypot(se_ref, se_target), "se_paired": got.standard_error,
            "se_paired_clustered": stats.mean(differences, cluster).standard_error, "se_ref_clustered": stats.mean(ref, cluster).standard_error, "correlation": got.correlation,
            "t": got.t, "df": int(got.df), "p_two_sided_t": got.p_t, "p_two_sided_z": got.p_z, "ci95_t": [got.low, got.high]}


def _equivalence(v: Inputs) -> Fields:
    got = stats.equivalence(v["diffs"], v["margin"])
    return {"mean": got.mean, "se": got.standard_error, "p_lower": got.p_lower, "p_upper": got.p_upper, "p_tost": got.p, "ci90": [got.low, got.high]}


def _multiplicity(v: Inputs) -> Fields:
    bh, holm = stats.benjamini_hochberg(v["p"]).tolist(), stats.holm(v["p"]).tolist()
    return {"bh": bh, "holm": holm, "bh_rejects_at_0.05": sum(p <= 0.05 for p in bh), "holm_rejects_at_0.05": sum(p <= 0.05 for p in holm)}


def _sequential(v: Inputs) -> Optional[Fields]:
    if "failures" not in v:
        return None
    k, n = v["failures"], v["runs"]
    got = stats.e_value(k, n, v["p0"])
    return {"e_two_sided": got.e, "p_anytime": got.p, "e_rate_exceeds": got.e_above, "confidence_sequence95": stats.confidence_sequence(k, n, 1 - v["alpha"])}


def _two_sample(v: Inputs) -> Fields:
    sides: list[dict[int, list[list[int]]]] = []
    for rows in (v["ref"], v["target"]):
        sides.append({})
        for prompt, *ids in rows:
            sides[-1].setdefault(prompt, []).append(ids)
    got = stats.mmd(*sides)
    return {"mmd2": got.mmd2, "permutations": got.splits, "at_least": got.at_least, "p_exact": got.p if got.exact else None}


def _near_tie(v: Inputs) -> Optional[Fields]:
    if "ref_top" not in v:
        return None
    reference, target = ({int(token): logprob for token, logprob in v[side].items()} for side in ("ref_top", "target_top"))
    got = stats.swing(reference, v["ref_token"], target, v["target_token"], v["tau"])
    return {"gap_ref": got.reference_gap, "gap_target": got.target_gap, "swing": got.swing, "swing_is_lower_bound": got.is_bound, "class": got.kind}


def _position_bucket(v: Inputs) -> Optional[Fields]:
    if "observed" in v:
        return {"p_upper": stats.poisson(v["observed"], v["expected"]).p_at_least}
    if "abs_diff" in v:
        got = stats.spearman(v["position"], v["abs_diff"])
        return {"rho": got.rho, "t": got.t, "p_two_sided": got.p}
    return None


def _power(v: Inputs) -> Optional[Fields]:
    if v.keys() == {"sigma", "n", "alpha", "beta"}:
        got = stats.unpaired_detectable(v["sigma"], v["n"], v["alpha"], v["beta"])
        return {"threshold_drop": got.threshold, "theta": got.detectable}
    if v.keys() == {"discordance", "n", "alpha", "beta", "theta_unpaired"}:
        theta = v["theta_unpaired"]
        return {"theta_paired": 100 * stats.paired_detectable(v["discordance"], v["n"], v["alpha"], v["beta"]),
                f"n_for_{theta:.3f}_points": stats.pairs_needed(v["discordance"], theta / 100, v["alpha"], v["beta"])}
    return None


GROUPS: dict[str, Runner] = {
    "distribution": _distribution, "equivalence": _equivalence, "fisher": _fisher, "kaplan_meier": _kaplan_meier, "kl_estimator": _kl_estimator, "kld_stats": _kld_stats,
    "log_rank": _log_rank, "mcnemar": _mcnemar, "multiplicity": _multiplicity, "near_tie": _near_tie, "paired_difference": _paired_difference, "paired_se": _paired_se,
    "peer_defect": _peer_defect, "position_bucket": _position_bucket, "power": _power, "proportion": _proportion, "rule_of_three": _rule_of_three,
    "sequential": _sequential, "survival_expected": _survival_expected, "two_sample": _two_sample,
}

"""The statistics of accuracy work: pure functions of numbers, with the same bits as in C and on every machine (include/vaa/stats.h).

    >>> vaa.stats.wilson(81, 263)
    Interval(low=0.2552885198782743, high=0.36620957698280004)

Arrays are lists or numpy arrays of any layout and number type; results are floats, ints, named tuples and numpy arrays. Counts are whole numbers up to 2^53. What is out of
range raises vaa.Error, whose message names parameter, value and what is allowed; an array of no numbers raises TypeError. A result that does not exist is nan, an infinite
one inf. p values are two-sided unless said. docs/statistics.md says when to use which, and when not.
"""

from ._stats_runs import (
    CleanRuns, Detectable, Dispersion, EValue, Equivalence, Fisher, Goodness, Interval, Limits, McNemar, Mean, OddsRatio, PairedDifference, PairedMean,
    RankCorrelation, RateDifference, Sprt, benjamini_hochberg, clean_runs_needed, clopper_pearson, confidence_sequence, dispersion, e_value,
    equivalence, fisher, group_size_needed, holm, mcnemar, mcnemar_odds_ratio, mean, paired_detectable, paired_difference, paired_mean, pairs_needed, pearson,
    quantiles, questions_needed, rate_difference, rate_limits, repeats_needed, root_mean_square, rule_of_three, samples_needed_above, spearman, sprt,
    unpaired_detectable, wilson,
)
from ._stats_tokens import (
    Distances, HazardTest, KlEstimates, LogRank, NoiseScale, Poisson, SigmaTest, SurvivalCurve, Swing, TopKBound, TwoSample, distances,
    distances_of_logits, flip_sigma, flip_sigma_test, flip_test, hazard_test, kaplan_meier, kl_estimates, kl_from_top_k, log_rank, mmd, poisson,
    restricted_mean, swing,
)

__all__ = [
    "CleanRuns", "Detectable", "Dispersion", "Distances", "EValue", "Equivalence", "Fisher", "Goodness", "HazardTest", "Interval", "KlEstimates", "Limits",
    "LogRank", "McNemar", "Mean", "NoiseScale", "OddsRatio", "PairedDifference", "PairedMean", "Poisson", "RankCorrelation", "RateDifference",
    "SigmaTest", "Sprt", "SurvivalCurve", "Swing", "TopKBound", "TwoSample", "benjamini_hochberg", "clean_runs_needed", "clopper_pearson",
    "confidence_sequence", "dispersion", "distances", "distances_of_logits", "e_value", "equivalence", "fisher", "flip_sigma", "flip_sigma_test",
    "flip_test", "group_size_needed", "hazard_test", "holm", "kaplan_meier", "kl_estimates", "kl_from_top_k", "log_rank", "mcnemar",
    "mcnemar_odds_ratio", "mean", "mmd", "paired_detectable", "paired_difference", "paired_mean", "pairs_needed", "pearson", "poisson", "quantiles",
    "questions_needed", "rate_difference", "rate_limits", "repeats_needed", "restricted_mean", "root_mean_square", "rule_of_three",
    "samples_needed_above", "spearman", "sprt", "swing", "unpaired_detectable", "wilson",
]

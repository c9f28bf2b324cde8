// Clean answers for the benchmarks: made up, deterministic, with the frequencies of words and characters of English and Chinese prose, without repetition.
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

std::string english_prose(std::mt19937_64& random, size_t bytes);
std::string chinese_prose(std::mt19937_64& random, size_t bytes);

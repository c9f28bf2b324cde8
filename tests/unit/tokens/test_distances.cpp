#include "catch.h"
#include "made_ids.h"
#include "tokens/bit_strips.h"
#include "tokens/diagonals.h"
#include "tokens/edit_script.h"
#include "tokens/reconverge.h"

using namespace vaa;

namespace {

constexpr int64_t kAny = 1 << 30;

// Pairs of every kind: small and large alphabets, edited copies and strangers, one side much longer, empty ones.
template <class Visit>
void each_pair(int count, size_t largest, Visit&& visit) {
  std::mt19937 random(2024);
  for (int i = 0; i < count; ++i) {
    const uint32_t vocabulary = 1 + random() % (i % 3 == 0 ? 4u : i % 3 == 1 ? 60u : 100000u);
    const IdList a = random_ids(&random, random() % (i % 5 == 0 ? 20 : largest), vocabulary);
    const IdList b = i % 2 ? edited(a, &random, random() % 60, vocabulary) : random_ids(&random, random() % largest, vocabulary);
    visit(a, b, random);
  }
}

}  // namespace

TEST_CASE("distances: bit strips of every instruction set give what the table gives, at every limit", "[tokens]") {
  for (const BitStrips::Isa isa : {BitStrips::Isa::kBest, BitStrips::Isa::kBase}) {
    BitStrips strips(isa);
    each_pair(400, 1400, [&](const IdList& a, const IdList& b, std::mt19937&) {
      const TableDistances want = by_table(a, b);
      const int64_t longer = static_cast<int64_t>(std::max(a.size(), b.size()));
      CHECK(strips.levenshtein(a, b, kAny) == want.levenshtein);
      CHECK(strips.common_subsequence(a, b) == want.lcs);
      for (const int64_t limit : {want.levenshtein, want.levenshtein + 1, want.levenshtein + 7, want.levenshtein - 1, want.levenshtein / 2}) {
        if (limit < 0) continue;
        CHECK(strips.levenshtein(a, b, limit) == (want.levenshtein <= limit ? want.levenshtein : std::min(limit, longer) + 1));
      }
    });
  }
}

TEST_CASE("distances: a column holds the distance of every prefix", "[tokens]") {
  BitStrips strips;
  each_pair(60, 700, [&](const IdList& a, const IdList& b, std::mt19937& random) {
    std::vector<int32_t> column;
    strips.levenshtein_column(a, b, &column);
    REQUIRE(column.size() == a.size() + 1);
    for (int k = 0; k < 5; ++k) {
      const size_t i = random() % column.size();
      CHECK(column[i] == by_table(IdList(a.begin(), a.begin() + static_cast<ptrdiff_t>(i)), b).levenshtein);
    }
  });
}

TEST_CASE("distances: diagonals give what the table gives, or say that it is more than the limit", "[tokens]") {
  Diagonals diagonals;
  each_pair(400, 500, [&](const IdList& a, const IdList& b, std::mt19937&) {
    const TableDistances want = by_table(a, b);
    CHECK(diagonals.levenshtein(a, b, kAny, kAny).distance == want.levenshtein);
    CHECK(diagonals.indel(a, b, kAny, kAny).distance == static_cast<int64_t>(a.size() + b.size()) - 2 * want.lcs);
    CHECK(diagonals.levenshtein(a, b, want.levenshtein, kAny).distance == want.levenshtein);
    if (want.levenshtein > 0) CHECK(diagonals.levenshtein(a, b, want.levenshtein - 1, kAny).distance == -1);
  });
}

TEST_CASE("distances: a script is as short as the distance, and equal between its hunks", "[tokens]") {
  EditScript script;
  BitStrips strips;
  std::vector<Hunk> hunks;
  int pair = 0;
  each_pair(300, 3000, [&](const IdList& a, const IdList& b, std::mt19937&) {
    CAPTURE(pair++);
    script.hunks(a, b, &hunks);
    int64_t cost = 0, i = 0, j = 0;
    bool equal = true;
    hunks.push_back({static_cast<int64_t>(a.size()), 0, static_cast<int64_t>(b.size()), 0});
    for (const Hunk& h : hunks) {
      cost += std::max(h.reference_size, h.target_size);
      const int64_t kept = h.reference_at - i;
      equal = equal && kept >= 0 && kept == h.target_at - j && std::equal(a.begin() + i, a.begin() + i + kept, b.begin() + j);
      i = h.reference_at + h.reference_size;
      j = h.target_at + h.target_size;
    }
    CHECK(equal);
    CHECK(cost == strips.levenshtein(a, b, kAny));
  });
}

TEST_CASE("reconverge: the pair with the smallest sum, then the smallest index in the reference", "[tokens]") {
  Reconvergence reconvergence;
  each_pair(300, 250, [&](const IdList& a, const IdList& b, std::mt19937& random) {
    const size_t window = 1 + random() % 5, from = common_prefix(a, b);
    int64_t sum = kAny;
    std::pair<int64_t, int64_t> want{-1, -1};
    for (size_t i = from; i + window <= a.size(); ++i) {
      for (size_t j = from; j + window <= b.size() && static_cast<int64_t>(i + j) < sum; ++j) {
        if (!std::equal(a.begin() + static_cast<ptrdiff_t>(i), a.begin() + static_cast<ptrdiff_t>(i + window), b.begin() + static_cast<ptrdiff_t>(j))) continue;
        sum = static_cast<int64_t>(i + j);
        want = {static_cast<int64_t>(i), static_cast<int64_t>(j)};
      }
    }
    CHECK(reconvergence.find(a, b, from, window).value_or(std::pair<int64_t, int64_t>{-1, -1}) == want);
  });
}

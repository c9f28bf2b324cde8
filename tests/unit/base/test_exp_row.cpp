// Beside long double's expl, and path beside path.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/exp_row.h"
#include "catch.h"

using namespace vaa;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const size_t kSizes[] = {1, 2, 3, 15, 16, 17, 31, 33, 100, 1000, 4099};

std::vector<RowIsa> paths() {
  std::vector<RowIsa> all{RowIsa::kBase, RowIsa::kBest};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) all.push_back(RowIsa::kAvx2);
  if (__builtin_cpu_supports("avx512f")) all.push_back(RowIsa::kAvx512);
#endif
  return all;
}

// At most 0, some far down, some -infinity.
template <class Value>
std::vector<Value> row(size_t size, unsigned seed) {
  std::mt19937 source(seed);
  std::vector<Value> z(size);
  for (Value& x : z) {
    const double u = source() * 0x1p-32;
    x = static_cast<Value>(source() % 50 == 0 ? -kInfinity : source() % 10 == 0 ? -800 * u : -20 * u);
  }
  z[source() % size] = 0;
  return z;
}

template <class Value>
bool same(const std::vector<Value>& a, const std::vector<Value>& b) { return std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0; }

}  // namespace

TEST_CASE("exp_row: weights are within 1 ulp and their sum within its last place", "[base]") {
  for (const size_t size : kSizes) {
    const std::vector<double> z = row<double>(size, 1);
    std::vector<double> weights(size);
    const double sum = exp_row(z.data(), size, 0, weights.data());
    long double total = 0;
    for (size_t i = 0; i < size; ++i) {
      const long double want = expl(static_cast<long double>(z[i]));
      const double near = static_cast<double>(want);
      CHECK(std::fabs(static_cast<long double>(weights[i]) - want) <= std::nextafter(near, kInfinity) - near);
      total += weights[i];
    }
    CHECK(std::fabs(sum - static_cast<double>(total)) <= 1.2e-16 * sum);
  }
}

TEST_CASE("exp_row_float: weights are within 2 ulp", "[base]") {
  for (const size_t size : kSizes) {
    const std::vector<float> z = row<float>(size, 2);
    std::vector<float> weights(size);
    const double sum = exp_row_float(z.data(), size, 0, weights.data());
    double total = 0;
    for (size_t i = 0; i < size; ++i) {
      const double want = std::exp(static_cast<double>(z[i]));
      const float near = static_cast<float>(want);
      CHECK(std::fabs(static_cast<double>(weights[i]) - want) <= 2 * static_cast<double>(std::nextafter(near, INFINITY) - near));
      total += static_cast<double>(weights[i]);
    }
    CHECK(sum == Approx(total).epsilon(1e-14));
  }
}

TEST_CASE("exp_row: every instruction set gives the same bits", "[base]") {
  for (const size_t size : kSizes) {
    const std::vector<double> doubles = row<double>(size, 3);
    const std::vector<float> floats = row<float>(size, 4);
    std::vector<double> want(size), got(size);
    std::vector<float> want_float(size), got_float(size);
    const double sum = exp_row(doubles.data(), size, 0, want.data(), RowIsa::kBase);
    const double sum_float = exp_row_float(floats.data(), size, 0, want_float.data(), RowIsa::kBase);
    for (const RowIsa isa : paths()) {
      CHECK(exp_row(doubles.data(), size, 0, got.data(), isa) == sum);
      CHECK(same(got, want));
      CHECK(exp_row_float(floats.data(), size, 0, got_float.data(), isa) == sum_float);
      CHECK(same(got_float, want_float));
    }
  }
}

TEST_CASE("exp_row: floats are taken as the doubles that they are", "[base]") {
  const std::vector<float> floats = row<float>(1000, 5);
  const std::vector<double> doubles(floats.begin(), floats.end());
  std::vector<double> a(1000), b(1000);
  CHECK(exp_row(floats.data(), 1000, 0, a.data()) == exp_row(doubles.data(), 1000, 0, b.data()));
  CHECK(same(a, b));
}

TEST_CASE("widen_row: the largest as max_row has it, the numbers as doubles, and whether one is masked", "[base]") {
  for (const RowIsa isa : paths()) {
    for (const size_t size : {1, 7, 8, 15, 16, 17, 33, 100}) {
      std::vector<float> z(size);
      for (size_t i = 0; i < size; ++i) z[i] = static_cast<float>(i * 7 % 5) - 2.25f;
      std::vector<double> out(size);
      bool masked = true;
      CHECK(widen_row(z.data(), size, out.data(), &masked, isa) == max_row(z.data(), size, isa));
      CHECK_FALSE(masked);
      CHECK(std::equal(out.begin(), out.end(), z.begin(), [](double wide, float x) { return wide == static_cast<double>(x); }));
      for (const size_t at : {size_t{0}, size / 2, size - 1}) {
        std::vector<float> one = z;
        one[at] = -INFINITY;
        widen_row(one.data(), size, out.data(), &masked, isa);
        CHECK(masked);
        CHECK(out[at] == -INFINITY);
        one[at] = NAN;
        CHECK(std::isnan(widen_row(one.data(), size, out.data(), &masked, isa)));
      }
    }
  }
}

TEST_CASE("max_row: the largest of any place, and a NaN wherever it stands", "[base]") {
  for (const size_t size : kSizes) {
    for (const RowIsa isa : paths()) {
      std::vector<float> z = row<float>(size, 6);
      for (size_t i = 0; i < size; i += 1 + size / 40) {
        const float before = z[i];
        z[i] = 3;
        CHECK(max_row(z.data(), size, isa) == 3);
        z[i] = std::numeric_limits<float>::quiet_NaN();
        CHECK(std::isnan(max_row(z.data(), size, isa)));
        z[i] = before;
      }
      CHECK(max_row(std::vector<float>(size, -INFINITY).data(), size, isa) == -INFINITY);
    }
  }
}

// What the tests of the C API share. They see include/vaa and the shared library alone.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "catch.h"
#include "vaa/vaa.h"

inline vaa_str str(std::string_view s) { return {s.data(), s.size()}; }
inline std::string text(vaa_str s) { return s.size ? std::string(s.data, s.size) : std::string(); }

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* p) const { kFree(p); }
};
template <class T, auto kFree>
using Owned = std::unique_ptr<T, Free<kFree>>;
using Sample = Owned<vaa_sample, vaa_sample_free>;
using Checker = Owned<vaa_checker, vaa_checker_free>;
using Tally = Owned<vaa_tally, vaa_tally_free>;
using Records = Owned<vaa_records, vaa_records_free>;
using Cursor = Owned<vaa_cursor, vaa_cursor_free>;
using Report = Owned<vaa_report, vaa_report_free>;
using Text = Owned<vaa_text, vaa_text_free>;
using Task = Owned<vaa_task, vaa_task_free>;
using Vocab = Owned<vaa_vocab, vaa_vocab_free>;
using Error = Owned<vaa_error, vaa_error_free>;

// Calls `f(err)` and gives the error it left; fails the test where status and error disagree.
template <class F>
Error fault(F&& f) {
  vaa_error* err = reinterpret_cast<vaa_error*>(1);
  const vaa_status status = f(&err);
  REQUIRE(status == vaa_error_status(err));
  REQUIRE((status == VAA_OK) == (err == nullptr));
  return Error(err);
}
inline std::string message(const Error& error) { return text(vaa_error_message(error.get())); }

// Calls that must succeed.
template <class F>
void ok(F&& f) {
  const Error error = fault(f);
  INFO(message(error));
  REQUIRE(vaa_error_status(error.get()) == VAA_OK);
}

inline Sample new_sample() {
  vaa_sample* s = nullptr;
  ok([&](vaa_error** err) { return vaa_sample_new(&s, err); });
  return Sample(s);
}
inline Checker new_checker(std::string_view options = "") {
  vaa_checker* c = nullptr;
  ok([&](vaa_error** err) { return vaa_checker_new(str(options), nullptr, &c, err); });
  return Checker(c);
}
inline Tally new_tally(const Checker& checker, std::string_view options = "") {
  vaa_tally* t = nullptr;
  ok([&](vaa_error** err) { return vaa_tally_new(checker.get(), str(options), &t, err); });
  return Tally(t);
}
inline Records open_records(std::string_view path, std::string_view options = "") {
  vaa_records* r = nullptr;
  ok([&](vaa_error** err) { return vaa_records_open(str(path), str(options), &r, err); });
  return Records(r);
}
inline void set(const Sample& sample, vaa_field field, std::string_view value) {
  ok([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), field, str(value), err); });
}
inline bool has_flag(const vaa_findings& findings, std::string_view flag) {
  for (size_t i = 0; i < findings.size; ++i)
    if (text(vaa_flag_name(findings.data[i].flag)) == flag) return true;
  return false;
}
inline bool unknown(const vaa_findings& findings, std::string_view flag) {
  for (int32_t i = 0; i < vaa_flag_count(); ++i)
    if (text(vaa_flag_name(i)) == flag) return (findings.unknown >> i) & 1;
  return false;
}

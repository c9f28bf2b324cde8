// Options: a JSON object checked against a table. An unknown key, a wrong type, a value out of range, a key given twice is a Failure (VAA_ERROR_OPTION) that names
// the call, the key, the value and what is allowed: `vaa_check_records: threads: 0 is out of range, allowed are 1 to 1024`; `vaa_check_records: thread: no such
// option; did you mean threads? known: …`. The JSON is read strictly (RFC 8259, valid UTF-8); null is a wrong type: an option that is not given is left out.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vaa {

struct OptionSpec {
  enum class Type : uint8_t { kBool, kInt, kReal, kText, kChoice, kTexts, kJson };
  const char* name;
  Type type;
  double min = 0, max = 0;        // inclusive; kInt, kReal: the value; kText, kTexts: bytes of a text; both 0: any (a real must be finite)
  const char* choices = "";       // kChoice: "json|text|markdown"
  const char* fallback = "";      // the default as JSON ("" : none); of the option's type, its range is not checked
  const char* help = "";          // one line, for docs and --help
};

class Options {
 public:
  // `json` empty means {}. `what` names the call in messages, such as "vaa_checker_new".
  Options(std::string_view json, const OptionSpec* table, size_t table_size, std::string_view what);
  template <size_t N>
  Options(std::string_view json, const OptionSpec (&table)[N], std::string_view what) : Options(json, table, N, what) {}

  bool has(std::string_view name) const;  // given or with a default
  bool given(std::string_view name) const;
  // Of a name that is not in the table, of another type or without a value: VAA_ERROR_INTERNAL.
  bool boolean(std::string_view name) const;
  int64_t integer(std::string_view name) const;  // exact over all of int64
  double real(std::string_view name) const;
  const std::string& text(std::string_view name) const;  // kText, kChoice; kJson: the value as it was written, well-formed, for the caller to read
  const std::vector<std::string>& texts(std::string_view name) const;

 private:
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<std::string>>;
  friend struct OptionParser;
  size_t index(std::string_view name) const;
  template <class T>
  const T& get(std::string_view name) const;
  const OptionSpec* table_;
  size_t size_;
  std::vector<Value> values_;
  std::vector<bool> given_;
};

}  // namespace vaa

#include "base/options.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/nearest_name.h"

namespace vaa {

namespace {

using Type = OptionSpec::Type;

const char* type_name(Type type) {
  switch (type) {
    case Type::kBool: return "true or false";
    case Type::kInt: return "an integer";
    case Type::kReal: return "a number";
    case Type::kText: return "text";
    case Type::kChoice: return "one of";
    case Type::kTexts: return "an array of texts";
    case Type::kJson: return "any value";
  }
  return "";
}

bool bounded(const OptionSpec& spec) { return spec.min != 0 || spec.max != 0; }

std::string decimal(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

// Bounds are doubles: from 2^63 on they bound nothing.
bool within(int64_t value, const OptionSpec& spec) {
  constexpr double kBeyond = 9223372036854775808.0;
  if (!bounded(spec)) return true;
  const bool above = spec.min <= -kBeyond || (spec.min < kBeyond && value >= static_cast<int64_t>(std::ceil(spec.min)));
  const bool below = spec.max >= kBeyond || (spec.max >= -kBeyond && value <= static_cast<int64_t>(std::floor(spec.max)));
  return above && below;
}

std::vector<std::string_view> split(std::string_view choices) {
  std::vector<std::string_view> out;
  for (;;) {
    const size_t bar = choices.find('|');
    out.push_back(choices.substr(0, bar));
    if (bar == std::string_view::npos) return out;
    choices.remove_prefix(bar + 1);
  }
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

}  // namespace

// One object of options on its way into the table's values.
struct OptionParser {
  Options& options;
  JsonReader& reader;
  std::string_view what;  // the call
  vaa_status status = VAA_ERROR_OPTION;

  [[noreturn]] void refuse(const std::string& message) const { fail(status, (what.empty() ? std::string() : std::string(what) + ": ") + message); }

  [[noreturn]] void refuse_json() const { refuse("the options are no JSON: " + std::string(reader.error()) + " at byte " + std::to_string(reader.error_at())); }

  [[noreturn]] void refuse_value(const OptionSpec& spec, std::string_view value, const std::string& allowed) const {
    refuse(std::string(spec.name) + ": " + std::string(value) + " " + allowed);
  }

  // The value that stands next, as a message shows it: text in quotation marks, a number as it was written, else its kind.
  std::string shown() {
    const JsonKind kind = reader.peek();
    std::string_view value;
    if (kind == JsonKind::kString) {
      if (!reader.string(&value)) refuse_json();
      return quoted(value);
    }
    if (!reader.raw(&value)) refuse_json();
    if (kind == JsonKind::kObject || kind == JsonKind::kArray) return json_kind_name(kind);
    return std::string(value.substr(0, 80)) + (value.size() > 80 ? "…" : "");
  }

  void expect(const OptionSpec& spec, JsonKind kind) {
    if (reader.peek() == kind) return;
    std::string allowed = std::string("is of the wrong type, must be ") + type_name(spec.type);
    if (spec.type == Type::kChoice) allowed.append(" ").append(listed(split(spec.choices)));
    refuse_value(spec, shown(), allowed);
  }

  std::string range(const OptionSpec& spec) const { return "is out of range, allowed are " + decimal(spec.min) + " to " + decimal(spec.max); }

  int64_t integer(const OptionSpec& spec) {
    std::string_view text;
    if (!reader.number(&text)) refuse_json();
    const std::string value = std::string(text.substr(0, 80)) + (text.size() > 80 ? "…" : "");
    if (text.find_first_of(".eE") != std::string_view::npos) refuse_value(spec, value, "is of the wrong type, must be an integer");
    int64_t number = 0;
    JsonReader again(text, JsonReader::Mode::kStrict);
    if (!again.int64(&number)) refuse_value(spec, value, bounded(spec) ? range(spec) : "is out of range, allowed are -9223372036854775808 to 9223372036854775807");
    if (!within(number, spec)) refuse_value(spec, value, range(spec));
    return number;
  }

  double real(const OptionSpec& spec) {
    std::string_view text;
    if (!reader.number(&text)) refuse_json();
    const std::string value = std::string(text.substr(0, 80)) + (text.size() > 80 ? "…" : "");
    double number = 0;
    JsonReader(text, JsonReader::Mode::kStrict).real(&number);
    if (std::isinf(number) && !bounded(spec)) refuse_value(spec, value, "is out of range, must be finite");
    if (bounded(spec) && !(number >= spec.min && number <= spec.max)) refuse_value(spec, value, range(spec));
    return number;
  }

  std::string text(const OptionSpec& spec) {
    std::string value;
    if (!reader.string(&value)) refuse_json();
    if (bounded(spec) && !within(static_cast<int64_t>(value.size()), spec)) {
      refuse_value(spec, quoted(value), "has " + std::to_string(value.size()) + " bytes, allowed are " + decimal(spec.min) + " to " + decimal(spec.max));
    }
    return value;
  }

  std::string choice(const OptionSpec& spec) {
    std::string value;
    if (!reader.string(&value)) refuse_json();
    const auto choices = split(spec.choices);
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) refuse_value(spec, quoted(value), "is not known, allowed are " + listed(choices));
    return value;
  }

  std::vector<std::string> texts(const OptionSpec& spec) {
    std::vector<std::string> values;
    reader.array();
    while (reader.element()) {
      if (reader.peek() != JsonKind::kString) {
        const std::string value = shown();
        refuse(std::string(spec.name) + "[" + std::to_string(values.size()) + "]: " + value + " is of the wrong type, must be text");
      }
      values.push_back(text(spec));
    }
    if (reader.failed()) refuse_json();
    return values;
  }

  Options::Value value(const OptionSpec& spec) {
    if (reader.peek() == JsonKind::kInvalid) {
      std::string_view none;
      reader.raw(&none);
      refuse_json();
    }
    switch (spec.type) {
      case Type::kBool: {
        bool flag = false;
        expect(spec, JsonKind::kBool);
        if (!reader.boolean(&flag)) refuse_json();
        return flag;
      }
      case Type::kInt: expect(spec, JsonKind::kNumber); return integer(spec);
      case Type::kReal: expect(spec, JsonKind::kNumber); return real(spec);
      case Type::kText: expect(spec, JsonKind::kString); return text(spec);
      case Type::kChoice: expect(spec, JsonKind::kString); return choice(spec);
      case Type::kTexts: expect(spec, JsonKind::kArray); return texts(spec);
      case Type::kJson: {
        std::string_view bytes;
        if (!reader.raw(&bytes)) refuse_json();
        return std::string(bytes);
      }
    }
    return {};
  }

  [[noreturn]] void refuse_key(std::string_view key) const {
    std::vector<std::string_view> known;
    for (size_t i = 0; i < options.size_; ++i) known.push_back(options.table_[i].name);
    const std::string_view near = nearest_name(key, known);
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const bool plain = !key.empty() && key.size() <= 64 && key.find_first_not_of(kPlain) == std::string_view::npos;
    refuse((plain ? std::string(key) : quoted(key)) + ": no such option" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") +
           (known.empty() ? "; none are known" : (near.empty() ? "; known: " : " known: ") + listed(known)));
  }

  void parse() {
    const JsonKind kind = reader.peek();
    if (kind != JsonKind::kObject && kind != JsonKind::kInvalid) refuse("the options are " + std::string(json_kind_name(kind)) + ", must be an object");
    std::string_view key;
    reader.object();
    while (reader.key(&key)) {
      const size_t i = options.index(key);
      if (i == options.size_) refuse_key(key);
      if (options.given_[i]) refuse(std::string(key) + ": given twice");
      options.given_[i] = true;
      options.values_[i] = value(options.table_[i]);
    }
    if (!reader.finish()) refuse_json();
  }
};

Options::Options(std::string_view json, const OptionSpec* table, size_t table_size, std::string_view what)
    : table_(table), size_(table_size), values_(table_size), given_(table_size) {
  if (!json.empty()) {
    JsonReader reader(json, JsonReader::Mode::kStrict);
    OptionParser{*this, reader, what}.parse();
  }
  for (size_t i = 0; i < size_; ++i) {
    if (given_[i] || *table_[i].fallback == '\0') continue;
    OptionSpec spec = table_[i];
    spec.min = spec.max = 0;
    JsonReader reader(spec.fallback, JsonReader::Mode::kStrict);
    values_[i] = OptionParser{*this, reader, what, VAA_ERROR_INTERNAL}.value(spec);
  }
}

// The place in the table; size_ where there is none.
size_t Options::index(std::string_view name) const {
  size_t i = 0;
  while (i < size_ && name != table_[i].name) ++i;
  return i;
}

template <class T>
const T& Options::get(std::string_view name) const {
  const size_t i = index(name);
  const T* value = i < size_ ? std::get_if<T>(&values_[i]) : nullptr;
  if (!value) fail(VAA_ERROR_INTERNAL, std::string(name) + ": an option of another type or without a value was asked for");
  return *value;
}

bool Options::has(std::string_view name) const {
  const size_t i = index(name);
  return i < size_ && values_[i].index() != 0;
}

bool Options::given(std::string_view name) const {
  const size_t i = index(name);
  return i < size_ && given_[i];
}

bool Options::boolean(std::string_view name) const { return get<bool>(name); }
int64_t Options::integer(std::string_view name) const { return get<int64_t>(name); }
double Options::real(std::string_view name) const { return get<double>(name); }
const std::string& Options::text(std::string_view name) const { return get<std::string>(name); }
const std::vector<std::string>& Options::texts(std::string_view name) const { return get<std::vector<std::string>>(name); }

}  // namespace vaa

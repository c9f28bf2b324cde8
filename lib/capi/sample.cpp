// include/vaa/sample.h
#include "vaa/sample.h"

#include <cmath>

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"

namespace vaa {
namespace {

// The field types: their enum, the first number, and the name for messages.
template <class Field>
struct Kind;
template <> struct Kind<TextField> { static constexpr int kBase = 100; static constexpr const char* kName = "text"; };
template <> struct Kind<IntField> { static constexpr int kBase = 200; static constexpr const char* kName = "an integer"; };
template <> struct Kind<RealField> { static constexpr int kBase = 300; static constexpr const char* kName = "a number"; };
template <> struct Kind<IdsField> { static constexpr int kBase = 400; static constexpr const char* kName = "token ids"; };
template <> struct Kind<RealsField> { static constexpr int kBase = 500; static constexpr const char* kName = "a list of numbers"; };
template <> struct Kind<IntsField> { static constexpr int kBase = 600; static constexpr const char* kName = "a list of integers"; };

const char* type_name(vaa_field field) {
  switch (field / 100) {
    case 1: return Kind<TextField>::kName;
    case 2: return Kind<IntField>::kName;
    case 3: return Kind<RealField>::kName;
    case 4: return Kind<IdsField>::kName;
    case 5: return Kind<RealsField>::kName;
    default: return Kind<IntsField>::kName;
  }
}

template <class Field>
Field checked(vaa_field field) {
  const FieldInfo* info = find_field(field);
  if (!info) fail(VAA_ERROR_ARGUMENT, "field: " + std::to_string(field) + " is no field");
  if (field < Kind<Field>::kBase || field >= Kind<Field>::kBase + 100)
    fail(VAA_ERROR_ARGUMENT, std::string(info->name) + ": is " + type_name(field) + ", not " + Kind<Field>::kName);
  return static_cast<Field>(field);
}

template <class Field>
Field recorded(const Sample& sample, vaa_field field) {
  const Field f = checked<Field>(field);
  if (!sample.has(f)) fail(VAA_ERROR_NOT_FOUND, std::string(find_field(field)->name) + ": is not recorded");
  return f;
}

void unset(Sample* sample, vaa_field field) {
  if (!find_field(field)) fail(VAA_ERROR_ARGUMENT, "field: " + std::to_string(field) + " is no field");
  switch (field / 100) {
    case 1: return sample->texts.unset(static_cast<TextField>(field));
    case 2: return sample->ints.unset(static_cast<IntField>(field));
    case 3: return sample->reals.unset(static_cast<RealField>(field));
    case 4: return sample->ids.unset(static_cast<IdsField>(field));
    case 5: return sample->real_lists.unset(static_cast<RealsField>(field));
    default: return sample->int_lists.unset(static_cast<IntsField>(field));
  }
}

bool has(const Sample& sample, vaa_field field) {
  if (!find_field(field)) return false;
  switch (field / 100) {
    case 1: return sample.has(static_cast<TextField>(field));
    case 2: return sample.has(static_cast<IntField>(field));
    case 3: return sample.has(static_cast<RealField>(field));
    case 4: return sample.has(static_cast<IdsField>(field));
    case 5: return sample.has(static_cast<RealsField>(field));
    default: return sample.has(static_cast<IntsField>(field));
  }
}

}  // namespace
}  // namespace vaa

using vaa::checked;
using vaa::given;
using vaa::guard;
using vaa::recorded;

extern "C" {

vaa_status vaa_sample_new(vaa_sample** out_sample, vaa_error** err) {
  return guard(err, [&] {
    given(out_sample, "out_sample");
    *out_sample = new vaa_sample;
  });
}
void vaa_sample_clear(vaa_sample* sample) {
  if (sample) sample->sample.clear();
}
void vaa_sample_free(vaa_sample* sample) { delete sample; }

vaa_status vaa_sample_set_str(vaa_sample* sample, vaa_field field, vaa_str value, vaa_error** err) {
  return guard(err, [&] {
    const auto f = checked<vaa::TextField>(field);
    vaa::check_text_value(f, vaa::view(value));
    given(sample, "sample")->sample.set(f, vaa::view(value));
  });
}
vaa_status vaa_sample_set_i64(vaa_sample* sample, vaa_field field, int64_t value, vaa_error** err) {
  return guard(err, [&] {
    const auto f = checked<vaa::IntField>(field);
    vaa::check_integer_value(f, value);
    given(sample, "sample")->sample.set(f, value);
  });
}
vaa_status vaa_sample_set_f64(vaa_sample* sample, vaa_field field, double value, vaa_error** err) {
  return guard(err, [&] {
    const auto f = checked<vaa::RealField>(field);
    given(sample, "sample")->sample.set(f, value);
  });
}
vaa_status vaa_sample_set_ids(vaa_sample* sample, vaa_field field, vaa_ids value, vaa_error** err) {
  return guard(err, [&] {
    const auto f = checked<vaa::IdsField>(field);
    const auto ids = vaa::view(value);
    given(sample, "sample")->sample.ids.put(f).assign(ids.begin(), ids.end());
  });
}
vaa_status vaa_sample_set_f64s(vaa_sample* sample, vaa_field field, vaa_f64s value, vaa_error** err) {
  return guard(err, [&] {
    const auto f = checked<vaa::RealsField>(field);
    const auto values = vaa::view(value);
    given(sample, "sample")->sample.real_lists.put(f).assign(values.begin(), values.end());
  });
}
vaa_status vaa_sample_set_i64s(vaa_sample* sample, vaa_field field, vaa_i64s value, vaa_error** err) {
  return guard(err, [&] {
    const auto f = checked<vaa::IntsField>(field);
    const auto values = vaa::view(value);
    given(sample, "sample")->sample.int_lists.put(f).assign(values.begin(), values.end());
  });
}
vaa_status vaa_sample_unset(vaa_sample* sample, vaa_field field, vaa_error** err) {
  return guard(err, [&] { vaa::unset(&given(sample, "sample")->sample, field); });
}

int32_t vaa_sample_has(const vaa_sample* sample, vaa_field field) { return sample && vaa::has(sample->sample, field); }

vaa_status vaa_sample_str(const vaa_sample* sample, vaa_field field, vaa_str* out_value, vaa_error** err) {
  return guard(err, [&] {
    const auto& s = given(sample, "sample")->sample;
    *given(out_value, "out_value") = vaa::border(s.texts.get(recorded<vaa::TextField>(s, field)));
  });
}
vaa_status vaa_sample_i64(const vaa_sample* sample, vaa_field field, int64_t* out_value, vaa_error** err) {
  return guard(err, [&] {
    const auto& s = given(sample, "sample")->sample;
    *given(out_value, "out_value") = s.ints.get(recorded<vaa::IntField>(s, field));
  });
}
vaa_status vaa_sample_f64(const vaa_sample* sample, vaa_field field, double* out_value, vaa_error** err) {
  return guard(err, [&] {
    const auto& s = given(sample, "sample")->sample;
    *given(out_value, "out_value") = s.reals.get(recorded<vaa::RealField>(s, field));
  });
}
vaa_status vaa_sample_ids(const vaa_sample* sample, vaa_field field, vaa_ids* out_value, vaa_error** err) {
  return guard(err, [&] {
    const auto& s = given(sample, "sample")->sample;
    *given(out_value, "out_value") = vaa::border(std::span<const int32_t>(s.ids.get(recorded<vaa::IdsField>(s, field))));
  });
}
vaa_status vaa_sample_f64s(const vaa_sample* sample, vaa_field field, vaa_f64s* out_value, vaa_error** err) {
  return guard(err, [&] {
    const auto& s = given(sample, "sample")->sample;
    *given(out_value, "out_value") = vaa::border(std::span<const double>(s.real_lists.get(recorded<vaa::RealsField>(s, field))));
  });
}
vaa_status vaa_sample_i64s(const vaa_sample* sample, vaa_field field, vaa_i64s* out_value, vaa_error** err) {
  return guard(err, [&] {
    const auto& s = given(sample, "sample")->sample;
    *given(out_value, "out_value") = vaa::border(std::span<const int64_t>(s.int_lists.get(recorded<vaa::IntsField>(s, field))));
  });
}

vaa_str vaa_field_name(vaa_field field) {
  const vaa::FieldInfo* info = vaa::find_field(field);
  return vaa::border(info ? info->name : "");
}
vaa_status vaa_field_find(vaa_str name, vaa_field* out_field, vaa_error** err) {
  return guard(err, [&] {
    const vaa::FieldInfo* info = vaa::find_field(vaa::view(name));
    if (!info) {
      std::string known;
      for (const auto& row : vaa::field_table()) known += (known.empty() ? "" : ", ") + std::string(row.name);
      vaa::fail(VAA_ERROR_NOT_FOUND, "name: " + vaa::quoted(vaa::view(name)) + " is no field; fields are " + known);
    }
    *given(out_field, "out_field") = info->field;
  });
}

vaa_status vaa_sample_from_json(vaa_sample* sample, vaa_str record, vaa_error** err) {
  return guard(err, [&] {
    auto& s = given(sample, "sample")->sample;
    vaa::Sample parsed;
    vaa::parse_record(vaa::view(record), &parsed);
    std::swap(s, parsed);
  });
}
vaa_status vaa_sample_to_json(const vaa_sample* sample, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    std::string text;
    vaa::append_record(&text, given(sample, "sample")->sample);
    *out_text = new vaa_text{std::move(text)};
  });
}
vaa_status vaa_sample_request(const vaa_sample* sample, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    std::string text;
    if (!vaa::append_request_line(&text, given(sample, "sample")->sample)) vaa::fail(VAA_ERROR_NOT_FOUND, "prompt: is not recorded");
    *out_text = new vaa_text{std::move(text)};
  });
}

}  // extern "C"

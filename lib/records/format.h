// How a file format is written down: what a file is cut into, how it is recognised, how one unit becomes samples. A format is one file in readers/ that defines
// `extern const Format kName;`, and one line in readers/format_table.cpp. The loop over bytes, lines and compression is in file_input.cpp, once.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "records/reader.h"

namespace vaa {

class IdCounts;  // records/id_index.h

enum class Unit : uint8_t {
  kLines,    // each line that is not blank is one JSON document; a file that is one JSON document over several lines is one unit, too
  kMembers,  // the members of the one top-level object of the file: key and value
  kEvents,   // server-sent events: every line as it is, blank ones too
};

// The beginning of a file, as recognisers see it.
struct Probe {
  std::string path;         // as given
  std::string_view head;    // the first 64 KiB after decompression and BOM
  std::string_view first;   // the first non-blank line (whole, up to max_line); for a document over several lines the first 64 KiB
  struct Key {
    std::string name;
    JsonKind kind;
    std::string text;       // of a string: its first 64 bytes
  };
  std::vector<Key> keys;    // top-level members of the first JSON object, as far as it was seen; empty: no object
  bool is_object = false;
  bool has(std::string_view name) const;
  JsonKind kind(std::string_view name) const;        // kInvalid: no such key
  std::string_view text(std::string_view name) const;  // "" : no such key or no text
};

// Samples that one unit gave and that were not handed on yet. Keeps their memory.
class SampleQueue {
 public:
  Sample& add();             // cleared
  bool pop(Sample* sample);  // swaps; false: none is left
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  Sample& operator[](size_t i) { return samples_[first_ + i]; }
  void drop_last();          // undo add()

 private:
  std::deque<Sample> samples_;
  size_t first_ = 0, size_ = 0;
};

struct UnitView {
  std::string_view bytes;
  std::string_view key;  // kMembers only
  int64_t number = 0;    // line number, or place among the members, from 1
};

// What a parser knows of its file.
struct FileContext {
  std::string path;      // for messages and source.file: as opened, or relative to the run folder
  std::string disk_path; // where it can be opened once more; "" : a pipe, which cannot
  std::string stem;      // file name without .gz/.zst and without extension
  const OpenOptions* options = nullptr;
  Problems* problems = nullptr;
  IdCounts* names = nullptr;  // ids that the files of a run before this one had, where a repeat is told by rank; nullptr: a file alone
};

// State for one file. One per pass.
class UnitParser {
 public:
  virtual ~UnitParser() = default;
  // Adds the unit's samples (none, one or more) with source.format, source.file, source.line set. False: the unit is bad; *why says how, with key and value
  // ("prediction: is a number, must be text"); samples added by it are dropped by the caller.
  virtual bool parse(const UnitView& unit, SampleQueue* out, std::string* why) = 0;
  // The end of the file; `cut`: it ended inside a unit (kEvents).
  virtual void finish(SampleQueue*) {}
};

struct Format {
  FormatInfo info;
  Unit unit;
  // A file of this format. Called in the table's order, first yes wins.
  bool (*recognise)(const Probe& probe);
  // nullptr: not read by itself (a file that only adds to a run, or one of a later version): open_input refuses it with `refusal`.
  std::unique_ptr<UnitParser> (*parser)(const FileContext& context);
  const char* refusal = "";
  // What the beginning of a file tells of its run (a header line); may be nullptr.
  void (*header)(const Probe& probe, RunHeader* header) = nullptr;
};

std::span<const Format* const> format_table();

// A folder that is a run of one tool: one file in readers/ and one line in its folder_table(). nullptr: not such a folder.
struct FolderFormat {
  const char* name;
  std::unique_ptr<Input> (*open)(const std::string& folder, const OpenOptions& options);
};
std::span<const FolderFormat* const> folder_table();

// --- Helpers for parsers (parse_helpers.cpp) ---

// Says where and how a document is malformed: "column 17: a number with a leading zero". Returns false, so that a parser can return it.
bool bad_json(const JsonReader& json, std::string* why);
// "key: is a number, must be text".
std::string wrong_kind(std::string_view key, JsonKind found, std::string_view allowed);
// Reads text or null into a field: text is recorded, null leaves it not recorded. False with *why set where it is of another kind.
bool read_text(JsonReader* json, std::string_view key, Sample* sample, TextField field, std::string* why);
// Reads text, an integer or null; integers become their digits.
bool read_id(JsonReader* json, std::string_view key, Sample* sample, TextField field, std::string* why);
bool read_integer(JsonReader* json, std::string_view key, Sample* sample, IntField field, std::string* why);
bool read_real(JsonReader* json, std::string_view key, Sample* sample, RealField field, std::string* why);
bool read_bool(JsonReader* json, std::string_view key, Sample* sample, IntField field, std::string* why);
bool read_ids(JsonReader* json, std::string_view key, Sample* sample, IdsField field, std::string* why);
// A request body or generation settings (temperature, top_p, top_k, min_p, seed, max_tokens | max_completion_tokens | max_new_tokens | n_predict | max_out_len | max_gen_toks,
// repetition_penalty | repeat_penalty, …): fields that it names are set; those already set stay unless `overwrite`.
bool read_sampling(JsonReader* json, Sample* sample, bool overwrite, std::string* why);
// finish_reason in its normal form (docs/records.md: max_tokens, model_length, limit → length; eos, eos_token, stop_sequence, word → stop; …; a word that is not known → unknown).
std::string_view normal_finish_reason(std::string_view word);
// Sets source.format, source.file and source.line.
void set_source(Sample* sample, const char* format, const FileContext& context, int64_t line);
// Splits output.text into reasoning and text by its tags (text/think_tags.h) where the reasoning is not recorded; puts extra.reasoning_tags.
// lone_close: a closing tag without an opening one splits, too (AISBench's glue).
void split_reasoning(Sample* sample, bool lone_close);
// Adds `"key":json` to the object in extra.
void add_extra(Sample* sample, std::string_view key, std::string_view json);

}  // namespace vaa

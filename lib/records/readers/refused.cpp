// Files that are known and not read by themselves: each is named, with what to give instead.
#include <algorithm>

#include "records/folder_input.h"
#include "records/format.h"

namespace vaa {
namespace {

// Without .gz and .zst.
std::string_view plain_name(const Probe& probe) {
  std::string_view path = probe.path;
  path.remove_prefix(path.rfind('/') + 1);
  for (const std::string_view packed : {".gz", ".zst"})
    if (ends_with(path, packed)) path.remove_suffix(packed.size());
  return path;
}

bool perf_details(const Probe& p) { return p.has("data_abbr") && p.has("time_points"); }
bool perf_table(const Probe& p) { return starts_with(p.first, "Performance Parameters,"); }
bool perf_summary(const Probe& p) { return p.has("Benchmark Duration") && p.has("Total Requests"); }
bool sqlite(const Probe& p) { return starts_with(p.head, std::string_view("SQLite format 3\0", 16)); }
bool parquet(const Probe& p) { return starts_with(p.head, "PAR1"); }
bool spec_decode(const Probe& p) { return p.has("status") && p.has("data") && p.has("raw") && p.has("url"); }
bool vllm_bench(const Probe& p) { return p.has("request_throughput") && (p.has("num_prompts") || p.has("completed")); }
bool lighteval(const Probe& p) { return p.has("model_response") && p.has("doc") && !p.has("doc_id"); }
bool anomaly_verdicts(const Probe& p) { return p.has("is_anomaly") && p.has("detection_status"); }
bool anomaly_payload(const Probe& p) { return p.has("response_anomaly_payload") && !p.has("prediction"); }
bool payload_manifest(const Probe& p) { return p.has("shards") && p.has("payload_retention"); }
bool aisbench_summary(const Probe& p) { return starts_with(p.first, "dataset,version,metric,mode"); }
bool lm_eval_results(const Probe& p) { return p.kind("results") == JsonKind::kObject && (p.has("configs") || p.has("versions") || p.has("n-shot")); }
bool vllm_endpoint(const Probe& p) { return p.text("object") == "list" && p.kind("data") == JsonKind::kArray; }

bool prometheus(const Probe& p) {
  if (p.is_object || (!starts_with(p.first, "# HELP ") && !starts_with(p.first, "# TYPE "))) return false;
  return p.head.find("\n# TYPE ") != std::string_view::npos || starts_with(p.first, "# TYPE ");
}

bool python_config(const Probe& p) {
  return ends_with(plain_name(p), ".py") && (p.head.find("models") != std::string_view::npos || p.head.find("datasets") != std::string_view::npos);
}

// results/<model>/<ds>.json: one object over several lines that begins with scores or has details.
bool aisbench_results(const Probe& p) {
  if (!p.is_object || p.has("doc_id") || p.has("schema") || p.has("data_abbr") || p.has("index")) return false;
  if (p.kind("details") == JsonKind::kObject || p.kind("details") == JsonKind::kArray)
    return p.has("type") || p.has("accuracy") || p.has("score") || std::any_of(p.keys.begin(), p.keys.end(), [](const Probe::Key& key) { return key.kind == JsonKind::kNumber; });
  const bool scores = std::any_of(p.keys.begin(), p.keys.end(), [](const Probe::Key& key) {
    return key.kind == JsonKind::kNumber && (starts_with(key.name, "accuracy") || starts_with(key.name, "pass@") || key.name == "score");
  });
  return scores && std::all_of(p.keys.begin(), p.keys.end(), [](const Probe::Key& key) { return key.kind == JsonKind::kNumber || key.name == "type" || key.name == "error"; });
}

constexpr Format refused(const char* name, const char* title, const char* found_by, bool (*recognise)(const Probe&), const char* refusal) {
  return {{name, title, "", found_by}, Unit::kLines, recognise, nullptr, refusal};
}

}  // namespace

extern const Format kAisbenchPerfDetails, kAisbenchPerfTable, kAisbenchPerfSummary, kAisbenchSpecDecode, kSqlite, kParquet, kVllmBench, kPrometheus,
    kLighteval, kAnomalyVerdicts, kAnomalyPayload, kPayloadManifest, kAisbenchSummary, kAisbenchConfig, kLmEvalResults, kVllmEndpoint, kAisbenchResults;
constinit const Format kAisbenchPerfDetails = refused("aisbench_perf", "AISBench performance details", "data_abbr and time_points", perf_details,
            "is the request log of AISBench's performance mode, which this version does not read; give the folder of an accuracy run");
constinit const Format kAisbenchPerfTable = refused("aisbench_perf", "AISBench performance table", "Performance Parameters", perf_table,
            "is a table of AISBench's performance mode, which holds no answers and which this version does not read; give the folder of an accuracy run");
constinit const Format kAisbenchPerfSummary = refused("aisbench_perf", "AISBench performance summary", "Benchmark Duration", perf_summary,
            "is a summary of AISBench's performance mode, which holds no answers and which this version does not read; give the folder of an accuracy run");
constinit const Format kAisbenchSpecDecode = refused("aisbench_perf", "AISBench speculative decoding counters", "status, url, data and raw", spec_decode,
            "holds the speculative decoding counters of AISBench's performance mode, which this version does not read; give the folder of an accuracy run");
constinit const Format kSqlite = refused("sqlite", "SQLite database", "SQLite format 3", sqlite,
            "is a SQLite database, such as the performance modes of AISBench and evalscope leave, which this version does not read; give the run folder or its predictions");
constinit const Format kParquet = refused("parquet", "Parquet file", "PAR1", parquet,
            "is a Parquet file, such as lighteval's details, which this version does not read; convert it to JSONL and say --text-field and --id-field");
constinit const Format kVllmBench = refused("vllm_bench", "vllm bench serve", "request_throughput", vllm_bench,
            "is a result of `vllm bench serve`, which this version does not read; give recorded responses or an evaluation run");
constinit const Format kPrometheus = refused("prometheus", "Prometheus text", "# HELP and # TYPE", prometheus,
            "holds metrics of a server (Prometheus text) and no answers; vaa.Metrics (vaa_metrics_push) gives what was counted between two of them");
constinit const Format kLighteval = refused("lighteval", "lighteval details", "doc and model_response", lighteval,
            "holds lighteval's details, which this version does not read; to read its rows as any JSONL say --text-field and --id-field");
constinit const Format kAnomalyVerdicts = refused("aisbench", "AISBench response anomalies", "is_anomaly and detection_status", anomaly_verdicts,
            "holds msProbe's verdicts (AISBench's response_anomaly) and no answers: give the run folder, whose predictions they belong to");
constinit const Format kAnomalyPayload = refused("aisbench", "AISBench response anomaly payload", "response_anomaly_payload", anomaly_payload,
            "holds token ids (AISBench's response_anomaly payload) and no answers: give the run folder, whose predictions they belong to");
constinit const Format kPayloadManifest = refused("aisbench", "AISBench payload manifest", "shards and payload_retention", payload_manifest,
            "lists the shards of AISBench's response_anomaly payload and holds no answers: give the run folder");
constinit const Format kAisbenchSummary = refused("aisbench", "AISBench summary", "dataset,version,metric,mode", aisbench_summary,
            "is an AISBench summary, which has scores and no answers: give the run folder");
constinit const Format kAisbenchConfig = refused("aisbench", "AISBench config", "a .py file with models or datasets", python_config,
            "is an AISBench config, which holds no answers: give the run folder");
constinit const Format kLmEvalResults = refused("lm_eval", "lm-eval results", "results with configs or versions", lm_eval_results,
            "is an lm-eval results file, which has scores and no answers: give its folder with the samples_*.jsonl files (--log_samples)");
constinit const Format kVllmEndpoint = refused("vllm_endpoints", "lists of a server", "object is list", vllm_endpoint,
            "is a list that a server gives (models), which holds no answers");
constinit const Format kAisbenchResults = refused("aisbench", "AISBench results", "details, or scores alone", aisbench_results,
            "is an AISBench results file, which has scores and no answers of its own: give the run folder");

}  // namespace vaa

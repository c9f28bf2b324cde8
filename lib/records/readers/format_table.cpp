// The formats, in the order in which they are asked. A new one is its file and its line here.
#include "records/format.h"

namespace vaa {

extern const Format kVaa, kAisbenchPerfDetails, kAnomalyPayload, kAisbench, kLmEval, kEvalscope, kOpencompass, kOpenaiPairs, kOpenai, kOpenaiSse, kSglangGenerate,
    kLlamacppCompletion, kMindieInfer, kJsonl;
extern const Format kAisbenchPerfTable, kAisbenchPerfSummary, kAisbenchSpecDecode, kSqlite, kParquet, kVllmBench, kPrometheus, kLighteval, kAnomalyVerdicts,
    kPayloadManifest, kAisbenchSummary, kAisbenchConfig, kLmEvalResults, kEvalscopeReviews, kVllmEndpoint, kAisbenchResults;

std::span<const Format* const> format_table() {
  static constexpr const Format* kTable[] = {
      &kVaa,
      &kAisbenchPerfDetails,
      &kAnomalyPayload,
      &kAisbench,
      &kLmEval,
      &kEvalscope,
      &kOpencompass,
      &kOpenaiPairs,
      &kOpenai,
      &kOpenaiSse,
      &kSglangGenerate,
      &kLlamacppCompletion,
      &kMindieInfer,
      &kJsonl,
      // Known, not read by themselves.
      &kAisbenchPerfTable,
      &kAisbenchPerfSummary,
      &kAisbenchSpecDecode,
      &kSqlite,
      &kParquet,
      &kVllmBench,
      &kPrometheus,
      &kLighteval,
      &kAnomalyVerdicts,
      &kPayloadManifest,
      &kAisbenchSummary,
      &kAisbenchConfig,
      &kLmEvalResults,
      &kEvalscopeReviews,
      &kVllmEndpoint,
      &kAisbenchResults,
  };
  return kTable;
}

extern const FolderFormat kEvalscopeFolder, kAisbenchFolder, kLmEvalFolder, kVaaFolder;

std::span<const FolderFormat* const> folder_table() {
  static constexpr const FolderFormat* kTable[] = {&kEvalscopeFolder, &kAisbenchFolder, &kLmEvalFolder, &kVaaFolder};
  return kTable;
}

}  // namespace vaa

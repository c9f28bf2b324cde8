// What the opaque types of the border are.
#pragma once
#include <memory>
#include <string>

#include "base/task.h"
#include "engines/engine.h"
#include "quality/checker.h"
#include "quality/tally.h"
#include "records/reader.h"
#include "records/sample.h"
#include "report/report.h"
#include "sampler/generators/rng.h"
#include "text/vocab.h"
#include "vaa/vaa.h"

struct vaa_text {
  std::string text;
};
struct vaa_task {
  vaa::Task task;
};
struct vaa_report {
  vaa::Report report;
};
struct vaa_sample {
  vaa::Sample sample;
};
struct vaa_records {
  std::unique_ptr<const vaa::Input> input;
  std::string path;
  vaa::OpenOptions open;
};
struct vaa_cursor {
  std::unique_ptr<vaa::SampleStream> stream;
};
struct vaa_engine {
  vaa::Engine engine;
};
struct vaa_rng {
  vaa::Rng rng;
  std::vector<uint8_t> state;
};
struct vaa_vocab {
  vaa::Vocab vocab;
};
struct vaa_checker {
  vaa::Checker checker;
};
struct vaa_tally {
  const vaa_checker* checker;
  bool text;
  vaa::Tally tally;
  vaa::ScratchPointer scratch;
  vaa::Judgement judgement;
  std::vector<vaa_finding> findings;
};

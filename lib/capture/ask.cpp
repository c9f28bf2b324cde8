#include "capture/ask.h"

#include <sys/stat.h>

#include "base/json_writer.h"
#include "base/positions.h"
#include "base/write_file.h"
#include "capture/ask_header.h"
#include "capture/ask_words.h"

namespace vaa::capture {
namespace {

std::vector<PathEvidence> all_evidence(const AskSeen& seen, const std::vector<Server>& servers) {
  std::vector<PathEvidence> evidence;
  for (size_t i = 0; i < servers.size(); ++i) evidence.push_back(path_evidence(servers[i], seen.scraped[i], seen.tally.servers[i]));
  return evidence;
}

// What a run that broke off has is kept, and the message says how to go on.
[[noreturn]] void broke_off(const Failure& failure, const AskSeen& seen, const std::vector<Server>& servers, std::string_view options, RecordLog* log) {
  const ServerTally all = seen.tally.counts();
  std::string message = failure.message();
  if (all.answered + all.resumed > 0) message += "; " + grouped(all.answered + all.resumed) + " answers are in " + quoted(seen.out_path, 400) + ", resume goes on with it";
  if (failure.status() == VAA_ERROR_CANCELLED) {
    try {
      log->write_header(ask_header(seen, servers, all_evidence(seen, servers), options));
    } catch (const Failure&) {
      // The answers are on the disk; that the header is not does not hide why the run ended.
    }
  }
  fail(failure.status(), message);
}

void refuse_existing(const AskSeen& seen) {
  struct stat info {};
  if (seen.options.existing == Existing::kResume) fail(VAA_ERROR_OPTION, "vaa_ask: resume: a dry run writes requests, there is nothing to go on with");
  if (seen.options.existing == Existing::kRefuse && ::stat(seen.out_path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
    fail(VAA_ERROR_ARGUMENT, quoted(seen.out_path, 400) + ": exists and is left as it is; force writes it anew");
}

AskReport dry_run(AskSeen* seen, const std::vector<Server>& servers, RequestSource* source, const vaa_task* task) {
  refuse_existing(*seen);
  AtomicFile file(seen->out_path);
  seen->tally.servers.resize(servers.size());
  int64_t written = 0;
  for (Request request; source->next(&request);) {
    if (vaa_task_cancelled(task)) fail(VAA_ERROR_CANCELLED, "cancelled");
    std::string line;
    try {
      const std::string body = fitted_body(request, servers.front(), *seen->options.purpose, seen->options.changes, &seen->notes);
      JsonWriter(&line).begin_object().member("custom_id", request.id).member("method", "POST").member("url", request.path).key("body").raw(body).end_object();
    } catch (const Failure& failure) {
      if (failure.status() != VAA_ERROR_ARGUMENT && failure.status() != VAA_ERROR_FORMAT) throw;
      ++seen->skipped;
      seen->problems.push_back(failure.message());
      continue;
    }
    file.write(line + "\n");
    ++written;
  }
  file.commit();
  return dry_run_words(*seen, servers, written);
}

}  // namespace

AskReport ask(Asker* asker, const std::string& input, const std::string& out_path, std::string_view options, vaa_task* task) {
  AskSeen seen;
  keep_apart(input, out_path);
  seen.input = input;
  seen.out_path = out_path;
  seen.options = ask_options(options);
  seen.concurrency = asker->options().session.connection.concurrency;
  const std::unique_ptr<RequestSource> source = open_requests(input, seen.options.source, task);
  seen.skipped = source->skipped();
  seen.problems = source->problems();
  if (seen.options.dry_run) return dry_run(&seen, asker->servers(task), source.get(), task);

  RecordLog log(out_path, seen.options.existing, task);
  seen.taken_out = log.taken_out();
  const std::vector<Server>& servers = asker->servers(task);
  if (!log.header().empty()) check_resumed_header(log.header(), seen, servers);
  seen.start_s = now_s();
  AskRun run(asker->options(), servers, source.get(), &log, &seen, task);
  if (log.header().empty()) log.write_header(ask_header(seen, servers, {}, options));
  try {
    run.work();
    seen.end_s = now_s();
    log.flush();
  } catch (const Failure& failure) {
    seen.end_s = now_s();
    broke_off(failure, seen, servers, options, &log);
  }
  const std::vector<PathEvidence> evidence = all_evidence(seen, servers);
  log.write_header(ask_header(seen, servers, evidence, options));
  return ask_words(seen, servers, evidence);
}

}  // namespace vaa::capture

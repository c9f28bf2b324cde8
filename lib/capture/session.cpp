#include "capture/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <queue>
#include <thread>
#include <vector>

#include "capture/flight.h"
#include "capture/retry.h"
#include "capture/sample_fields.h"
#include "capture/secrets.h"

namespace vaa::capture {
namespace {

constexpr double kPauseS = 0.05;  // between two looks at the task while nothing is in flight

// What a server's words may stand in.
constexpr vaa_field kSaid[] = {VAA_FIELD_MODEL, VAA_FIELD_OUTPUT_TEXT, VAA_FIELD_OUTPUT_REASONING, VAA_FIELD_STOP_REASON, VAA_FIELD_REPLICA, VAA_FIELD_REQUEST_ID, VAA_FIELD_ERROR_MESSAGE, VAA_FIELD_ERROR_TYPE,
                               VAA_FIELD_EXTRA, VAA_FIELD_TOOL_CALLS};

// A server may send a key back, in an error or anywhere else; no record holds it.
void hide_keys(const ConnectionOptions& options, Answer* answer) {
  for (const OwnedSample& sample : answer->samples) {
    for (const vaa_field field : kSaid) {
      if (options.secrets.empty() || !vaa_sample_has(sample.get(), field)) continue;
      const std::string said = text_field(sample.get(), field), shown = without_keys(said, options.secrets);
      if (shown != said) set_text(sample.get(), field, shown);
    }
    if (vaa_sample_has(sample.get(), VAA_FIELD_ERROR_MESSAGE)) set_text(sample.get(), VAA_FIELD_ERROR_MESSAGE, without_key(text_field(sample.get(), VAA_FIELD_ERROR_MESSAGE), options.key));
  }
}

}  // namespace

struct Session::State {
  // A question that waits for another try, the earliest first; those of one moment in the order in which they failed.
  struct Waiting {
    double due_s;
    uint64_t turn;
    Flight* flight;
    bool operator<(const Waiting& other) const { return due_s != other.due_s ? due_s > other.due_s : turn > other.turn; }
  };

  State(const SessionOptions& given, std::vector<Server> known) : options(given), servers(std::move(known)), pace(given.rate), transport(given.connection) {}

  SessionOptions options;
  std::vector<Server> servers;
  Pace pace;
  std::vector<std::unique_ptr<Flight>> flights;
  std::vector<Flight*> free, flying;      // flying: unordered
  std::priority_queue<Waiting> waiting;
  std::deque<Question> queue;
  std::deque<Answer> whole;
  std::vector<OwnedSample> spare;
  uint64_t turns = 0;
  int64_t tokens = 0;                     // of answers that are whole
  Transport transport;                    // after the flights: it goes first, and calls none of them then

  size_t capacity() const { return static_cast<size_t>(options.connection.concurrency); }
  void start(double now);
  double next_start() const;
  void launch(Flight* flight, double now);
  void landed(Flight* flight, const HttpEnd& end, double time_s);
  void drop();
};

void Session::State::launch(Flight* flight, double now) {
  flight->begin();
  transport.start(flight->url(), flight->question().body, flight);
  flying.push_back(flight);
  pace.take(now);
}

// Starts what may start now: another try before a new question.
void Session::State::start(double now) {
  while (flying.size() < capacity() && pace.free_at() <= now) {
    if (!waiting.empty() && waiting.top().due_s <= now) {
      Flight* flight = waiting.top().flight;
      waiting.pop();
      launch(flight, now);
    } else if (!queue.empty() && flying.size() + waiting.size() < capacity()) {
      if (free.empty()) {
        flights.push_back(std::make_unique<Flight>([this](Flight* flight, const HttpEnd& end, double time_s) { landed(flight, end, time_s); }));
        free.push_back(flights.back().get());
      }
      Flight* flight = free.back();
      free.pop_back();
      const size_t server = queue.front().server;
      flight->take(std::move(queue.front()), &servers.at(server));
      queue.pop_front();
      launch(flight, now);
    } else {
      return;
    }
  }
}

// When something may start that waits for time alone; infinity: nothing does.
double Session::State::next_start() const {
  if (flying.size() >= capacity()) return INFINITY;
  double at = INFINITY;
  if (!waiting.empty()) at = waiting.top().due_s;
  if (!queue.empty() && flying.size() + waiting.size() < capacity()) at = 0;
  return std::max(at, pace.free_at());
}

void Session::State::landed(Flight* flight, const HttpEnd& end, double time_s) {
  flying.erase(std::find(flying.begin(), flying.end(), flight));
  if (end.kind == HttpEnd::Kind::kCancelled) {
    free.push_back(flight);
    return;
  }
  const Retry retry = next_try(end, flight->tries(), {options.retries, options.max_retry_wait_s}, static_cast<uint64_t>(flight->question().place));
  if (retry.again) {
    waiting.push({steady_s() + retry.wait_s, turns++, flight});
    return;
  }
  Answer answer;
  flight->land(end, time_s, retry.why_not, &spare, &answer);
  hide_keys(options.connection, &answer);
  tokens += answer.tokens;
  whole.push_back(std::move(answer));
  free.push_back(flight);
}

void Session::State::drop() {
  for (; !waiting.empty(); waiting.pop()) free.push_back(waiting.top().flight);
  queue.clear();
}

Session::Session(const SessionOptions& options, std::vector<Server> servers) : state_(std::make_unique<State>(options, std::move(servers))) {}
Session::~Session() = default;

const std::vector<Server>& Session::servers() const { return state_->servers; }
size_t Session::busy() const { return state_->flying.size() + state_->waiting.size() + state_->queue.size() + state_->whole.size(); }
void Session::ask(Question question) { state_->queue.push_back(std::move(question)); }

int64_t Session::tokens() const {
  int64_t tokens = state_->tokens;
  for (const Flight* flight : state_->flying) tokens += flight->tokens();
  return tokens;
}

bool Session::next(Answer* answer, double wait_s, const vaa_task* task) {
  State& state = *state_;
  const double until = steady_s() + wait_s;
  for (bool worked = false;; worked = true) {
    const bool cancelled = vaa_task_cancelled(task) != 0;
    if (cancelled) {
      state.transport.run(0, task);
      state.drop();
    }
    if (!state.whole.empty()) {
      *answer = std::move(state.whole.front());
      state.whole.pop_front();
      return true;
    }
    if (cancelled) fail(VAA_ERROR_CANCELLED, "cancelled");
    const double now = steady_s();
    if (busy() == 0 || (worked && now >= until)) return false;
    state.start(now);
    const double wait = std::clamp(std::min(until, state.next_start()) - now, 0.0, 1.0);
    if (state.transport.in_flight() > 0) state.transport.run(static_cast<int>(std::ceil(wait * 1000)), task);
    else std::this_thread::sleep_for(std::chrono::duration<double>(std::min(wait, kPauseS)));
  }
}

void Session::recycle(Answer* answer) {
  for (OwnedSample& sample : answer->samples) state_->spare.push_back(std::move(sample));
  answer->samples.clear();
}

}  // namespace vaa::capture

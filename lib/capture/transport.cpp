// libcurl's socket interface under an epoll of our own: the work of a wake-up is that of the transfers that have bytes, not of all that are open, and streams whose sinks are patient are read late,
// several tokens at a time (late_read.h).
#include "capture/transport.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <new>
#include <thread>

#include "base/failure.h"
#include "capture/late_read.h"
#include "capture/quiet_pipe.h"
#include "capture/transfer.h"

namespace vaa::capture {
namespace {

constexpr int kSliceMs = 50;          // between two looks at a task that may be cancelled
constexpr size_t kMany = 16;          // with so many in flight, what comes within kGatherS is taken in one wake-up: the times of bytes are as exact as that; and patient ones are read late
constexpr double kGatherS = 0.001;
constexpr int kSpareFiles = 16;       // beside connections: input, output, epoll, a resolver

bool control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; });
}

void check(const ConnectionOptions& options) {
  if (control(options.key)) fail(VAA_ERROR_OPTION, "key: it holds a control character or line feed");
  for (const std::string& header : options.headers) {
    const size_t colon = header.find(':');
    if (colon == 0 || colon == header.npos || control(header)) fail(VAA_ERROR_OPTION, "headers: " + quoted(header.substr(0, colon)) + " is none, they are given as \"Name: value\"");
  }
  if (!options.ca_file.empty() && ::access(options.ca_file.c_str(), R_OK) != 0) fail(VAA_ERROR_NOT_FOUND, "ca_file: " + quoted(options.ca_file, 400) + " cannot be read");
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && static_cast<rlim_t>(options.concurrency + kSpareFiles) > limit.rlim_cur)
    fail(VAA_ERROR_OPTION, "concurrency: " + std::to_string(options.concurrency) + " connections need " + std::to_string(options.concurrency + kSpareFiles) + " open files, this process may open " +
                               std::to_string(limit.rlim_cur) + "; raise it with ulimit -n, or ask fewer at once");
}

CurlList header_list(const ConnectionOptions& options) {
  CurlList list;
  const auto add = [&](const std::string& line) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (!longer) throw std::bad_alloc();
    (void)list.release();
    list.reset(longer);
  };
  add("Content-Type: application/json");
  add("Accept: application/json, text/event-stream");
  add("Expect:");  // none: a server that does not know it costs a second
  if (!options.key.empty()) add("Authorization: Bearer " + options.key);
  for (std::string header : options.headers) {
    if (header.find_first_not_of(' ', header.find(':') + 1) == header.npos) header.replace(header.find(':'), header.npos, ";");  // libcurl's form of an empty value
    add(header);
  }
  return list;
}

}  // namespace

struct Transport::State {
  Shared shared;
  std::vector<std::unique_ptr<Transfer>> active, idle;
  CURLM* multi = nullptr;
  int epoll = -1;
  double due_s = INFINITY;            // when libcurl wants to be called
  double look_s = 0, woke_s = 0;
  const bool loud_pipe = QuietPipe::is_needed();
  std::array<epoll_event, 256> events;

  explicit State(const ConnectionOptions& options);
  ~State();
  static int on_watch(CURL* easy, curl_socket_t fd, int what, void* self, void* known);
  static int on_timer(CURLM* multi, long timeout_ms, void* self);
  void gather() const;
  bool work(int wait_ms);
  void look(double now);
  void read_late(Transfer* transfer);
  void read_next(Transfer* transfer, double at_s);
  void collect();
  void end(Transfer* transfer, const HttpEnd& end);
  void cancel();
  void rethrow();
};

Transport::State::State(const ConnectionOptions& options) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) fail(VAA_ERROR_INTERNAL, "libcurl does not start");
  check(options);
  shared.options = options;
  shared.headers = header_list(options);
  multi = curl_multi_init();
  if (!multi) throw std::bad_alloc();
  epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) {
    curl_multi_cleanup(multi);
    fail(VAA_ERROR_IO, "cannot wait for connections: too many open files");
  }
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_watch);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, static_cast<long>(options.concurrency));
}

Transport::State::~State() {
  for (const auto& transfer : active) curl_multi_remove_handle(multi, transfer->easy());
  active.clear();
  idle.clear();
  curl_multi_cleanup(multi);
  ::close(epoll);
}

// `known` is not null for a socket that the epoll has already.
int Transport::State::on_watch(CURL* easy, curl_socket_t fd, int what, void* self, void* known) {
  auto* state = static_cast<State*>(self);
  Transfer* transfer = nullptr;  // none for a handle of libcurl's own
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
  if (what == CURL_POLL_REMOVE) {
    ::epoll_ctl(state->epoll, EPOLL_CTL_DEL, fd, nullptr);
    if (transfer && transfer->socket == fd) transfer->socket = -1;
    return 0;
  }
  epoll_event event{};
  event.data.fd = fd;
  event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
  if (::epoll_ctl(state->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) != 0) {
    const int other = errno == EEXIST ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (::epoll_ctl(state->epoll, other, fd, &event) != 0) return -1;
  }
  if (!known) curl_multi_assign(state->multi, fd, state);
  if (transfer) {
    transfer->socket = fd;
    transfer->wanted = event.events;
    transfer->read_s = 0;
  }
  return 0;
}

int Transport::State::on_timer(CURLM*, long timeout_ms, void* self) {
  static_cast<State*>(self)->due_s = timeout_ms < 0 ? INFINITY : steady_s() + static_cast<double>(timeout_ms) / 1000;
  return 0;
}

void Transport::State::end(Transfer* transfer, const HttpEnd& how) {
  curl_multi_remove_handle(multi, transfer->easy());
  const size_t place = transfer->place;
  std::swap(active[place], active.back());
  active[place]->place = place;
  idle.push_back(std::move(active.back()));
  active.pop_back();
  transfer->sink()->end(how, transfer->time_s());
}

void Transport::State::collect() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    HttpEnd how;
    transfer->finish(message->data.result, &how);
    end(transfer, how);
  }
}

// At `at_s`, and what the peer closes at once; 0: all at once. The socket's bytes wait in the kernel, which wakes nobody for them.
void Transport::State::read_next(Transfer* transfer, double at_s) {
  if (transfer->socket < 0 || transfer->wanted != EPOLLIN) return;
  epoll_event event{};
  event.data.fd = transfer->socket;
  event.events = at_s > 0 ? EPOLLRDHUP : EPOLLIN;
  const bool as_before = (at_s > 0) == (transfer->read_s > 0);
  if (as_before || ::epoll_ctl(epoll, EPOLL_CTL_MOD, transfer->socket, &event) == 0) transfer->read_s = at_s;
}

void Transport::State::read_late(Transfer* transfer) {
  int running = 0;
  transfer->arrived(quiet_s(transfer->socket));
  curl_multi_socket_action(multi, transfer->socket, CURL_CSELECT_IN, &running);
  rethrow();
  collect();
  transfer->arrives_now();
}

// Every kLookS at all that fly: reads those whose bytes have waited, ends those that are overdue, and decides which may wait from now on.
void Transport::State::look(double now) {
  if (now < look_s) return;
  look_s = now + kLookS;
  for (size_t i = active.size(); i-- > 0;) {  // from behind: the last one takes the place of one that ends
    if (i >= active.size()) continue;
    Transfer* transfer = active[i].get();
    HttpEnd how;
    bool overdue = transfer->overdue(now, &how);
    if (transfer->read_s > 0) {
      if (now < transfer->read_s && !overdue) continue;
      read_late(transfer);
      if (i >= active.size() || active[i].get() != transfer) continue;
      overdue = overdue && transfer->overdue(now, &how);
    }
    if (overdue) {
      end(transfer, how);
      continue;
    }
    const double wait = transfer->patience(now);
    read_next(transfer, wait > 0 && active.size() >= kMany ? now + wait : 0);
  }
}

void Transport::State::cancel() {
  while (!active.empty()) {
    HttpEnd how;
    active.back()->describe(&how);
    how.kind = HttpEnd::Kind::kCancelled;
    how.fault = "cancelled";
    end(active.back().get(), how);
  }
}

void Transport::State::rethrow() {
  if (shared.thrown) std::rethrow_exception(std::exchange(shared.thrown, nullptr));
}

// Many streams at once would have a wake-up for each of their tokens.
void Transport::State::gather() const {
  const double left = kGatherS - (steady_s() - woke_s);
  if (active.size() >= kMany && left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

// One wait and the work that it brought; false: nothing came.
bool Transport::State::work(int wait_ms) {
  if (wait_ms > 0) gather();
  const double left_ms = std::ceil((std::min(due_s, look_s) - steady_s()) * 1000);
  if (left_ms < wait_ms) wait_ms = std::max(0, static_cast<int>(left_ms));
  const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), wait_ms);
  woke_s = steady_s();
  int running = 0;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<size_t>(i)];
    // What is wrong with a socket shows when it is read or written.
    const bool wrong = event.events & (EPOLLERR | EPOLLHUP);
    const int mask = (event.events & (EPOLLIN | EPOLLRDHUP) || wrong ? CURL_CSELECT_IN : 0) | (event.events & EPOLLOUT || wrong ? CURL_CSELECT_OUT : 0);
    curl_multi_socket_action(multi, event.data.fd, mask, &running);
  }
  const double now = steady_s();
  const bool timer = due_s <= now;
  if (timer) {
    due_s = INFINITY;
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  rethrow();
  collect();
  look(now);
  return count > 0 || timer;
}

Transport::Transport(const ConnectionOptions& options) : state_(std::make_unique<State>(options)) {}
Transport::~Transport() = default;

size_t Transport::in_flight() const { return state_->active.size(); }

void Transport::start(std::string_view url, std::string_view body, HttpSink* sink) {
  State& state = *state_;
  state.active.reserve(state.active.size() + 1);
  state.idle.reserve(state.active.size() + state.idle.size() + 1);  // so that an end allocates nothing
  if (state.idle.empty()) state.idle.push_back(std::make_unique<Transfer>(&state.shared));
  Transfer& transfer = *state.idle.back();
  transfer.begin(url, body, sink);
  const CURLMcode added = curl_multi_add_handle(state.multi, transfer.easy());
  if (added != CURLM_OK) fail(VAA_ERROR_INTERNAL, std::string("libcurl does not take a request: ") + curl_multi_strerror(added));
  transfer.place = state.active.size();
  state.active.push_back(std::move(state.idle.back()));
  state.idle.pop_back();
}

void Transport::run(int wait_ms, const vaa_task* task) {
  const QuietPipe quiet(state_->loud_pipe);
  const size_t before = in_flight();
  const double until = steady_s() + wait_ms / 1000.0;
  do {
    if (vaa_task_cancelled(task)) return state_->cancel();
    if (before == 0) return;
    const double left = std::max(0.0, std::ceil((until - steady_s()) * 1000));
    if (state_->work(static_cast<int>(std::min<double>(left, kSliceMs))) || in_flight() != before) return;
  } while (steady_s() < until);
}

}  // namespace vaa::capture

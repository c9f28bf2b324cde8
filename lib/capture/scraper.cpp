#include "capture/scraper.h"

#include "base/failure.h"
#include "capture/secrets.h"

namespace vaa::capture {
namespace {

constexpr size_t kMaxPage = size_t{64} << 20;
constexpr double kTimeoutS = 10;

// The page of one server.
class Page final : public HttpSink {
 public:
  Page(std::string url, const std::vector<std::string>& secrets, Scraped* scraped) : url_(std::move(url)), secrets_(secrets), scraped_(scraped) {
    vaa_metrics* metrics = nullptr;
    must([&](vaa_error** err) { return vaa_metrics_new(&metrics, err); });
    metrics_.reset(metrics);
  }
  bool under_way() const { return under_way_; }
  void begin(Transport* transport) {
    if (under_way_) return;
    body_.clear();
    transport->start(url_, "", this);
    under_way_ = true;
  }
  void header(std::string_view, std::string_view) override {}
  void head(int, std::string_view, double) override {}
  void bytes(std::string_view bytes, double) override {
    if (bytes.size() > kMaxPage - body_.size()) fail(VAA_ERROR_CAPACITY, "the page goes over " + std::to_string(kMaxPage) + " bytes");
    body_.append(bytes);
  }
  void end(const HttpEnd& end, double time_s) override {
    under_way_ = false;
    if (end.kind == HttpEnd::Kind::kCancelled) return;
    if (end.kind != HttpEnd::Kind::kWhole) return failed(end.fault);
    if (end.status != 200) return failed("HTTP status " + std::to_string(end.status));
    body_ = without_keys(std::move(body_), secrets_);
    try {
      must([&](vaa_error** err) { return vaa_metrics_push(metrics_.get(), border(body_), time_s, err); });
      ++scraped_->pages;
    } catch (const Failure& failure) {
      failed(failure.message());
    }
  }
  void count() const {
    if (scraped_->pages == 0) return;
    vaa_text* text = nullptr;
    must([&](vaa_error** err) { return vaa_metrics_counted(metrics_.get(), &text, err); });
    const OwnedText owned(text);
    scraped_->counted = view(vaa_text_str(text));
  }

 private:
  void failed(const std::string& why) {
    if (scraped_->failed++ == 0) scraped_->why = why;
  }
  std::string url_, body_;
  std::vector<std::string> secrets_;
  Scraped* scraped_;
  OwnedMetrics metrics_;
  bool under_way_ = false;
};

ConnectionOptions few(ConnectionOptions options, size_t servers) {
  options.concurrency = static_cast<int>(servers);
  options.timeout_s = kTimeoutS;
  return options;
}

}  // namespace

struct Scraper::State {
  State(const ConnectionOptions& options, size_t servers, double every) : every_s(every), scraped(servers), transport(few(options, servers)) {}
  void begin() {
    due_s = steady_s() + every_s;
    for (const auto& page : pages) page->begin(&transport);
  }
  double every_s, due_s = 0;
  std::vector<Scraped> scraped;
  std::vector<std::unique_ptr<Page>> pages;
  Transport transport;  // after the pages: it goes first
};

Scraper::Scraper(const ConnectionOptions& options, const std::vector<Server>& servers, double every_s) : state_(std::make_unique<State>(options, servers.size(), every_s)) {
  for (size_t i = 0; i < servers.size(); ++i) {
    const Server& server = servers[i];
    if (server.metrics != 0 && server.dialect && server.dialect->metrics_path[0]) state_->pages.push_back(std::make_unique<Page>(server.url + server.dialect->metrics_path, options.secrets, &state_->scraped[i]));
  }
}
Scraper::~Scraper() = default;

void Scraper::scrape(const vaa_task* task) {
  state_->begin();
  while (under_way()) state_->transport.run(1000, task);
  if (vaa_task_cancelled(task)) fail(VAA_ERROR_CANCELLED, "cancelled");
}

void Scraper::poll(const vaa_task* task) {
  if (under_way()) state_->transport.run(0, task);
  else if (steady_s() >= state_->due_s) state_->begin();
}

bool Scraper::under_way() const { return state_->transport.in_flight() > 0; }

std::vector<Scraped> Scraper::result() const {
  for (const auto& page : state_->pages) page->count();
  return state_->scraped;
}

}  // namespace vaa::capture

// One question on its way: takes the response as it arrives and makes its samples. It stays whole over all tries of a question, and is used for one question after another.
#pragma once
#include <functional>
#include <string>

#include "capture/session.h"

namespace vaa::capture {

class Flight final : public HttpSink {
 public:
  using Done = std::function<void(Flight*, const HttpEnd&, double time_s)>;
  explicit Flight(Done done);
  void take(Question question, const Server* server);
  // A try: what the last one brought is forgotten.
  void begin();
  const Question& question() const { return question_; }
  const Server& server() const { return *server_; }
  const std::string& url() const { return url_; }
  int tries() const { return tries_; }
  int64_t tokens() const { return vaa_reply_tokens(reply_.get()); }  // some of the last kHeld bytes may lack
  // The samples of the last try, from `spare` as far as it goes. `why_not`: why it was not asked again, for the message of a failed one.
  void land(const HttpEnd& end, double end_s, const std::string& why_not, std::vector<OwnedSample>* spare, Answer* out);

  void header(std::string_view name, std::string_view value) override;
  void head(int status, std::string_view content_type, double time_s) override;
  void bytes(std::string_view bytes, double time_s) override;
  void end(const HttpEnd& end, double time_s) override;
  bool patient() const override { return one_choice_ && tokens() > 0; }  // when the first token of each choice came is recorded

 private:
  void push(std::string_view bytes, double time_s);
  void flush(double time_s);
  void complete(vaa_sample* sample, const std::string& why_not) const;

  Done done_;
  OwnedReply reply_;
  Question question_;
  const Server* server_ = nullptr;
  std::string url_, rank_, replica_, request_id_;
  int tries_ = 0, sends_ = 0;
  bool one_choice_ = true;
  std::string held_;             // of the body, not pushed yet
};

}  // namespace vaa::capture

package vaa

import (
	"encoding/json"
	"math"
	"time"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// ReplyOptions are the options of NewReply.
type ReplyOptions struct {
	MaxEvent int64 `json:"max_event,omitempty"` // bytes of one event or of a whole body: 256 MiB
}

// Reply makes samples of a server's response while its bytes arrive, from whatever HTTP client received them. One object serves response after response. It belongs to one
// goroutine at a time. A zero time.Time is "not known".
type Reply struct{ handle *handle }

// NewReply makes one. opts may be nil.
func NewReply(opts *ReplyOptions) (*Reply, error) {
	if opts == nil {
		opts = &ReplyOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var out, slot uintptr
	status := cvaa.VaaReplyNew(cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Reply{newHandle(out, cvaa.VaaReplyFree)}, nil
}

// Close frees the reply.
func (r *Reply) Close() error { r.handle.close(); return nil }

// with calls C on the reply.
func (r *Reply) with(call func(reply uintptr, slot *uintptr) int32) error {
	p := r.handle.hold()
	defer r.handle.release(p)
	var slot uintptr
	status := call(p, &slot)
	return take(status, slot)
}

func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return math.NaN()
	}
	return float64(t.UnixMicro()) / 1e6
}

// Begin begins a new response and forgets the last one. request: the body that was sent (JSON), nil where it is not known; start: when.
func (r *Reply) Begin(request []byte, start time.Time) error {
	return r.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaReplyBegin(p, cvaa.OfText(request), unixSeconds(start), slot)
	})
}

// Head takes the status and the Content-Type header.
func (r *Reply) Head(status int, contentType string) error {
	return r.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaReplyHead(p, int32(status), cvaa.OfString(contentType), slot)
	})
}

// Push takes the next bytes of the body, uncompressed, cut anywhere, and when they came.
func (r *Reply) Push(piece []byte, at time.Time) error {
	return r.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaReplyPush(p, cvaa.OfText(piece), unixSeconds(at), slot)
	})
}

// Tokens are the output tokens so far: ids where the server sends them, else chunks with output, over all choices.
func (r *Reply) Tokens() int64 {
	p := r.handle.hold()
	defer r.handle.release(p)
	return cvaa.VaaReplyTokens(p)
}

// End ends the body. fault: why the transport broke off; "" where it did not.
func (r *Reply) End(end time.Time, fault string) error {
	return r.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaReplyEnd(p, unixSeconds(end), cvaa.OfString(fault), slot)
	})
}

// Next fills the sample with the next choice of the response that ended; false where there is none left.
func (r *Reply) Next(sample *Sample) (bool, error) {
	s := sample.handle.hold()
	defer sample.handle.release(s)
	var more int32
	err := r.with(func(p uintptr, slot *uintptr) int32 { return cvaa.VaaReplyNext(p, s, &more, slot) })
	return more != 0, err
}

// Metrics counts what an engine did between scrapes of its /metrics page. It belongs to one goroutine at a time.
type Metrics struct{ handle *handle }

// NewMetrics makes one, for the pages of one server.
func NewMetrics() (*Metrics, error) {
	var out, slot uintptr
	status := cvaa.VaaMetricsNew(&out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Metrics{newHandle(out, cvaa.VaaMetricsFree)}, nil
}

// Close frees the metrics.
func (m *Metrics) Close() error { m.handle.close(); return nil }

// Push takes a page, in the order of time. ErrorFormat where no line of it is a metric.
func (m *Metrics) Push(page []byte, at time.Time) error {
	p := m.handle.hold()
	defer m.handle.release(p)
	var slot uintptr
	status := cvaa.VaaMetricsPush(p, cvaa.OfText(page), unixSeconds(at), &slot)
	return take(status, slot)
}

// Counters are the increases over all pages.
type Counters struct {
	Scrapes  int64           `json:"scrapes"`
	BadLines int64           `json:"bad_lines"`
	FromS    *float64        `json:"from_s"`
	ToS      *float64        `json:"to_s"`
	Engines  []EngineCounted `json:"engines"`
}

// EngineCounted is what one engine (data-parallel rank) counted. nil is "not exposed", which is not 0.
type EngineCounted struct {
	Engine   *string `json:"engine"`
	Model    *string `json:"model"`
	Kind     string  `json:"kind"` // vllm, sglang, llamacpp
	Restarts int64   `json:"restarts"`
	Spec     struct {
		Drafts              *float64   `json:"drafts"`
		DraftTokens         *float64   `json:"draft_tokens"`
		AcceptedTokens      *float64   `json:"accepted_tokens"`
		AcceptedPerPosition []*float64 `json:"accepted_per_position"`
	} `json:"spec"`
	PrefixCache struct {
		Queries *float64 `json:"queries"`
		Hits    *float64 `json:"hits"`
	} `json:"prefix_cache"`
	Preemptions      *float64           `json:"preemptions"`
	Requests         map[string]float64 `json:"requests"` // by finish reason
	PromptTokens     *float64           `json:"prompt_tokens"`
	GenerationTokens *float64           `json:"generation_tokens"`
	RunningMax       *float64           `json:"running_max"`
	WaitingMax       *float64           `json:"waiting_max"`
}

// Counted is what was counted so far.
func (m *Metrics) Counted() (*Counters, error) {
	p := m.handle.hold()
	defer m.handle.release(p)
	var out, slot uintptr
	status := cvaa.VaaMetricsCounted(p, &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	counted := new(Counters)
	if err := json.Unmarshal([]byte(text(out)), counted); err != nil {
		return nil, &Error{Status: ErrorInternal, Message: err.Error()}
	}
	return counted, nil
}

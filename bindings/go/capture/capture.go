// Package capture asks OpenAI-compatible servers (vLLM, vLLM-Ascend, SGLang, llama.cpp, MindIE) and gives their answers as samples of package vaa. It is a package of its own
// because it needs libvaa_capture and libcurl.
//
//	report, err := capture.Ask(ctx, "requests.jsonl", "answers.jsonl", "http://127.0.0.1:8000", nil, nil)
package capture

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	vaa "github.com/vaa-eval/vaa-go"
	"github.com/vaa-eval/vaa-go/internal/ccapture"
)

// Options say how servers are asked. A zero value is the default; vaa/capture.h says what each may be. Times are in seconds.
type Options struct {
	Engine         string   `json:"engine,omitempty"`  // auto, vllm, vllm_ascend, sglang, llamacpp, mindie, openai
	Model          string   `json:"model,omitempty"`   // default: the only one that is served
	KeyEnv         string   `json:"key_env,omitempty"` // the variable that holds the key, which is never shown
	KeyFile        string   `json:"key_file,omitempty"`
	Headers        []string `json:"headers,omitempty"` // "Name: value"
	CAFile         string   `json:"ca_file,omitempty"`
	Proxy          string   `json:"proxy,omitempty"`
	Concurrency    int      `json:"concurrency,omitempty"`
	Rate           float64  `json:"rate,omitempty"` // requests begun a second
	ConnectTimeout float64  `json:"connect_timeout_s,omitempty"`
	IdleTimeout    float64  `json:"idle_timeout_s,omitempty"`
	Timeout        float64  `json:"timeout_s,omitempty"`
	Retries        *int     `json:"retries,omitempty"`
	MaxRetryWait   float64  `json:"max_retry_wait_s,omitempty"`
}

// AskOptions say what is asked. A zero value is the default.
type AskOptions struct {
	For           string   `json:"for,omitempty"`  // quality, compare, spec, cache
	Flag          string   `json:"flag,omitempty"` // only answers with this flag
	IDs           []string `json:"ids,omitempty"`  // of a ladder: only these answers
	Sample        int64    `json:"sample,omitempty"`
	Seed          int64    `json:"seed,omitempty"` // of the draw
	Repeat        int64    `json:"repeat,omitempty"`
	MaxTokens     int64    `json:"max_tokens,omitempty"`
	Temperature   *float64 `json:"temperature,omitempty"`
	TopP          *float64 `json:"top_p,omitempty"`
	TopK          *int64   `json:"top_k,omitempty"`
	RequestSeed   *int64   `json:"request_seed,omitempty"`
	TopLogprobs   *int     `json:"top_logprobs,omitempty"`
	Stream        *bool    `json:"stream,omitempty"`
	Resume        bool     `json:"resume,omitempty"` // go on with the file of answers
	Force         bool     `json:"force,omitempty"`  // write over it
	At            []string `json:"at,omitempty"`     // of a ladder: positions such as "4K-64"
	Tokens        int64    `json:"tokens,omitempty"`
	Reencode      bool     `json:"reencode,omitempty"`
	Low           string   `json:"low,omitempty"` // of a bisection
	High          string   `json:"high,omitempty"`
	Config        string   `json:"config,omitempty"`
	Structure     []string `json:"structure,omitempty"`
	Concurrencies []int    `json:"concurrencies,omitempty"` // of AskAgain
	StopAfter     int64    `json:"stop_after,omitempty"`

	// Progress, if it is set, is called every 100 ms: answers of total (0: not known), failed of them, tokens. It must not call back into the asker.
	Progress func(answers, total, failed, tokens int64) `json:"-"`
}

// Server is what a server is and gives; nil is not known.
type Server struct {
	URL         string           `json:"url"`
	Engine      string           `json:"engine"`
	Version     *string          `json:"version"`
	Model       *string          `json:"model"`
	Models      []string         `json:"models"`
	MaxModelLen *int64           `json:"max_model_len"`
	Gives       map[string]*bool `json:"gives"` // token_ids, finish_reason, logprobs, stream, usage, …
	Problems    []string         `json:"problems"`
}

// Asker asks servers. It may be used by several goroutines; one call works at a time, the others wait.
type Asker struct {
	mutex   sync.Mutex
	pointer uintptr
}

// NewAsker makes an asker of one or more base URLs. opts may be nil.
func NewAsker(urls []string, opts *Options) (*Asker, error) {
	if opts == nil {
		opts = &Options{}
	}
	words, err := options(struct {
		URLs []string `json:"urls"`
		*Options
	}{urls, opts})
	if err != nil {
		return nil, err
	}
	var out, slot uintptr
	status := ccapture.VaaAskerNew(ccapture.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Asker{pointer: out}, nil
}

// Close frees the asker, after the call that is at work.
func (a *Asker) Close() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	ccapture.VaaAskerFree(a.pointer)
	a.pointer = 0
	return nil
}

// Servers tells what each server is and gives, by asking it.
func (a *Asker) Servers(ctx context.Context) ([]Server, error) {
	var out uintptr
	err := a.call(ctx, nil, func(asker, task uintptr, slot *uintptr) int32 {
		return ccapture.VaaAskerServers(asker, task, &out, slot)
	})
	if err != nil {
		return nil, err
	}
	var servers []Server
	return servers, json.Unmarshal([]byte(text(out)), &servers)
}

// Push puts one request into the queue: a line of an OpenAI batch file.
func (a *Asker) Push(requestLine string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	var slot uintptr
	status := ccapture.VaaAskerPush(a.pointer, ccapture.OfString(requestLine), &slot)
	return take(status, slot)
}

// Next waits for the next answer, in the order in which they arrive; io.EOF when nothing is in the queue or in flight. A request that failed for good is a sample with its error.
func (a *Asker) Next(ctx context.Context) (*vaa.Sample, error) {
	var made, slot uintptr
	status := ccapture.VaaSampleNew(&made, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	defer ccapture.VaaSampleFree(made)
	var more int32
	err := a.call(ctx, nil, func(asker, task uintptr, slot *uintptr) int32 {
		return ccapture.VaaAskerNext(asker, task, made, &more, slot)
	})
	if err != nil {
		return nil, err
	}
	if more == 0 {
		return nil, io.EOF
	}
	var out uintptr
	status = ccapture.VaaSampleToJson(made, &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	sample, err := vaa.NewSample()
	if err != nil {
		return nil, err
	}
	if err := sample.SetJSON(text(out)); err != nil {
		sample.Close()
		return nil, err
	}
	return sample, nil
}

// Ask asks what input holds (a file of OpenAI batch lines, or any run that vaa reads) and appends the answers to out as they arrive. opts may be nil.
func (a *Asker) Ask(ctx context.Context, input, out string, opts *AskOptions) (*vaa.Report, error) {
	return a.report(ctx, ccapture.VaaAsk, input, out, opts)
}

// Ladder cuts answers of run at the absolute positions opts.At and asks for the next tokens after each.
func (a *Asker) Ladder(ctx context.Context, run, out string, opts *AskOptions) (*vaa.Report, error) {
	return a.report(ctx, ccapture.VaaLadder, run, out, opts)
}

// Bisect halves to the first absolute position from which the second server parts from the first. opts may be nil.
func (a *Asker) Bisect(ctx context.Context, run, out string, opts *AskOptions) (*vaa.Report, error) {
	return a.report(ctx, ccapture.VaaBisect, run, out, opts)
}

// AskAgain asks the cases of input opts.Repeat times on each server and judges the answers. opts may be nil.
func (a *Asker) AskAgain(ctx context.Context, input, out string, opts *AskOptions) (*vaa.Report, error) {
	return a.report(ctx, ccapture.VaaAskAgain, input, out, opts)
}

// Ask asks one server; opts and what may be nil.
func Ask(ctx context.Context, input, out, url string, opts *Options, what *AskOptions) (*vaa.Report, error) {
	asker, err := NewAsker([]string{url}, opts)
	if err != nil {
		return nil, err
	}
	defer asker.Close()
	return asker.Ask(ctx, input, out, what)
}

type fileCall func(asker uintptr, input, out, options ccapture.Str, task uintptr, report, slot *uintptr) int32

func (a *Asker) report(ctx context.Context, function fileCall, input, out string, opts *AskOptions) (*vaa.Report, error) {
	if opts == nil {
		opts = &AskOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var made uintptr
	err = a.call(ctx, opts.Progress, func(asker, task uintptr, slot *uintptr) int32 {
		return function(asker, ccapture.OfString(input), ccapture.OfString(out), ccapture.OfString(words), task, &made, slot)
	})
	if err != nil {
		return nil, err
	}
	defer ccapture.VaaReportFree(made)
	var document, slot uintptr
	status := ccapture.VaaReportRender(made, ccapture.OfString(""), &document, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return vaa.ReportFromJSON(text(document))
}

// call makes a call that a context can end; what it cancelled is the context's error.
func (a *Asker) call(ctx context.Context, progress func(answers, total, failed, tokens int64), call func(asker, task uintptr, slot *uintptr) int32) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	var task, slot uintptr
	status := ccapture.VaaTaskNew(&task, &slot)
	if err := take(status, slot); err != nil {
		return err
	}
	defer ccapture.VaaTaskFree(task)
	stop := watch(ctx, task, progress)
	status = call(a.pointer, task, &slot)
	stop()
	err := take(status, slot)
	if err != nil && vaa.Status(status) == vaa.ErrorCancelled && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// watch cancels the task when the context is done and tells of progress, until the function that it returns has returned.
func watch(ctx context.Context, task uintptr, progress func(answers, total, failed, tokens int64)) (stop func()) {
	if ctx.Done() == nil && progress == nil {
		return func() {}
	}
	finished, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		var tick <-chan time.Time
		if progress != nil {
			ticker := time.NewTicker(100 * time.Millisecond)
			defer ticker.Stop()
			tick = ticker.C
		}
		for done := ctx.Done(); ; {
			select {
			case <-done:
				ccapture.VaaTaskCancel(task)
				done = nil
			case <-tick:
				progress(ccapture.VaaTaskSamples(task), ccapture.VaaTaskTotal(task), ccapture.VaaTaskFailed(task), ccapture.VaaTaskDone(task))
			case <-finished:
				return
			}
		}
	}()
	return func() {
		close(finished)
		<-left
	}
}

// take makes a Go error from what a call returned and frees C's.
func take(status int32, slot uintptr) error {
	if status == 0 {
		return nil
	}
	message := ccapture.Text(ccapture.VaaErrorMessage(slot))
	ccapture.VaaErrorFree(slot)
	return &vaa.Error{Status: vaa.Status(status), Message: message}
}

// text copies and frees what a call made.
func text(pointer uintptr) string {
	words := ccapture.Text(ccapture.VaaTextStr(pointer))
	ccapture.VaaTextFree(pointer)
	return words
}

func options(given any) (string, error) {
	words, err := json.Marshal(given)
	if err != nil {
		return "", &vaa.Error{Status: vaa.ErrorOption, Message: err.Error()}
	}
	return string(words), nil
}

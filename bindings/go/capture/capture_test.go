package capture_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	vaa "github.com/vaa-eval/vaa-go"
	"github.com/vaa-eval/vaa-go/capture"
)

// engine is a server in vLLM's manner: each answer is the words of the prompt in capitals, a word a token.
type engine struct {
	*httptest.Server
	asked atomic.Int64
	busy  atomic.Int64  // requests that are still refused with 429
	hold  chan struct{} // where it is set, answers wait for it after their first token
}

func newEngine(t *testing.T) *engine {
	e := &engine{}
	mux := http.NewServeMux()
	mux.HandleFunc("/version", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"version":"0.25.1"}`) })
	mux.HandleFunc("/v1/models", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"toy","object":"model","owned_by":"vllm","root":"toy","max_model_len":4096}]}`)
	})
	mux.HandleFunc("/v1/completions", e.complete)
	e.Server = httptest.NewServer(mux)
	t.Cleanup(e.Close)
	return e
}

func (e *engine) complete(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Prompt any  `json:"prompt"`
		Stream bool `json:"stream"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, `{"error":{"message":"bad json","type":"BadRequestError","code":400}}`, 400)
		return
	}
	prompt, _ := asked.Prompt.(string)
	if strings.HasPrefix(prompt, "word") {
		e.asked.Add(1)
		if e.busy.Add(-1) >= 0 {
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":{"message":"too many","type":"RateLimitError","code":429}}`, 429)
			return
		}
	}
	words := strings.Fields(strings.ToUpper(prompt))
	if len(words) == 0 {
		words = []string{"X"}
	}
	if !asked.Stream {
		ids := make([]int, len(words))
		for i := range words {
			ids[i] = 100 + i
		}
		list, _ := json.Marshal(ids)
		fmt.Fprintf(w, `{"id":"cmpl-1","object":"text_completion","model":"toy","choices":[{"index":0,"text":%q,"finish_reason":"stop","token_ids":%s}],"usage":{"prompt_tokens":1,"completion_tokens":%d}}`, strings.Join(words, " "), list, len(ids))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for i, word := range words {
		finish := "null"
		if i+1 == len(words) {
			finish = `"stop"`
		}
		fmt.Fprintf(w, "data: {\"id\":\"cmpl-1\",\"object\":\"text_completion\",\"model\":\"toy\",\"choices\":[{\"index\":0,\"text\":%q,\"finish_reason\":%s,\"token_ids\":[%d]}]}\n\n", word+" ", finish, 100+i)
		w.(http.Flusher).Flush()
		if e.hold != nil && strings.HasPrefix(prompt, "word") {
			select {
			case <-e.hold:
			case <-r.Context().Done():
				return
			}
		}
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func requestLine(i int) string {
	return fmt.Sprintf(`{"custom_id":"q%d","method":"POST","url":"/v1/completions","body":{"model":"toy","prompt":"word %d","max_tokens":8}}`, i, i)
}

func requestFile(t *testing.T, n int) string {
	path := filepath.Join(t.TempDir(), "requests.jsonl")
	var lines strings.Builder
	for i := 0; i < n; i++ {
		lines.WriteString(requestLine(i) + "\n")
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAskRecordsWhatTheEngineSaid(t *testing.T) {
	e := newEngine(t)
	e.busy.Store(3) // three are refused at first, and asked again
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	report, err := capture.Ask(context.Background(), requestFile(t, 40), out, e.URL, &capture.Options{Concurrency: 8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	if report.Verdict() != vaa.Pass {
		words, _ := report.Text()
		t.Fatal(words)
	}
	if e.asked.Load() != 43 {
		t.Errorf("%d requests came, 40 and 3 again should", e.asked.Load())
	}
	records, err := vaa.OpenRecords(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	seen := map[string]bool{}
	err = records.Each(func(sample *vaa.Sample) error {
		id, _ := sample.Text(vaa.FieldID)
		words, _ := sample.Text(vaa.FieldOutputText)
		ids, _ := sample.IDs(vaa.FieldOutputTokenIDs)
		seen[*id] = true
		if want := "WORD " + strings.TrimPrefix(*id, "q") + " "; *words != want || len(ids) != 2 {
			t.Errorf("%s: %q with ids %v, must be %q with two", *id, *words, ids, want)
		}
		return nil
	})
	if err != nil || len(seen) != 40 {
		t.Errorf("%d of 40 are recorded: %v", len(seen), err)
	}
}

func TestNextGivesAnswersAsTheyArrive(t *testing.T) {
	e := newEngine(t)
	asker, err := capture.NewAsker([]string{e.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asker.Close()
	for i := 0; i < 5; i++ {
		if err := asker.Push(requestLine(i)); err != nil {
			t.Fatal(err)
		}
	}
	got := 0
	for {
		sample, err := asker.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if words, _ := sample.Text(vaa.FieldOutputText); words == nil || !strings.HasPrefix(*words, "WORD") {
			t.Errorf("answer %v", words)
		}
		sample.Close()
		got++
	}
	if got != 5 {
		t.Errorf("%d answers to 5 requests", got)
	}
}

func TestACancelledAskKeepsWhatArrivedAndGoesOn(t *testing.T) {
	e := newEngine(t)
	e.hold = make(chan struct{})
	requests, out := requestFile(t, 30), filepath.Join(t.TempDir(), "answers.jsonl")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for i := 0; i < 20; i++ { // ten answers of two tokens each, then none
			e.hold <- struct{}{}
		}
		cancel()
	}()
	if _, err := capture.Ask(ctx, requests, out, e.URL, &capture.Options{Concurrency: 4}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v, must be that of the context", err)
	}
	close(e.hold)
	report, err := capture.Ask(context.Background(), requests, out, e.URL, nil, &capture.AskOptions{Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	report.Close()
	records, err := vaa.OpenRecords(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	times := map[string]int{}
	err = records.Each(func(sample *vaa.Sample) error {
		id, _ := sample.Text(vaa.FieldID)
		times[*id]++
		return nil
	})
	if err != nil || len(times) != 30 {
		t.Errorf("%d of 30 are recorded: %v", len(times), err)
	}
	for id, n := range times {
		if n != 1 {
			t.Errorf("%s is recorded %d times", id, n)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	if _, err := capture.NewAsker([]string{"ftp://x"}, nil); err == nil || !strings.Contains(err.Error(), "ftp") {
		t.Errorf("error is %v", err)
	}
	asker, err := capture.NewAsker([]string{"http://127.0.0.1:9"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asker.Servers(context.Background()); !errors.Is(err, &vaa.Error{Status: vaa.ErrorIO}) {
		t.Errorf("error is %v, must be of status VAA_ERROR_IO", err)
	}
	asker.Close()
	asker.Close()
	if err := asker.Push(requestLine(0)); err == nil {
		t.Error("a closed asker takes requests")
	}
}

func TestServersTellsWhatTheyGive(t *testing.T) {
	e := newEngine(t)
	asker, err := capture.NewAsker([]string{e.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asker.Close()
	var wait sync.WaitGroup
	for i := 0; i < 4; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			servers, err := asker.Servers(context.Background())
			if err != nil || len(servers) != 1 || servers[0].Engine != "vllm" || *servers[0].Model != "toy" || *servers[0].MaxModelLen != 4096 {
				t.Errorf("%+v %v", servers, err)
			} else if given := servers[0].Gives["token_ids"]; given == nil || !*given {
				t.Errorf("token_ids is %v, must be true", given)
			}
		}()
	}
	wait.Wait()
}

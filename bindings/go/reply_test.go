package vaa

import (
	"os"
	"strings"
	"testing"
	"time"
)

const stream = `data: {"id":"a","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"x"},"token_ids":[5]}]}

data: {"id":"a","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"y"},"token_ids":[6],"finish_reason":"stop"}]}

data: [DONE]

`

func TestReplyOfAStream(t *testing.T) {
	reply := mustGet(NewReply(nil))
	defer reply.Close()
	sample := mustGet(NewSample())
	defer sample.Close()
	start := time.Unix(1000, 0)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(reply.Begin([]byte(`{"prompt":[1,2],"temperature":0.5}`), start))
	must(reply.Head(200, "text/event-stream"))
	for i := range []byte(stream) {
		must(reply.Push([]byte(stream[i:i+1]), start.Add(250*time.Millisecond)))
	}
	if reply.Tokens() != 2 {
		t.Fatal(reply.Tokens())
	}
	must(reply.End(start.Add(time.Second), ""))
	if !mustGet(reply.Next(sample)) {
		t.Fatal("no sample")
	}
	if text := mustGet(sample.Text(FieldOutputText)); text == nil || *text != "xy" {
		t.Fatal(text)
	}
	if ttft := mustGet(sample.Float(FieldTTFTS)); ttft == nil || *ttft != 0.25 {
		t.Fatal(ttft)
	}
	if mustGet(reply.Next(sample)) {
		t.Fatal("a second sample")
	}
	must(reply.Begin(nil, time.Time{}))
	must(reply.End(time.Time{}, "connection refused"))
	if !mustGet(reply.Next(sample)) {
		t.Fatal("no sample")
	}
	if message := mustGet(sample.Text(FieldErrorMessage)); message == nil || *message != "connection refused" {
		t.Fatal(message)
	}
	if start := mustGet(sample.Float(FieldStartS)); start != nil {
		t.Fatal("a time that is not known")
	}
	if err := reply.Push([]byte("x"), start); status(err) != ErrorArgument {
		t.Fatal(err)
	}
	if _, err := NewReply(&ReplyOptions{MaxEvent: 5}); status(err) != ErrorOption || !strings.Contains(err.Error(), "max_event") {
		t.Fatal(err)
	}
}

func TestMetricsOfTwoScrapes(t *testing.T) {
	metrics := mustGet(NewMetrics())
	defer metrics.Close()
	for i, name := range []string{"before", "after"} {
		page := mustGet(os.ReadFile("../../tests/golden/samples/vllm_metrics_" + name + ".prom"))
		if err := metrics.Push(page, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	counted := mustGet(metrics.Counted())
	if counted.Scrapes != 2 || len(counted.Engines) != 2 {
		t.Fatalf("%+v", counted)
	}
	first, second := counted.Engines[0], counted.Engines[1]
	if *first.Spec.Drafts+*second.Spec.Drafts != 400 || first.Requests["length"] != 2 || second.Requests != nil || first.Preemptions != nil || *first.Engine != "0" {
		t.Fatalf("%+v", counted)
	}
	if err := metrics.Push([]byte("<html>"), time.Unix(2, 0)); status(err) != ErrorFormat {
		t.Fatal(err)
	}
}

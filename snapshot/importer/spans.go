package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Spans of calls of models. They come as OTLP JSON
//
//	{"resourceSpans": [{"resource": {"attributes"}, "scopeSpans": [{"spans": [
//	   {"traceId": hex, "spanId": hex, "name", "startTimeUnixNano": "…", "endTimeUnixNano",
//	    "attributes": [{"key", "value": {"stringValue" …}}], "events": [{"name", "attributes"}],
//	    "status": {"code", "message"}}]}]}]}
//
// one request of an exporter or many, one after the other, "resourceLogs" with "logRecords"
// likewise; or as the list or lines of spans that Phoenix exports
//
//	{"name", "span_kind", "context": {"trace_id", "span_id"}, "start_time", "end_time",
//	 "status_code", "status_message", "attributes": {…}}
//
// with attributes in names with dots or nested. What they say of a call is in the words of
// OpenTelemetry (gen_ai.input.messages and its kin, of the span or of the event
// gen_ai.client.inference.operation.details), in the older gen_ai.prompt.N.content, or in those
// of OpenInference (llm.input_messages.N.message.content).

// span is one span of either form.
type span struct {
	id, trace  string
	name       string
	start, end time.Time
	status     string // message of a failure; "" for none
	failed     bool
	attrs      map[string]any // a tree, by the parts of names
	events     []spanEvent
}

type spanEvent struct {
	name  string
	at    time.Time
	attrs map[string]any
}

// Events of a span, and log records, that are read.
const (
	detailsEvent    = "gen_ai.client.inference.operation.details"
	evaluationEvent = "gen_ai.evaluation.result"
)

// otlpValue is an AnyValue of OTLP JSON.
type otlpValue struct {
	String *string         `json:"stringValue"`
	Bool   *bool           `json:"boolValue"`
	Int    json.RawMessage `json:"intValue"` // a number, or one in a string
	Double *float64        `json:"doubleValue"`
	Array  *struct {
		Values []otlpValue `json:"values"`
	} `json:"arrayValue"`
	List *struct {
		Values []otlpPair `json:"values"`
	} `json:"kvlistValue"`
}

type otlpPair struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

// maxSpanDepth is how deep the values of a span may be nested.
const maxSpanDepth = 64

func (v otlpValue) plain(depth int) any {
	switch {
	case depth > maxSpanDepth:
		return nil
	case v.String != nil:
		return *v.String
	case v.Bool != nil:
		return *v.Bool
	case len(v.Int) > 0:
		return json.Number(strings.Trim(string(v.Int), `"`))
	case v.Double != nil:
		return *v.Double
	case v.Array != nil:
		list := []any{}
		for _, e := range v.Array.Values {
			list = append(list, e.plain(depth+1))
		}
		return list
	case v.List != nil:
		of := map[string]any{}
		for _, p := range v.List.Values {
			of[p.Key] = p.Value.plain(depth + 1)
		}
		return of
	}
	return nil
}

// treeOf are attributes as a tree, by the parts of their names.
func treeOf(pairs []otlpPair) map[string]any {
	tree := map[string]any{}
	for _, p := range pairs {
		plant(tree, p.Key, p.Value.plain(0))
	}
	return tree
}

// plant puts a value into a tree, at a name with dots.
func plant(tree map[string]any, name string, v any) {
	parts := strings.Split(name, ".")
	if len(parts) > maxSpanDepth {
		return
	}
	for _, p := range parts[:len(parts)-1] {
		below, ok := tree[p].(map[string]any)
		if !ok {
			below = map[string]any{}
			tree[p] = below
		}
		tree = below
	}
	merge(tree, parts[len(parts)-1], v)
}

// merge puts a value into a tree; a tree that is there gains what the value has.
func merge(tree map[string]any, name string, v any) {
	below, there := tree[name].(map[string]any)
	of, nested := v.(map[string]any)
	switch {
	case there && nested:
		for k, inner := range of {
			merge(below, k, inner)
		}
	case !there:
		tree[name] = v
	}
}

// at is the value at a name with dots; nil for none.
func at(v any, name string) any {
	for p := range strings.SplitSeq(name, ".") {
		tree, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = tree[p]
	}
	return v
}

func stringAt(v any, name string) string {
	s, _ := at(v, name).(string)
	return s
}

func intAt(v any, name string) int {
	f := floatAt(v, name)
	if !(f > 0 && f < math.MaxInt32) {
		return 0
	}
	return int(f)
}

// floatAt is the number at a name, 0 for none.
func floatAt(v any, name string) (f float64) {
	switch n := at(v, name).(type) {
	case json.Number:
		f, _ = n.Float64() // what is no number counts nothing
	case float64:
		f = n
	}
	return f
}

// listAt are the entries of a list: one of JSON, one in a string, or names with numbers.
func listAt(v any, name string) []any {
	switch l := at(v, name).(type) {
	case []any:
		return l
	case string:
		var list []any
		d := json.NewDecoder(strings.NewReader(l))
		d.UseNumber()
		if d.Decode(&list) == nil {
			return list
		}
	case map[string]any:
		var numbers []int
		for k := range l {
			if n, err := strconv.Atoi(k); err == nil && n >= 0 {
				numbers = append(numbers, n)
			}
		}
		slices.Sort(numbers)
		var list []any
		for _, n := range numbers {
			list = append(list, l[strconv.Itoa(n)])
		}
		return list
	}
	return nil
}

// nanosOf reads a time in ns since 1970, a number or one in a string.
func nanosOf(raw json.RawMessage) time.Time {
	n, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// otlpSpan reads a span of OTLP.
func otlpSpan(raw json.RawMessage) (*span, error) {
	var s struct {
		Trace string          `json:"traceId"`
		ID    string          `json:"spanId"`
		Name  string          `json:"name"`
		Start json.RawMessage `json:"startTimeUnixNano"`
		End   json.RawMessage `json:"endTimeUnixNano"`
		Attrs []otlpPair      `json:"attributes"`
		Event []struct {
			Name  string          `json:"name"`
			Time  json.RawMessage `json:"timeUnixNano"`
			Attrs []otlpPair      `json:"attributes"`
		} `json:"events"`
		Status struct {
			Code    json.RawMessage `json:"code"` // 2, or STATUS_CODE_ERROR
			Message string          `json:"message"`
		} `json:"status"`
	}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &s); err != nil && !errors.As(err, &wrongType) {
		return nil, err
	}
	out := &span{id: s.ID, trace: s.Trace, name: s.Name, start: nanosOf(s.Start), end: nanosOf(s.End),
		attrs: treeOf(s.Attrs)}
	if code := string(s.Status.Code); code == "2" || strings.Contains(code, "ERROR") {
		out.failed, out.status = true, s.Status.Message
	}
	for _, e := range s.Event {
		out.events = append(out.events, spanEvent{e.Name, nanosOf(e.Time), treeOf(e.Attrs)})
	}
	return out, nil
}

// otlpLog reads a log record of OTLP as a span with that one event.
func otlpLog(raw json.RawMessage) (*span, error) {
	var l struct {
		Trace string          `json:"traceId"`
		ID    string          `json:"spanId"`
		Event string          `json:"eventName"`
		Time  json.RawMessage `json:"timeUnixNano"`
		Attrs []otlpPair      `json:"attributes"`
	}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &l); err != nil && !errors.As(err, &wrongType) {
		return nil, err
	}
	attrs := treeOf(l.Attrs)
	name := cmp.Or(l.Event, stringAt(attrs, "event.name"))
	return &span{id: l.ID, trace: l.Trace, name: name, start: nanosOf(l.Time),
		attrs: map[string]any{}, events: []spanEvent{{name, nanosOf(l.Time), attrs}}}, nil
}

// listedSpan reads a span of a list.
func listedSpan(raw json.RawMessage) (*span, error) {
	var s struct {
		ID      string `json:"span_id"`
		Trace   string `json:"trace_id"`
		Kind    string `json:"span_kind"`
		Context struct {
			ID    string `json:"span_id"`
			Trace string `json:"trace_id"`
		} `json:"context"`
		Name    string          `json:"name"`
		Start   string          `json:"start_time"`
		End     string          `json:"end_time"`
		Code    string          `json:"status_code"`
		Message string          `json:"status_message"`
		Attrs   json.RawMessage `json:"attributes"`
		Events  []struct {
			Name  string         `json:"name"`
			Time  string         `json:"timestamp"`
			Attrs map[string]any `json:"attributes"`
		} `json:"events"`
	}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &s); err != nil && !errors.As(err, &wrongType) {
		return nil, err
	}
	out := &span{id: cmp.Or(s.ID, s.Context.ID), trace: cmp.Or(s.Trace, s.Context.Trace), name: s.Name,
		start: timeOf(s.Start), end: timeOf(s.End), attrs: map[string]any{}}
	if s.Code == "ERROR" {
		out.failed, out.status = true, s.Message
	}
	attrs := s.Attrs
	var inText string // a table writes them as a text
	if json.Unmarshal(attrs, &inText) == nil {
		attrs = json.RawMessage(inText)
	}
	var flat map[string]any
	d := json.NewDecoder(strings.NewReader(string(attrs)))
	d.UseNumber()
	if d.Decode(&flat) == nil {
		for k, v := range flat {
			plant(out.attrs, k, v)
		}
	}
	for _, e := range s.Events {
		attrs := map[string]any{}
		for k, v := range e.Attrs {
			plant(attrs, k, v)
		}
		out.events = append(out.events, spanEvent{e.Name, timeOf(e.Time), attrs})
	}
	if s.Kind != "" && stringAt(out.attrs, "openinference.span.kind") == "" {
		plant(out.attrs, "openinference.span.kind", s.Kind)
	}
	return out, nil
}

// spanPlaces are where spans and log records stand in a file.
func spanPlaces(format Format) func(path string) visit {
	return func(path string) visit {
		if format == OpenInference {
			if path == "" {
				return enter // a list, or one of many spans, which is put together of its members
			}
			return take
		}
		path = strings.TrimPrefix(path, "[].") // a list of requests
		switch path {
		case "", "[]", "resourceSpans", "resourceSpans[]", "resourceSpans[].scopeSpans", "resourceSpans[].scopeSpans[]",
			"resourceSpans[].scopeSpans[].spans", "resourceLogs", "resourceLogs[]", "resourceLogs[].scopeLogs",
			"resourceLogs[].scopeLogs[]", "resourceLogs[].scopeLogs[].logRecords":
			return enter
		case "resourceSpans[].scopeSpans[].spans[]", "resourceLogs[].scopeLogs[].logRecords[]",
			"resourceSpans[].resource":
			return take
		}
		return skip
	}
}

// spanReader makes turns of spans.
type spanReader struct {
	rep    *Report
	out    *recording
	n      int
	others int
	judged []judged
	loose  map[string]json.RawMessage // members of a span that is a line of the file
	lost   lost
}

// readAttributes are the attributes of a call that are kept, with all below them.
var readAttributes = []string{
	"gen_ai.operation.name", "gen_ai.request.model", "gen_ai.response.id", "gen_ai.response.model",
	"gen_ai.response.finish_reasons", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens",
	"gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens", "gen_ai.usage.cache_read.input_tokens",
	"gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.reasoning.output_tokens", "llm.token_count",
	"gen_ai.usage.cost", "gen_ai.usage.cost_usd", "llm.cost.total",
	"gen_ai.provider.name", "gen_ai.system", "gen_ai.system_instructions", "gen_ai.input.messages",
	"gen_ai.output.messages", "gen_ai.prompt",
	"gen_ai.completion", "gen_ai.tool.definitions", "llm.input_messages", "llm.output_messages", "llm.model_name",
	"llm.provider", "llm.system", "llm.tools", "openinference.span.kind", "refscope", "url.full",
	"http.response.status_code", "error.type", "event.name",
}

// judged is a verdict about a span.
type judged struct {
	span string
	note turn.Annotation
}

func readSpans(ctx context.Context, r io.ReaderAt, size int64, rep *Report, out *recording) error {
	rep.Tool = "OpenTelemetry"
	if rep.Format == OpenInference {
		rep.Tool = "OpenInference"
	}
	for _, l := range []string{noPage, rewritten, unredactedPictures} {
		rep.lacks(l)
	}
	k := &spanReader{rep: rep, out: out, lost: lost{}}
	err := eachValue(io.NewSectionReader(r, 0, size), spanPlaces(rep.Format),
		func(path string, raw json.RawMessage) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return k.value(path, raw)
		})
	if errors.Is(err, errJSON) {
		rep.damaged("ends", "the file is %v: the %s before are read", err, text.Count(k.n, "span", "spans"))
		err = nil
	}
	if err == nil {
		err = k.line()
	}
	if k.others > 0 {
		rep.damaged("others", "%s no call of a model: left out", text.Count(k.others, "span is", "spans are"))
	}
	if words := k.lost.sentence(); words != "" {
		rep.lacks(words)
	}
	out.judged = k.judged
	return err
}

// value takes in what a file has at a path.
func (k *spanReader) value(path string, raw json.RawMessage) error {
	read := otlpSpan
	switch {
	case strings.HasSuffix(path, "resourceSpans[].resource"):
		var of struct {
			Attrs []otlpPair `json:"attributes"`
		}
		if json.Unmarshal(raw, &of) == nil {
			if name := stringAt(treeOf(of.Attrs), "service.name"); name != "" {
				k.rep.Tool = text.Line(cut(name, 80)) + " (OpenTelemetry)"
			}
		}
		return nil
	case strings.HasSuffix(path, "logRecords[]"):
		read = otlpLog
	case k.rep.Format == OpenInference && path != "[]": // a member of a span that stands by itself
		if _, twice := k.loose[path]; twice {
			if err := k.line(); err != nil {
				return err
			}
		}
		if k.loose == nil {
			k.loose = map[string]json.RawMessage{}
		}
		k.loose[path] = raw
		return nil
	case k.rep.Format == OpenInference:
		read = listedSpan
	}
	s, err := read(raw)
	k.n++
	if err != nil {
		k.rep.damaged("spans", "span %d: %v", k.n, err)
		return nil
	}
	return k.span(s)
}

// line takes in the span whose members have been read one by one.
func (k *spanReader) line() error {
	if len(k.loose) == 0 {
		return nil
	}
	raw, err := json.Marshal(k.loose)
	k.loose = nil
	if err != nil {
		return nil // each member was JSON
	}
	return k.value("[]", raw)
}

// maxJudged is how many verdicts are read of a file.
const maxJudged = 10_000

// span makes a turn of a span that is a call of a model.
func (k *spanReader) span(s *span) error {
	call := s.isCall()
	for _, e := range s.events {
		switch e.name {
		case detailsEvent:
			for name, v := range e.attrs {
				plant(s.attrs, name, v)
			}
			call = true
		case evaluationEvent:
			if len(k.judged) < maxJudged {
				k.judged = append(k.judged, judged{s.key(), evaluation(e)})
			}
			if e.name == s.name { // a log record: it is no span
				return nil
			}
		}
	}
	if !call {
		k.others++
		return nil
	}
	c := conversationOf(s)
	a := asked{span: s.key(), note: stringAt(s.attrs, "refscope.note"), e: exchange.Exchange{Method: "POST",
		Dialect: wire.OpenAIResponses, Began: s.start,
		URL: stringAt(s.attrs, "url.full"), Upstream: upstreamOfSpan(s.attrs),
		Status: min(intAt(s.attrs, "http.response.status_code"), 999)}}
	if s.end.After(s.start) && !s.start.IsZero() {
		a.e.Ended = float64(s.end.Sub(s.start).Microseconds()) / 1000
	}
	var err error
	if a.bodies, err = c.bodies(); err != nil {
		k.rep.damaged("spans", "span %d: %v", k.n, err)
		return nil
	}
	a.answer = c.answer
	own := lost{}
	own.attributes(s.attrs)
	if words := own.sentence(); words != "" {
		a.lacks = append(a.lacks, words)
	}
	k.lost.add(own)
	if len(c.messages) == 0 {
		a.lacks = append(a.lacks,
			"the span does not have the messages of the request: its recorder was told to leave them out")
	}
	for _, m := range c.messages {
		for _, p := range m.Parts {
			if p.Kind == wire.Image && len(p.Data) == 0 && strings.Contains(p.URL, "REDACTED") {
				a.lacks = append(a.lacks, "the recorder put a mark in the place of a picture of the request")
			}
		}
	}
	return k.out.add(a)
}

// key names a span in its file; "" where it has no id.
func (s *span) key() string {
	if s.id == "" {
		return ""
	}
	return s.trace + " " + s.id
}

// isCall reports whether a span is a call of a model.
func (s *span) isCall() bool {
	switch kind := strings.ToUpper(stringAt(s.attrs, "openinference.span.kind")); {
	case kind == "LLM":
		return true
	case kind != "":
		return false
	}
	switch stringAt(s.attrs, "gen_ai.operation.name") {
	case "chat", "generate_content", "text_completion":
		return true
	case "":
		return at(s.attrs, "gen_ai.prompt") != nil || at(s.attrs, "gen_ai.input.messages") != nil ||
			at(s.attrs, "llm.input_messages") != nil || stringAt(s.attrs, "gen_ai.request.model") != ""
	}
	return false
}

func upstreamOfSpan(attrs map[string]any) string {
	if own := stringAt(attrs, "refscope.upstream"); own != "" {
		return own
	}
	provider := cmp.Or(stringAt(attrs, "gen_ai.provider.name"), stringAt(attrs, "gen_ai.system"),
		stringAt(attrs, "llm.provider"), stringAt(attrs, "llm.system"), "unknown")
	switch provider {
	case "gcp.gemini", "gemini", "google":
		return "gemini"
	}
	return provider
}

// evaluation is a verdict about a span.
func evaluation(e spanEvent) turn.Annotation {
	label, score := stringAt(e.attrs, "gen_ai.evaluation.score.label"), ""
	switch v := at(e.attrs, "gen_ai.evaluation.score.value").(type) {
	case json.Number:
		score = v.String()
	case float64:
		score = strconv.FormatFloat(v, 'g', 6, 64)
	}
	name := stringAt(e.attrs, "gen_ai.evaluation.name")
	words := stringAt(e.attrs, "gen_ai.evaluation.explanation")
	if name != "" && name != "refscope.verdict" {
		words = strings.TrimSpace(name+" "+score) + ": " + words
	}
	return turn.Annotation{At: e.at, By: cmp.Or(stringAt(e.attrs, "refscope.by"), name), Verdict: cmp.Or(label, score),
		Text: words, Ref: intAt(e.attrs, "refscope.ref")}
}

// assignStatus adds the verdicts of a file to its report, as far as their turns were read.
func (r *recording) assignStatus() {
	for _, j := range r.judged {
		n := r.turns[j.span]
		if n == 0 {
			r.rep.damaged("verdicts", "a verdict is about a span that is not in the file")
			continue
		}
		clean := func(s string, most int) string { return strings.ToValidUTF8(text.StartBytes(r.s.text(s), most), "") }
		note := turn.Annotation{Turn: n, At: j.note.At, By: text.Line(clean(j.note.By, 80)), Ref: j.note.Ref,
			Verdict: text.Line(clean(j.note.Verdict, 30)), Text: clean(j.note.Text, 60<<10)}
		if note.Verdict == "" && note.Text == "" {
			continue
		}
		r.rep.Verdicts = append(r.rep.Verdicts, note)
	}
}

// conversationOf reads what a span says of its call.
func conversationOf(s *span) conversation {
	a := s.attrs
	c := conversation{model: cmp.Or(stringAt(a, "gen_ai.request.model"), stringAt(a, "llm.model_name"))}
	answer := &wire.Answer{Dialect: wire.OpenAIResponses, ID: stringAt(a, "gen_ai.response.id"),
		Model: cmp.Or(stringAt(a, "gen_ai.response.model"), stringAt(a, "llm.model_name"))}
	usage := func(names ...string) (n int) {
		for _, name := range names {
			n = max(n, intAt(a, name))
		}
		return n
	}
	answer.Usage = wire.Usage{
		Input:      usage("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
		Output:     usage("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
		CacheRead:  usage("gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read"),
		CacheWrite: usage("gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write"),
		Reasoning:  usage("gen_ai.usage.reasoning.output_tokens", "llm.token_count.completion_details.reasoning"),
	}
	for _, name := range []string{"gen_ai.usage.cost", "gen_ai.usage.cost_usd", "llm.cost.total"} {
		answer.Usage.Cost = max(answer.Usage.Cost, wire.CostOf(floatAt(a, name)))
	}
	if parts := genAIParts(listAt(a, "gen_ai.system_instructions")); len(parts) > 0 {
		c.messages = append(c.messages, wire.Message{Role: "system", Parts: parts})
	}
	c.messages = append(c.messages, genAIMessages(listAt(a, "gen_ai.input.messages"))...)
	c.messages = append(c.messages, olderMessages(listAt(a, "gen_ai.prompt"))...)
	c.messages = append(c.messages, openInferenceMessages(listAt(a, "llm.input_messages"))...)
	said := genAIMessages(listAt(a, "gen_ai.output.messages"))
	said = append(said, olderMessages(listAt(a, "gen_ai.completion"))...)
	said = append(said, openInferenceMessages(listAt(a, "llm.output_messages"))...)
	for _, m := range said[:min(len(said), 1)] { // of several answers the first one counts
		for _, p := range m.Parts {
			switch p.Kind {
			case wire.Text:
				answer.Text += p.Text
			case wire.Reasoning:
				answer.Reasoning += p.Text
			}
		}
		answer.Calls = append(answer.Calls, m.Calls()...)
	}
	if reasons := listAt(a, "gen_ai.response.finish_reasons"); len(reasons) > 0 {
		answer.Finish, _ = reasons[0].(string)
	}
	if s.failed {
		answer.Error = cmp.Or(s.status, stringAt(a, "error.type"), "the call failed")
	}
	if len(said) > 0 || s.failed || answer.Usage != (wire.Usage{}) {
		c.answer = answer
	}
	for _, list := range []string{"gen_ai.tool.definitions", "llm.tools"} {
		for _, t := range listAt(a, list) {
			if schema := stringAt(t, "tool.json_schema"); schema != "" && json.Valid([]byte(schema)) {
				c.tools = append(c.tools, json.RawMessage(schema))
			} else if raw, err := json.Marshal(t); err == nil && at(t, "name") != nil || at(t, "function") != nil {
				c.tools = append(c.tools, raw)
			}
		}
	}
	return c
}

// rawOf is a value of a tree as JSON.
func rawOf(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	raw, err := json.Marshal(v)
	if err != nil { // a number that is none
		return nil
	}
	return raw
}

// genAIMessages reads messages of OpenTelemetry's semantic conventions.
func genAIMessages(list []any) []wire.Message {
	var out []wire.Message
	for _, m := range list {
		parts := genAIParts(listAt(m, "parts"))
		if content := stringAt(m, "content"); content != "" { // a form of its beginnings
			parts = append(parts, wire.Part{Kind: wire.Text, Text: content})
		}
		if len(parts) > 0 {
			out = append(out, wire.Message{Role: text.Start(stringAt(m, "role"), 40), Parts: parts})
		}
	}
	return out
}

// genAIParts reads parts of a message. The schema of an answer of a tool names it "response",
// an example of the conventions "result".
func genAIParts(list []any) []wire.Part {
	var out []wire.Part
	for _, p := range list {
		content := stringAt(p, "content")
		switch stringAt(p, "type") {
		case "text", "":
			if content != "" {
				out = append(out, wire.Part{Kind: wire.Text, Text: content})
			}
		case "reasoning", "thinking":
			out = append(out, wire.Part{Kind: wire.Reasoning, Text: content})
		case "tool_call", "server_tool_call":
			arguments := at(p, "arguments")
			if arguments == nil {
				arguments = at(p, "server_tool_call")
			}
			out = append(out, wire.Part{Kind: wire.Call, ID: stringAt(p, "id"), Name: stringAt(p, "name"),
				Arguments: argumentsOf(rawOf(arguments))})
		case "tool_call_response", "server_tool_call_response":
			response := at(p, "response")
			if response == nil {
				response = at(p, "result")
			}
			out = append(out, resultParts(stringAt(p, "id"), response)...)
		case "blob":
			out = append(out, blobOf(stringAt(p, "mime_type"), content))
		case "uri":
			out = append(out, pictureOf(stringAt(p, "uri")))
		}
	}
	return out
}

// resultParts are the parts of a tool's answer: a text, parts, or any JSON.
func resultParts(id string, response any) []wire.Part {
	if list, ok := response.([]any); ok {
		parts := genAIParts(list)
		typed := len(parts) == len(list) && len(list) > 0
		for i, p := range list {
			if typed = typed && stringAt(p, "type") != ""; typed {
				if parts[i].ID = id; parts[i].Kind == wire.Text {
					parts[i].Kind = wire.Result
				}
			}
		}
		if typed {
			return parts
		}
	}
	return []wire.Part{{Kind: wire.Result, ID: id, Text: textOf(rawOf(response))}}
}

// olderMessages reads gen_ai.prompt.N and gen_ai.completion.N, names with numbers.
func olderMessages(list []any) []wire.Message {
	var out []wire.Message
	for _, m := range list {
		var parts []wire.Part
		if content := at(m, "content"); content != nil {
			if s, ok := content.(string); ok {
				parts = append(parts, wire.Part{Kind: wire.Text, Text: s})
			} else {
				parts = append(parts, wire.Part{Kind: wire.Text, Text: textOf(rawOf(content))})
			}
		}
		for _, call := range listAt(m, "tool_calls") {
			parts = append(parts, wire.Part{Kind: wire.Call, ID: stringAt(call, "id"), Name: stringAt(call, "name"),
				Arguments: argumentsOf(rawOf(at(call, "arguments")))})
		}
		if len(parts) > 0 {
			out = append(out, wire.Message{Role: text.Start(stringAt(m, "role"), 40), Parts: parts})
		}
	}
	return out
}

// openInferenceMessages reads llm.input_messages and llm.output_messages.
func openInferenceMessages(list []any) []wire.Message {
	var out []wire.Message
	for _, entry := range list {
		m := at(entry, "message")
		if flat, ok := entry.(map[string]any); ok && m == nil { // its names have dots
			tree := map[string]any{}
			for name, v := range flat {
				plant(tree, name, v)
			}
			m = tree["message"]
		}
		id := stringAt(m, "tool_call_id")
		kind := wire.Text
		if stringAt(m, "role") == "tool" || id != "" {
			kind = wire.Result
		}
		var parts []wire.Part
		if content := stringAt(m, "content"); content != "" {
			parts = append(parts, wire.Part{Kind: kind, ID: id, Text: content})
		}
		for _, c := range listAt(m, "contents") {
			c := at(c, "message_content")
			switch stringAt(c, "type") {
			case "image":
				p := pictureOf(stringAt(c, "image.image.url"))
				p.ID = id
				parts = append(parts, p)
			case "reasoning":
				parts = append(parts, wire.Part{Kind: wire.Reasoning, Text: stringAt(c, "text")})
			default:
				if s := stringAt(c, "text"); s != "" {
					parts = append(parts, wire.Part{Kind: kind, ID: id, Text: s})
				}
			}
		}
		for _, call := range listAt(m, "tool_calls") {
			call := at(call, "tool_call")
			parts = append(parts, wire.Part{Kind: wire.Call, ID: stringAt(call, "id"),
				Name:      stringAt(call, "function.name"),
				Arguments: argumentsOf(rawOf(at(call, "function.arguments")))})
		}
		if len(parts) > 0 {
			out = append(out, wire.Message{Role: text.Start(stringAt(m, "role"), 40), Parts: parts})
		}
	}
	return out
}

package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// A trajectory in the Agent Trajectory Interchange Format (Harbor's RFC 0001), versions 1.0
// to 1.7:
//
//	{"schema_version": "ATIF-v1.7", "session_id", "agent": {"name", "version", "model_name",
//	 "tool_definitions"}, "steps": [{"step_id", "timestamp", "source": "system|user|agent",
//	   "message": text or [{"type": "text", "text"}, {"type": "image", "source": {"media_type",
//	   "path"}}], "reasoning_content", "tool_calls": [{"tool_call_id", "function_name",
//	   "arguments"}], "observation": {"results": [{"source_call_id", "content"}]},
//	   "metrics": {"prompt_tokens", "completion_tokens", "cached_tokens",
//	   "cost_usd"}, "llm_call_count"}]}
//
// Each step of the agent that called a model becomes a turn. Which of the earlier messages
// its request had is not in the format: all of them are taken, unless the file is ours, whose
// steps name them in "extra".

// atifStep is one step. Steps are read one by one, each member where it is of its type.
type atifStep struct {
	ID        json.RawMessage `json:"step_id"`
	Time      string          `json:"timestamp"`
	Source    string          `json:"source"`
	Model     string          `json:"model_name"`
	Message   json.RawMessage `json:"message"`
	Reasoning string          `json:"reasoning_content"`
	Calls     []struct {
		ID        string          `json:"tool_call_id"`
		Name      string          `json:"function_name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"tool_calls"`
	Observation struct {
		Results []struct {
			ID      string          `json:"source_call_id"`
			Content json.RawMessage `json:"content"`
		} `json:"results"`
	} `json:"observation"`
	Metrics struct {
		Input  float64 `json:"prompt_tokens"`
		Output float64 `json:"completion_tokens"`
		Cached float64 `json:"cached_tokens"`
		Cost   float64 `json:"cost_usd"`
		Extra  struct {
			CacheWrite float64 `json:"cache_creation_tokens"`
			Reasoning  float64 `json:"reasoning_tokens"`
		} `json:"extra"`
	} `json:"metrics"`
	LLMCalls *float64 `json:"llm_call_count"`
	Copied   bool     `json:"is_copied_context"`
	Extra    struct {
		Refscope atifExtra `json:"refscope"`
	} `json:"extra"`
}

// atifExtra is what this program writes beside a step.
type atifExtra struct {
	Request   []string `json:"request"` // keys of the messages, in order
	Role      string   `json:"role"`
	ID        string   `json:"id"`
	Finish    string   `json:"finish"`
	Upstream  string   `json:"upstream"`
	URL       string   `json:"url"`
	Status    int      `json:"status"`
	Error     string   `json:"error"`
	Model     string   `json:"answeredBy"`
	Refused   string   `json:"refused"` // the vendor's message in the place of an answer
	Stream    bool     `json:"stream"`
	FirstByte float64  `json:"firstByte"`
	Ended     float64  `json:"ended"`
	Note      string   `json:"note"`
	Verdicts  []struct {
		Verdict string    `json:"verdict"`
		By      string    `json:"by"`
		Text    string    `json:"text"`
		Ref     int       `json:"ref"`
		At      time.Time `json:"at"`
	} `json:"verdicts"`
}

// Bounds of what the requests of a trajectory may add up to, in bytes: each repeats the
// messages before it.
const (
	maxRequest  = 32 << 20
	maxRequests = 512 << 20
	leastTaken  = 64 << 10 // what a request may have when these are spent
)

// trajectory makes turns of steps.
type trajectory struct {
	rep      *Report
	out      *recording
	pictures fs.FS
	tools    []json.RawMessage
	model    string
	messages map[string]wire.Message // by key
	order    []string                // keys, oldest first
	sizes    map[string]int          // by key
	spent    int
	n        int
	pending  *asked // the newest request, which a result after it may belong to
	after    string // key of what came back after it; "" for nothing
	lost     lost
}

func readATIF(ctx context.Context, r io.ReaderAt, size int64, rep *Report, out *recording, pictures fs.FS) error {
	rep.Tool = "ATIF"
	for _, l := range []string{noPage, rewritten, unredactedPictures} {
		rep.lacks(l)
	}
	k := &trajectory{rep: rep, out: out, pictures: pictures, messages: map[string]wire.Message{},
		sizes: map[string]int{},
		lost:  lost{}}
	at := func(path string) visit {
		switch path {
		case "", "[]", "steps":
			return enter
		case "agent", "steps[]":
			return take
		case "schema_version", "session_id":
			return skip
		}
		if !strings.ContainsAny(path, ".[") {
			k.lost.name(path)
		}
		return skip
	}
	err := eachValue(io.NewSectionReader(r, 0, size), at, func(path string, raw json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if path == "agent" {
			k.agent(raw)
			return nil
		}
		k.n++
		var s atifStep
		var wrongType *json.UnmarshalTypeError
		if err := json.Unmarshal(raw, &s); errors.As(err, &wrongType) {
			rep.damaged("members", "step %d: %s is a %s: it is left out", k.n, text.Line(cut(wrongType.Field, 100)),
				wrongType.Value)
		} else if err != nil {
			rep.damaged("steps", "step %d: %v", k.n, err)
			return nil
		}
		k.lost.members(raw, reflect.TypeFor[atifStep]())
		return k.step(&s)
	})
	if words := k.lost.sentence(); words != "" {
		rep.lacks(words)
	}
	if errors.Is(err, errJSON) {
		rep.damaged("ends", "the file is %v: the %s before are read", err, text.Count(k.n, "step", "steps"))
		err = nil
	}
	if err != nil {
		return err
	}
	if m, ok := k.messages[k.after]; ok && k.pending != nil { // it is in no request
		k.pending.note += "\nafter this turn: " + strings.Join((&wire.Request{Messages: []wire.Message{m}}).Texts(),
			"\n")
	}
	if k.pending != nil {
		k.pending.note = strings.TrimSpace(k.pending.note)
	}
	return k.ask()
}

// agent reads who acted.
func (k *trajectory) agent(raw json.RawMessage) {
	var a struct {
		Name    string            `json:"name"`
		Version string            `json:"version"`
		Model   string            `json:"model_name"`
		Tools   []json.RawMessage `json:"tool_definitions"`
	}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &a); err != nil && !errors.As(err, &wrongType) {
		return
	}
	k.model, k.tools = a.Model, a.Tools
	if a.Name != "" {
		k.rep.Tool = text.Line(cut(a.Name+" "+a.Version, 80)) + " (ATIF)"
	}
}

// keep adds a message of the conversation.
func (k *trajectory) keep(key, role string, parts []wire.Part, listed bool) {
	if len(parts) == 0 || len(k.messages) >= 3*maxActions {
		return
	}
	size := 0
	for _, p := range parts {
		size += len(p.Text) + len(p.Data)*4/3 + len(p.Arguments) + 200
	}
	k.messages[key], k.sizes[key] = wire.Message{Role: role, Parts: parts}, size
	if listed {
		k.order = append(k.order, key)
	}
}

// step takes in one step.
func (k *trajectory) step(s *atifStep) error {
	key := cmp.Or(strings.Trim(string(s.ID), `" `), fmt.Sprint(k.n))
	message := k.content(s.Message, "")
	var calls []wire.Part
	for _, c := range s.Calls {
		calls = append(calls, wire.Part{Kind: wire.Call, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	var results []wire.Part
	for _, r := range s.Observation.Results {
		results = append(results, k.content(r.Content, cmp.Or(r.ID, "-"))...)
	}
	for i := range results {
		if results[i].ID == "-" { // a result of no call
			results[i].ID = ""
		}
	}
	called := s.Source == "agent" && !s.Copied && (s.LLMCalls == nil || *s.LLMCalls > 0)
	switch {
	case called:
		if err := k.ask(); err != nil {
			return err
		}
		if err := k.call(s, message, calls); err != nil {
			return err
		}
	case s.Source == "agent" && !s.Copied && (len(calls) > 0 || len(results) > 0):
		if err := k.ask(); err != nil {
			return err
		}
		return k.acted(s, message, calls, results)
	}
	role := s.Source
	if s.Source == "agent" {
		role = "assistant"
		said := slices.Concat(message, calls)
		k.keep(key+"/said", role, said, false)
		if s.Reasoning != "" {
			message = append([]wire.Part{{Kind: wire.Reasoning, Text: s.Reasoning}}, message...)
		}
	}
	if own := s.Extra.Refscope.Role; own != "" && len(own) < 20 {
		role = own
	}
	k.keep(key, role, slices.Concat(message, calls), true)
	k.keep(key+"/observation", "tool", results, true)
	if called && len(results) > 0 {
		k.after = key + "/observation"
	} else {
		k.after = ""
	}
	return nil
}

// content reads a text or parts. id is that of the call that they answer, "" for none.
func (k *trajectory) content(raw json.RawMessage, id string) []wire.Part {
	kind := wire.Text
	if id != "" {
		kind = wire.Result
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if s == "" {
			return nil
		}
		return []wire.Part{{Kind: kind, ID: id, Text: s}}
	}
	var list []struct {
		Type   string `json:"type"`
		Text   string `json:"text"`
		Source struct {
			Media string `json:"media_type"`
			Path  string `json:"path"`
		} `json:"source"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []wire.Part
	for _, p := range list {
		switch {
		case p.Type == "image":
			picture := k.picture(p.Source.Media, p.Source.Path)
			picture.ID = id
			out = append(out, picture)
		case p.Text != "":
			out = append(out, wire.Part{Kind: kind, ID: id, Text: p.Text})
		}
	}
	return out
}

// picture reads a picture that a step names: a file beside the trajectory, or a data URL.
func (k *trajectory) picture(media, name string) wire.Part {
	if strings.Contains(name, ":") {
		return pictureOf(name)
	}
	p := wire.Part{Kind: wire.Image, Media: media, URL: name}
	fail := func(why string) wire.Part {
		k.rep.damaged("pictures", "step %d: the picture %s: %s", k.n, text.Line(cut(name, 200)), why)
		return p
	}
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if k.pictures == nil || !fs.ValidPath(clean) || clean == "." {
		return fail("it is in a file of its own, which was not given along")
	}
	f, err := k.pictures.Open(clean)
	if err != nil {
		return fail("the file is not there")
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return fail("it is not a file")
	}
	data, err := io.ReadAll(newBounded(f, maxPicture))
	if err != nil {
		return fail("it cannot be read, or has more bytes than are read")
	}
	p.Data, p.URL = data, ""
	return p
}

// call begins the turn of a step that called a model.
func (k *trajectory) call(s *atifStep, message, calls []wire.Part) error {
	x := s.Extra.Refscope
	count := func(f float64) int { return int(max(min(finite(f), math.MaxInt32), 0)) }
	model := x.Model
	if x.Request == nil { // not ours
		model = cmp.Or(s.Model, k.model)
	}
	answer := &wire.Answer{Dialect: wire.OpenAIResponses, ID: x.ID, Model: model, Reasoning: s.Reasoning,
		Finish: x.Finish,
		Error:  x.Refused,
		Usage: wire.Usage{Input: count(s.Metrics.Input), Output: count(s.Metrics.Output),
			CacheRead:  count(s.Metrics.Cached),
			CacheWrite: count(s.Metrics.Extra.CacheWrite), Reasoning: count(s.Metrics.Extra.Reasoning),
			Cost: wire.CostOf(s.Metrics.Cost)}}
	for _, p := range message {
		answer.Text += p.Text
	}
	for _, c := range calls {
		answer.Calls = append(answer.Calls, wire.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	c := conversation{model: cmp.Or(s.Model, k.model), tools: k.tools, answer: answer}
	a := asked{e: exchange.Exchange{Upstream: cmp.Or(x.Upstream, "unknown"), Method: "POST",
		Dialect: wire.OpenAIResponses,
		Began:   timeOf(s.Time), URL: x.URL, Status: max(min(x.Status, 999), 0), Stream: x.Stream,
		Error:     text.Start(text.Line(x.Error), 300),
		FirstByte: max(finite(x.FirstByte), 0), Ended: max(finite(x.Ended), 0)}}
	keys := x.Request
	if keys == nil {
		keys = k.order
		a.lacks = append(a.lacks,
			"which of the messages before it the request had is not in the file: all of them are taken")
	}
	keys, short := k.affordable(keys)
	if short {
		a.lacks = append(a.lacks, "the messages before it have more bytes than are repeated: only the newest are taken")
	}
	for _, key := range keys {
		if m, ok := k.messages[key]; ok {
			c.messages = append(c.messages, m)
		}
	}
	a.span, a.note = k.verdicts(x), x.Note
	var err error
	a.bodies, err = c.bodies()
	if err != nil {
		k.rep.damaged("steps", "step %d: %v", k.n, err)
		return nil
	}
	a.answer, k.pending = answer, &a
	return nil
}

// affordable are the newest of the messages that a request may have, by [maxRequest] and
// what is left of [maxRequests], and whether some are left out.
func (k *trajectory) affordable(keys []string) ([]string, bool) {
	most := max(min(maxRequest, maxRequests-k.spent), leastTaken)
	from, size := len(keys), 0
	for from > 0 && size+k.sizes[keys[from-1]] <= most {
		from--
		size += k.sizes[keys[from]]
	}
	k.spent += size
	return keys[from:], from > 0
}

// ask hands out the turn that was begun.
func (k *trajectory) ask() error {
	a := k.pending
	if a == nil {
		return nil
	}
	k.pending = nil
	if err := k.out.add(*a); err != nil {
		return err
	}
	return k.out.flush() // steps are in order, with or without a time
}

// acted is the turn of a step in which the agent acted without a model.
func (k *trajectory) acted(s *atifStep, message, calls, results []wire.Part) error {
	clean := k.out.s
	steps, answers := []map[string]any{}, []map[string]any{}
	for _, c := range calls {
		steps = append(steps, map[string]any{"action": clean.text(c.Name), "params": clean.json(c.Arguments, "", "")})
	}
	rec := &turn.Record{Meta: turn.Meta{Tool: k.rep.Tool, Settled: true}, Lacks: slices.Clone(k.rep.Lacks),
		Capture: &snapshot.Capture{Schema: snapshot.Schema, TakenAt: timeOf(s.Time), Settled: true,
			URL: clean.text(text.Line(cut(s.Extra.Refscope.URL, 8<<10))), Verdicts: map[snapshot.Verdict]int{},
			Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, Why: "the file keeps no page"}}}}
	for _, p := range results {
		if p.Kind == wire.Result {
			answers = append(answers, map[string]any{"action": "", "result": clean.text(p.Text)})
		}
	}
	if lack := showNewest(rec, &wire.Request{Messages: []wire.Message{{Parts: results}}}); lack != "" {
		rec.Lacks = append(rec.Lacks, text.Start(clean.text(lack), 1000))
	}
	words := make([]string, 0, 1)
	said := message
	if len(said) == 0 {
		said = calls
	}
	for _, p := range said {
		words = append(words, p.Text+p.Name)
	}
	rec.Action = cmp.Or(text.Line(cut(clean.text(strings.Join(words, ", ")), 1<<10)), "no action")
	if err := setSteps(rec, steps, answers, false); err != nil {
		return err
	}
	rec.Note = clean.text(cut(s.Extra.Refscope.Note, 60<<10))
	span := k.verdicts(s.Extra.Refscope)
	if err := k.out.give(rec); err != nil {
		return err
	}
	k.out.turns[span] = k.rep.Turns
	return nil
}

// verdicts takes in what is said about a step, and names the step.
func (k *trajectory) verdicts(x atifExtra) string {
	span := fmt.Sprint("step ", k.n)
	for _, v := range x.Verdicts[:min(len(x.Verdicts), 100)] {
		if len(k.out.judged) < maxJudged {
			k.out.judged = append(k.out.judged, judged{span,
				turn.Annotation{At: v.At, By: v.By, Verdict: v.Verdict, Text: v.Text, Ref: max(v.Ref, 0)}})
		}
	}
	return span
}

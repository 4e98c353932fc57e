package exporter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// atifWriter writes a trajectory in the Agent Trajectory Interchange Format 1.7 (Harbor's RFC
// 0001). A trajectory is one conversation: each message is a step, once. Requests that
// repeat messages name them in their step's extra.refscope.request, so that a reader can put
// each together again; an agent that sends every request anew, without a history, is one
// whose steps name few.
type atifWriter struct {
	list
	loss  *losses
	o     Options
	keys  map[[32]byte]string // of messages that are in the file
	head  bool                // what is before the steps is written
	step  int
	open  *atifStep // the newest step, which results may still belong to
	files int
	total struct{ input, output, cached int }
}

type atifStep struct {
	ID          int            `json:"step_id"`
	Time        string         `json:"timestamp,omitempty"`
	Source      string         `json:"source"`
	Model       string         `json:"model_name,omitempty"`
	Message     any            `json:"message"`
	Reasoning   string         `json:"reasoning_content,omitempty"`
	Calls       []atifCall     `json:"tool_calls,omitempty"`
	Observation *atifResults   `json:"observation,omitempty"`
	Metrics     map[string]any `json:"metrics,omitempty"`
	Copied      bool           `json:"is_copied_context,omitempty"`
	LLMCalls    *int           `json:"llm_call_count,omitempty"`
	Extra       map[string]any `json:"extra,omitempty"`
}

type atifCall struct {
	ID        string          `json:"tool_call_id"`
	Name      string          `json:"function_name"`
	Arguments json.RawMessage `json:"arguments"`
}

type atifResults struct {
	Results []atifResult `json:"results"`
}

type atifResult struct {
	ID      string `json:"source_call_id,omitempty"`
	Content any    `json:"content,omitempty"`
}

func (w *atifWriter) begin() error {
	for _, s := range []string{
		"a trajectory has messages, not the bytes of the wire: settings of requests, and marks of a prompt cache, " +
			"are not in it",
		"captures of pages, numbers of elements and pairings are not in it",
		"a stream is its whole answer, without its events",
	} {
		w.loss.add(0, s)
	}
	return nil
}

// start writes what is before the steps; the first request tells the agent's tools.
func (w *atifWriter) start(model string, tools []json.RawMessage) error {
	if w.head {
		return nil
	}
	w.head = true
	if err := w.text(`{"schema_version":"ATIF-v1.7","session_id":`); err != nil {
		return err
	}
	if err := w.value(w.o.Session); err != nil {
		return err
	}
	agent := map[string]any{"name": "refscope", "version": w.o.Version}
	if model != "" {
		agent["model_name"] = model
	}
	if len(tools) > 0 {
		agent["tool_definitions"] = tools
	}
	if err := w.text(`,"agent":`); err != nil {
		return err
	}
	if err := w.value(agent); err != nil {
		return err
	}
	return w.text(`,"steps":[`)
}

// add writes the step before, and makes s the newest.
func (w *atifWriter) add(s *atifStep) (int, error) {
	if w.open != nil {
		if err := w.entry(w.open); err != nil {
			return 0, err
		}
	}
	w.step++
	s.ID, w.open = w.step, s
	return s.ID, nil
}

func (w *atifWriter) turn(t *turnOf) (bool, error) {
	wrote := false
	for i := range t.asks {
		a := &t.asks[i]
		if a.asked == nil {
			w.loss.add(t.N, "a request in a form that is not read is left out")
			continue
		}
		a.lossesOf(t.N, w.loss)
		if err := w.start(a.model(), a.tools()); err != nil {
			return wrote, err
		}
		if err := w.ask(t, a, i == 0); err != nil {
			return wrote, err
		}
		wrote = true
	}
	if !wrote {
		done, err := w.acted(t)
		if err != nil {
			return wrote, err
		}
		if wrote = done; !done && len(t.asks) == 0 {
			w.loss.add(t.N, "a turn without a request and without steps is left out")
		}
	}
	if !wrote && len(t.notes) > 0 {
		w.loss.add(t.N, "verdicts about a turn that is left out are too")
	}
	return wrote, nil
}

// ask writes the messages of a request that are not in the file yet, and its answer.
func (w *atifWriter) ask(t *turnOf, a *ask, first bool) error {
	keys := []string{}
	for _, m := range a.asked.Messages {
		results, others := split(m)
		if len(results) > 0 {
			key, err := w.results(t, results)
			if err != nil {
				return err
			}
			keys = append(keys, key)
		}
		if len(others) > 0 {
			key, err := w.message(t, m.Role, others)
			if err != nil {
				return err
			}
			keys = append(keys, key)
		}
	}
	began, _ := a.times()
	one := 1
	extra := map[string]any{"turn": t.N, "request": keys, "upstream": a.e.Upstream, "url": a.e.URL,
		"status": a.e.Status,
		"error":  a.e.Error, "stream": a.e.Stream, "firstByte": a.e.FirstByte, "ended": a.e.Ended}
	if first {
		about(t, extra)
	}
	s := &atifStep{Time: began.Format(time.RFC3339Nano), Source: "agent", Model: a.model(), Message: "", LLMCalls: &one,
		Extra: map[string]any{"refscope": extra}}
	said := a.e.Answer
	if said == nil {
		said = &wire.Answer{}
	}
	extra["id"], extra["finish"], extra["answeredBy"], extra["refused"] = said.ID, said.Finish, said.Model, said.Error
	s.Message, s.Reasoning = said.Text, said.Reasoning
	var parts []wire.Part
	if said.Text != "" {
		parts = append(parts, wire.Part{Kind: wire.Text, Text: said.Text})
	}
	for _, c := range said.Calls {
		s.Calls = append(s.Calls, w.call(t, c.ID, c.Name, c.Arguments))
		parts = append(parts, wire.Part{Kind: wire.Call, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	if u := said.Usage; u != (wire.Usage{}) {
		s.Metrics = map[string]any{"prompt_tokens": u.Input, "completion_tokens": u.Output,
			"cached_tokens": u.CacheRead,
			"extra":         map[string]int{"cache_creation_tokens": u.CacheWrite, "reasoning_tokens": u.Reasoning}}
		if u.Cost > 0 {
			s.Metrics["cost_usd"] = u.Cost
		}
		w.total.input += u.Input
		w.total.output += u.Output
		w.total.cached += u.CacheRead
	}
	n, err := w.add(s)
	if err != nil || len(parts) == 0 {
		return err
	}
	w.keys[hashOf("assistant", parts)] = fmt.Sprint(n, "/said")
	if said.Reasoning != "" {
		parts = append([]wire.Part{{Kind: wire.Reasoning, Text: said.Reasoning}}, parts...)
	}
	w.keys[hashOf("assistant", parts)] = strconv.Itoa(n)
	return nil
}

// about puts what was said about a turn into a step's extra.
func about(t *turnOf, extra map[string]any) {
	if t.Note != "" {
		extra["note"] = t.Note
	}
	var out []any
	for _, n := range t.notes {
		out = append(out, map[string]any{"verdict": n.Verdict, "by": n.By, "text": n.Text, "ref": n.Ref, "at": n.At})
	}
	if len(out) > 0 {
		extra["verdicts"] = out
	}
}

// call is a call of a tool; arguments that are no object go into one.
func (w *atifWriter) call(t *turnOf, id, name string, arguments json.RawMessage) atifCall {
	var object map[string]json.RawMessage
	if json.Unmarshal(arguments, &object) != nil || object == nil {
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		} else {
			w.loss.add(t.N, "arguments that are no JSON object are its member \"value\"")
			arguments = json.RawMessage(`{"value":` + string(arguments) + `}`)
		}
	}
	return atifCall{id, name, arguments}
}

// hashOf tells messages apart.
func hashOf(role string, parts []wire.Part) [32]byte {
	h := sha256.New()
	for _, p := range parts {
		var arguments bytes.Buffer
		if json.Compact(&arguments, p.Arguments) != nil {
			arguments.Write(p.Arguments)
		}
		fmt.Fprintf(h, "%q %q %q %q %q %q %q %d\n", role, p.Kind, p.Text, p.URL, p.ID, p.Name,
			arguments.Bytes(), len(p.Data))
		h.Write(p.Data)
	}
	return [32]byte(h.Sum(nil))
}

// message writes a message that is not in the file yet, and returns its key.
func (w *atifWriter) message(t *turnOf, role string, parts []wire.Part) (string, error) {
	hash := hashOf(role, parts)
	if key := w.keys[hash]; key != "" {
		return key, nil
	}
	s := &atifStep{Source: "user", Extra: map[string]any{"refscope": map[string]any{"role": role}}}
	var content []wire.Part
	for _, p := range parts {
		switch p.Kind {
		case wire.Call:
			s.Calls = append(s.Calls, w.call(t, p.ID, p.Name, p.Arguments))
		case wire.Reasoning:
			s.Reasoning += p.Text
		default:
			content = append(content, p)
		}
	}
	none := 0
	switch role {
	case "assistant":
		// It is not as the model answered it, or its answer is not in the session.
		s.Source, s.Copied, s.LLMCalls = "agent", true, &none
	case "system", "developer":
		s.Source = "system"
	}
	var err error
	if s.Message, err = w.content(content); err != nil {
		return "", err
	}
	n, err := w.add(s)
	w.keys[hash] = strconv.Itoa(n)
	return w.keys[hash], err
}

// results writes answers of tools: to the newest step, where it is the agent's and has none, else
// as a step of their own.
func (w *atifWriter) results(t *turnOf, parts []wire.Part) (string, error) {
	hash := hashOf("tool", parts)
	if key := w.keys[hash]; key != "" {
		return key, nil
	}
	if w.open == nil || w.open.Source != "agent" || w.open.Observation != nil {
		none := 0
		w.loss.add(t.N, "results that do not follow their call are a step of their own")
		if _, err := w.add(&atifStep{Source: "agent", Message: "", Copied: true, LLMCalls: &none}); err != nil {
			return "", err
		}
	}
	out := &atifResults{}
	for i := 0; i < len(parts); i++ {
		group := []wire.Part{parts[i]}
		for parts[i].ID != "" && i+1 < len(parts) && parts[i+1].ID == parts[i].ID {
			i++
			group = append(group, parts[i])
		}
		content, err := w.content(group)
		if err != nil {
			return "", err
		}
		out.Results = append(out.Results, atifResult{group[0].ID, content})
	}
	w.open.Observation = out
	w.keys[hash] = fmt.Sprint(w.open.ID, "/observation")
	return w.keys[hash], nil
}

// content is a text, or a list of texts and pictures.
func (w *atifWriter) content(parts []wire.Part) (any, error) {
	if len(parts) == 0 {
		return "", nil
	}
	if len(parts) == 1 && parts[0].Kind != wire.Image {
		return parts[0].Text, nil
	}
	out := []any{}
	for _, p := range parts {
		if p.Kind != wire.Image {
			out = append(out, map[string]string{"type": "text", "text": p.Text})
			continue
		}
		path := p.URL
		if len(p.Data) > 0 {
			var err error
			if path, err = w.picture(p.Media, p.Data); err != nil {
				return nil, err
			}
		}
		out = append(out, map[string]any{"type": "image", "source": map[string]string{"media_type": p.Media,
			"path": path}})
	}
	return out, nil
}

// picture stores a picture beside the file, once.
func (w *atifWriter) picture(media string, data []byte) (string, error) {
	hash := sha256.Sum256(data)
	if path := w.keys[hash]; path != "" {
		return path, nil
	}
	if w.o.Picture == nil {
		return "", errors.New("a trajectory keeps pictures beside its file: there is no place for them")
	}
	ending := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp",
		"image/gif": ".gif"}[media]
	w.files++
	path, err := w.o.Picture(fmt.Sprintf("%04d%s", w.files, ending), data)
	w.keys[hash] = path
	return path, err
}

// acted writes a turn without a request: what was done, what came of it, and the page as it
// was then.
func (w *atifWriter) acted(t *turnOf) (bool, error) {
	steps, answers := stepsOf(t.Record)
	if len(steps) == 0 {
		return false, nil
	}
	if err := w.start("", nil); err != nil {
		return false, err
	}
	none := 0
	extra := map[string]any{"turn": t.N, "url": t.Capture.URL}
	about(t, extra)
	s := &atifStep{Source: "agent", Message: t.Action, LLMCalls: &none, Observation: &atifResults{},
		Extra: map[string]any{"refscope": extra}}
	if !t.Capture.TakenAt.IsZero() {
		s.Time = t.Capture.TakenAt.Format(time.RFC3339Nano)
	}
	for i, step := range steps {
		id := fmt.Sprintf("turn_%d_step_%d", t.N, i+1)
		s.Calls = append(s.Calls, w.call(t, id, step.name, step.parameters))
		if i < len(answers) {
			s.Observation.Results = append(s.Observation.Results, atifResult{id, string(answers[i])})
		}
	}
	if len(t.Picture) > 0 {
		content, err := w.content([]wire.Part{{Kind: wire.Image, Media: "image/png", Data: t.Picture}})
		if err != nil {
			return false, err
		}
		s.Observation.Results = append(s.Observation.Results, atifResult{Content: content})
	}
	_, err := w.add(s)
	return true, err
}

// stepOf is a step of a turn.
type stepOf struct {
	name       string
	parameters json.RawMessage
}

// stepsOf are the steps of a turn, and the answers to them: as many as there are.
func stepsOf(rec *turn.Record) (out []stepOf, answers []json.RawMessage) {
	var asked struct {
		Steps []map[string]json.RawMessage `json:"steps"`
	}
	if len(rec.Steps) == 0 || json.Unmarshal(rec.Steps, &asked) != nil {
		return nil, nil
	}
	for _, step := range asked.Steps {
		s := stepOf{parameters: step["params"]}
		if json.Unmarshal(step["action"], &s.name) != nil {
			s.name, s.parameters = stepName(step)
		}
		s.name = cmp.Or(s.name, "step")
		out = append(out, s)
	}
	var said struct {
		Steps []json.RawMessage `json:"steps"`
	}
	_ = json.Unmarshal(rec.Answer, &said) // no answer has no results
	return out, said.Steps
}

// stepName is the name of a step of ours, {NAME: parameters}, and all its members.
func stepName(step map[string]json.RawMessage) (string, json.RawMessage) {
	name := ""
	for k := range step {
		if name == "" || k < name {
			name = k
		}
	}
	raw, err := json.Marshal(step)
	if err != nil {
		return name, nil
	}
	if len(step) == 1 {
		return name, step[name]
	}
	return name, raw
}

func (w *atifWriter) end(losses, run []string) error {
	if err := w.start("", nil); err != nil {
		return err
	}
	if w.open != nil {
		if err := w.entry(w.open); err != nil {
			return err
		}
	}
	if err := w.text("\n],\"notes\":"); err != nil {
		return err
	}
	notes := ""
	for _, l := range run {
		notes += "About the run: " + l + ". "
	}
	notes += "Not in this file:"
	for _, l := range losses {
		notes += " " + l + ";"
	}
	if err := w.value(notes); err != nil {
		return err
	}
	if err := w.text(`,"final_metrics":`); err != nil {
		return err
	}
	err := w.value(map[string]int{"total_prompt_tokens": w.total.input, "total_completion_tokens": w.total.output,
		"total_cached_tokens": w.total.cached, "total_steps": w.step})
	if err != nil {
		return err
	}
	return w.text("}\n")
}

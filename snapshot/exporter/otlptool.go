package exporter

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// server is where a request went: the conventions want the port wherever they have the address.
func server(address string) []otlpAttr {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	port, err := strconv.Atoi(u.Port())
	switch {
	case err == nil:
	case u.Scheme == "http":
		port = 80
	case u.Scheme == "https":
		port = 443
	}
	out := []otlpAttr{textAttr("server.address", u.Hostname())}
	if port > 0 {
		out = append(out, intAttr("server.port", port))
	}
	return out
}

// requestSettings are the settings of requests that the conventions name, by the members in which vendors have them:
// OpenAI's, Anthropic's and those of Gemini's generationConfig.
var requestSettings = []struct {
	name    string
	members []string
	whole   bool // a whole number
}{
	{"gen_ai.request.temperature", []string{"temperature"}, false},
	{"gen_ai.request.top_p", []string{"top_p", "topP"}, false},
	{"gen_ai.request.top_k", []string{"top_k", "topK"}, false},
	{"gen_ai.request.max_tokens", []string{"max_completion_tokens", "max_output_tokens", "max_tokens",
		"maxOutputTokens"}, true},
	{"gen_ai.request.seed", []string{"seed"}, true},
	{"gen_ai.request.frequency_penalty", []string{"frequency_penalty", "frequencyPenalty"}, false},
	{"gen_ai.request.presence_penalty", []string{"presence_penalty", "presencePenalty"}, false},
	{"gen_ai.request.choice.count", []string{"n", "candidateCount"}, true},
}

// settings are the attributes of what a request asks of the model beside its messages.
func settings(raw map[string]json.RawMessage) []otlpAttr {
	var inner map[string]json.RawMessage
	_ = json.Unmarshal(raw["generationConfig"], &inner) // what is no object has no settings
	first := func(members []string, v any) bool {
		for _, name := range members {
			for _, from := range []map[string]json.RawMessage{raw, inner} {
				if value := from[name]; len(value) > 0 && string(value) != "null" && json.Unmarshal(value, v) == nil {
					return true
				}
			}
		}
		return false
	}
	var out []otlpAttr
	for _, s := range requestSettings {
		var n float64
		switch {
		case !first(s.members, &n):
		case !s.whole:
			out = append(out, numberAttr(s.name, n))
		case n == float64(int64(n)) && (n != 1 || s.name != "gen_ai.request.choice.count"): // one choice is usual
			out = append(out, otlpAttr{s.name, map[string]any{"intValue": strconv.FormatInt(int64(n), 10)}})
		}
	}
	var stops []string
	if members := []string{"stop", "stop_sequences", "stopSequences"}; !first(members, &stops) {
		var one string
		if first(members, &one) {
			stops = []string{one}
		}
	}
	if len(stops) > 0 {
		out = append(out, listAttr("gen_ai.request.stop_sequences", stops))
	}
	return out
}

// toolCall is one step, or one call of a tool.
type toolCall struct {
	id, name          string
	arguments, result string // as JSON or text, "" where it is not known
	failed            string // why, "" where it went well
	kind              string // of the failure, "" where it is not known
	began, ended      time.Time
}

// tool writes a call as a span. nth tells the spans of a turn apart.
func (o *otlpWriter) tool(t *turnOf, nth string, c toolCall) error {
	attrs := []otlpAttr{textAttr("gen_ai.operation.name", "execute_tool"), textAttr("gen_ai.tool.name", c.name),
		textAttr("gen_ai.tool.type", "function"), textAttr("gen_ai.conversation.id", o.o.Session),
		intAttr("refscope.turn", t.N)}
	for _, p := range [][2]string{{"gen_ai.tool.call.id", c.id}, {"gen_ai.tool.call.arguments", c.arguments},
		{"gen_ai.tool.call.result", c.result}, {"refscope.page", t.Capture.URL}, {"refscope.note", t.Note}} {
		if p[1] != "" {
			attrs = append(attrs, textAttr(p[0], p[1]))
		}
	}
	status := map[string]any{}
	if c.failed != "" {
		status = map[string]any{"code": statusError, "message": c.failed}
		attrs = append(attrs, textAttr("error.type", cmp.Or(c.kind, "_OTHER")))
	}
	events := []any{}
	if nth == "0" { // once for a turn
		for _, n := range t.notes {
			events = append(events, evaluationOf(n))
		}
	}
	return o.entry(map[string]any{"traceId": id(16, o.o.Session), "spanId": id(8, o.o.Session, t.N, "tool", nth),
		"name": "execute_tool " + clean(c.name), "kind": spanInternal, "startTimeUnixNano": nanos(c.began),
		"endTimeUnixNano": nanos(c.ended), "attributes": attrs, "events": events, "status": status})
}

// tools writes the calls of a server of tools: the model's, which a recorded exchange has as its answer, or the one of
// our own server, whose payload is the call.
func (o *otlpWriter) tools(t *turnOf, a *ask, i int) (bool, error) {
	began, ended := a.times()
	var name string
	if json.Unmarshal(a.raw["name"], &name) == nil && name != "" {
		c := toolCall{name: name, arguments: string(a.raw["arguments"]), began: began, ended: ended}
		if a.answer != nil {
			var result struct {
				Content json.RawMessage `json:"content"`
				IsError bool            `json:"isError"`
			}
			if json.Unmarshal(a.answer.Bytes, &result) == nil {
				c.result = string(result.Content)
				if result.IsError {
					c.failed, c.kind = "the tool reported an error", "tool_error"
				}
			}
		}
		return true, o.tool(t, strconv.Itoa(i), c)
	}
	if a.e.Answer == nil || a.asked == nil {
		return false, nil
	}
	for k, call := range a.e.Answer.Calls {
		c := toolCall{id: call.ID, name: call.Name, arguments: string(call.Arguments), began: began, ended: ended,
			failed: a.e.Error}
		var said []string
		for _, m := range a.asked.Messages {
			for _, p := range m.Parts {
				if p.ID == call.ID && p.Text != "" {
					said = append(said, p.Text)
				}
			}
		}
		c.result = strings.Join(said, "\n")
		nth := strconv.Itoa(i)
		if k > 0 { // of several calls in one answer
			nth += "." + strconv.Itoa(k)
		}
		if err := o.tool(t, nth, c); err != nil {
			return false, err
		}
	}
	return len(a.e.Answer.Calls) > 0, nil
}

// acted writes the steps of a turn without a request.
func (o *otlpWriter) acted(t *turnOf) (bool, error) {
	list, answers := stepsOf(t.Record)
	for i, s := range list {
		c := toolCall{id: fmt.Sprintf("turn_%d_step_%d", t.N, i+1), name: s.name, arguments: string(s.parameters),
			began: t.Capture.TakenAt, ended: t.Capture.TakenAt}
		if i < len(answers) {
			c.result = string(answers[i])
			var said struct{ Status, Error, Subtype string }
			if json.Unmarshal(answers[i], &said) == nil && said.Status == "error" {
				c.failed, c.kind = cmp.Or(said.Error, "the step failed"), said.Subtype
			}
		}
		if err := o.tool(t, strconv.Itoa(i), c); err != nil {
			return false, err
		}
	}
	return len(list) > 0, nil
}

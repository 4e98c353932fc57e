package exporter

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// otlpWriter writes a request of an OTLP exporter as JSON: one span for each request to a model, and one for each step
// and each call of a tool, in the words of OpenTelemetry's semantic conventions for generative AI (Development). Ids
// are hex and numbers of 64 bits are strings there, unlike in the JSON of protocol buffers.
type otlpWriter struct {
	list
	loss *losses
	o    Options
}

func newOTLP(w *bufio.Writer, loss *losses, o Options) *otlpWriter {
	return &otlpWriter{list: list{w: w}, loss: loss, o: o}
}

// conventions is the version of the semantic conventions whose words are used.
const conventions = "https://opentelemetry.io/schemas/1.41.0"

// Kinds of spans and the status of one that failed.
const (
	spanInternal = 1
	spanClient   = 3
	statusError  = 2
)

// otlpAttr is an attribute.
type otlpAttr struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

func textAttr(key, v string) otlpAttr { return otlpAttr{key, map[string]any{"stringValue": v}} }

func intAttr(key string, n int) otlpAttr {
	return otlpAttr{key, map[string]any{"intValue": strconv.Itoa(n)}}
}

func numberAttr(key string, n float64) otlpAttr {
	return otlpAttr{key, map[string]any{"doubleValue": n}}
}

func listAttr(key string, texts []string) otlpAttr {
	values := []any{}
	for _, s := range texts {
		values = append(values, map[string]any{"stringValue": s})
	}
	return otlpAttr{key, map[string]any{"arrayValue": map[string]any{"values": values}}}
}

// jsonAttr is an attribute of structured data, which a span holds as JSON in a text.
func jsonAttr(key string, v any) (otlpAttr, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return otlpAttr{}, fmt.Errorf("writing %s: %w", key, err)
	}
	return textAttr(key, string(raw)), nil
}

func (o *otlpWriter) begin() error {
	for _, s := range []string{
		"spans have messages, not the bytes of the wire: settings of requests that the conventions do not name, and " +
			"marks of a prompt cache, are not in them",
		"captures and pictures of pages, numbers of elements and pairings are not in them: only pictures within " +
			"requests",
		"a stream is its whole answer, without its events",
	} {
		o.loss.add(0, s)
	}
	scope := map[string]string{"name": "refscope"}
	if o.o.Version != "" {
		scope["version"] = o.o.Version
	}
	if err := o.text(`{"resourceSpans":[{"schemaUrl":"` + conventions + `","scopeSpans":[{"schemaUrl":"` + conventions +
		`","scope":`); err != nil {
		return err
	}
	if err := o.value(scope); err != nil {
		return err
	}
	return o.text(`,"spans":[`)
}

func (o *otlpWriter) turn(t *turnOf) (bool, error) {
	wrote := false
	for i := range t.asks {
		a := &t.asks[i]
		if a.e.Dialect == wire.MCP {
			done, err := o.tools(t, a, i)
			if err != nil {
				return wrote, err
			}
			wrote = wrote || done
			continue
		}
		if a.asked == nil {
			o.loss.add(t.N, "a request in a form that is not read is left out")
			continue
		}
		a.lossesOf(t.N, o.loss)
		span, err := o.span(t, a, i)
		if err != nil {
			return wrote, err
		}
		if err := o.entry(span); err != nil {
			return wrote, err
		}
		wrote = true
	}
	if wrote {
		return true, nil
	}
	done, err := o.acted(t)
	if !done && len(t.asks) == 0 {
		o.loss.add(t.N, "a turn without a request to a model and without steps is left out")
	}
	return done, err
}

// id is n bytes as hex that follow from words, and never all zero.
func id(n int, words ...any) string {
	sum := sha256.Sum256(fmt.Append(nil, words...))
	sum[0] |= 1
	return hex.EncodeToString(sum[:n])
}

func nanos(t time.Time) string {
	if t.IsZero() {
		return "0"
	}
	return strconv.FormatInt(t.UnixNano(), 10)
}

// provider is the name of a vendor in the conventions.
func provider(upstream string) string {
	if upstream == "gemini" {
		return "gcp.gemini"
	}
	return strings.TrimPrefix(upstream, "compat/")
}

func (o *otlpWriter) span(t *turnOf, a *ask, i int) (any, error) {
	attrs := []otlpAttr{textAttr("gen_ai.operation.name", "chat"),
		textAttr("gen_ai.provider.name", cmp.Or(provider(a.e.Upstream), a.e.Dialect)),
		textAttr("gen_ai.conversation.id", o.o.Session), intAttr("refscope.turn", t.N),
		textAttr("refscope.dialect", a.e.Dialect)}
	texts := func(pairs ...[2]string) {
		for _, p := range pairs {
			if p[1] != "" {
				attrs = append(attrs, textAttr(p[0], p[1]))
			}
		}
	}
	numbers := func(key string, n int) {
		if n > 0 {
			attrs = append(attrs, intAttr(key, n))
		}
	}
	texts([2]string{"gen_ai.request.model", a.model()}, [2]string{"url.full", a.e.URL},
		[2]string{"refscope.upstream", a.e.Upstream}, [2]string{"refscope.note", t.Note})
	attrs = append(attrs, server(a.e.URL)...)
	attrs = append(attrs, settings(a.raw)...)
	numbers("http.response.status_code", a.e.Status)
	system, messages := o.messages(a)
	put := func(key string, v any, there bool) (err error) {
		if !there {
			return nil
		}
		attr, err := jsonAttr(key, v)
		attrs = append(attrs, attr)
		return err
	}
	tools := a.tools()
	status := map[string]any{}
	var output []any
	if said := a.e.Answer; said != nil {
		texts([2]string{"gen_ai.response.model", said.Model}, [2]string{"gen_ai.response.id", said.ID})
		if said.Finish != "" {
			attrs = append(attrs, listAttr("gen_ai.response.finish_reasons", []string{said.Finish}))
		}
		numbers("gen_ai.usage.input_tokens", said.Usage.Input)
		numbers("gen_ai.usage.output_tokens", said.Usage.Output)
		numbers("gen_ai.usage.cache_read.input_tokens", said.Usage.CacheRead)
		numbers("gen_ai.usage.cache_creation.input_tokens", said.Usage.CacheWrite)
		numbers("gen_ai.usage.reasoning.output_tokens", said.Usage.Reasoning)
		if said.Usage.Cost > 0 {
			attrs = append(attrs, numberAttr("gen_ai.usage.cost", said.Usage.Cost))
		}
		output = answerMessage(said)
		if said.Error != "" {
			status = map[string]any{"code": statusError, "message": said.Error}
		}
	}
	if a.e.Error != "" {
		status = map[string]any{"code": statusError, "message": a.e.Error}
	}
	switch {
	case a.e.Status >= 400:
		attrs = append(attrs, textAttr("error.type", strconv.Itoa(a.e.Status)))
	case len(status) > 0:
		attrs = append(attrs, textAttr("error.type", "_OTHER")) // the conventions' word for a class that is not known
	}
	for _, err := range []error{put("gen_ai.system_instructions", system, len(system) > 0),
		put("gen_ai.input.messages", messages, len(messages) > 0),
		put("gen_ai.output.messages", output, len(output) > 0), put("gen_ai.tool.definitions", tools, len(tools) > 0)} {
		if err != nil {
			return nil, err
		}
	}
	events := []any{}
	for _, n := range t.notes {
		events = append(events, evaluationOf(n))
	}
	began, ended := a.times()
	return map[string]any{"traceId": id(16, o.o.Session), "spanId": id(8, o.o.Session, t.N, i),
		"name": "chat " + clean(a.model()),
		"kind": spanClient, "startTimeUnixNano": nanos(began), "endTimeUnixNano": nanos(ended), "attributes": attrs,
		"events": events,
		"status": status}, nil
}

// evaluationOf is what was said about a turn, as the event of the conventions.
func evaluationOf(n turn.Annotation) any {
	attrs := []otlpAttr{textAttr("gen_ai.evaluation.name", "refscope.verdict")}
	for _, p := range [][2]string{{"gen_ai.evaluation.score.label", n.Verdict},
		{"gen_ai.evaluation.explanation", n.Text},
		{"refscope.by", n.By}} {
		if p[1] != "" {
			attrs = append(attrs, textAttr(p[0], p[1]))
		}
	}
	if n.Ref > 0 {
		attrs = append(attrs, intAttr("refscope.ref", n.Ref))
	}
	return map[string]any{"name": "gen_ai.evaluation.result", "timeUnixNano": nanos(n.At), "attributes": attrs}
}

// messages are the instructions that a request begins with, and its other messages.
func (o *otlpWriter) messages(a *ask) (system, messages []any) {
	for i, m := range a.asked.Messages {
		if i == 0 && (m.Role == "system") {
			system = genAIParts(m.Parts)
			continue
		}
		messages = append(messages, map[string]any{"role": m.Role, "parts": genAIParts(m.Parts)})
	}
	return system, messages
}

// genAIParts are parts in the form of the conventions.
func genAIParts(parts []wire.Part) []any {
	out := []any{}
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if p.Kind != wire.Result && (p.Kind != wire.Image || p.ID == "") {
			out = append(out, genAIPart(p))
			continue
		}
		// An answer of a tool: a text, or parts of its own where there are pictures.
		group := []wire.Part{p}
		for p.ID != "" && i+1 < len(parts) && parts[i+1].ID == p.ID &&
			slices.Contains([]wire.Kind{wire.Result, wire.Image}, parts[i+1].Kind) {
			i++
			group = append(group, parts[i])
		}
		var response any = p.Text
		if len(group) > 1 || p.Kind == wire.Image {
			list := []any{}
			for _, g := range group {
				list = append(list, genAIPart(g))
			}
			response = list
		}
		out = append(out, map[string]any{"type": "tool_call_response", "id": p.ID, "response": response})
	}
	return out
}

func genAIPart(p wire.Part) any {
	switch p.Kind {
	case wire.Reasoning:
		return map[string]any{"type": "reasoning", "content": p.Text}
	case wire.Call:
		return map[string]any{"type": "tool_call", "id": p.ID, "name": p.Name, "arguments": argumentsOf(p.Arguments)}
	case wire.Image:
		if len(p.Data) == 0 {
			return map[string]any{"type": "uri", "modality": "image", "mime_type": p.Media, "uri": p.URL}
		}
		return map[string]any{"type": "blob", "modality": "image", "mime_type": p.Media,
			"content": base64.StdEncoding.EncodeToString(p.Data)}
	}
	return map[string]any{"type": "text", "content": p.Text}
}

// argumentsOf are the arguments of a call as JSON; null for none.
func argumentsOf(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return raw
}

// answerMessage is an answer as the one message of an output.
func answerMessage(said *wire.Answer) []any {
	var parts []wire.Part
	if said.Reasoning != "" {
		parts = append(parts, wire.Part{Kind: wire.Reasoning, Text: said.Reasoning})
	}
	if said.Text != "" {
		parts = append(parts, wire.Part{Kind: wire.Text, Text: said.Text})
	}
	for _, c := range said.Calls {
		parts = append(parts, wire.Part{Kind: wire.Call, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	if len(parts) == 0 {
		return nil
	}
	return []any{map[string]any{"role": "assistant", "parts": genAIParts(parts), "finish_reason": said.Finish}}
}

func (o *otlpWriter) end(losses, run []string) error {
	if err := o.text("\n]}],\"resource\":"); err != nil {
		return err
	}
	attrs := []otlpAttr{textAttr("service.name", "refscope"), textAttr("service.version", o.o.Version),
		listAttr("refscope.losses", losses)}
	if len(run) > 0 {
		attrs = append(attrs, listAttr("refscope.run", run))
	}
	if err := o.value(map[string]any{"attributes": attrs}); err != nil {
		return err
	}
	return o.text("}]}\n")
}

package importer

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// asked is one request to a model and its answer, as a recording has it.
type asked struct {
	e       exchange.Exchange
	bodies  exchange.Bodies
	answer  *wire.Answer // where the recording has more than the body of the answer
	lacks   []string
	secrets []redact.Secret
	span    string // its id in the recording; "" for none
	note    string
}

// recording makes turns of what a file has of requests to models, oldest first.
type recording struct {
	rep    *Report
	s      *sealer
	give   func(*turn.Record) error
	held   []asked
	bytes  int            // of what is held
	turns  map[string]int // by span
	judged []judged
}

// holdBytes is how many bytes of requests are held to bring them into order.
const holdBytes = maxKept / 2

// rewritten is said of recordings that keep messages in a form of their own.
const rewritten = "the file keeps messages, not the bytes that crossed the wire: request and answer are written " +
	"again in the form of openai-responses"

// unredactedPictures is said of recordings with pictures.
const unredactedPictures = "its pictures are not redacted: where a field lies on them is not recorded"

// noPage is said of recordings of requests alone.
const noPage = "the file keeps no page: the picture of a turn is the newest one of its request, where there is one"

// add takes in one request.
func (r *recording) add(a asked) error {
	r.held = append(r.held, a)
	if r.bytes += len(a.bodies.Request) + len(a.bodies.Answer); r.bytes > holdBytes {
		return r.flush()
	}
	return nil
}

// flush hands out what is held.
func (r *recording) flush() error {
	slices.SortStableFunc(r.held, func(a, b asked) int { return a.e.Began.Compare(b.e.Began) })
	for i := range r.held {
		if err := r.turn(&r.held[i]); err != nil {
			return err
		}
	}
	r.held, r.bytes = nil, 0
	return nil
}

// turn hands out the turn of one request.
func (r *recording) turn(a *asked) error {
	a.e.RequestBytes = max(a.e.RequestBytes, int64(len(a.bodies.Request)))
	a.e.AnswerBytes = max(a.e.AnswerBytes, int64(len(a.bodies.Answer)))
	secrets := slices.Clone(a.secrets)
	for _, s := range r.s.secrets {
		s.Reach = redact.Auto // in bodies also within words
		secrets = append(secrets, s)
	}
	said, unread := a.e.Read(a.bodies)
	if a.answer != nil {
		a.e.Answer = a.answer
	}
	a.e.URL = r.s.clean.Clean(text.Line(cut(a.e.URL, 8<<10)), secrets...)
	a.e.Upstream = text.Line(cut(a.e.Upstream, 200))
	rec := &turn.Record{Meta: turn.Meta{Tool: r.rep.Tool, Settled: true},
		Note: r.s.clean.Clean(cut(a.note, 60<<10), secrets...),
		Capture: &snapshot.Capture{Schema: snapshot.Schema, TakenAt: a.e.Began, URL: a.e.URL, Settled: true,
			Verdicts: map[snapshot.Verdict]int{},
			Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: a.e.URL,
				Why: "the file keeps requests, not pages"}}}}
	lacks := slices.Concat(r.rep.Lacks, a.lacks, unread)
	if lack := showNewest(rec, said); lack != "" {
		lacks = append(lacks, lack)
	}
	seen := map[string]bool{} // what the file lacks, one of its requests may lack too
	lacks = slices.DeleteFunc(lacks, func(lack string) bool {
		again := seen[lack]
		seen[lack] = true
		return again
	})
	lacks = lacks[:min(len(lacks), 60)]
	if err := a.e.Fill(rec, a.bodies, a.e, lacks, r.s.clean, secrets...); err != nil {
		return err
	}
	if size := len(rec.Exchange); size > maxSteps {
		rec.Exchange = nil
		rec.Lacks = append(rec.Lacks,
			fmt.Sprintf("what is known of its exchange has %d bytes, more than a turn can hold", size))
	}
	if err := r.give(rec); err != nil {
		return err
	}
	if a.span != "" {
		r.turns[a.span] = r.rep.Turns
	}
	return nil
}

// showNewest makes the newest picture of a request the turn's, and returns what is lacking.
func showNewest(rec *turn.Record, said *wire.Request) string {
	for _, p := range slices.Backward(said.Images()) {
		if len(p.Data) == 0 {
			if p.URL != "" {
				return "the newest picture of the request is not in the file, only its address"
			}
			continue
		}
		var px image.Point
		var err error
		if rec.Picture, px, err = picturePNG(p.Data); err != nil {
			return text.Line("the newest picture of the request cannot be used: " + err.Error())
		}
		rec.Capture.Viewport = snapshot.Viewport{Width: float64(px.X), Height: float64(px.Y), Scale: 1}
		return ""
	}
	return ""
}

// conversation is a request that a recording keeps as messages.
type conversation struct {
	model    string
	messages []wire.Message
	tools    []json.RawMessage // definitions, in any vendor's form
	answer   *wire.Answer      // nil for none
}

// bodies writes a conversation as openai-responses, which has a place for all that other
// dialects have: pictures in results of tools, and reasoning.
func (c *conversation) bodies() (exchange.Bodies, error) {
	input := []any{}
	for _, m := range c.messages {
		input = append(input, responsesItems(m)...)
	}
	body := map[string]any{"model": c.model, "input": input}
	if tools := responsesTools(c.tools); len(tools) > 0 {
		body["tools"] = tools
	}
	const media = "application/json"
	b := exchange.Bodies{Recorded: true, RequestMedia: media, AnswerMedia: media}
	var err error
	if b.Request, err = json.Marshal(body); err != nil || c.answer == nil {
		return b, err
	}
	a := c.answer
	output := []any{}
	if a.Reasoning != "" {
		output = append(output, reasoningItem(a.Reasoning))
	}
	if a.Text != "" {
		output = append(output, responsesItems(wire.Message{Role: "assistant",
			Parts: []wire.Part{{Kind: wire.Text, Text: a.Text}}})...)
	}
	for _, call := range a.Calls {
		output = append(output, callItem(call.ID, call.Name, call.Arguments))
	}
	usage := map[string]any{
		"input_tokens": a.Usage.Input, "input_tokens_details": map[string]int{"cached_tokens": a.Usage.CacheRead},
		"output_tokens": a.Usage.Output, "output_tokens_details": map[string]int{"reasoning_tokens": a.Usage.Reasoning},
	}
	if a.Usage.Cost > 0 {
		usage["cost"] = a.Usage.Cost
	}
	whole := map[string]any{"object": "response", "id": a.ID, "model": a.Model, "status": a.Finish, "output": output,
		"usage": usage}
	if a.Error != "" {
		whole["error"] = map[string]string{"message": a.Error}
	}
	b.Answer, err = json.Marshal(whole)
	return b, err
}

// fillAgain gives a turn that has a page what a recording keeps of the request to the model and its answer.
func fillAgain(rec *turn.Record, c *conversation, rules *redact.Redactor, secrets []redact.Secret) error {
	b, err := c.bodies()
	if err != nil {
		return fmt.Errorf("writing a request again: %w", err)
	}
	if len(c.messages) == 0 { // only the answer is kept
		b.Request = nil
	}
	e := exchange.Exchange{Dialect: wire.OpenAIResponses}
	return fillExchange(rec, &e, b, rewritten, rules, secrets)
}

// fillExchange gives a turn that has a page the exchange that led to it, or that it led to, written again.
func fillExchange(rec *turn.Record, e *exchange.Exchange, b exchange.Bodies, how string, rules *redact.Redactor,
	secrets []redact.Secret) error {
	e.Began = rec.Capture.TakenAt
	e.RequestBytes, e.AnswerBytes = int64(len(b.Request)), int64(len(b.Answer))
	var unread []string
	if len(b.Request) > 0 || e.Dialect == wire.MCP {
		_, unread = e.Read(b)
	} else {
		e.Answer, _ = wire.ReadAnswer(e.Dialect, b.Answer) // it was written here
		unread = []string{"it does not keep what the model was given"}
	}
	action := rec.Action
	err := e.Fill(rec, b, e, slices.Concat(rec.Lacks, []string{how}, unread), rules, secrets...)
	rec.Action = action
	return err
}

func reasoningItem(s string) any {
	return map[string]any{"type": "reasoning", "summary": []any{map[string]string{"type": "summary_text", "text": s}}}
}

func callItem(id, name string, arguments json.RawMessage) any {
	return map[string]any{"type": "function_call", "call_id": id, "name": name, "arguments": string(arguments)}
}

// responsesItems are the items of one message, in the order of its parts.
func responsesItems(m wire.Message) []any {
	var items []any
	var content []any // of the message under way
	flush := func() {
		if len(content) > 0 {
			items = append(items, map[string]any{"type": "message", "role": m.Role, "content": content})
		}
		content = nil
	}
	texts := "input_text"
	if m.Role == "assistant" {
		texts = "output_text"
	}
	part := func(p wire.Part) any {
		if p.Kind != wire.Image {
			return map[string]string{"type": texts, "text": p.Text}
		}
		address := p.URL
		if len(p.Data) > 0 {
			address = "data:" + p.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
		}
		return map[string]string{"type": "input_image", "image_url": address}
	}
	for i := 0; i < len(m.Parts); i++ {
		switch p := m.Parts[i]; {
		case p.Kind == wire.Call:
			flush()
			items = append(items, callItem(p.ID, p.Name, p.Arguments))
		case p.Kind == wire.Reasoning:
			flush()
			items = append(items, reasoningItem(p.Text))
		case p.Kind == wire.Result || p.Kind == wire.Image && p.ID != "":
			flush()
			output := []any{part(p)}
			for i+1 < len(m.Parts) && m.Parts[i+1].ID == p.ID && (m.Parts[i+1].Kind == wire.Image && p.ID != "" ||
				m.Parts[i+1].Kind == wire.Result && p.ID != "") {
				i++
				output = append(output, part(m.Parts[i]))
			}
			item := map[string]any{"type": "function_call_output", "call_id": p.ID, "output": output}
			if len(output) == 1 && p.Kind == wire.Result {
				item["output"] = p.Text
			}
			items = append(items, item)
		default:
			content = append(content, part(p))
		}
	}
	flush()
	return items
}

// responsesTools are definitions of tools, each as it is but that of openai-chat, which has
// name and parameters a level deeper.
func responsesTools(tools []json.RawMessage) []json.RawMessage {
	var out []json.RawMessage
	for _, raw := range tools {
		var of struct {
			Function map[string]json.RawMessage `json:"function"`
		}
		if json.Unmarshal(raw, &of) == nil && of.Function["name"] != nil {
			of.Function["type"] = json.RawMessage(`"function"`)
			if flat, err := json.Marshal(of.Function); err == nil {
				raw = flat
			}
		}
		out = append(out, raw)
	}
	return out
}

// pictureOf reads the address of a picture, which may be a data URL that holds it.
func pictureOf(address string) wire.Part {
	rest, ok := strings.CutPrefix(address, "data:")
	head, body, _ := strings.Cut(rest, ",")
	media, encoded := strings.CutSuffix(head, ";base64")
	if !ok || !encoded {
		return wire.Part{Kind: wire.Image, URL: address}
	}
	return blobOf(media, body)
}

// blobOf is a picture in base64, with or without padding; what is no base64 has no bytes.
func blobOf(media, body string) wire.Part {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil {
		return wire.Part{Kind: wire.Image, Media: media}
	}
	return wire.Part{Kind: wire.Image, Media: media, Data: data}
}

// argumentsOf are the arguments of a call: JSON as it is, or in a string; what is no JSON
// stays a string.
func argumentsOf(raw json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(raw, &s) == nil && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return raw
}

// textOf is a JSON value as a text: a string as it is, other JSON as it is written.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// timeOf reads a time of RFC 3339, zero where it is none.
func timeOf(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		if t, err = time.Parse("2006-01-02T15:04:05.999999999", s); err != nil {
			return time.Time{}
		}
	}
	if t = t.UTC(); t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

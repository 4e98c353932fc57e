package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
)

// Answer is the answer of a model.
type Answer struct {
	Dialect string `json:"dialect"`
	Model   string `json:"model,omitempty"`
	ID      string `json:"id,omitempty"`
	// Text is the answer, Reasoning the visible part of its thinking.
	Text      string     `json:"text,omitempty"`
	Reasoning string     `json:"reasoning,omitempty"`
	Calls     []ToolCall `json:"calls,omitempty"`
	// Finish is why it ended, in the vendor's own word; "" where the answer was cut.
	Finish string `json:"finish,omitempty"`
	// Error is the vendor's message in the place of an answer.
	Error string `json:"error,omitempty"`
	Usage Usage  `json:"usage"`
	Done  bool   `json:"-"` // a stream says that it is at its end, as some hosts do without a reason why
}

// Limited reports whether the model was stopped at its limit of tokens, before its answer was whole.
func (a *Answer) Limited() bool {
	return slices.Contains([]string{"length", "max_tokens", "max_output_tokens", "MAX_TOKENS",
		"model_context_window_exceeded"}, a.Finish)
}

// Line is an answer in one line of at most most characters: its first call, else its text, or why there is neither. a
// is nil where it could not be read; status is that of HTTP, and failure why nothing came, "" where something did.
func Line(a *Answer, status int, failure string, most int) string {
	out := "nothing"
	switch {
	case failure != "":
		out = failure
	case a == nil:
		out = fmt.Sprintf("status %d, an answer that cannot be read", status)
	case a.Error != "":
		out = fmt.Sprintf("status %d: %s", status, a.Error)
	case len(a.Calls) > 0:
		out = a.Calls[0].Name + " " + string(a.Calls[0].Arguments)
	case a.Text != "":
		out = a.Text
	}
	return text.Cut(text.Line(out), most)
}

// ToolCall is a call of a tool by the model.
type ToolCall struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Usage are tokens as the vendor counted them; 0 is also what it does not name. Input has
// the cached ones in it, whichever way the vendor counts.
type Usage struct {
	Input      int `json:"input,omitempty"`
	Output     int `json:"output,omitempty"`
	CacheRead  int `json:"cacheRead,omitempty"`
	CacheWrite int `json:"cacheWrite,omitempty"`
	Reasoning  int `json:"reasoning,omitempty"` // of the output
	// Cost is what the vendor charged, in US dollars, where its answer or a recording says; nothing is estimated.
	Cost float64 `json:"cost,omitempty"`
}

// CostOf is an amount in US dollars as a Usage holds it: 0 where it is not one.
func CostOf(dollars float64) float64 {
	if !(dollars > 0 && dollars < 1e6) { // not a number neither
		return 0
	}
	return dollars
}

// errNoAnswer is the error of a body in which there is nothing of an answer.
var errNoAnswer = errors.New("there is no answer in it")

// ReadAnswer reads the body of an answer in that dialect: one JSON document, or a stream of
// events that is assembled. An interrupted stream yields what arrived.
func ReadAnswer(dialect string, body []byte) (*Answer, error) {
	a := &assembly{Answer: Answer{Dialect: dialect}}
	take := map[string]func(*assembly, string, map[string]json.RawMessage){
		OpenAIChat: takeChat, OpenAIResponses: takeResponses, Anthropic: takeAnthropic, Gemini: takeGemini,
		Interactions: takeInteractions, Bedrock: takeBedrock, Ollama: takeOllama, MCP: takeMCP,
	}[dialect]
	if take == nil {
		return nil, fmt.Errorf("an answer in the dialect %q is not read", dialect)
	}
	documents, err := documentsOf(body)
	if err != nil {
		return nil, fmt.Errorf("reading an answer of %s: %w", dialect, err)
	}
	for _, d := range documents {
		var fields map[string]json.RawMessage
		if len(documents) > 1 {
			d.data = half.ReplaceAllFunc(d.data, keepHalf)
		}
		if !get(d.data, &fields) {
			a.Done = a.Done || string(d.data) == "[DONE]"
			continue
		}
		a.takeError(fields)
		take(a, d.event, fields)
		a.read++
	}
	if a.read == 0 {
		return nil, fmt.Errorf("reading an answer of %s: %w", dialect, errNoAnswer)
	}
	a.finish()
	return &a.Answer, nil
}

// document is one JSON document of an answer, with the name of its event.
type document struct {
	event string
	data  json.RawMessage
}

// documentsOf are the documents of a body: itself, the messages of a WebSocket, the entries of an array, or the
// data of the events of a stream (WHATWG, server-sent events).
func documentsOf(body []byte) ([]document, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff")) // a mark of byte order, which a stream of events may begin with
	trimmed := bytes.TrimSpace(body)
	switch {
	case len(trimmed) == 0:
		return nil, errNoAnswer
	case trimmed[0] == '[':
		return arrayDocuments(trimmed)
	case trimmed[0] == '{':
		all, err := documentsIn(trimmed)
		out := make([]document, len(all))
		for i, d := range all {
			out[i].data = trimmed[d.start:d.end]
		}
		return out, err
	}
	var out []document
	var event string
	var data []string
	emit := func() {
		if len(data) > 0 {
			out = append(out, document{event, json.RawMessage(strings.Join(data, "\n"))})
		}
		event, data = "", nil
	}
	for line := range strings.Lines(string(body)) {
		line = strings.TrimRight(line, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			emit()
		case name == "event":
			event = value
		case name == "data":
			data = append(data, value)
		}
	}
	emit() // a stream that was broken off
	if len(out) == 0 {
		return nil, errNoAnswer
	}
	return out, nil
}

// arrayDocuments reads the entries of an array one by one, as the array may be cut.
func arrayDocuments(body []byte) ([]document, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var out []document
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			break
		}
		out = append(out, document{data: raw})
	}
	return out, nil
}

// assembly puts an answer together.
type assembly struct {
	Answer
	said, thought strings.Builder // its text and its reasoning so far, which may come in 100,000 pieces
	read          int
	calls         map[int]*openCall // by index in the stream
	order         []int
}

// openCall is a call whose arguments come in pieces.
type openCall struct {
	id, name  string
	arguments strings.Builder
	whole     json.RawMessage // its arguments, where no piece comes
}

// call is the call with that index, made where it is new.
func (a *assembly) call(index int) *openCall {
	if a.calls == nil {
		a.calls = map[int]*openCall{}
	}
	c := a.calls[index]
	if c == nil {
		c = &openCall{}
		a.calls[index] = c
		a.order = append(a.order, index)
	}
	return c
}

// parts adds the content of a whole message.
func (a *assembly) parts(parts []Part) {
	for _, p := range parts {
		switch p.Kind {
		case Text:
			a.said.WriteString(p.Text)
		case Reasoning:
			a.thought.WriteString(p.Text)
		case Call:
			a.Calls = append(a.Calls, ToolCall{p.ID, p.Name, p.Arguments})
		}
	}
}

func (a *assembly) finish() {
	a.Text, a.Reasoning = joinHalves(a.said.String()), joinHalves(a.thought.String())
	for _, index := range a.order {
		c := a.calls[index]
		call := ToolCall{ID: c.id, Name: c.name, Arguments: c.whole}
		if c.arguments.Len() > 0 {
			call.Arguments = textArguments(joinHalves(c.arguments.String()))
		}
		a.Calls = append(a.Calls, call)
	}
}

// half finds the escapes of UTF-16 that are half a character, as emoji are cut between two events where a host counts
// in those; and what looks like one: an escaped backslash, and both halves.
var half = regexp.MustCompile(`(?i)\\(?:\\|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|ud[89a-f][0-9a-f]{2})`)

// kept is what half a character is moved by, into the last private plane, until the other half comes.
const kept = 0x100000

// keepHalf is a match of half that JSON can be read with and nothing is lost.
func keepHalf(escape []byte) []byte {
	unit, err := strconv.ParseUint(string(escape[2:]), 16, 16)
	if err != nil {
		return escape
	}
	return utf8.AppendRune(nil, kept+rune(unit))
}

// joinHalves joins the halves that follow each other; one alone is no character.
func joinHalves(s string) string {
	return halves.ReplaceAllStringFunc(s, func(found string) string {
		list := []rune(found)
		if len(list) == 1 {
			return string(utf8.RuneError)
		}
		return string(utf16.DecodeRune(list[0]-kept, list[1]-kept))
	})
}

var halves = regexp.MustCompile(`[\x{10D800}-\x{10DBFF}][\x{10DC00}-\x{10DFFF}]|[\x{10D800}-\x{10DFFF}]`)

// takeError reads an error in the place of an answer: most vendors write
// {"error": {"message": …}}, Ollama and some compatible hosts a text.
func (a *assembly) takeError(fields map[string]json.RawMessage) {
	var e struct {
		Message string `json:"message"`
	}
	if !get(fields["error"], &e) {
		get(fields["error"], &e.Message)
	}
	a.Error = cmp.Or(a.Error, e.Message)
}

func takeChat(a *assembly, _ string, fields map[string]json.RawMessage) {
	get(fields["model"], &a.Model)
	get(fields["id"], &a.ID)
	type choice struct {
		Index   int     `json:"index"`
		Finish  string  `json:"finish_reason"`
		Message chatSay `json:"message"`
		Delta   chatSay `json:"delta"`
	}
	for _, c := range list[choice](fields["choices"]) {
		if c.Index != 0 {
			continue // of several answers the first one counts
		}
		a.Finish = cmp.Or(c.Finish, a.Finish)
		for _, say := range []chatSay{c.Message, c.Delta} {
			a.parts(openAIContent(say.Content))
			a.said.WriteString(say.Refusal)
			a.thought.WriteString(say.thought.text())
			for k, raw := range say.Calls {
				index := k
				if raw.Index != nil {
					index = *raw.Index
				}
				open := a.call(index)
				open.id = cmp.Or(open.id, raw.ID)
				open.name = cmp.Or(open.name, raw.Function.Name, raw.Custom.Name)
				for _, given := range []json.RawMessage{raw.Function.Arguments, raw.Custom.Input} {
					var piece string
					if !get(given, &piece) {
						piece = string(given)
					}
					open.arguments.WriteString(piece)
				}
			}
		}
	}
	var u struct {
		Input   int `json:"prompt_tokens"`
		Output  int `json:"completion_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		Out struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		Cost float64 `json:"cost"` // OpenRouter's
	}
	if get(fields["usage"], &u) && u.Input+u.Output > 0 {
		a.Usage = Usage{Input: u.Input, Output: u.Output, CacheRead: u.Details.Cached, Reasoning: u.Out.Reasoning,
			Cost: CostOf(u.Cost)}
	}
}

// chatSay is a message, or the next piece of one.
type chatSay struct {
	Content json.RawMessage `json:"content"`
	Refusal string          `json:"refusal"`
	thought
	Calls []struct {
		chatCall
		Index *int `json:"index"`
	} `json:"tool_calls"`
}

// takeOllama reads an answer, or one of its lines: calls are in no pieces.
func takeOllama(a *assembly, _ string, fields map[string]json.RawMessage) {
	get(fields["model"], &a.Model)
	var say chatSay
	if get(fields["message"], &say) {
		a.parts(openAIContent(say.Content))
		a.thought.WriteString(say.thought.text())
		for _, c := range say.Calls {
			a.parts([]Part{c.part()})
		}
	}
	done := false
	if get(fields["done"], &done); done {
		a.Finish = "stop"
		get(fields["done_reason"], &a.Finish)
	}
	get(fields["prompt_eval_count"], &a.Usage.Input)
	get(fields["eval_count"], &a.Usage.Output)
}

// takeResponses reads a whole response, or the events of one. The last event has the whole
// response in it; the pieces before it count where that one did not come.
func takeResponses(a *assembly, event string, fields map[string]json.RawMessage) {
	var kind string
	get(fields["type"], &kind)
	kind = cmp.Or(kind, event)
	switch kind {
	case "response.created", "response.in_progress":
		var head map[string]json.RawMessage
		if get(fields["response"], &head) {
			get(head["model"], &a.Model)
			get(head["id"], &a.ID)
		}
	case "response.completed", "response.incomplete", "response.failed", "response.done":
		var whole map[string]json.RawMessage
		if get(fields["response"], &whole) {
			a.response(whole)
		}
	case "response.output_text.delta", "response.refusal.delta", "response.reasoning_summary_text.delta",
		"response.reasoning_text.delta",
		"response.text.delta", "response.output_audio_transcript.delta", "response.audio_transcript.delta":
		var delta string
		get(fields["delta"], &delta)
		if strings.HasPrefix(kind, "response.reasoning") {
			a.thought.WriteString(delta)
		} else {
			a.said.WriteString(delta)
		}
	case "response.output_item.added":
		var item responsesItem
		var index int
		get(fields["output_index"], &index)
		if get(fields["item"], &item) && strings.HasSuffix(item.Type, "_call") {
			open := a.call(index)
			open.id, open.name = item.ID, item.Name
		}
	case "response.output_item.done": // has the whole call, of a host that sends no pieces too
		var item responsesItem
		var index int
		get(fields["output_index"], &index)
		if get(fields["item"], &item); item.Type != "" {
			_, parts := item.read()
			for _, p := range parts {
				if p.Kind == Call {
					open := a.call(index)
					open.id, open.name = p.ID, p.Name
					open.arguments.Reset()
					open.arguments.Write(p.Arguments)
				}
			}
		}
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
		var delta string
		var index int
		get(fields["delta"], &delta)
		get(fields["output_index"], &index)
		a.call(index).arguments.WriteString(delta)
	case "error":
		get(fields["message"], &a.Error)
	case "", "response":
		a.response(fields)
	}
}

// response takes a whole response, in the place of what came in pieces.
func (a *assembly) response(fields map[string]json.RawMessage) {
	if _, ok := fields["output"]; !ok && fields["usage"] == nil {
		a.takeError(fields)
		return
	}
	a.Calls, a.calls, a.order = nil, nil, nil
	a.said.Reset()
	a.thought.Reset()
	get(fields["model"], &a.Model)
	get(fields["id"], &a.ID)
	get(fields["status"], &a.Finish)
	var why struct {
		Reason string `json:"reason"`
	}
	if get(fields["incomplete_details"], &why); why.Reason != "" {
		a.Finish = why.Reason
	}
	a.takeError(fields)
	for _, item := range list[responsesItem](fields["output"]) {
		_, parts := item.read()
		a.parts(parts)
	}
	var u struct {
		Input   int `json:"input_tokens"`
		Output  int `json:"output_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Out struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
		Cost float64 `json:"cost"`
	}
	if get(fields["usage"], &u) {
		a.Usage = Usage{Input: u.Input, Output: u.Output, CacheRead: u.Details.Cached, Reasoning: u.Out.Reasoning,
			Cost: CostOf(u.Cost)}
	}
}

func takeAnthropic(a *assembly, event string, fields map[string]json.RawMessage) {
	var kind string
	get(fields["type"], &kind)
	switch cmp.Or(kind, event) {
	case "message_start":
		var message map[string]json.RawMessage
		if get(fields["message"], &message) {
			a.message(message)
		}
	case "message":
		a.message(fields)
	case "content_block_start":
		var index int
		var block anthropicBlock
		get(fields["index"], &index)
		switch get(fields["content_block"], &block); {
		case strings.HasSuffix(block.Type, "tool_use"):
			open := a.call(index)
			open.id, open.name, open.whole = block.ID, block.Name, block.Input
		default: // the beginning of a text
			a.said.WriteString(block.Text)
			a.thought.WriteString(block.Thinking)
		}
	case "content_block_delta":
		var index int
		var delta struct {
			Text     string `json:"text"`
			Thinking string `json:"thinking"`
			JSON     string `json:"partial_json"`
		}
		get(fields["index"], &index)
		get(fields["delta"], &delta)
		a.said.WriteString(delta.Text)
		a.thought.WriteString(delta.Thinking)
		if delta.JSON != "" {
			a.call(index).arguments.WriteString(delta.JSON)
		}
	case "message_delta":
		var delta struct {
			Finish string `json:"stop_reason"`
		}
		get(fields["delta"], &delta)
		a.Finish = cmp.Or(delta.Finish, a.Finish)
		a.anthropicUsage(fields["usage"])
	}
}

// message takes a whole message, or the beginning of one.
func (a *assembly) message(fields map[string]json.RawMessage) {
	get(fields["model"], &a.Model)
	get(fields["id"], &a.ID)
	get(fields["stop_reason"], &a.Finish)
	a.parts(anthropicContent(fields["content"]))
	a.anthropicUsage(fields["usage"])
}

// anthropicUsage takes counts; those of the end of a stream are whole, and may leave out what
// its beginning named.
func (a *assembly) anthropicUsage(raw json.RawMessage) {
	var u struct {
		Input *int `json:"input_tokens"`
		Read  *int `json:"cache_read_input_tokens"`
		Write *int `json:"cache_creation_input_tokens"`
		Out   *int `json:"output_tokens"`
	}
	if !get(raw, &u) {
		return
	}
	fresh := a.Usage.Input - a.Usage.CacheRead - a.Usage.CacheWrite
	for into, from := range map[*int]*int{&fresh: u.Input, &a.Usage.CacheRead: u.Read, &a.Usage.CacheWrite: u.Write,
		&a.Usage.Output: u.Out} {
		if from != nil {
			*into = *from
		}
	}
	a.Usage.Input = fresh + a.Usage.CacheRead + a.Usage.CacheWrite
}

func takeGemini(a *assembly, _ string, fields map[string]json.RawMessage) {
	get(fields["modelVersion"], &a.Model)
	get(fields["responseId"], &a.ID)
	type candidate struct {
		Index   int           `json:"index"`
		Content geminiContent `json:"content"`
		Finish  string        `json:"finishReason"`
	}
	for _, c := range list[candidate](fields["candidates"]) {
		if c.Index == 0 {
			a.Finish = cmp.Or(c.Finish, a.Finish)
			a.parts(c.Content.read())
		}
	}
	var blocked struct {
		Reason string `json:"blockReason"`
	}
	if get(fields["promptFeedback"], &blocked) {
		a.Finish = cmp.Or(blocked.Reason, a.Finish)
	}
	a.live(fields)
	var u struct {
		Input    int `json:"promptTokenCount"`
		Output   int `json:"candidatesTokenCount"`
		Live     int `json:"responseTokenCount"` // in the place of candidates over a WebSocket
		Thoughts int `json:"thoughtsTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
	}
	if get(fields["usageMetadata"], &u) {
		a.Usage = Usage{Input: u.Input, Output: u.Output + u.Live + u.Thoughts, CacheRead: u.Cached,
			Reasoning: u.Thoughts}
	}
}

// live takes a message of Gemini over a WebSocket.
func (a *assembly) live(fields map[string]json.RawMessage) {
	var said struct {
		Turn        geminiContent `json:"modelTurn"`
		Complete    bool          `json:"turnComplete"`
		Interrupted bool          `json:"interrupted"`
		Spoken      struct {
			Text string `json:"text"`
		} `json:"outputTranscription"`
	}
	if get(fields["serverContent"], &said) {
		a.parts(said.Turn.read())
		a.said.WriteString(said.Spoken.Text)
		switch {
		case said.Interrupted:
			a.Finish = "interrupted"
		case said.Complete:
			a.Finish = cmp.Or(a.Finish, "turnComplete")
		}
	}
	var call struct {
		Functions []struct {
			ID   string          `json:"id"`
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		} `json:"functionCalls"`
	}
	if get(fields["toolCall"], &call) {
		a.Finish = "toolCall"
		for _, f := range call.Functions {
			a.Calls = append(a.Calls, ToolCall{f.ID, f.Name, f.Args})
		}
	}
}

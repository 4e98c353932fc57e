// Package conversation reads a request to a model and its answer as a person reads a conversation: messages with
// their parts, what of them is new, the tools that were offered, and the parameters.
//
// Start with [Read]. It joins what crossed the wire (package wire) with the report that package doctor made of the
// request, which knows tokens, sizes of pictures and the request before. The window's room Messages and the report
// draw it. All texts are as they were sent: who shows them makes them harmless.
package conversation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Conversation is one request and its answer.
type Conversation struct {
	Messages []Message // those of the request; the answer's last, where there is one
	Tools    []Tool
	// ToolTokens are what the definitions of all tools cost; ToolsNew: one was not in the request before.
	ToolTokens int
	ToolsNew   bool
	Parameters []Parameter
	// Usage is what the vendor counted, zero where it says nothing. Tokens is our own count of the request.
	Usage  wire.Usage
	Tokens int
	// Before is the turn of the request before, 0 for none; Same is how many messages are as in it.
	Before, Same int
	// Own: its results are of the calls of its own answer, as what a server of tools gives is recorded.
	Own bool
}

// Message is one message of the conversation.
type Message struct {
	Role string // system, developer, user, assistant, tool
	// Name is its path in the body, such as "messages[3]"; Bytes are those of the body, from and to.
	Name  string
	Bytes [2]int
	// Tokens is our count of a message of the request, the vendor's of an answer.
	Tokens int
	// New: it, or a part of it, was not in the request before. Cached: the vendor says that it read at least as much
	// from its cache as the prompt has up to the end of this message.
	New, Cached bool
	// Answer: it is what the model answered to this request.
	Answer bool
	Parts  []Part
}

// Part is one piece of a message.
type Part struct {
	wire.Part
	// Tool is the name of the tool whose result it is, "" where that is not known.
	Tool string
	// Picture is what the vendor makes of an image, nil where it is none.
	Picture *doctor.Picture
	// Page is the text of the page that it lists, nil where it lists none; Tokens is what the part costs.
	Page   *observation.Text
	Tokens int
}

// Tool is a tool that the model may call.
type Tool struct {
	Name, Description string
	// Schema is that of its parameters, nil where it has none.
	Schema json.RawMessage
	Bytes  [2]int
	Tokens int
}

// Parameter is a setting of the request besides the conversation and the tools.
type Parameter struct {
	Name  string
	Value json.RawMessage
}

// Read reads the request that is stored with a turn. asked and answer are the stored payloads, answer nil where there
// is none; report is the one that package doctor made of that request, and count counts the tokens of a text.
func Read(asked turn.Payload, answer *turn.Payload, report *doctor.Report, count func(string) int) (*Conversation,
	error) {
	dialect := asked.Dialect
	if dialect == "qwen" {
		dialect = wire.OpenAIChat
	}
	sections, err := wire.Sections(dialect, asked.Bytes)
	if err != nil {
		return nil, fmt.Errorf("reading the conversation: %w", err)
	}
	c := &Conversation{}
	if report != nil {
		c.Tokens = report.Tokens
		if report.Prefix != nil {
			c.Before = report.Prefix.Turn
		}
	}
	var a *wire.Answer
	if answer != nil {
		if a, err = wire.ReadAnswer(dialect, answer.Bytes); err == nil {
			c.Usage = a.Usage
		}
	}
	r := reader{c: c, body: asked.Bytes, report: report, count: count, calls: map[string]string{}}
	if a != nil && dialect == wire.MCP { // what a server of tools gives comes after the call
		for _, call := range a.Calls {
			r.calls[call.ID] = call.Name
		}
		c.Own = len(a.Calls) > 0
		c.Messages = append(c.Messages, answered(a, *answer))
		a = nil
	}
	for i, s := range sections {
		r.section(i, s)
	}
	r.mark()
	if a != nil {
		c.Messages = append(c.Messages, answered(a, *answer))
	}
	c.Parameters = parameters(asked.Bytes)
	return c, nil
}

// reader puts a conversation together, section by section.
type reader struct {
	c      *Conversation
	body   []byte
	report *doctor.Report
	count  func(string) int
	calls  map[string]string // names of tools by the ids of their calls
	read   int               // tokens so far
}

func (r *reader) section(i int, s wire.Section) {
	fresh, tokens := false, 0
	var pictures []doctor.Picture
	if r.report != nil && i < len(r.report.Sections) && r.report.Sections[i].Name == s.Name {
		known := r.report.Sections[i]
		fresh, tokens, pictures = known.New && r.c.Before > 0, known.Tokens, known.Images
	}
	r.read += tokens
	if s.Role == "tools" {
		r.c.ToolTokens += tokens
		r.c.ToolsNew = r.c.ToolsNew || fresh
		r.c.Tools = append(r.c.Tools, tools(r.body[s.Start:s.End], s, tokens)...)
		return
	}
	path := MessageOf(s.Name)
	n := len(r.c.Messages)
	if n == 0 || r.c.Messages[n-1].Name != path {
		r.c.Messages = append(r.c.Messages, Message{Role: s.Role, Name: path, Bytes: [2]int{s.Start, s.End}})
		n++
	}
	m := &r.c.Messages[n-1]
	m.Bytes[1] = max(m.Bytes[1], s.End)
	m.Tokens += tokens
	m.New = m.New || fresh
	m.Cached = r.c.Usage.CacheRead > 0 && r.c.Usage.CacheRead >= r.read
	for _, p := range s.Parts {
		part := Part{Part: p}
		switch p.Kind {
		case wire.Call:
			if p.ID != "" {
				r.calls[p.ID] = p.Name
			}
			part.Tokens = r.count(string(p.Arguments))
		case wire.Image:
			part.Tool = cmp.Or(p.Name, r.calls[p.ID])
			if len(pictures) > 0 {
				part.Picture, part.Tokens = &pictures[0], pictures[0].Tokens
				pictures = pictures[1:]
			}
		default:
			part.Tool = cmp.Or(p.Name, r.calls[p.ID])
			part.Page, part.Tokens = r.page(s.Name, p.Text), r.count(p.Text)
		}
		if p.Kind == wire.Result || p.Kind == wire.Image && part.Tool != "" {
			m.Role = "tool"
		}
		if r.report == nil {
			m.Tokens += part.Tokens
		}
		m.Parts = append(m.Parts, part)
	}
}

// MessageOf is the path of the message in which a section lies.
func MessageOf(section string) string {
	path, _, _ := strings.Cut(section, ".")
	return path
}

// page is the text of a page that a text of a section lists, nil for none.
func (r *reader) page(section, text string) *observation.Text {
	if r.report == nil {
		return nil
	}
	for _, t := range r.report.Texts {
		if t.Section != section {
			continue
		}
		quoted, err := json.Marshal(t.Body()) // a text may lie as a value in JSON
		if strings.Contains(text, t.Body()) || err == nil && strings.Contains(text, string(quoted[1:len(quoted)-1])) {
			return t
		}
	}
	return nil
}

// mark counts what is as in the request before: the messages up to the first that is new.
func (r *reader) mark() {
	if r.c.Before == 0 {
		return
	}
	for _, m := range r.c.Messages {
		if m.New {
			return
		}
		r.c.Same++
	}
}

// answered is the answer as a message.
func answered(a *wire.Answer, p turn.Payload) Message {
	m := Message{Role: "assistant", Answer: true, New: true, Tokens: a.Usage.Output, Bytes: [2]int{0, len(p.Bytes)}}
	add := func(kind wire.Kind, text string) {
		if strings.TrimSpace(text) != "" {
			m.Parts = append(m.Parts, Part{Part: wire.Part{Kind: kind, Text: text}})
		}
	}
	add(wire.Reasoning, a.Reasoning)
	add(wire.Text, a.Text)
	for _, call := range a.Calls {
		m.Parts = append(m.Parts, Part{Part: wire.Part{Kind: wire.Call, ID: call.ID, Name: call.Name,
			Arguments: call.Arguments}})
	}
	if a.Error != "" {
		add(wire.Text, a.Error)
	}
	return m
}

// tools reads a definition of a tool: OpenAI's have it below "function" in chats, Gemini's are lists.
func tools(raw []byte, s wire.Section, tokens int) []Tool {
	type definition struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		InputSchema json.RawMessage `json:"input_schema"`
		JSONSchema  json.RawMessage `json:"parametersJsonSchema"`
		MCPSchema   json.RawMessage `json:"inputSchema"`
	}
	var d struct {
		definition
		Function *definition       `json:"function"`
		Spec     *definition       `json:"toolSpec"` // Bedrock's
		List     []json.RawMessage `json:"functionDeclarations"`
		Snake    []json.RawMessage `json:"function_declarations"`
	}
	if json.Unmarshal(raw, &d) != nil {
		return []Tool{{Name: s.Name, Bytes: [2]int{s.Start, s.End}, Tokens: tokens}}
	}
	if list := append(d.List, d.Snake...); len(list) > 0 {
		var out []Tool
		for _, one := range list {
			out = append(out, tools(one, s, tokens/len(list))...)
		}
		return out
	}
	one := d.definition
	if inner := cmp.Or(d.Function, d.Spec); inner != nil {
		one = *inner
	}
	t := Tool{Name: one.Name, Description: one.Description, Bytes: [2]int{s.Start, s.End}, Tokens: tokens}
	if t.Name == "" {
		t.Name = d.Type
	}
	for _, schema := range []json.RawMessage{one.Parameters, one.InputSchema, one.JSONSchema, one.MCPSchema} {
		if len(schema) > 0 {
			t.Schema = schema
			break
		}
	}
	return []Tool{t}
}

// told are the members of a request that are messages and tools, in all dialects.
var told = []string{"messages", "input", "contents", "system", "systemInstruction", "system_instruction",
	"instructions", "tools", "toolConfig", "functions", "jsonrpc", "id", "result", "error"}

// parameters are the other members of a request, in their order; of a body that is no single document, none.
func parameters(body []byte) []Parameter {
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out []Parameter
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return out
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return out
		}
		if name, ok := key.(string); ok && !slices.Contains(told, name) {
			out = append(out, Parameter{name, raw})
		}
	}
	return out
}

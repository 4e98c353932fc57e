package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Request is a request to a model.
type Request struct {
	Dialect string
	Model   string // "" where the body does not name it, as Gemini's
	Stream  bool   // the answer is wanted as events
	// Messages are the conversation, the instructions of the system first.
	Messages []Message
	Tools    []string // names of the tools that the model may call
	Prepares bool     // no answer is asked for: the vendor is to read what the next request goes on from
	// builtin: a tool of the vendor's own is among them, and it may call functions of other names.
	builtin bool
	// Follows is the ID of the answer that it goes on from, and Thread that of the conversation that it adds to, where
	// the vendor holds the messages before it.
	Follows, Thread string
	// Display is the size in px of the screen that a computer tool declares, zero without one: the
	// space of the coordinates in the answer.
	Display [2]int
	asks    places            // how the instructions and the tools ask for places
	asksOf  map[string]places // how a tool does by itself
}

// Offers reports whether the model may call a tool of that name, as far as the request says which it may.
func (r *Request) Offers(name string) bool {
	return len(r.Tools) == 0 || r.builtin || slices.Contains(r.Tools, name)
}

// Texts are the texts of the request, results of tools among them, in order.
func (r *Request) Texts() []string {
	var out []string
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Text != "" {
				out = append(out, p.Text)
			}
		}
	}
	return out
}

// Images are the images of the request, in order.
func (r *Request) Images() []Part {
	var out []Part
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Kind == Image {
				out = append(out, p)
			}
		}
	}
	return out
}

// Continues reports whether the vendor holds messages before those of the request.
func (r *Request) Continues() bool { return r.Follows+r.Thread != "" }

// GoesOnFrom reports whether these are the request before and the ID of the answer to it.
func (r *Request) GoesOnFrom(before *Request, answer string) bool {
	return r.Follows != "" && r.Follows == answer || r.Thread != "" && r.Thread == before.Thread
}

// After is a request that goes on from an answer, with the messages that the vendor holds: those of the request before,
// but for its instructions, and the answer to it.
func (r *Request) After(before *Request, a *Answer) *Request {
	out, head := *r, 0
	out.Model = cmp.Or(r.Model, before.Model)
	if len(r.Messages) > 0 && r.Messages[0].Role == "system" {
		head = 1
	}
	held := before.Messages
	if len(held) > 0 && held[0].Role == "system" {
		held = held[1:]
	}
	said := append(reasoning(a.Reasoning), texts(a.Text)...)
	for _, c := range a.Calls {
		said = append(said, Part{Kind: Call, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	out.Messages = slices.Concat(r.Messages[:head], held, []Message{{"assistant", said}}, r.Messages[head:])
	return &out
}

// Recall adds calls that the request refers to, and whose answers it holds, to the model's message before those.
func (r *Request) Recall(call func(id string) (ToolCall, bool)) {
	held := map[string]bool{"": true}
	said := -1
	for i, m := range r.Messages {
		for _, c := range m.Calls() {
			held[c.ID] = true
		}
		if m.Role == "assistant" {
			said = i
			continue
		}
		for _, p := range m.Parts {
			if c, ok := call(p.ID); said >= 0 && !held[p.ID] && ok {
				held[p.ID] = true
				r.Messages[said].Parts = append(slices.Clip(r.Messages[said].Parts),
					Part{Kind: Call, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
			}
		}
	}
}

// Zooms reports whether a picture answers a zoom of a computer tool: it shows a part of the screen, and coordinates
// stay those of the whole.
func (r *Request) Zooms(p Part) bool {
	if p.ID == "" {
		return false
	}
	for _, m := range slices.Backward(r.Messages) {
		for _, c := range m.Calls() {
			var asked struct {
				Action string `json:"action"`
			}
			if c.ID == p.ID {
				return get(c.Arguments, &asked) && asked.Action == "zoom"
			}
		}
	}
	return false
}

// leastNew is how many bytes a message has at least that can hold a page.
const leastNew = 200

// Newest is the index of the first message that shows the present: those after the model's last answer, where they hold
// a picture or a text of some length. What a tool says in a few words leaves it to what came before: the messages after
// the answer before, and so on.
func (r *Request) Newest() int {
	end := len(r.Messages)
	for i, m := range slices.Backward(r.Messages) {
		if m.Role != "assistant" {
			continue
		}
		now := &Request{Messages: r.Messages[i+1 : end]}
		if len(strings.Join(now.Texts(), "")) >= leastNew || len(now.Images()) > 0 {
			return i + 1
		}
		end = i
	}
	return 0
}

// ReadRequest reads the body of a request in that dialect, or the messages of a WebSocket that are one.
func ReadRequest(dialect string, body []byte) (*Request, error) {
	read := map[string]func(map[string]json.RawMessage, *Request){
		OpenAIChat: readChat, OpenAIResponses: readResponses, Anthropic: readAnthropic, Gemini: readGemini,
		Interactions: readInteractions, Bedrock: readBedrock, Ollama: readChat, MCP: readMCP,
	}[dialect]
	if read == nil {
		return nil, fmt.Errorf("a request in the dialect %q is not read: only %s and %s are", dialect,
			strings.Join(Models(), ", "), MCP)
	}
	fields, err := fieldsOf(dialect, body)
	if err != nil {
		return nil, fmt.Errorf("reading a request of %s: %w", dialect, err)
	}
	r := &Request{Dialect: dialect, Stream: dialect == Ollama}
	get(fields["model"], &r.Model)
	get(fields["stream"], &r.Stream)
	read(fields, r)
	for _, p := range r.instructions() {
		r.readResolution(p.Text)
	}
	return r, nil
}

// get reads a value where it is there and of the type that is wanted.
func get(raw json.RawMessage, into any) bool {
	return len(raw) > 0 && json.Unmarshal(raw, into) == nil
}

// list reads an array; each entry is read separately, so that a malformed one loses no other.
func list[T any](raw json.RawMessage) []T {
	var entries []json.RawMessage
	get(raw, &entries)
	out := make([]T, 0, len(entries))
	for _, e := range entries {
		var v T
		if get(e, &v) {
			out = append(out, v)
		}
	}
	return out
}

// add adds a message that has something in it.
func (r *Request) add(role string, parts []Part) {
	if len(parts) > 0 {
		r.Messages = append(r.Messages, Message{role, parts})
	}
}

// addAll adds the messages of Anthropic and Bedrock, what the system says first.
func (r *Request) addAll(fields map[string]json.RawMessage, content func(json.RawMessage) []Part) {
	r.add("system", content(fields["system"]))
	type message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	for _, m := range list[message](fields["messages"]) {
		r.add(m.Role, content(m.Content))
	}
}

func texts(s string) []Part { return partsOf(Text, s) }

func reasoning(s string) []Part { return partsOf(Reasoning, s) }

func partsOf(kind Kind, s string) []Part {
	if s == "" {
		return nil
	}
	return []Part{{Kind: kind, Text: s}}
}

// joined are the texts of parts, one behind the other.
func joined(parts []Part) string {
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(p.Text)
	}
	return out.String()
}

// openAIPart is a part of content in both of OpenAI's dialects.
type openAIPart struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
	// Transcript is what a part of sound says.
	Transcript string          `json:"transcript"`
	ImageURL   json.RawMessage `json:"image_url"` // {url, detail}, or the address itself
	Detail     string          `json:"detail"`    // beside an address
	Thinking   json.RawMessage `json:"thinking"`  // Mistral's: parts
}

// openAIContent reads content: a text, or parts.
func openAIContent(raw json.RawMessage) []Part {
	var text string
	if get(raw, &text) {
		return texts(text)
	}
	var out []Part
	for _, p := range list[openAIPart](raw) {
		switch p.Type {
		case "image_url", "input_image", "computer_screenshot":
			var address struct {
				URL    string `json:"url"`
				Detail string `json:"detail"`
			}
			if !get(p.ImageURL, &address.URL) {
				get(p.ImageURL, &address)
			}
			if address.URL != "" {
				image := dataURL(address.URL)
				image.Detail = address.Detail + p.Detail
				out = append(out, image)
			}
		case "thinking", "reasoning_text":
			thought := cmp.Or(p.Text, joined(openAIContent(p.Thinking)))
			out = append(out, reasoning(thought)...)
		default:
			out = append(out, texts(p.Text+p.Refusal+p.Transcript)...)
		}
	}
	return out
}

// chatCall is a call of a tool in openai-chat.
type chatCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Custom struct { // of a tool that takes a text
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"custom"`
}

func (c chatCall) part() Part {
	if c.Custom.Name != "" {
		return Part{Kind: Call, ID: c.ID, Name: c.Custom.Name, Arguments: arguments(c.Custom.Input)}
	}
	return Part{Kind: Call, ID: c.ID, Name: c.Function.Name, Arguments: arguments(c.Function.Arguments)}
}

func readChat(fields map[string]json.RawMessage, r *Request) {
	type message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Calls   []chatCall      `json:"tool_calls"`
		ID      string          `json:"tool_call_id"`
		Tool    string          `json:"tool_name"` // Ollama's, as its calls have no IDs
		Images  []string        `json:"images"`    // Ollama's, in base64
		thought
	}
	for _, m := range list[message](fields["messages"]) {
		parts := openAIContent(m.Content)
		for _, image := range m.Images {
			parts = append(parts, embedded("", image))
		}
		if m.Role == "tool" {
			parts = resultParts(m.ID, m.Tool, parts)
		}
		parts = append(reasoning(m.text()), parts...)
		for _, c := range m.Calls {
			parts = append(parts, c.part())
		}
		r.add(m.Role, parts)
	}
	type named struct {
		Name string `json:"name"`
	}
	type tool struct {
		Type     string `json:"type"`
		Function struct {
			named
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
		Custom named `json:"custom"`
	}
	for _, raw := range list[json.RawMessage](fields["tools"]) {
		var t tool
		if !get(raw, &t) {
			continue
		}
		name := cmp.Or(t.Function.Name, t.Custom.Name)
		r.builtin = r.builtin || name == ""
		r.declares(cmp.Or(name, t.Type), raw)
		var screen struct { // of Anthropic's computer, as LiteLLM spells it
			Width  int `json:"display_width_px"`
			Height int `json:"display_height_px"`
		}
		if get(t.Function.Parameters, &screen) && screen.Width > 0 && screen.Height > 0 {
			r.Display = [2]int{screen.Width, screen.Height}
		}
	}
	for _, raw := range list[json.RawMessage](fields["functions"]) { // before tools there were these
		var t named
		if get(raw, &t) {
			r.declares(t.Name, raw)
		}
	}
}

// thought is the model's reasoning beside a message, as compatible hosts spell it.
type thought struct {
	Reasoning        string `json:"reasoning"`
	ReasoningContent string `json:"reasoning_content"`
	Thinking         string `json:"thinking"` // Ollama's
}

func (t thought) text() string { return cmp.Or(t.Reasoning, t.ReasoningContent, t.Thinking) }

// failing says of the parts of a tool's answer whether the tool reports an error.
func failing(failed bool, parts []Part) []Part {
	for i := range parts {
		parts[i].Failed = failed
	}
	return parts
}

// resultParts makes the parts of a tool's answer.
func resultParts(id, name string, parts []Part) []Part {
	for i := range parts {
		if parts[i].ID, parts[i].Name = id, name; parts[i].Kind == Text {
			parts[i].Kind = Result
		}
	}
	return parts
}

func readResponses(fields map[string]json.RawMessage, r *Request) {
	var instructions, input string
	get(fields["previous_response_id"], &r.Follows)
	var thread struct {
		ID string `json:"id"`
	}
	if !get(fields["conversation"], &r.Thread) && get(fields["conversation"], &thread) {
		r.Thread = thread.ID
	}
	if get(fields["instructions"], &instructions) {
		r.add("system", texts(instructions))
	}
	if get(fields["input"], &input) {
		r.add("user", texts(input))
	}
	for _, i := range list[responsesItem](fields["input"]) {
		role, parts := i.read()
		r.add(role, parts)
		if i.Type == "additional_tools" { // Codex
			r.readTools(i.Tools)
		}
	}
	r.readTools(fields["tools"])
	generate := true
	get(fields["generate"], &generate)
	r.Prepares = !generate
}

// responsesItem is one item of a conversation in openai-responses, of its input or output.
type responsesItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ID        string          `json:"call_id"`
	Item      string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`   // of a custom tool
	Action    json.RawMessage `json:"action"`  // of a computer call
	Actions   json.RawMessage `json:"actions"` // of one that asks for several
	Output    json.RawMessage `json:"output"`  // a text, parts, or one picture
	Summary   json.RawMessage `json:"summary"`
	Tools     json.RawMessage `json:"tools"` // that the model may call from here on
}

func (i responsesItem) read() (role string, parts []Part) {
	switch i.Type {
	case "function_call", "custom_tool_call":
		raw := i.Arguments
		if raw == nil {
			raw = i.Input
		}
		return "assistant", []Part{{Kind: Call, ID: i.ID, Name: i.Name, Arguments: arguments(raw)}}
	case "computer_call":
		raw := i.Action
		if len(i.Actions) > 0 {
			raw = i.Actions
		}
		return "assistant", []Part{{Kind: Call, ID: i.ID, Name: "computer", Arguments: raw}}
	case "function_call_output", "custom_tool_call_output", "computer_call_output":
		raw := i.Output
		if len(raw) > 0 && raw[0] == '{' {
			raw = json.RawMessage("[" + string(raw) + "]")
		}
		return "tool", resultParts(i.ID, "", openAIContent(raw))
	case "item_reference": // what the model said, which the vendor holds
		return "assistant", texts("item " + i.Item)
	case "reasoning":
		for _, p := range list[openAIPart](i.Summary) {
			parts = append(parts, reasoning(p.Text)...)
		}
		if len(parts) == 0 { // a model that shows its reasoning itself
			parts = openAIContent(i.Content)
		}
		return "assistant", parts
	}
	return i.Role, openAIContent(i.Content)
}

// anthropicBlock is a block of content.
type anthropicBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	ToolID   string          `json:"tool_use_id"`
	Name     string          `json:"name"`
	Tool     string          `json:"tool_name"` // that a search for tools has found
	Input    json.RawMessage `json:"input"`
	Content  json.RawMessage `json:"content"`
	IsError  bool            `json:"is_error"`
	Source   struct {
		Type  string `json:"type"`
		Media string `json:"media_type"`
		Data  string `json:"data"`
		URL   string `json:"url"`
	} `json:"source"`
}

func anthropicContent(raw json.RawMessage) []Part {
	var text string
	if get(raw, &text) {
		return texts(text)
	}
	var out []Part
	for _, b := range list[anthropicBlock](raw) {
		switch b.Type {
		case "tool_reference":
			out = append(out, Part{Kind: Text, Text: "tool " + b.Tool})
		case "image":
			if b.Source.Type == "url" {
				out = append(out, Part{Kind: Image, URL: b.Source.URL})
			} else {
				out = append(out, embedded(b.Source.Media, b.Source.Data))
			}
		case "tool_use", "server_tool_use", "mcp_tool_use":
			out = append(out, Part{Kind: Call, ID: b.ID, Name: b.Name, Arguments: b.Input})
		case "tool_result", "mcp_tool_result":
			out = append(out, failing(b.IsError, resultParts(b.ToolID, "", anthropicContent(b.Content)))...)
		case "thinking":
			out = append(out, Part{Kind: Reasoning, Text: b.Thinking})
		default:
			out = append(out, texts(b.Text)...)
		}
	}
	return out
}

func readAnthropic(fields map[string]json.RawMessage, r *Request) {
	r.addAll(fields, anthropicContent)
	r.readTools(fields["tools"])
}

// readTools reads the tools of Anthropic and of openai-responses, those of a computer with the size
// of its screen.
func (r *Request) readTools(raw json.RawMessage) {
	type tool struct {
		Type     string          `json:"type"`
		Name     string          `json:"name"`
		Width    int             `json:"display_width"`
		Height   int             `json:"display_height"`
		WidthPx  int             `json:"display_width_px"`
		HeightPx int             `json:"display_height_px"`
		Tools    json.RawMessage `json:"tools"` // of a namespace
	}
	for _, declared := range list[json.RawMessage](raw) {
		var t tool
		if !get(declared, &t) {
			continue
		}
		if t.Type == "namespace" {
			r.readTools(t.Tools)
			continue
		}
		r.builtin = r.builtin || t.Name == ""
		r.declares(cmp.Or(t.Name, t.Type), declared)
		if size := [2]int{cmp.Or(t.WidthPx, t.Width), cmp.Or(t.HeightPx, t.Height)}; size[0] > 0 && size[1] > 0 {
			r.Display = size
		}
	}
}

// geminiPart is a part of content. The vendor's clients write names in both spellings.
type geminiPart struct {
	Text        string      `json:"text"`
	Thought     bool        `json:"thought"`
	Inline      *geminiBlob `json:"inlineData"`
	InlineSnake *geminiBlob `json:"inline_data"`
	File        struct {
		URI string `json:"fileUri"`
	} `json:"fileData"`
	FileSnake struct {
		URI string `json:"file_uri"`
	} `json:"file_data"`
	Call          *geminiCall   `json:"functionCall"`
	CallSnake     *geminiCall   `json:"function_call"`
	Response      *geminiResult `json:"functionResponse"`
	ResponseSnake *geminiResult `json:"function_response"`
}

type geminiCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type geminiBlob struct {
	Media      string `json:"mimeType"`
	MediaSnake string `json:"mime_type"`
	Data       string `json:"data"`
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
	// What a WebSocket sends in the place of a content: results of tools, or input as it comes.
	Results []geminiResult `json:"functionResponses"`
	Text    string         `json:"text"`
	Video   *geminiBlob    `json:"video"`
	Chunks  []geminiBlob   `json:"mediaChunks"`
}

type geminiResult struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Response json.RawMessage `json:"response"`
	Parts    []geminiPart    `json:"parts"` // pictures that the tool answers with
}

func (c geminiContent) read() []Part {
	out := texts(c.Text)
	for _, r := range c.Results {
		c.Parts = append(c.Parts, geminiPart{Response: &r})
	}
	if c.Video != nil {
		c.Chunks = append(c.Chunks, *c.Video)
	}
	for _, b := range c.Chunks {
		if strings.HasPrefix(b.Media+b.MediaSnake, "image/") {
			c.Parts = append(c.Parts, geminiPart{Inline: &b})
		}
	}
	for _, p := range c.Parts {
		blob, call, result := cmp.Or(p.Inline, p.InlineSnake), cmp.Or(p.Call, p.CallSnake),
			cmp.Or(p.Response, p.ResponseSnake)
		file := cmp.Or(p.File.URI, p.FileSnake.URI)
		switch {
		case blob != nil:
			// Gemini's clients write the alphabet of URLs as well.
			data := strings.NewReplacer("-", "+", "_", "/").Replace(blob.Data)
			out = append(out, embedded(blob.Media+blob.MediaSnake, data))
		case file != "":
			out = append(out, Part{Kind: Image, URL: file})
		case call != nil:
			out = append(out, Part{Kind: Call, ID: call.ID, Name: call.Name, Arguments: call.Args})
		case result != nil:
			out = append(out, Part{Kind: Result, ID: result.ID, Name: result.Name, Text: string(result.Response)})
			out = append(out, resultParts(result.ID, result.Name, geminiContent{Parts: result.Parts}.read())...)
		case p.Thought:
			out = append(out, Part{Kind: Reasoning, Text: p.Text})
		default:
			out = append(out, texts(p.Text)...)
		}
	}
	return out
}

func readGemini(fields map[string]json.RawMessage, r *Request) {
	for _, name := range []string{"systemInstruction", "system_instruction"} {
		var system geminiContent
		if get(fields[name], &system) {
			r.add("system", system.read())
		}
	}
	for _, c := range list[geminiContent](fields["contents"]) {
		role := c.Role
		switch role {
		case "model":
			role = "assistant"
		case "":
			role = "user"
		}
		r.add(role, c.read())
	}
	type named struct {
		Name string `json:"name"`
	}
	for _, t := range list[map[string]json.RawMessage](fields["tools"]) {
		for key, raw := range t {
			if key != "functionDeclarations" && key != "function_declarations" {
				r.builtin = true
				continue
			}
			for _, declared := range list[json.RawMessage](raw) {
				var f named
				if get(declared, &f) {
					r.declares(f.Name, declared)
				}
			}
		}
	}
}

package wire

import (
	"cmp"
	"encoding/json"
	"strings"
)

// interactionStep is a step of Gemini's Interactions API, of its input or of what came of it: a person's or the model's
// content, a call, its result, a thought. An entry of the input may be a content without a step around it, and before
// the revision of May 2026 a turn with a role; an answer had contents in the place of steps.
type interactionStep struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Text      string          `json:"text"`
	Media     string          `json:"mime_type"`
	Data      string          `json:"data"`
	URI       string          `json:"uri"`
	Detail    string          `json:"resolution"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	CallID    string          `json:"call_id"`
	Result    json.RawMessage `json:"result"`
	IsError   bool            `json:"is_error"`
	Summary   json.RawMessage `json:"summary"`
}

// interactionContent reads a content, several, or a text.
func interactionContent(raw json.RawMessage) []Part {
	var text string
	if get(raw, &text) {
		return texts(text)
	}
	if len(raw) > 0 && raw[0] == '{' {
		raw = json.RawMessage("[" + string(raw) + "]")
	}
	var out []Part
	for _, s := range list[interactionStep](raw) {
		_, parts := s.read()
		out = append(out, parts...)
	}
	return out
}

func (s interactionStep) read() (role string, parts []Part) {
	switch s.Type {
	case "text":
		return "user", texts(s.Text)
	case "image":
		image := Part{Kind: Image, URL: s.URI}
		if s.Data != "" {
			image = embedded(s.Media, s.Data)
		}
		image.Detail = strings.TrimPrefix(strings.ToLower(s.Detail), "media_resolution_")
		return "user", []Part{image}
	case "function_call":
		return "assistant", []Part{{Kind: Call, ID: s.ID, Name: s.Name, Arguments: s.Arguments}}
	case "function_result":
		parts = interactionContent(s.Result)
		if len(parts) == 0 && len(s.Result) > 0 { // an object of the tool's own
			parts = texts(string(s.Result))
		}
		return "tool", failing(s.IsError, resultParts(s.CallID, s.Name, parts))
	case "thought":
		return "assistant", reasoning(joined(interactionContent(s.Summary)))
	case "model_output":
		return "assistant", interactionContent(s.Content)
	}
	if s.Role == "model" {
		return "assistant", interactionContent(s.Content)
	}
	return "user", interactionContent(s.Content)
}

func readInteractions(fields map[string]json.RawMessage, r *Request) {
	get(fields["previous_interaction_id"], &r.Follows)
	get(fields["agent"], &r.Model) // in the place of a model
	r.add("system", interactionContent(fields["system_instruction"]))
	input := fields["input"]
	if len(input) > 0 && input[0] != '[' {
		r.add("user", interactionContent(input))
		input = nil
	}
	for _, s := range list[interactionStep](input) {
		r.add(s.read())
	}
	r.readTools(fields["tools"])
}

// takeInteractions reads a whole interaction, or the events of one, whose last one may have its steps.
func takeInteractions(a *assembly, event string, fields map[string]json.RawMessage) {
	get(fields["event_type"], &event)
	var index int
	get(fields["index"], &index)
	var step interactionStep
	switch strings.Replace(event, "content.", "step.", 1) {
	case "":
		a.interaction(fields)
	case "interaction.created", "interaction.start", "interaction.completed", "interaction.complete":
		var whole map[string]json.RawMessage
		if get(fields["interaction"], &whole) {
			a.interaction(whole)
		}
	case "step.start":
		if get(fields["step"], &step) || get(fields["content"], &step) {
			a.interactionPiece(index, step)
		}
	case "step.delta":
		if get(fields["delta"], &step) {
			a.interactionPiece(index, step)
		}
	}
}

// interactionPiece takes the beginning of a step, or what is added to one.
func (a *assembly) interactionPiece(index int, s interactionStep) {
	switch s.Type {
	case "arguments_delta":
		var piece string
		get(s.Arguments, &piece)
		a.call(index).arguments.WriteString(piece)
	case "function_call":
		open := a.call(index)
		open.id, open.name = cmp.Or(s.ID, open.id), cmp.Or(s.Name, open.name)
		open.whole = s.Arguments
	case "thought_summary":
		a.thought.WriteString(joined(interactionContent(s.Content)))
	case "user_input", "function_result":
	default:
		_, parts := s.read()
		a.parts(parts)
	}
}

// interaction takes a whole interaction, in the place of what came in pieces where it has steps.
func (a *assembly) interaction(fields map[string]json.RawMessage) {
	get(fields["agent"], &a.Model)
	get(fields["model"], &a.Model)
	get(fields["id"], &a.ID)
	get(fields["status"], &a.Finish)
	a.takeError(fields)
	steps := list[interactionStep](fields["steps"])
	steps = append(steps, list[interactionStep](fields["outputs"])...)
	if len(steps) > 0 {
		a.Calls, a.calls, a.order = nil, nil, nil
		a.said.Reset()
		a.thought.Reset()
	}
	for _, s := range steps {
		if s.Type != "user_input" && s.Type != "function_result" {
			_, parts := s.read()
			a.parts(parts)
		}
	}
	var u struct {
		Input    int `json:"total_input_tokens"`
		Output   int `json:"total_output_tokens"`
		Thoughts int `json:"total_thought_tokens"`
		Cached   int `json:"total_cached_tokens"`
	}
	if get(fields["usage"], &u) {
		a.Usage = Usage{Input: u.Input, Output: u.Output + u.Thoughts, CacheRead: u.Cached, Reasoning: u.Thoughts}
	}
}

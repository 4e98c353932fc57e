// Package wire reads what crosses the wire between an agent and a model: the body of a
// request ([ReadRequest]) and of its answer ([ReadAnswer]), whole or as a stream of events.
//
// It reads the bodies of other programs, so it takes what it knows and leaves the rest: a
// field that is missing or of another type is not there, and only a body that is no JSON, or
// a stream without one readable event, is an error. Nothing is changed; the bytes
// themselves are kept by package turn.
//
// Shapes, from the vendors' published references (November 2026):
//
//	openai-chat       POST …/chat/completions   messages[], choices[]; chunks of deltas
//	openai-responses  POST …/responses          instructions, input[], output[]; typed events
//	anthropic         POST …/messages           system, messages[], content[]; typed events
//	gemini            POST …:generateContent    systemInstruction, contents[], candidates[];
//	                  …:streamGenerateContent   events, or one JSON array, of such answers
//	gemini-interactions
//	                  POST …/interactions       system_instruction, input[], steps[]; typed events
//	bedrock           POST …/converse           system, messages[], output; with -stream events in
//	                                            Amazon's frames, which [Unframe] takes off
//	ollama            POST …/api/chat           messages[], message; lines of such answers
package wire

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// Dialects, spelled as package payload spells those that it builds.
const (
	OpenAIChat      = "openai-chat"
	OpenAIResponses = "openai-responses"
	Anthropic       = "anthropic"
	Gemini          = "gemini"
	Interactions    = "gemini-interactions"
	Bedrock         = "bedrock"
	Ollama          = "ollama"
	// Other is a request that is none of these, such as a list of models.
	Other = "http"
)

// Models are the dialects in which a model is asked.
func Models() []string {
	return []string{OpenAIChat, OpenAIResponses, Anthropic, Gemini, Interactions, Bedrock, Ollama}
}

// ends are those of the paths at which a model is asked in a dialect.
var ends = []struct{ path, dialect string }{
	{"/chat/completions", OpenAIChat},
	{"/responses", OpenAIResponses},
	{"/messages", Anthropic},
	{":generateContent", Gemini},
	{":streamGenerateContent", Gemini},
	{"/interactions", Interactions},
	{"/converse", Bedrock},
	{"/converse-stream", Bedrock},
	{"/api/chat", Ollama},
}

// DialectOf recognises the dialect by the path of a request, without its query.
func DialectOf(path string) string {
	path = strings.TrimRight(path, "/")
	for _, end := range ends {
		if strings.HasSuffix(path, end.path) {
			return end.dialect
		}
	}
	return Other
}

// Chains reports whether requests of a dialect go on from an answer by its ID.
func Chains(dialect string) bool { return dialect == OpenAIResponses || dialect == Interactions }

// Patterns are wildcards of addresses, as the protocol's fetch domain has them, that fit each one whose [DialectOf] is
// that of a model, and some more.
func Patterns() []string {
	var all []string
	for _, end := range ends {
		all = append(all, "*"+end.path+"*")
	}
	return all
}

// AsksOtherwise reports whether a model is asked at a path in a dialect that is not read: Ollama's generate, Bedrock's
// invoke, Anthropic's models on Vertex, Cohere, the older completions of OpenAI.
func AsksOtherwise(path string) bool {
	path = strings.TrimRight(path, "/")
	return DialectOf(path) == Other && slices.ContainsFunc([]string{"/api/generate", "/completions", "/invoke",
		"/invoke-with-response-stream", ":rawPredict", ":streamRawPredict", "/v2/chat", "/conversations"},
		func(end string) bool { return strings.HasSuffix(path, end) })
}

// Credential is how a vendor's API takes a key, from the vendor's own reference.
type Credential struct {
	Variable string // of the environment, which the vendor's own tools read
	Header   string // of a request, which has Prefix and the key
	Prefix   string
}

// CredentialOf is that of the vendor of a dialect; compatible endpoints speak the dialects of OpenAI.
func CredentialOf(dialect string) Credential {
	switch dialect {
	case Anthropic:
		return Credential{"ANTHROPIC_API_KEY", "x-api-key", ""}
	case Gemini, Interactions:
		return Credential{"GEMINI_API_KEY", "x-goog-api-key", ""}
	case Bedrock:
		return Credential{"AWS_BEARER_TOKEN_BEDROCK", "Authorization", "Bearer "}
	}
	return Credential{"OPENAI_API_KEY", "Authorization", "Bearer "}
}

// Kind is the kind of a part of a message.
type Kind string

// The kinds of parts.
const (
	Text      Kind = "text"
	Reasoning Kind = "reasoning" // of the model, where it shows it
	Image     Kind = "image"
	Call      Kind = "call"   // of a tool, by the model
	Result    Kind = "result" // of a tool, to the model; pictures in it are parts of their own
)

// Part is one piece of a message.
type Part struct {
	Kind Kind
	Text string // of text, reasoning and results
	// Media and Data are the type and the bytes of an image that the body holds; URL is where
	// another one lies.
	Media string
	Data  []byte
	URL   string
	// Detail is how exactly the vendor is to look at an image, as the request says it, "" for
	// nothing.
	Detail string
	// ID and Name are those of a call; a result has the ID of its call.
	ID, Name  string
	Arguments json.RawMessage // of a call, JSON
	Failed    bool            // of a result: the tool reports an error, where the vendor has a word for that
}

// Message is one turn of the conversation.
type Message struct {
	Role  string // system, developer, user, assistant or tool
	Parts []Part
}

// Calls are the calls of tools in the message.
func (m *Message) Calls() []ToolCall {
	var calls []ToolCall
	for _, p := range m.Parts {
		if p.Kind == Call {
			calls = append(calls, ToolCall{p.ID, p.Name, p.Arguments})
		}
	}
	return calls
}

// dataURL reads an image address that holds the image itself.
func dataURL(address string) Part {
	rest, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return Part{Kind: Image, URL: address}
	}
	head, body, _ := strings.Cut(rest, ",")
	media, encoded := strings.CutSuffix(head, ";base64")
	if !encoded {
		return Part{Kind: Image, Media: media, URL: address}
	}
	return embedded(media, body)
}

// embedded is an image in base64, with or without padding.
func embedded(media, body string) Part {
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		data, _ = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "=")) // what is no base64 has no bytes
	}
	return Part{Kind: Image, Media: media, Data: data}
}

// arguments are those of a call: JSON as it is, or in a string, as OpenAI has it.
func arguments(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return raw
	}
	return textArguments(text)
}

// textArguments are arguments that came as text; what is no JSON, because the answer was cut,
// stays a string.
func textArguments(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil
	}
	return quoted
}

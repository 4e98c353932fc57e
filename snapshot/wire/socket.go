package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A conversation over a WebSocket is a row of JSON messages in each direction. What the agent sent
// up to the message that asks for an answer is a request, what came back an answer; each is
// the messages one after the other, and [ReadRequest], [Sections] and [ReadAnswer] read them as they
// read a body. From the vendors' published references (November 2026):
//
//	openai-responses  wss …/responses                 response.create with the members of a body
//	                  wss …/realtime                  session.update, conversation.item.create,
//	                                                  response.create; answered by typed events
//	gemini            wss …GenerativeService.BidiGenerateContent
//	                                                  setup, clientContent, realtimeInput,
//	                                                  toolResponse; serverContent, toolCall

// SocketDialectOf recognises the dialect of a WebSocket by the path of its request.
func SocketDialectOf(path string) string {
	path = strings.TrimRight(path, "/")
	switch {
	case strings.HasSuffix(path, "/responses"), strings.HasSuffix(path, "/realtime"):
		return OpenAIResponses
	case strings.Contains(path, "BidiGenerateContent"):
		return Gemini
	}
	return Other
}

// SocketAdds reports whether the turns of a WebSocket at that path add to one conversation, which the vendor holds.
func SocketAdds(path string) bool {
	return SocketDialectOf(path) == Gemini || strings.HasSuffix(strings.TrimRight(path, "/"), "/realtime")
}

// SocketStep is what a message of a WebSocket is for the turn that it belongs to.
type SocketStep int

// The steps of a turn.
const (
	SocketPart    SocketStep = iota // no more than a part of its request or answer
	SocketAsks                      // the agent asks for an answer
	SocketBegins                    // the answer begins, also one that the agent did not ask for
	SocketEnds                      // the answer is whole
	SocketRefuses                   // an error, in the place of an answer or beside one
)

// SocketStepOf is the step of a message, sent by the agent or received by it.
func SocketStepOf(dialect string, message []byte, sent bool) SocketStep {
	if dialect == Gemini {
		return geminiStep(message, sent)
	}
	var m struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(message, &m) != nil {
		return SocketPart
	}
	switch {
	case sent && m.Type == "response.create":
		return SocketAsks
	case sent:
	case m.Type == "response.created":
		return SocketBegins
	case m.Type == "response.done", m.Type == "response.completed", m.Type == "response.incomplete",
		m.Type == "response.failed":
		return SocketEnds
	case m.Type == "error":
		return SocketRefuses
	}
	return SocketPart
}

func geminiStep(message []byte, sent bool) SocketStep {
	var m struct {
		Content *struct {
			Complete bool `json:"turnComplete"`
		} `json:"clientContent"`
		Result json.RawMessage `json:"toolResponse"`
		Server *struct {
			Turn        json.RawMessage `json:"modelTurn"`
			Complete    bool            `json:"turnComplete"`
			Interrupted bool            `json:"interrupted"`
		} `json:"serverContent"`
		Call  json.RawMessage `json:"toolCall"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(message, &m) != nil {
		return SocketPart
	}
	switch {
	case sent && (m.Content != nil && m.Content.Complete || m.Result != nil):
		return SocketAsks
	case sent:
	case m.Error != nil:
		return SocketRefuses
	case m.Call != nil, m.Server != nil && (m.Server.Complete || m.Server.Interrupted):
		return SocketEnds
	case m.Server != nil && m.Server.Turn != nil:
		return SocketBegins
	}
	return SocketPart
}

// documentsIn are the JSON values of a body, one after the other. The first one is an error where
// it cannot be read; a later one that was cut is left out.
func documentsIn(body []byte) ([]span, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	var out []span
	for {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			if len(out) == 0 {
				return nil, err
			}
			return out, nil
		}
		end := int(d.InputOffset())
		out = append(out, span{start: end - len(raw), end: end})
	}
}

// membersOf are the members of a request: those of its one document, or of the messages of a WebSocket
// as if they were one body. What is one entry of a list, such as an item of a conversation, is
// marked as that and has the name of the list.
func membersOf(dialect string, body []byte) ([]span, error) {
	documents, err := documentsIn(body)
	if err != nil {
		return nil, err
	}
	if first := body[documents[0].start]; first != '{' {
		return nil, fmt.Errorf("it begins with %q and is not JSON object", first)
	}
	var out []span
	for _, d := range documents {
		for _, m := range children(body, d) {
			switch {
			case dialect == OpenAIResponses && (m.key == "session" || m.key == "response"):
				out = append(out, children(body, m)...)
			case dialect == Bedrock && m.key == "toolConfig":
				out = append(out, children(body, m)...)
			case dialect == OpenAIResponses && m.key == "item":
				m.key, m.entry = "input", true
				out = append(out, m)
			case dialect == Gemini && (m.key == "setup" || m.key == "clientContent"):
				out = append(out, children(body, m)...)
			case dialect == Gemini && (m.key == "toolResponse" || m.key == "realtimeInput"):
				m.key, m.entry = "contents", true
				out = append(out, m)
			default:
				out = append(out, m)
			}
		}
	}
	for i := range out {
		if dialect == Gemini && out[i].key == "turns" {
			out[i].key = "contents"
		}
	}
	return out, nil
}

// fieldsOf are the members of a request by their names. A list that came in pieces is one list.
func fieldsOf(dialect string, body []byte) (map[string]json.RawMessage, error) {
	members, err := membersOf(dialect, body)
	if err != nil {
		return nil, err
	}
	fields, pieces, entries := make(map[string]json.RawMessage, len(members)), map[string][][]byte{}, map[string]bool{}
	for _, m := range members {
		value := body[m.start:m.end]
		fields[m.key] = value
		switch {
		case m.entry:
			pieces[m.key], entries[m.key] = append(pieces[m.key], value), true
		case m.key == "input" || m.key == "contents":
			if inner := bytes.TrimSpace(value[1:max(len(value)-1, 1)]); value[0] == '[' && len(inner) > 0 {
				pieces[m.key] = append(pieces[m.key], inner)
			}
		}
	}
	for key, list := range pieces {
		if len(list) > 1 || entries[key] {
			fields[key] = slices.Concat([]byte("["), bytes.Join(list, []byte(",")), []byte("]"))
		}
	}
	return fields, nil
}

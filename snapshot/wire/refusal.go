package wire

import "encoding/json"

// ErrorBody is the body of an answer that a request in that dialect failed with, in the shape of the
// vendor's own errors, so that a client reads the message where it looks for one: of a proxy that has
// no answer to pass on. Sources: the vendors' references, pages "Errors" (November 2026). Another
// dialect gets the shape of OpenAI, which compatible hosts share.
func ErrorBody(dialect string, status int, message string) []byte {
	type object = map[string]any
	body := object{"error": object{"message": message, "type": "server_error", "param": nil, "code": nil}}
	switch dialect {
	case Anthropic:
		body = object{"type": "error", "error": object{"type": "api_error", "message": message}}
	case Bedrock:
		body = object{"message": message}
	case Gemini, Interactions:
		body = object{"error": object{"code": status, "message": message, "status": "UNAVAILABLE"}}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil // texts and numbers can be written
	}
	return raw
}

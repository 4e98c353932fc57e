package payload

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// MaxCurlBody is how many bytes of a body [Curl] writes into the command itself; a
// larger one is read from a file.
const MaxCurlBody = 64 << 10

// endpoint is where a vendor takes a body, and with what header its key goes; both from
// the vendor's own reference. The model is part of Gemini's address.
func endpoint(dialect, model string) (url string, header []string, ok bool) {
	c := wire.CredentialOf(dialect)
	key := c.Header + ": " + c.Prefix + "$" + c.Variable
	switch dialect {
	case wire.OpenAIChat:
		return "https://api.openai.com/v1/chat/completions", []string{key}, true
	case wire.OpenAIResponses:
		return "https://api.openai.com/v1/responses", []string{key}, true
	case wire.Anthropic:
		return "https://api.anthropic.com/v1/messages", []string{key, "anthropic-version: 2023-06-01"}, true
	case wire.Gemini:
		return "https://generativelanguage.googleapis.com/v1beta/models/" + model + ":generateContent",
			[]string{key}, true
	case "qwen":
		return "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions",
			[]string{"Authorization: Bearer $DASHSCOPE_API_KEY"}, true
	case "agent-interact":
		return "$AGENT_ENDPOINT", nil, true
	}
	return "", nil, false
}

// Curl is a command for a POSIX shell that sends the exact body. Keys are variables of
// the shell, never values. A body of more than [MaxCurlBody] bytes, which is too long for
// one argument on some systems, is read from file, which must hold it. model is the name
// of the model, "" for [DefaultModel]; it must be a plain word, because it is in an
// address. A dialect that is not sent to a vendor is an error.
func Curl(dialect, model string, body []byte, file string) (string, error) {
	model = cmp.Or(model, DefaultModel)
	if strings.Trim(model, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" {
		return "", fmt.Errorf("model %q cannot stand in an address: letters, digits, dots and dashes only", model)
	}
	url, headers, ok := endpoint(dialect, model)
	if !ok {
		return "", fmt.Errorf("dialect %q is the answer of a tool, not a request: nothing to send with curl", dialect)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "curl -sS \"%s\" \\\n  -H \"Content-Type: application/json\" \\\n", url)
	for _, h := range headers {
		fmt.Fprintf(&b, "  -H \"%s\" \\\n", h)
	}
	data := "@" + text.ShellQuote(file)
	if len(body) <= MaxCurlBody {
		data = text.ShellQuote(string(body))
	}
	fmt.Fprintf(&b, "  --data-binary %s\n", data)
	return b.String(), nil
}

package payload

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
)

// TestWire: a body that crossed the wire is stored as the server received it, outside of
// the spans that are listed.
func TestWire(t *testing.T) {
	var received []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		received = b
	}))
	defer server.Close()
	in := testInput(t)
	in.Query = "Sign in with hunter2! and pay with 4111 1111 1111 1111"
	in.History = append(in.History, Message{"assistant", `fill({"selector":"#password","value":"hunter2!"})`})
	in.Capture.Nodes[3].Value = "[redacted: password]"
	for _, dialect := range Dialects() {
		p, err := Build(dialect, in)
		require.NoError(t, err)
		res, err := http.Post(server.URL, "application/json", bytes.NewReader(p.Body))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, p.Body, received)

		stored, spans := redact.Body(received, redact.Standard(), redact.Secret{Value: "hunter2!", Why: "password"})
		require.True(t, json.Valid(stored), dialect)
		redacttest.Outside(t, received, stored, spans)
		require.NotContains(t, string(stored), "hunter2")
		require.NotContains(t, string(stored), "4111 1111")
		require.GreaterOrEqual(t, len(spans), len(redact.Marks(received)), "the capture's own marks are listed too")
		require.NotEmpty(t, spans, dialect)
	}
}

func BenchmarkRedact(b *testing.B) {
	in := testInput(b)
	in.Marked = append(in.Marked, make([]byte, 400_000)...)
	in.System = strings.Repeat("Words of a prompt, \"quoted\" and not.\n", 3_000)
	p, err := Build("openai-chat", in)
	require.NoError(b, err)
	r := redact.Standard()
	b.SetBytes(int64(len(p.Body)))
	b.ReportAllocs()
	for b.Loop() {
		redact.Body(p.Body, r, redact.Secret{Value: "hunter2", Why: "password"})
	}
}

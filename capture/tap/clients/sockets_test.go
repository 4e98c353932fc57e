package clients

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"
)

// The messages of a vendor over a WebSocket, by what its path ends in: an answer to each request.
var messages = map[string][]string{
	"/responses": {`{"type":"response.created","response":{"id":"r","model":"m"}}`,
		`{"type":"response.output_text.delta","item_id":"x","output_index":0,"content_index":0,"delta":"Hello"}`,
		`{"type":"response.completed","response":{"id":"r","object":"response","model":"m","status":"completed","output":[{"type":"message","id":"x","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello","annotations":[]}]}],"usage":{"input_tokens":5,"output_tokens":1,"total_tokens":6}}}`},
	".BidiGenerateContent": {`{"serverContent":{"modelTurn":{"role":"model","parts":[{"text":"Hello"}]}}}`,
		`{"serverContent":{"turnComplete":true},"usageMetadata":{"promptTokenCount":5,"responseTokenCount":1}}`},
}

// serveSocket answers requests over a WebSocket, compressed where the client allows it. Gemini's messages are bytes.
func serveSocket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionContextTakeover, CompressionThreshold: 1})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	for {
		_, data, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		if strings.Contains(string(data), `"setup"`) {
			_ = conn.Write(r.Context(), websocket.MessageBinary, []byte(`{"setupComplete":{}}`)) // the next read shows a failure
			continue
		}
		for end, list := range messages {
			kind := websocket.MessageText
			if end == ".BidiGenerateContent" {
				kind = websocket.MessageBinary
			}
			for _, m := range list {
				if strings.HasSuffix(r.URL.Path, end) {
					_ = conn.Write(r.Context(), kind, []byte(m))
				}
			}
		}
	}
}

// The vendors' own clients for WebSockets, and one that compresses, work through a tap; each request is a turn.
func TestVendorsSockets(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(serveSocket))
	defer up.Close()
	p := startTap(t, up.URL)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ask := func(send func() error, receive func() (string, error)) (turn int) {
		t.Helper()
		var text string
		answered := make(chan error, 1)
		require.NoError(t, send())
		go func() {
			var err error
			text, err = receive()
			answered <- err
		}()
		var line struct {
			Turn, Status  int
			Model, Answer string
		}
		require.NoError(t, p.lines.Decode(&line))
		require.NoError(t, <-answered)
		require.Equal(t, "Hello", text)
		require.Equal(t, 101, line.Status)
		return line.Turn
	}

	oa := openai.NewClient(openaioption.WithBaseURL(p.bases["openai"]), openaioption.WithAPIKey(key))
	conn, err := oa.Responses.Connect(ctx, responses.ResponseConnectionOptions{})
	require.NoError(t, err)
	sent := `{"type":"response.create","model":"m","input":"Hi é <b>"}`
	for range 2 {
		turn := ask(func() error { return conn.SendRaw(ctx, json.RawMessage(sent)) }, func() (string, error) {
			r, err := conn.FinalResponse(ctx)
			if err != nil {
				return "", err
			}
			return r.OutputText(), nil
		})
		require.Equal(t, sent, string(p.stored(t, turn, "1")))
		require.Equal(t, strings.Join(messages["/responses"], "\n"), string(p.stored(t, turn, "2")))
	}
	require.NoError(t, conn.Close())

	ge, err := genai.NewClient(ctx, &genai.ClientConfig{APIKey: key, Backend: genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: strings.Replace(p.bases["gemini"], "http:", "ws:", 1), APIVersion: "v1beta"}})
	require.NoError(t, err)
	live, err := ge.Live.Connect(ctx, "m", nil)
	require.NoError(t, err)
	first, err := live.Receive()
	require.NoError(t, err)
	require.NotNil(t, first.SetupComplete)
	turn := ask(func() error {
		return live.SendClientContent(genai.LiveClientContentInput{Turns: []*genai.Content{genai.NewContentFromText("Hi é <b>", genai.RoleUser)}})
	}, func() (text string, err error) {
		for {
			m, err := live.Receive()
			if err != nil || m.ServerContent.TurnComplete {
				return text, err
			}
			text += m.ServerContent.ModelTurn.Parts[0].Text
		}
	})
	require.NoError(t, live.Close())
	require.Contains(t, string(p.stored(t, turn, "1")), `"turnComplete":true`)
	require.Equal(t, `{"setupComplete":{}}`+"\n"+strings.Join(messages[".BidiGenerateContent"], "\n"), string(p.stored(t, turn, "2")))

	address := strings.Replace(p.bases["openai"], "http:", "ws:", 1) + "/responses"
	plain, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{CompressionMode: websocket.CompressionContextTakeover, CompressionThreshold: 1})
	require.NoError(t, err)
	for range 2 {
		turn = ask(func() error { return plain.Write(ctx, websocket.MessageText, []byte(sent)) }, func() (string, error) {
			for range messages["/responses"] {
				if _, _, err := plain.Read(ctx); err != nil {
					return "", err
				}
			}
			return "Hello", nil
		})
		require.Equal(t, sent, string(p.stored(t, turn, "1")))
		require.Equal(t, strings.Join(messages["/responses"], "\n"), string(p.stored(t, turn, "2")))
	}
	require.NoError(t, plain.CloseNow())
}

package clients

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/klauspost/compress/zstd"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/require"
	"google.golang.org/genai"
)

// key is the credential of every client.
const key = "sk-test-0123456789abcdefghijklmnopqrstuvwxyz"

// vendor answers as a model does, in the manner that the model's name asks for: "plain", an
// encoding, "stream", "abort" within a stream, or a status. It remembers the newest request.
type vendor struct {
	mu   sync.Mutex
	body []byte
	key  string
}

// The answers of the three vendors, whole and as events.
var (
	answers = map[string]string{
		"/v1/chat/completions": `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hello"}}],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}`,
		"/v1/responses":        `{"id":"r","object":"response","model":"m","status":"completed","output":[{"type":"message","id":"x","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello","annotations":[]}]}],"usage":{"input_tokens":5,"output_tokens":1,"total_tokens":6}}`,
		"/v1/messages":         `{"id":"m","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"Hello"}],"usage":{"input_tokens":5,"output_tokens":1}}`,
		":generateContent":     `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"Hello"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1}}`,
	}
	events = map[string][]string{
		"/v1/chat/completions": {`data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}`,
			`data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}`, `data: [DONE]`},
		"/v1/messages": {"event: message_start\ndata: " + `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":5,"output_tokens":0}}}`,
			"event: content_block_start\ndata: " + `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			"event: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}`,
			"event: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}`,
			"event: content_block_stop\ndata: " + `{"type":"content_block_stop","index":0}`,
			"event: message_delta\ndata: " + `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`,
			"event: message_stop\ndata: " + `{"type":"message_stop"}`},
		":streamGenerateContent": {`data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hel"}]}}]}`,
			`data: {"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"lo"}]}}]}`},
	}
)

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // one that is broken off is none
	v.mu.Lock()
	v.body = body
	v.key = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key") + r.Header.Get("X-Goog-Api-Key")
	v.mu.Unlock()
	path := r.URL.Path
	var of struct{ Model string }
	_ = json.Unmarshal(body, &of) // Gemini's has none: its model is in the path
	if _, rest, ok := strings.Cut(path, "/models/"); ok {
		at := strings.LastIndexByte(rest, ':')
		of.Model, path = rest[:at], rest[at:]
	}
	switch of.Model {
	case "429", "500":
		status := map[string]int{"429": 429, "500": 500}[of.Model]
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":"no %d","code":%d,"status":"X","type":"x"}}`, status, status)
		return
	case "stream", "abort":
		w.Header().Set("Content-Type", "text/event-stream")
		for i, e := range events[path] {
			_, _ = io.WriteString(w, e+"\n\n")
			w.(http.Flusher).Flush()
			if of.Model == "abort" && i == len(events[path])/2 {
				panic(http.ErrAbortHandler)
			}
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	var to io.WriteCloser
	switch of.Model {
	case "gzip":
		to = gzip.NewWriter(w)
	case "br":
		to = brotli.NewWriter(w)
	case "zstd":
		to, _ = zstd.NewWriter(w) // its options are none
	default:
		_, _ = io.WriteString(w, answers[path])
		return
	}
	w.Header().Set("Content-Encoding", of.Model)
	_, _ = io.WriteString(to, answers[path])
	_ = to.Close()
}

// encodings asks for what a model's name says, and decodes it, which Go's client does for gzip
// alone.
type encodings struct{}

func (encodings) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Encoding", "gzip, br, zstd")
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	switch resp.Header.Get("Content-Encoding") {
	case "gzip":
		body, err = gzip.NewReader(resp.Body)
	case "br":
		body = brotli.NewReader(resp.Body)
	case "zstd":
		body, err = zstd.NewReader(resp.Body)
	default:
		return resp, nil
	}
	resp.Header.Del("Content-Encoding")
	resp.ContentLength = -1
	resp.Body = struct {
		io.Reader
		io.Closer
	}{body, resp.Body}
	return resp, err
}

// call asks a model, and returns what it answered.
type call func(ctx context.Context, model string) (string, error)

// calls are all ways to ask, by vendor and manner; a streaming one has "stream" in its name.
func calls(t *testing.T, bases map[string]string) map[string]call {
	t.Helper()
	web := &http.Client{Transport: encodings{}}
	oa := openai.NewClient(openaioption.WithBaseURL(bases["openai"]), openaioption.WithAPIKey(key), openaioption.WithMaxRetries(0),
		openaioption.WithHTTPClient(web))
	an := anthropic.NewClient(anthropicoption.WithBaseURL(bases["anthropic"]), anthropicoption.WithAPIKey(key),
		anthropicoption.WithMaxRetries(0), anthropicoption.WithHTTPClient(web))
	ge, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: key, Backend: genai.BackendGeminiAPI, HTTPClient: web,
		HTTPOptions: genai.HTTPOptions{BaseURL: bases["gemini"]}})
	require.NoError(t, err)
	chat := func(model string) openai.ChatCompletionNewParams {
		return openai.ChatCompletionNewParams{Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hi é <b>")}}
	}
	message := func(model string) anthropic.MessageNewParams {
		return anthropic.MessageNewParams{Model: anthropic.Model(model), MaxTokens: 64,
			Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Hi é <b>"))}}
	}
	return map[string]call{
		"openai": func(ctx context.Context, model string) (string, error) {
			a, err := oa.Chat.Completions.New(ctx, chat(model))
			if err != nil {
				return "", err
			}
			return a.Choices[0].Message.Content, nil
		},
		"openai stream": func(ctx context.Context, model string) (string, error) {
			s := oa.Chat.Completions.NewStreaming(ctx, chat(model))
			var text strings.Builder
			for s.Next() {
				text.WriteString(s.Current().Choices[0].Delta.Content)
			}
			return text.String(), s.Err()
		},
		"openai responses": func(ctx context.Context, model string) (string, error) {
			a, err := oa.Responses.New(ctx, responses.ResponseNewParams{Model: model,
				Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("Hi é <b>")}})
			if err != nil {
				return "", err
			}
			return a.OutputText(), nil
		},
		"anthropic": func(ctx context.Context, model string) (string, error) {
			a, err := an.Messages.New(ctx, message(model))
			if err != nil {
				return "", err
			}
			return a.Content[0].Text, nil
		},
		"anthropic stream": func(ctx context.Context, model string) (string, error) {
			s := an.Messages.NewStreaming(ctx, message(model))
			var a anthropic.Message
			for s.Next() {
				if err := a.Accumulate(s.Current()); err != nil {
					return "", err
				}
			}
			if s.Err() != nil || len(a.Content) == 0 {
				return "", errors.Join(s.Err(), io.ErrUnexpectedEOF)
			}
			return a.Content[0].Text, nil
		},
		"gemini": func(ctx context.Context, model string) (string, error) {
			a, err := ge.Models.GenerateContent(ctx, model, genai.Text("Hi é <b>"), nil)
			if err != nil {
				return "", err
			}
			return a.Text(), nil
		},
		"gemini stream": func(ctx context.Context, model string) (string, error) {
			var text strings.Builder
			for a, err := range ge.Models.GenerateContentStream(ctx, model, genai.Text("Hi é <b>"), nil) {
				if err != nil {
					return "", err
				}
				text.WriteString(a.Text())
			}
			return text.String(), nil
		},
	}
}

// tapped is a running refscopectl tap.
type tapped struct {
	program, dir string
	lines        *json.Decoder
	bases        map[string]string
}

func startTap(t *testing.T, upstream string) *tapped {
	t.Helper()
	p := &tapped{program: filepath.Join(t.TempDir(), "refscopectl"), dir: filepath.Join(t.TempDir(), "session")}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.program, "./cmd/refscopectl")
	build.Dir = filepath.Join("..", "..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	args := []string{"--quiet", "--home", t.TempDir(), "tap", "-o", p.dir}
	for _, name := range []string{"openai", "anthropic", "gemini"} {
		args = append(args, "--upstream", name+"="+upstream)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // its context has ended
	})
	p.lines = json.NewDecoder(bufio.NewReader(stdout))
	var begin struct {
		Bases map[string]string `json:"baseUrls"`
	}
	require.NoError(t, p.lines.Decode(&begin))
	p.bases = begin.Bases
	return p
}

// stored is a payload of a turn.
func (p *tapped) stored(t *testing.T, turn int, which string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.program, "--quiet", "payload", fmt.Sprintf("%s#%d", p.dir, turn), "--stored", which)
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	require.NoError(t, cmd.Run(), failed.String())
	return out.Bytes()
}

// Each vendor's own client works through a tap as without one: whole answers, encoded ones,
// streams, such that break off, and errors; what it sent and got is in the session, its key is not.
func TestVendorsClients(t *testing.T) {
	v := &vendor{}
	up := httptest.NewServer(v)
	defer up.Close()
	p := startTap(t, up.URL)
	for name, ask := range calls(t, p.bases) {
		models := []string{"plain", "gzip", "br", "zstd", "429", "500"}
		if strings.Contains(name, "stream") {
			models = []string{"stream", "abort", "429", "500"}
		}
		for _, model := range models {
			t.Run(name+" "+model, func(t *testing.T) {
				answered := make(chan error, 1)
				var text string
				go func() { // the tap prints its line before the answer ends
					var err error
					text, err = ask(t.Context(), model)
					answered <- err
				}()
				var line struct {
					Turn, Status         int
					Vendor, Model, Error string
				}
				require.NoError(t, p.lines.Decode(&line))
				err := <-answered
				require.Equal(t, strings.Fields(name)[0], line.Vendor)
				require.Equal(t, model, line.Model)
				v.mu.Lock()
				sent, credential := string(v.body), v.key
				v.mu.Unlock()
				require.Equal(t, key, credential)
				require.Equal(t, sent, string(p.stored(t, line.Turn, "1")), "what the vendor got is what is kept")
				switch model {
				case "429", "500":
					require.ErrorContains(t, err, model)
					require.Equal(t, model, fmt.Sprint(line.Status))
					require.Contains(t, string(p.stored(t, line.Turn, "2")), "no "+model)
				case "abort":
					require.Error(t, err)
					require.Contains(t, line.Error, "broken off")
					require.Contains(t, string(p.stored(t, line.Turn, "2")), "Hel")
				default:
					require.NoError(t, err)
					require.Equal(t, "Hello", text)
					require.Equal(t, 200, line.Status)
					if model != "stream" {
						for _, whole := range answers {
							if whole == string(p.stored(t, line.Turn, "2")) {
								return
							}
						}
						t.Error("the answer that is kept is not the vendor's, decoded")
					}
				}
			})
		}
	}
	require.NoError(t, filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), key, path)
		return err
	}))
}

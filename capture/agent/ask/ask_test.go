package ask_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

const key = "sk-canary-0123456789abcdef"

// recorded is a session with one turn of a page with five buttons.
func recorded(t *testing.T) (s *turn.Store, dir string, page *snapshot.Capture) {
	t.Helper()
	dir = t.TempDir()
	s, err := turn.Create(context.Background(), turn.Dir(dir), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	rec, err := s.Append(context.Background(), func(l *turn.Ledger) (*turn.Record, error) {
		c := pagetest.Parse(t, "url: https://shop.example/\nbody\n  button @10,10,80,20 \"Buy\"\n  button @10,50,80,20 \"Cancel\"\n"+
			"  button @10,90,80,20 \"Help\"\n  button @10,130,80,20 \"Basket\"\n  button @10,170,80,20 \"Orders\"\n")
		l.Assign("tab", l.NextTurn(), c)
		return &turn.Record{Capture: c, Action: "turn"}, nil
	})
	require.NoError(t, err)
	return s, dir, rec.Capture
}

// bodies are requests that list the buttons, by dialect.
func bodies(page *snapshot.Capture) map[string]string {
	var list strings.Builder
	for i := range page.Nodes {
		if n := &page.Nodes[i]; n.Ref > 0 {
			fmt.Fprintf(&list, "[%d]<button>%s</button>\\n", n.Ref, n.Text+n.Name)
		}
	}
	l := list.String()
	return map[string]string{
		wire.OpenAIChat:      `{"model": "a-1","messages":[{"role":"user","content":"` + l + `"}]}`,
		wire.OpenAIResponses: `{"model":"a-1","input":[{"role":"user","content":[{"type":"input_text","text":"` + l + `"}]}]}`,
		wire.Anthropic:       `{"max_tokens":9,"model":"a-1","messages":[{"role":"user","content":"` + l + `"}]}`,
		wire.Gemini:          `{"contents":[{"role":"user","parts":[{"text":"` + l + `"}]}]}`,
	}
}

// answers are what the vendors answer, whole and as events, with REF for the number.
var answers = map[string][2]string{
	wire.OpenAIChat: {
		`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"click","arguments":"{\"ref\":REF}"}}]},"finish_reason":"tool_calls"}]}`,
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"click\",\"arguments\":\"{\\\"ref\\\":\"}}]}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"REF}\"}}]}}]}\n\ndata: [DONE]\n\n",
	},
	wire.OpenAIResponses: {
		`{"output":[{"type":"function_call","call_id":"c","name":"click","arguments":"{\"ref\":REF}"}],"status":"completed"}`,
		"data: {\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"click\",\"arguments\":\"{\\\"ref\\\":REF}\"}],\"status\":\"completed\"}}\n\n",
	},
	wire.Anthropic: {
		`{"type":"message","content":[{"type":"tool_use","id":"c","name":"click","input":{"ref":REF}}],"stop_reason":"tool_use"}`,
		"data: {\"type\":\"message_start\",\"message\":{\"model\":\"a-1\"}}\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"click\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"ref\\\":REF}\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
	},
	wire.Gemini: {
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"click","args":{"ref":REF}}}]},"finishReason":"STOP"}]}`,
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"click\",\"args\":{\"ref\":REF}}}]},\"finishReason\":\"STOP\"}]}\n\n",
	},
}

// A model is asked again in each vendor's form, whole and streamed, through a 429; the answer
// is a variant with its bytes, graded by where it lands, and the key is nowhere on the disk.
func TestAsk(t *testing.T) {
	s, dir, page := recorded(t)
	buy, cancel := refOf(t, page, "Buy"), refOf(t, page, "Cancel")
	for dialect, body := range bodies(page) {
		for i, answer := range answers[dialect] {
			t.Run(fmt.Sprintf("%s %d", dialect, i), func(t *testing.T) {
				asked := 0
				srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					got, err := io.ReadAll(r.Body)
					require.NoError(t, err)
					require.Equal(t, body, string(got), "the body that was given, byte for byte")
					require.Equal(t, "Bearer "+key, r.Header.Get("Authorization"))
					if asked++; asked == 1 {
						w.Header().Set("Retry-After", "0")
						http.Error(w, `{"error":{"message":"slow down, `+key+`"}}`, http.StatusTooManyRequests)
						return
					}
					w.Header().Set("Content-Type", map[bool]string{true: "application/json", false: "text/event-stream"}[i == 0])
					_, _ = io.WriteString(w, strings.ReplaceAll(answer, "REF", fmt.Sprint(cancel)))
				}))
				defer srv.Close()
				base, err := url.Parse(srv.URL + "/v1")
				require.NoError(t, err)
				a, err := ask.New(ask.Options{Base: base, Header: http.Header{"Authorization": {"Bearer " + key}}, Timeout: time.Minute, Store: s})
				require.NoError(t, err)
				n, v, err := a.Ask(t.Context(), ask.Question{Dialect: dialect, Model: "a-1", Body: []byte(body), Of: "shop#1", Turn: 1, Variant: "answer 1 of 1", Page: page, Changes: []string{"none"}})
				require.NoError(t, err)
				require.Equal(t, 2, asked)
				require.Equal(t, "click", v.Answer.Calls[0].Name)
				rec, err := s.Load(t.Context(), n)
				require.NoError(t, err)
				require.Equal(t, body, string(rec.Payloads[0].Bytes))
				var kept ask.Variant
				require.NoError(t, json.Unmarshal(rec.Exchange, &kept))
				require.Equal(t, ask.Asked{Turn: 1, Variant: "answer 1 of 1", Try: 2, Changes: []string{"none"}}, kept.Asked)
				r, err := doctor.New(doctor.Options{}).Examine(rec)
				require.NoError(t, err)
				require.Equal(t, doctor.Hits, doctor.GradeOf(r, rec.Capture, cancel).Outcome)
				require.Equal(t, doctor.HitsOther, doctor.GradeOf(r, rec.Capture, buy).Outcome)
			})
		}
	}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		require.NotContains(t, string(b), key, path)
		return err
	}))
}

func refOf(t *testing.T, c *snapshot.Capture, label string) int {
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 && n.Text+n.Name == label {
			return n.Ref
		}
	}
	t.Fatal("no " + label)
	return 0
}

// Errors, refusals and malformed answers are recorded as what they are.
func TestAskAnswersThatAreNone(t *testing.T) {
	s, _, page := recorded(t)
	for name, c := range map[string]struct {
		status int
		body   string
		want   func(t *testing.T, v *ask.Variant)
	}{
		"error":     {500, `{"error":{"message":"it broke"}}`, func(t *testing.T, v *ask.Variant) { require.Equal(t, "it broke", v.Answer.Error) }},
		"malformed": {200, `<html>`, func(t *testing.T, v *ask.Variant) { require.Nil(t, v.Answer) }},
		"refusal": {200, `{"choices":[{"message":{"role":"assistant","refusal":"I cannot do that."},"finish_reason":"stop"}]}`, func(t *testing.T, v *ask.Variant) {
			require.Contains(t, v.Answer.Text+v.Answer.Error, "I cannot do that")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer srv.Close()
			base, err := url.Parse(srv.URL)
			require.NoError(t, err)
			a, err := ask.New(ask.Options{Base: base, Timeout: time.Minute, Store: s})
			require.NoError(t, err)
			_, v, err := a.Ask(t.Context(), ask.Question{Dialect: wire.OpenAIChat, Body: []byte(`{"model":"m","messages":[]}`), Turn: 1, Page: page})
			require.NoError(t, err)
			require.Equal(t, c.status, v.Status)
			c.want(t, v)
		})
	}
}

// Another model changes the model and no other byte.
func TestWithModel(t *testing.T) {
	got, err := ask.WithModel(wire.OpenAIChat, []byte(`{"a": {"model":1}, "model" :"x" ,"b":2}`), `y"`)
	require.NoError(t, err)
	require.Equal(t, `{"a": {"model":1}, "model" :"y\"" ,"b":2}`, string(got))
	_, err = ask.WithModel(wire.OpenAIChat, []byte(`{"b":2}`), "y")
	require.ErrorContains(t, err, "names no model")
}

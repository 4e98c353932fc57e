package exporter_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// otlpTypes are the attributes of the semantic conventions 1.41 that may stand in our spans, and the type of each
// (docs/gen-ai and docs/registry of open-telemetry/semantic-conventions). What is not in it must be ours.
var otlpTypes = map[string]string{
	"gen_ai.operation.name": "stringValue", "gen_ai.provider.name": "stringValue", "gen_ai.conversation.id": "stringValue",
	"gen_ai.request.model": "stringValue", "gen_ai.request.seed": "intValue", "gen_ai.request.choice.count": "intValue",
	"gen_ai.request.max_tokens": "intValue", "gen_ai.request.temperature": "doubleValue", "gen_ai.request.top_p": "doubleValue",
	"gen_ai.request.top_k": "doubleValue", "gen_ai.request.frequency_penalty": "doubleValue",
	"gen_ai.request.presence_penalty": "doubleValue", "gen_ai.request.stop_sequences": "arrayValue",
	"gen_ai.response.id": "stringValue", "gen_ai.response.model": "stringValue", "gen_ai.response.finish_reasons": "arrayValue",
	"gen_ai.usage.input_tokens": "intValue", "gen_ai.usage.output_tokens": "intValue",
	"gen_ai.usage.cache_read.input_tokens": "intValue", "gen_ai.usage.cache_creation.input_tokens": "intValue",
	"gen_ai.usage.reasoning.output_tokens": "intValue",
	"gen_ai.system_instructions":           "stringValue", "gen_ai.input.messages": "stringValue", "gen_ai.output.messages": "stringValue",
	"gen_ai.tool.definitions": "stringValue", "gen_ai.tool.name": "stringValue", "gen_ai.tool.type": "stringValue",
	"gen_ai.tool.call.id": "stringValue", "gen_ai.tool.call.arguments": "stringValue", "gen_ai.tool.call.result": "stringValue",
	"server.address": "stringValue", "server.port": "intValue", "url.full": "stringValue", "error.type": "stringValue",
	"http.response.status_code": "intValue",
}

// otlpSpan is a span as it is written.
type otlpSpan struct {
	TraceID    string `json:"traceId"`
	SpanID     string `json:"spanId"`
	Name       string
	Kind       int
	Start      string `json:"startTimeUnixNano"`
	End        string `json:"endTimeUnixNano"`
	Status     struct{ Code int }
	Attributes []struct {
		Key   string
		Value map[string]any
	}
}

// get is the value of an attribute, nil where there is none.
func (s *otlpSpan) get(key string) any {
	for _, a := range s.Attributes {
		if a.Key == key {
			for _, v := range a.Value {
				return v
			}
		}
	}
	return nil
}

// spansOf are the spans that a session is written as, each held to the conventions.
func spansOf(t *testing.T, store *turn.Store) []otlpSpan {
	t.Helper()
	var b bytes.Buffer
	_, err := exporter.Write(t.Context(), &b, store, exporter.OTLP, exporter.Options{Version: "1.2", Session: "s"})
	require.NoError(t, err)
	var file struct {
		ResourceSpans []struct {
			SchemaURL  string `json:"schemaUrl"`
			ScopeSpans []struct {
				SchemaURL string `json:"schemaUrl"`
				Scope     struct{ Name, Version string }
				Spans     []otlpSpan
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &file))
	r := file.ResourceSpans[0]
	require.Regexp(t, `^https://opentelemetry\.io/schemas/\d+\.\d+\.\d+$`, r.SchemaURL)
	require.Equal(t, r.SchemaURL, r.ScopeSpans[0].SchemaURL)
	require.Equal(t, struct{ Name, Version string }{"refscope", "1.2"}, r.ScopeSpans[0].Scope)
	ids := map[string]bool{}
	for _, s := range r.ScopeSpans[0].Spans {
		require.Regexp(t, `^[0-9a-f]{32}$`, s.TraceID)
		require.Regexp(t, `^[0-9a-f]{16}$`, s.SpanID)
		require.False(t, ids[s.SpanID], "one id for two spans")
		ids[s.SpanID] = true
		require.LessOrEqual(t, s.Start, s.End)
		seen := map[string]bool{}
		for _, a := range s.Attributes {
			require.False(t, seen[a.Key], "%s twice", a.Key)
			seen[a.Key] = true
			if strings.HasPrefix(a.Key, "refscope.") {
				continue
			}
			want, ok := otlpTypes[a.Key]
			require.True(t, ok, "%s is not of the conventions", a.Key)
			require.Len(t, a.Value, 1)
			require.Contains(t, a.Value, want, a.Key)
		}
		need := []string{"gen_ai.operation.name", "gen_ai.conversation.id"}
		subject := "gen_ai.request.model"
		if s.get("gen_ai.operation.name") == "execute_tool" {
			need, subject = append(need, "gen_ai.tool.type"), "gen_ai.tool.name"
			require.Equal(t, 1, s.Kind, "internal")
		} else {
			need = append(need, "gen_ai.provider.name")
			require.Equal(t, 3, s.Kind, "client")
		}
		for _, key := range append(need, subject) {
			require.NotNil(t, s.get(key), key)
		}
		require.Equal(t, s.get("gen_ai.operation.name").(string)+" "+s.get(subject).(string), s.Name)
		require.Equal(t, s.get("server.address") != nil, s.get("server.port") != nil, "the one wants the other")
		require.Equal(t, s.Status.Code == 2, s.get("error.type") != nil, "a span that failed says how")
	}
	return r.ScopeSpans[0].Spans
}

func TestOTLPIsOfTheConventions(t *testing.T) {
	spans := spansOf(t, session(t))
	require.Len(t, spans, 6)
	local := spans[slices.IndexFunc(spans, func(s otlpSpan) bool { return s.get("server.address") == "127.0.0.1" })]
	require.Equal(t, []any{"11434", "429"}, []any{local.get("server.port"), local.get("error.type")})
	step := spans[5]
	require.Equal(t, []any{"execute_tool click", `{"ref":3}`, "turn_6_step_1"},
		[]any{step.Name, step.get("gen_ai.tool.call.arguments"), step.get("gen_ai.tool.call.id")})
}

// storeOf is a session of these turns.
func storeOf(t *testing.T, list ...*turn.Record) *turn.Store {
	t.Helper()
	store, err := turn.Create(t.Context(), turn.Dir(filepath.Join(t.TempDir(), "s")), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	for _, rec := range list {
		rec.Capture = &snapshot.Capture{Schema: snapshot.Schema, TakenAt: time.Unix(1_790_000_000, 0).UTC(), URL: "https://shop.example/"}
		_, err := store.Append(t.Context(), func(*turn.Ledger) (*turn.Record, error) { return rec, nil })
		require.NoError(t, err)
	}
	return store
}

// What a request asks of the model, in the words of each vendor, is in the words of the conventions.
func TestOTLPSettings(t *testing.T) {
	for _, c := range []struct {
		name, upstream, url, body string
		want                      map[string]any
	}{
		{"OpenAI", "openai", "https://api.openai.com/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"Hi"}],"temperature":0.2,"top_p":1,"max_completion_tokens":50,` +
				`"max_tokens":9,"seed":7,"stop":"END","n":2,"frequency_penalty":0,"presence_penalty":null}`,
			map[string]any{"gen_ai.request.temperature": 0.2, "gen_ai.request.top_p": 1.0, "gen_ai.request.max_tokens": "50",
				"gen_ai.request.seed": "7", "gen_ai.request.choice.count": "2", "gen_ai.request.frequency_penalty": 0.0,
				"gen_ai.request.presence_penalty": nil, "server.port": "443"}},
		{"Anthropic", "anthropic", "http://proxy.example:81/v1/messages",
			`{"model":"m","max_tokens":100,"temperature":"hot","top_k":40,"stop_sequences":["a","b"],"messages":[{"role":"user","content":"Hi"}]}`,
			map[string]any{"gen_ai.request.max_tokens": "100", "gen_ai.request.temperature": nil, "gen_ai.request.top_k": 40.0,
				"gen_ai.request.stop_sequences": map[string]any{"values": []any{map[string]any{"stringValue": "a"},
					map[string]any{"stringValue": "b"}}}, "server.port": "81"}},
		{"Gemini", "gemini", "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
			`{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":{"temperature":1,"topP":0.9,"topK":3,"maxOutputTokens":8,"candidateCount":1}}`,
			map[string]any{"gen_ai.request.temperature": 1.0, "gen_ai.request.top_p": 0.9, "gen_ai.request.top_k": 3.0,
				"gen_ai.request.max_tokens": "8", "gen_ai.request.choice.count": nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &exchange.Exchange{Upstream: c.upstream, Method: "POST", URL: c.url, Status: 200, Ended: 3, Model: "m",
				Dialect: wire.DialectOf(strings.TrimPrefix(c.url, "https:/")), Began: time.Unix(1_790_000_000, 0).UTC()}
			b := exchange.Bodies{Request: []byte(c.body), Answer: []byte("{}"), RequestMedia: "application/json",
				AnswerMedia: "application/json", Wire: true}
			_, lacks := e.Read(b)
			rec := &turn.Record{}
			require.NoError(t, e.Fill(rec, b, e, lacks, redact.Standard()))
			spans := spansOf(t, storeOf(t, rec))
			require.Len(t, spans, 1)
			for key, want := range c.want {
				require.Equal(t, want, spans[0].get(key), key)
			}
		})
	}
}

// A call of a tool is a span of its own: our server's, a recorded server's, and a step that failed.
func TestOTLPTools(t *testing.T) {
	spans := spansOf(t, storeOf(t,
		&turn.Record{Payloads: []turn.Payload{
			{Dialect: wire.MCP, Way: turn.Request, Media: "application/json", Bytes: []byte(`{"name":"browse_click","arguments":{"ref":12}}`)},
			{Dialect: wire.MCP, Way: turn.Answer, Media: "application/json",
				Bytes: []byte(`{"content":[{"type":"text","text":"no"}],"isError":true}`)},
		}},
		&turn.Record{Payloads: []turn.Payload{
			{Dialect: wire.MCP, Way: turn.Request, Media: "application/json",
				Bytes: []byte(`{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"clicked"}]}}`)},
			{Dialect: wire.MCP, Way: turn.Answer, Media: "application/json",
				Bytes: []byte(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"browser_click","arguments":{"ref":"e5"}}}`)},
		}},
		&turn.Record{Steps: json.RawMessage(`{"steps":[{"goto":"https://shop.example/"},{"action":"click","params":{"ref":3}}]}`),
			Answer: json.RawMessage(`{"steps":[{"action":"goto","status":"ok"},{"action":"click","status":"error","error":"it is covered","subtype":"CoveredError"}]}`)},
	))
	require.Len(t, spans, 4)
	var got [][]any
	for _, s := range spans {
		got = append(got, []any{s.Name, s.get("gen_ai.tool.call.arguments"), s.get("gen_ai.tool.call.result"), s.get("error.type")})
	}
	require.Equal(t, [][]any{
		{"execute_tool browse_click", `{"ref":12}`, `[{"type":"text","text":"no"}]`, "tool_error"},
		{"execute_tool browser_click", `{"ref":"e5"}`, "clicked", nil},
		{"execute_tool goto", `"https://shop.example/"`, `{"action":"goto","status":"ok"}`, nil},
		{"execute_tool click", `{"ref":3}`, `{"action":"click","status":"error","error":"it is covered","subtype":"CoveredError"}`, "CoveredError"},
	}, got)
}

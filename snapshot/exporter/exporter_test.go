package exporter_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// picture is a small PNG of one colour, in base64.
func picture(t *testing.T, grey uint8) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 8, 6))
	for i := range img.Pix {
		img.Pix[i] = grey
	}
	img.Set(3, 3, color.White)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// story are the exchanges of a session: every dialect, a history with results and
// pictures, a stream, an error, an answer that is cut, a secret.
type told struct {
	upstream, url, request, answer, media string
	status                                int
}

func storyOf(t *testing.T) []told {
	one, two := picture(t, 10), picture(t, 200)
	const host = "https://api.openai.com/v1"
	return []told{
		{"openai", host + "/chat/completions", `{"model":"gpt-x","temperature":0.5,"tools":[{"type":"function","function":{"name":"click","parameters":{"type":"object"}}}],"messages":[
			{"role":"system","content":"Act. <b>"},{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + one + `"}}]}]}`,
			`{"id":"c1","model":"gpt-x-1","choices":[{"index":0,"finish_reason":"tool_calls","message":{"content":"I click","tool_calls":[{"id":"k1","function":{"name":"click","arguments":"{\"ref\": 1}"}}]}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}`,
			"application/json", 200},
		{"openai", host + "/chat/completions", `{"model":"gpt-x","stream":true,"messages":[
			{"role":"system","content":"Act. <b>"},{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + one + `"}}]},
			{"role":"assistant","content":"I click","tool_calls":[{"id":"k1","type":"function","function":{"name":"click","arguments":"{\"ref\": 1}"}}]},
			{"role":"tool","tool_call_id":"k1","content":"clicked"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + two + `"}}]}]}`,
			"data: {\"id\":\"c2\",\"model\":\"gpt-x-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Do\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ne\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
			"text/event-stream", 200},
		{"anthropic", "https://api.anthropic.com/v1/messages", `{"model":"claude-x","system":"Act.","tools":[{"name":"computer","input_schema":{}}],"messages":[{"role":"user","content":"Buy tea"},
			{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"t1","name":"computer","input":{"action":"screenshot"}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"ok"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + two + `"}}]},{"type":"text","text":"Go on"}]}]}`,
			`{"type":"message","id":"m1","model":"claude-x","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"there"},{"type":"text","text":"I see"},{"type":"tool_use","id":"t2","name":"computer","input":{"action":"left_click","coordinate":[3,4]}}],"usage":{"input_tokens":2,"cache_read_input_tokens":4,"cache_creation_input_tokens":3,"output_tokens":4}}`,
			"application/json", 200},
		{"gemini", "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent", `{"systemInstruction":{"parts":[{"text":"Act."}]},"contents":[{"role":"user","parts":[{"text":"Look"},{"inlineData":{"mimeType":"image/png","data":"` + one + `"}}]},
			{"role":"model","parts":[{"functionCall":{"name":"click_at","args":{"x":5,"y":6}}}]},{"role":"user","parts":[{"functionResponse":{"name":"click_at","response":{"url":"x"}}}]}]}`,
			`{"modelVersion":"gemini-x-1","responseId":"g","candidates":[{"content":{"parts":[{"text":"Now"},{"functionCall":{"name":"click_at","args":{"x":1}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2}}`,
			"application/json", 200},
		{"compat/local", "http://127.0.0.1:11434/v1/responses", `{"model":"q","instructions":"Act.","input":"my card is 4111 1111 1111 1111"}`,
			`{"error":{"message":"too many"}}`, "application/json", 429},
	}
}

// session is a session of the story, with a verdict, and a turn without a request.
func session(t *testing.T) *turn.Store {
	t.Helper()
	ctx := t.Context()
	store, err := turn.Create(ctx, turn.Dir(filepath.Join(t.TempDir(), "s")), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	rules := redact.Standard()
	began := time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC)
	put := func(rec *turn.Record) {
		_, err := store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			l.Assign("", l.NextTurn(), rec.Capture)
			return rec, nil
		})
		require.NoError(t, err)
	}
	capture := func(i int) *snapshot.Capture {
		return &snapshot.Capture{Schema: snapshot.Schema, TakenAt: began.Add(time.Duration(i) * time.Second), URL: "https://shop.example/"}
	}
	for i, s := range storyOf(t) {
		e := &exchange.Exchange{Upstream: s.upstream, Method: "POST", URL: s.url, Status: s.status, Sent: 1, FirstByte: 20, Ended: 30,
			Dialect: wire.DialectOf(strings.TrimPrefix(s.url, "https:/")), Began: began.Add(time.Duration(i) * time.Second)}
		b := exchange.Bodies{Request: []byte(s.request), Answer: []byte(s.answer), RequestMedia: "application/json",
			AnswerMedia: s.media, Wire: true}
		e.RequestBytes, e.AnswerBytes = int64(len(s.request)), int64(len(s.answer))
		_, lacks := e.Read(b)
		rec := &turn.Record{Capture: capture(i)}
		if i == 2 {
			rec.Note = "by hand"
		}
		require.NoError(t, e.Fill(rec, b, e, lacks, rules))
		put(rec)
	}
	put(&turn.Record{Capture: capture(9), Action: "click", Steps: json.RawMessage(`{"steps":[{"click":{"ref":3}}]}`),
		Answer: json.RawMessage(`{"status":"ok","steps":[{"action":"click","status":"ok"}]}`)})
	_, err = store.Annotate(ctx, turn.Annotation{Turn: 2, Verdict: "fail", By: "mia", Text: "wrong button", At: began})
	require.NoError(t, err)
	return store
}

// flat are messages as lines, with what no format keeps made equal: where a message ends, that
// results have the role of a tool, names of results, and spaces in arguments.
func flat(messages []wire.Message) []string {
	var out []string
	for _, m := range messages {
		for _, p := range m.Parts {
			role := m.Role
			switch {
			case p.Kind == wire.Result || p.Kind == wire.Image && p.ID != "":
				role = "tool"
			case p.Kind == wire.Call:
				var b bytes.Buffer
				if json.Compact(&b, p.Arguments) == nil {
					p.Arguments = b.Bytes()
				}
			}
			out = append(out, fmt.Sprintf("%s %s %s %s %s %s %x%s", role, p.Kind, p.ID, p.Text, callName(p), p.Arguments, p.Data, p.URL))
		}
	}
	return out
}

func callName(p wire.Part) string {
	if p.Kind == wire.Call {
		return p.Name
	}
	return ""
}

// heard is what a turn says of its exchange, as far as every format keeps it.
type heard struct {
	Model, Upstream, Action string
	Status                  int
	Messages                []string
	Answer                  wire.Answer
}

func heardOf(t *testing.T, rec *turn.Record) heard {
	t.Helper()
	var e exchange.Exchange
	require.NoError(t, json.Unmarshal(rec.Exchange, &e))
	asked, err := wire.ReadRequest(e.Dialect, rec.Payloads[0].Bytes)
	require.NoError(t, err)
	h := heard{e.Model, e.Upstream, strings.ReplaceAll(rec.Action, " ", ""), e.Status, flat(asked.Messages), *e.Answer}
	h.Answer.Dialect = ""
	for i := range h.Answer.Calls {
		var b bytes.Buffer
		require.NoError(t, json.Compact(&b, h.Answer.Calls[i].Arguments))
		h.Answer.Calls[i].Arguments = b.Bytes()
	}
	return h
}

// read imports a file, and returns its turns.
func read(t *testing.T, data []byte, pictures fs.FS) ([]*turn.Record, *importer.Report) {
	t.Helper()
	var all []*turn.Record
	rep, err := importer.Read(context.Background(), bytes.NewReader(data), int64(len(data)), importer.Options{Pictures: pictures},
		func(rec *turn.Record) error { all = append(all, rec); return nil })
	require.NoError(t, err, "%+v", rep)
	return all, rep
}

// What a session is written as gives the same requests, answers and actions when it is read
// again, and what is lost is named.
func TestRoundTrip(t *testing.T) {
	store := session(t)
	for _, format := range exporter.Formats() {
		t.Run(string(format), func(t *testing.T) {
			pictures := fstest.MapFS{}
			write := func() []byte {
				var b bytes.Buffer
				rep, err := exporter.Write(t.Context(), &b, store, format, exporter.Options{Version: "1", Session: "s",
					Picture: func(name string, data []byte) (string, error) {
						pictures["p/"+name] = &fstest.MapFile{Data: data}
						return "p/" + name, nil
					}})
				require.NoError(t, err)
				turns := 5
				if format != exporter.HAR {
					turns = 6 // that with steps alone, too
				}
				require.Equal(t, turns, rep.Turns)
				for _, l := range rep.Losses {
					quoted, err := json.Marshal(l)
					require.NoError(t, err)
					require.Contains(t, b.String(), strings.Trim(string(quoted), `"`), "the file names what it lost")
				}
				require.Contains(t, strings.Join(rep.Losses, "\n"), "secrets are marks, as in the session: turn 5")
				return b.Bytes()
			}
			data := write()
			require.Equal(t, string(data), string(write()), "the same session, the same file")
			require.NotContains(t, string(data), "4111 1111")
			var whole map[string]any
			require.NoError(t, json.Unmarshal(data, &whole))
			got, rep := read(t, data, pictures)
			if format == exporter.OTLP {
				require.Equal(t, []string{"1 span is no call of a model: left out"}, rep.Damage, "the step")
			} else {
				require.Empty(t, rep.Damage)
			}
			require.GreaterOrEqual(t, len(got), 5)
			for n := range 5 {
				was, err := store.Load(t.Context(), n+1)
				require.NoError(t, err)
				want := heardOf(t, was)
				have := heardOf(t, got[n])
				require.Equal(t, want, have, "turn %d", n+1)
				require.Equal(t, was.Capture.TakenAt, got[n].Capture.TakenAt)
				if format == exporter.HAR {
					require.Equal(t, string(was.Payloads[0].Bytes), string(got[n].Payloads[0].Bytes))
					require.Equal(t, string(was.Payloads[1].Bytes), string(got[n].Payloads[1].Bytes))
				}
			}
			require.NotEmpty(t, got[0].Picture, "the picture of the request is the turn's")
			require.Equal(t, "by hand", got[2].Note)
			if format == exporter.HAR {
				require.Equal(t, "mia: fail wrong button", got[1].Note)
				return
			}
			require.Len(t, rep.Verdicts, 1)
			v := rep.Verdicts[0]
			require.Equal(t, []any{2, "fail", "mia", "wrong button"}, []any{v.Turn, v.Verdict, v.By, v.Text})
		})
	}
	_, err := exporter.Write(t.Context(), &bytes.Buffer{}, store, "xml", exporter.Options{})
	require.ErrorContains(t, err, "atif, otlp or har")
	empty, err := turn.Create(t.Context(), turn.Dir(filepath.Join(t.TempDir(), "e")), "test")
	require.NoError(t, err)
	defer empty.Close()
	for _, format := range exporter.Formats() {
		_, err = exporter.Write(t.Context(), &bytes.Buffer{}, empty, format, exporter.Options{})
		require.ErrorContains(t, err, "has no request to write")
	}
}

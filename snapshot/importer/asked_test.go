package importer

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// askedOf is a turn's request and answer in words.
func askedOf(t testing.TB, rec *turn.Record) (lines []string, e exchange.Exchange) {
	t.Helper()
	require.NoError(t, json.Unmarshal(rec.Exchange, &e))
	asked, err := wire.ReadRequest(e.Dialect, rec.Payloads[0].Bytes)
	require.NoError(t, err)
	for _, m := range asked.Messages {
		for _, p := range m.Parts {
			what := p.Text
			switch p.Kind {
			case wire.Image:
				what = fmt.Sprint(p.Media, " ", len(p.Data), " ", p.URL)
			case wire.Call:
				what = p.Name + string(p.Arguments)
			}
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s", m.Role, p.Kind, p.ID, what)))
		}
	}
	if e.Answer != nil {
		lines = append(lines, "answers "+e.Answer.Text+e.Answer.Error)
		for _, c := range e.Answer.Calls {
			lines = append(lines, "calls "+c.ID+" "+c.Name+string(c.Arguments))
		}
	}
	for _, tool := range asked.Tools {
		lines = append(lines, "may "+tool)
	}
	return lines, e
}

// smallPNG is a picture of 3 by 3 px in base64.
func smallPNG(t testing.TB) string {
	data, err := os.ReadFile("testdata/screenshots/step_1.png")
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(data)
}

// gen_ai spans in the words of the conventions, with "result" and "response", structured and as
// text, of span and event, and a verdict in a log record.
func otlpFile(t testing.TB) string {
	messages := `[{"role":"user","parts":[{"type":"text","content":"Buy tea"},{"type":"blob","modality":"image","mime_type":"image/png","content":"` +
		smallPNG(t) + `"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"click","arguments":{"x.y":1}}]},` +
		`{"role":"tool","parts":[{"type":"tool_call_response","id":"a","result":"done"},{"type":"tool_call_response","id":"b","response":{"ok":true}}]}]`
	quoted, err := json.Marshal(messages)
	require.NoError(t, err)
	return `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop agent"}}]},"scopeSpans":[{"spans":[
 {"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b175","name":"chat m","startTimeUnixNano":"1790000002000000000","endTimeUnixNano":"1790000003500000000",
  "attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.provider.name","value":{"stringValue":"openai"}},
   {"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"9"}},{"key":"gen_ai.usage.cache_read.input_tokens","value":{"intValue":4}},
   {"key":"gen_ai.system_instructions","value":{"stringValue":"[{\"type\":\"text\",\"content\":\"Act.\"}]"}},
   {"key":"gen_ai.input.messages","value":{"stringValue":` + string(quoted) + `}},
   {"key":"gen_ai.tool.definitions","value":{"stringValue":"[{\"type\":\"function\",\"name\":\"click\"}]"}},
   {"key":"gen_ai.output.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"assistant"}},
     {"key":"parts","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":"Bought"}}]}}]}}}]}}]}}}]},
 {"traceId":"5b8efff798038103d269b633813fc60c","spanId":"0000000000000001","name":"chat old","startTimeUnixNano":"1790000001000000000","status":{"code":2,"message":"rate limit"},
  "attributes":[{"key":"gen_ai.system","value":{"stringValue":"openai"}},{"key":"gen_ai.prompt.0.role","value":{"stringValue":"user"}},{"key":"gen_ai.prompt.0.content","value":{"stringValue":"Hi, my password=Hunter2xyz"}}]},
 {"spanId":"0000000000000002","name":"execute_tool click","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}}]}]}]}]}
{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"gen_ai.evaluation.result","traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b175","timeUnixNano":"1790000004000000000",
 "attributes":[{"key":"gen_ai.evaluation.name","value":{"stringValue":"relevance"}},{"key":"gen_ai.evaluation.score.label","value":{"stringValue":"pass"}},{"key":"gen_ai.evaluation.explanation","value":{"stringValue":"it did"}}]}]}]}]}
`
}

func TestOTLP(t *testing.T) {
	all, rep, err := readAll(t, []byte(otlpFile(t)), nil)
	require.NoError(t, err)
	require.Equal(t, OTLP, rep.Format)
	require.Equal(t, "shop agent (OpenTelemetry)", rep.Tool)
	require.Equal(t, []string{"1 span is no call of a model: left out"}, rep.Damage)
	require.Len(t, all, 2, "oldest first")
	lines, e := askedOf(t, all[0])
	require.Equal(t, []string{"user text : Hi, my password=[redacted: password]", "answers rate limit"}, lines)
	require.Equal(t, "openai", e.Upstream)
	lines, e = askedOf(t, all[1])
	require.Equal(t, []string{"system text : Act.", "user text : Buy tea",
		fmt.Sprintf("user image : image/png %d", len(smallPNG(t))/4*3-strings.Count(smallPNG(t), "=")),
		`assistant call a: click{"x.y":1}`, "tool result a: done", `tool result b: {"ok":true}`, "answers Bought", "may click"}, lines)
	require.Equal(t, "ask openai m: Bought", all[1].Action)
	require.Equal(t, "ask openai: rate limit", all[0].Action, "a recording that keeps no status tells none")
	require.Equal(t, []any{9, 4, 1500.0}, []any{e.Answer.Usage.Input, e.Answer.Usage.CacheRead, e.Ended})
	require.NotEmpty(t, all[1].Picture)
	require.Contains(t, all[1].Lacks, rewritten)
	require.Len(t, rep.Verdicts, 1)
	v := rep.Verdicts[0]
	require.Equal(t, []any{2, "pass", "relevance", "relevance: it did"}, []any{v.Turn, v.Verdict, v.By, v.Text})
}

// openInferenceSpans are one call in each of the shapes that spans are exported in.
func openInferenceSpans() map[string]string {
	flat := `{"openinference.span.kind":"LLM","llm.model_name":"m","llm.provider":"openai","llm.token_count.prompt":9,
	"llm.input_messages.0.message.role":"system","llm.input_messages.0.message.content":"Act.",
	"llm.input_messages.1.message.role":"user","llm.input_messages.1.message.contents.0.message_content.type":"text","llm.input_messages.1.message.contents.0.message_content.text":"See",
	"llm.input_messages.1.message.contents.1.message_content.type":"image","llm.input_messages.1.message.contents.1.message_content.image.image.url":"__REDACTED__",
	"llm.input_messages.2.message.role":"tool","llm.input_messages.2.message.tool_call_id":"t","llm.input_messages.2.message.content":"ok",
	"llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.content":"Now",
	"llm.output_messages.0.message.tool_calls.0.tool_call.id":"k","llm.output_messages.0.message.tool_calls.0.tool_call.function.name":"click","llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments":"{\"ref\":1}",
	"llm.tools.0.tool.json_schema":"{\"type\":\"function\",\"function\":{\"name\":\"click\"}}"}`
	nested := `{"openinference":{"span":{"kind":"LLM"}},"llm":{"model_name":"m","provider":"openai","token_count":{"prompt":9},
	"input_messages":[{"message":{"role":"system","content":"Act."}},{"message":{"role":"user","contents":[{"message_content":{"type":"text","text":"See"}},{"message_content":{"type":"image","image":{"image":{"url":"__REDACTED__"}}}}]}},
	{"message.role":"tool","message.tool_call_id":"t","message.content":"ok"}],
	"output_messages":[{"message":{"role":"assistant","content":"Now","tool_calls":[{"tool_call":{"id":"k","function":{"name":"click","arguments":"{\"ref\":1}"}}}]}}],
	"tools":[{"tool":{"json_schema":"{\"type\":\"function\",\"function\":{\"name\":\"click\"}}"}}]}}`
	span := func(attrs string) string {
		return `{"name":"ChatCompletion","context":{"trace_id":"a","span_id":"b"},"span_kind":"LLM","start_time":"2026-11-20T10:00:00+00:00","end_time":"2026-11-20T10:00:02+00:00","status_code":"OK","attributes":` + attrs + "}"
	}
	other := `{"name":"agent","context":{"span_id":"c"},"span_kind":"AGENT","attributes":{}}`
	quoted, err := json.Marshal(flat)
	if err != nil {
		panic(err)
	}
	return map[string]string{
		"a list": "[" + span(flat) + "," + other + "]", "lines": span(nested) + "\n" + other + "\n", "nested": "[" + span(nested) + "," + other + "]",
		"attributes in a text": other + span(string(quoted)),
	}
}

func TestOpenInference(t *testing.T) {
	for name, file := range openInferenceSpans() {
		t.Run(name, func(t *testing.T) {
			all, rep, err := readAll(t, []byte(file), nil)
			require.NoError(t, err)
			require.Equal(t, OpenInference, rep.Format)
			require.Equal(t, []string{"1 span is no call of a model: left out"}, rep.Damage)
			require.Len(t, all, 1)
			lines, e := askedOf(t, all[0])
			require.Equal(t, []string{"system text : Act.", "user text : See", "user image :  0 __REDACTED__", "tool result t: ok",
				"answers Now", `calls k click{"ref":1}`, "may click"}, lines)
			require.Equal(t, []any{"openai", "m", 2000.0, 9}, []any{e.Upstream, e.Model, e.Ended, e.Answer.Usage.Input})
			require.Contains(t, all[0].Lacks, "the recorder put a mark in the place of a picture of the request")
		})
	}
}

// A trajectory of another tool: which messages a request had is not in it.
func atifFile(extra string) string {
	return `{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"harbor agent","version":"2","model_name":"m","tool_definitions":[{"type":"function","function":{"name":"click"}}]},"steps":[
 {"step_id":1,"source":"system","message":"Act."},
 {"step_id":2,"timestamp":"2026-11-20T10:00:00Z","source":"user","message":[{"type":"text","text":"Buy"},{"type":"image","source":{"media_type":"image/png","path":"pictures/one.png"}}]},
 {"step_id":3,"timestamp":"2026-11-20T10:00:01Z","source":"agent","message":"I click","reasoning_content":"hm","tool_calls":[{"tool_call_id":"k","function_name":"click","arguments":{"ref":1}}],
  "observation":{"results":[{"source_call_id":"k","content":"done"}]},"metrics":{"prompt_tokens":9,"completion_tokens":2,"cached_tokens":4}},
 {"step_id":4,"timestamp":"2026-11-20T10:00:02Z","source":"agent","message":"set up","llm_call_count":0,"tool_calls":[{"tool_call_id":"z","function_name":"goto","arguments":{"url":"u"}}],"observation":{"results":[{"source_call_id":"z","content":"there"}]}},
 {"step_id":5,"timestamp":"2026-11-20T10:00:03Z","source":"agent","message":"Bought","observation":{"results":[{"content":"bye"}]}}` + extra + `]}`
}

func TestATIF(t *testing.T) {
	data, err := os.ReadFile("testdata/screenshots/step_1.png")
	require.NoError(t, err)
	pictures := fstest.MapFS{"pictures/one.png": {Data: data}}
	all, rep, err := readAll(t, []byte(atifFile("")), pictures)
	require.NoError(t, err)
	require.Equal(t, "harbor agent 2 (ATIF)", rep.Tool)
	require.Empty(t, rep.Damage)
	require.Len(t, all, 3)
	lines, e := askedOf(t, all[0])
	begin := []string{"system text : Act.", "user text : Buy", fmt.Sprintf("user image : image/png %d", len(data))}
	require.Equal(t, append(append([]string{}, begin...), "answers I click", `calls k click{"ref":1}`, "may click"), lines)
	require.Equal(t, []any{"hm", 9, 4}, []any{e.Answer.Reasoning, e.Answer.Usage.Input, e.Answer.Usage.CacheRead})
	require.Equal(t, "set up", all[1].Action)
	require.JSONEq(t, `{"steps":[{"action":"goto","params":{"url":"u"}}]}`, string(all[1].Steps))
	require.JSONEq(t, `{"status":"ok","steps":[{"action":"","result":"there"}]}`, string(all[1].Answer))
	lines, _ = askedOf(t, all[2])
	require.Equal(t, append(append([]string{}, begin...), "assistant reasoning : hm", "assistant text : I click", `assistant call k: click{"ref":1}`,
		"tool result k: done", "answers Bought", "may click"), lines)
	require.Contains(t, strings.Join(all[2].Lacks, "\n"), "all of them are taken")
	require.Equal(t, "after this turn: bye", all[2].Note)

	_, rep, err = readAll(t, []byte(atifFile("")), fstest.MapFS{})
	require.NoError(t, err)
	require.Equal(t, []string{"step 2: the picture pictures/one.png: the file is not there"}, rep.Damage)
	for _, name := range []string{"../one.png", "/etc/passwd", `..\one.png`, "."} { // nothing outside of the folder is looked at
		file := strings.ReplaceAll(atifFile(""), "pictures/one.png", strings.ReplaceAll(name, `\`, `\\`))
		_, rep, err = readAll(t, []byte(file), pictures)
		require.NoError(t, err)
		require.Len(t, rep.Damage, 1, name)
	}
}

// harFile is one entry that asks a model, with credentials wherever they can stand.
func harFile(request string) string {
	quoted, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	return `{"log":{"version":"1.2","creator":{"name":"mitmproxy","version":"11"},"entries":[
 {"startedDateTime":"2026-11-20T10:00:00.5Z","request":{"method":"GET","url":"https://shop.example/"},"response":{"status":200}},
 {"startedDateTime":"2026-11-20T10:00:01Z","time":120,"request":{"method":"POST","url":"https://api.openai.com/v1/chat/completions?key=zq5Query12345678","headers":[{"name":"authorization","value":"Bearer zq1Bearer12345678"},{"name":"x-api-key","value":"zq2Header12345678"}],
  "cookies":[{"name":"sid","value":"zq3Cookie12345678"}],"postData":{"mimeType":"application/json","text":` + string(quoted) + `}},
  "response":{"status":200,"headers":[{"name":"set-cookie","value":"t=zq4Answer12345678; Path=/"}],"content":{"mimeType":"application/json","encoding":"base64","text":"` +
		base64.StdEncoding.EncodeToString([]byte(`{"model":"m","choices":[{"message":{"content":"Hi zq4Answer12345678"}}]}`)) + `"}},"timings":{"send":1,"wait":99,"receive":20}}]}}`
}

func TestHAR(t *testing.T) {
	request := `{"model":"m","messages":[{"role":"user","content":"zq1Bearer12345678 zq2Header12345678 zq3Cookie12345678 zq5Query12345678"}]}`
	all, rep, err := readAll(t, []byte(harFile(request)), nil)
	require.NoError(t, err)
	require.Equal(t, "mitmproxy 11 (HAR)", rep.Tool)
	require.Equal(t, []string{"1 entry asks no model: left out"}, rep.Damage)
	require.Len(t, all, 1)
	lines, e := askedOf(t, all[0])
	require.Equal(t, []string{"user text : [redacted: credential] [redacted: credential] [redacted: cookie] [redacted: credential]",
		"answers Hi [redacted: cookie]"}, lines)
	require.Equal(t, []any{"openai", 100.0, 120.0, 200}, []any{e.Upstream, e.FirstByte, e.Ended, e.Status})
	raw, err := json.Marshal(all)
	require.NoError(t, err)
	for _, p := range all[0].Payloads {
		raw = append(raw, p.Bytes...)
	}
	require.NotContains(t, string(raw), "12345678")
}

// A site's own chat at the path of Ollama asks no model that is known; a request that names its model does.
func TestHAROfOllama(t *testing.T) {
	read := func(request string) ([]*turn.Record, error) {
		all, _, err := readAll(t, []byte(strings.Replace(harFile(request), "/v1/chat/completions", "/api/chat", 1)), nil)
		return all, err
	}
	all, err := read(`{"model":"qwen3","messages":[{"role":"user","content":"Hi"}]}`)
	require.NoError(t, err)
	require.Len(t, all, 1)
	_, err = read(`{"id":"x","messages":[{"role":"user","parts":[{"type":"text","text":"Hi"}]}]}`)
	require.ErrorContains(t, err, "holds no turn")
}

// What is cut off or odd loses what it must, and no more.
func TestCutRecordings(t *testing.T) {
	whole := harFile(`{"model":"m","messages":[]}`)
	all, rep, err := readAll(t, []byte(whole[:len(whole)-3]), nil)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Contains(t, strings.Join(rep.Damage, "\n"), "damaged or cut off")
	steps := atifFile(`,{"step_id":6,"source":"agent","message":7,"tool_calls":"none"}`)
	all, rep, err = readAll(t, []byte(steps[:len(steps)-2]), nil)
	require.NoError(t, err)
	require.Len(t, all, 4)
	require.Contains(t, strings.Join(rep.Damage, "\n"), "tool_calls is a string")
	for name, file := range map[string]string{"no entries": `{"log":{"version":"1.2","entries":[]}}`, "no spans": `{"resourceSpans":[]}`,
		"no steps": `{"schema_version":"ATIF-v1.7","steps":[]}`} {
		_, _, err := readAll(t, []byte(file), nil)
		require.ErrorIs(t, err, ErrEmpty, name)
	}
}

// FuzzRecording reads any text as a recording of requests: records keep to the rules of a capture,
// what is secret by its header stays out, and no name in them forges a line.
func FuzzRecording(f *testing.F) {
	f.Add(otlpFile(f))
	for _, s := range openInferenceSpans() {
		f.Add(s)
	}
	f.Add(atifFile(""))
	f.Add(harFile(`{"model":"m\n\u202e","messages":[{"role":"user","content":"x"}]}`))
	f.Add(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"gen_ai.input.messages","value":{"kvlistValue":{"values":[{"key":"a.b","value":{}}]}}},{"key":"gen_ai.input","value":{"stringValue":"x"}}]}]}]}]}`)
	f.Add(`[{"span_kind":"LLM","attributes":{"llm.input_messages":{"0":{"message":{"contents":{"7":{}}}}}},"trace_id":""}]`)
	pictures := fstest.MapFS{"one.png": {Data: []byte(pngHeader(3, 3))}}
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 1<<16 {
			return
		}
		all, rep, _ := readAll(t, []byte(file), pictures)
		if rep == nil || rep.Format == Playwright || rep.Format == BrowserUse {
			return
		}
		size := 0
		for _, rec := range all {
			require.NotContains(t, rec.Action, "\n")
			for _, p := range rec.Payloads {
				size += len(p.Bytes)
				require.NotContains(t, p.Model, "\n")
			}
			if len(rec.Exchange) > 0 {
				require.True(t, json.Valid(rec.Exchange))
			}
		}
		require.Less(t, size, 1<<26, "the bytes of %d turns", len(all))
		for _, v := range rep.Verdicts {
			require.True(t, v.Turn > 0 && v.Turn <= len(all))
			require.LessOrEqual(t, len(v.Verdict), 40)
			require.LessOrEqual(t, len(v.By), 100)
			require.NotContains(t, v.Verdict+v.By, "\n")
		}
	})
}

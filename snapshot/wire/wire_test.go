package wire_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

func TestDialectOf(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/chat/completions": wire.OpenAIChat, "/api/v1/chat/completions/": wire.OpenAIChat, "/v1/responses": wire.OpenAIResponses,
		"/v1/messages": wire.Anthropic, "/v1beta/models/gemini-x:generateContent": wire.Gemini,
		"/v1beta/models/gemini-x:streamGenerateContent": wire.Gemini, "/v1/models": wire.Other, "/api/chat": wire.Ollama,
		"/v1beta/interactions": wire.Interactions, "/v1beta/interactions/v1_abc": wire.Other,
		"/model/anthropic.claude-x-v1:0/converse": wire.Bedrock, "/model/m/converse-stream": wire.Bedrock, "/model/m/invoke": wire.Other,
		"/v1/messages/count_tokens": wire.Other, "/v1beta/models/gemini-x:countTokens": wire.Other, "": wire.Other,
	} {
		require.Equal(t, want, wire.DialectOf(path), path)
	}
}

// brief writes messages as lines, "role kind: what".
func brief(messages []wire.Message) []string {
	var out []string
	for _, m := range messages {
		for _, p := range m.Parts {
			what := p.Text
			switch p.Kind {
			case wire.Image:
				what = p.Media + " " + string(p.Data) + p.URL
			case wire.Call:
				what = p.Name + string(p.Arguments)
			}
			if p.ID != "" {
				what = p.ID + " " + what
			}
			out = append(out, fmt.Sprintf("%s %s: %s", m.Role, p.Kind, what))
		}
	}
	return out
}

var pixel = base64.StdEncoding.EncodeToString([]byte("PIXELS"))

func TestReadRequest(t *testing.T) {
	tests := []struct {
		name, dialect, body string
		want                []string
		tools               []string
	}{
		{"chat", wire.OpenAIChat, `{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"click"}}],"messages":[
			{"role":"system","content":"Act."},
			{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + pixel + `"}}]},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"click","arguments":"{\"ref\":1}"}}]},
			{"role":"tool","tool_call_id":"c1","content":"done"}, 7]}`,
			[]string{"system text: Act.", "user text: See", "user image: image/png PIXELS", `assistant call: c1 click{"ref":1}`, "tool result: c1 done"},
			[]string{"click"}},
		{"responses", wire.OpenAIResponses, `{"model":"m","stream":true,"instructions":"Act.","tools":[{"type":"computer_use_preview"},{"type":"function","name":"f"}],"input":[
			{"role":"user","content":[{"type":"input_text","text":"See"},{"type":"input_image","image_url":"data:image/png;base64,` + pixel + `"}]},
			{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},
			{"type":"computer_call","call_id":"k","action":{"type":"click","x":1,"y":2}},
			{"type":"computer_call_output","call_id":"k","output":{"type":"computer_screenshot","image_url":"https://x/y.png"}},
			{"type":"function_call_output","call_id":"f","output":"3"}]}`,
			[]string{"system text: Act.", "user text: See", "user image: image/png PIXELS", "assistant reasoning: hm",
				`assistant call: k computer{"type":"click","x":1,"y":2}`, "tool image: k  https://x/y.png", "tool result: f 3"},
			[]string{"computer_use_preview", "f"}},
		{"responses with a text", wire.OpenAIResponses, `{"model":"m","stream":true,"input":"hello"}`, []string{"user text: hello"}, nil},
		{"anthropic", wire.Anthropic, `{"model":"m","stream":true,"system":[{"type":"text","text":"Act."}],"tools":[{"name":"click"}],"messages":[
			{"role":"user","content":"Hi"},
			{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"t","name":"click","input":{"ref":1}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"ok"},{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"` + pixel + `"}}]}]}]}`,
			[]string{"system text: Act.", "user text: Hi", "assistant reasoning: hm", `assistant call: t click{"ref":1}`, "user result: t ok",
				"user image: t image/jpeg PIXELS"}, []string{"click"}},
		{"gemini", wire.Gemini, `{"model":"m","stream":true,"systemInstruction":{"parts":[{"text":"Act."}]},"tools":[{"functionDeclarations":[{"name":"click"}]}],"contents":[
			{"parts":[{"text":"See"},{"inline_data":{"mime_type":"image/webp","data":"` + pixel + `"}}]},
			{"role":"model","parts":[{"functionCall":{"name":"click","args":{"y":5}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"click","response":{"ok":true}}}]}]}`,
			[]string{"system text: Act.", "user text: See", "user image: image/webp PIXELS", `assistant call: click{"y":5}`, `user result: {"ok":true}`},
			[]string{"click"}},
		{"ollama", wire.Ollama, `{"model":"m","tools":[{"type":"function","function":{"name":"click"}}],"messages":[
			{"role":"system","content":"Act."},{"role":"user","content":"See","images":["` + pixel + `"]},
			{"role":"assistant","content":"","thinking":"hm","tool_calls":[{"function":{"name":"click","arguments":{"ref":1}}}]},
			{"role":"tool","tool_name":"click","content":"done"}]}`,
			[]string{"system text: Act.", "user text: See", "user image:  PIXELS", "assistant reasoning: hm", `assistant call: click{"ref":1}`,
				"tool result: done"}, []string{"click"}},
		{"bedrock", wire.Bedrock, `{"model":"m","stream":true,"system":[{"text":"Act."}],"toolConfig":{"tools":[{"toolSpec":{"name":"click","inputSchema":{"json":{}}}},{"cachePoint":{"type":"default"}}]},"messages":[
			{"role":"user","content":[{"text":"See"},{"image":{"format":"png","source":{"bytes":"` + pixel + `"}}}]},
			{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},{"toolUse":{"toolUseId":"t","name":"click","input":{"ref":1}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"t","status":"success","content":[{"text":"ok"},{"json":{"a":1}},{"image":{"format":"jpeg","source":{"bytes":"` + pixel + `"}}}]}}]}]}`,
			[]string{"system text: Act.", "user text: See", "user image: image/png PIXELS", "assistant reasoning: hm", `assistant call: t click{"ref":1}`,
				"user result: t ok", `user result: t {"a":1}`, "user image: t image/jpeg PIXELS"}, []string{"click"}},
		{"gemini, as LiteLLM spells it", wire.Gemini, `{"model":"m","stream":true,"tools":[{"function_declarations":[{"name":"click"}]}],"contents":[
			{"parts":[{"file_data":{"mime_type":"image/png","file_uri":"https://x/y.png"}}]},
			{"role":"model","parts":[{"function_call":{"name":"click","args":{"y":5}}}]},
			{"role":"user","parts":[{"function_response":{"name":"click","response":{"ok":true}}}]}]}`,
			[]string{"user image:  https://x/y.png", `assistant call: click{"y":5}`, `user result: {"ok":true}`}, []string{"click"}},
		{"interactions", wire.Interactions, `{"model":"m","stream":true,"system_instruction":"Act.","previous_interaction_id":"v1_a","tools":[
			{"type":"function","name":"click"},{"type":"computer_use","environment":"browser"}],"input":[
			{"type":"user_input","content":[{"type":"text","text":"See"},{"type":"image","mime_type":"image/png","data":"` + pixel + `"}]},
			{"type":"thought","signature":"x"},{"type":"function_call","id":"k","name":"click_at","arguments":{"x":1,"y":5}},
			{"type":"function_result","call_id":"k","name":"click_at","result":[{"type":"text","text":"ok"},{"type":"image","mime_type":"image/png","data":"` + pixel + `"}]},
			{"type":"function_result","call_id":"l","result":{"url":"x"}},{"type":"function_result","call_id":"l","result":"done"},
			{"type":"model_output","content":[{"type":"text","text":"Hm"}]}]}`,
			[]string{"system text: Act.", "user text: See", "user image: image/png PIXELS", `assistant call: k click_at{"x":1,"y":5}`,
				"tool result: k ok", "tool image: k image/png PIXELS", `tool result: l {"url":"x"}`, "tool result: l done",
				"assistant text: Hm"}, []string{"click", "computer_use"}},
		{"interactions, contents", wire.Interactions, `{"model":"m","stream":true,"input":[{"type":"text","text":"See"},
			{"type":"image","mime_type":"image/png","uri":"https://x/y.png"},{"role":"model","content":"Hm"}]}`,
			[]string{"user text: See", "user image:  https://x/y.png", "assistant text: Hm"}, nil},
		{"interactions, a text", wire.Interactions, `{"model":"m","stream":true,"input":"See"}`, []string{"user text: See"}, nil},
		{"gemini, a tool that shows a picture", wire.Gemini, `{"model":"m","stream":true,"contents":[{"role":"user","parts":[{"functionResponse":{
			"id":"k","name":"see","response":{"ok":true},"parts":[{"inlineData":{"mimeType":"image/png","data":"` + pixel + `"}}]}}]}]}`,
			[]string{`user result: k {"ok":true}`, "user image: k image/png PIXELS"}, nil},
		{"reasoning that is sent back", wire.OpenAIChat, `{"model":"m","stream":true,"messages":[
			{"role":"assistant","reasoning_content":"hm","content":"Hi"},{"role":"assistant","reasoning":"hm","content":null},
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"h"},{"type":"text","text":"m"}]},{"type":"text","text":"Hi"}]}]}`,
			[]string{"assistant reasoning: hm", "assistant text: Hi", "assistant reasoning: hm", "assistant reasoning: hm", "assistant text: Hi"}, nil},
		{"reasoning that a model shows itself", wire.OpenAIResponses, `{"model":"m","stream":true,"input":[
			{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]}]}`, []string{"assistant reasoning: hm"}, nil},
		{"a tool that takes a text", wire.OpenAIChat, `{"model":"m","stream":true,"messages":[
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"custom","custom":{"name":"run","input":"page.click()"}}]}]}`,
			[]string{`assistant call: c1 run"page.click()"`}, nil},
		{"a tool of a server that Anthropic calls", wire.Anthropic, `{"model":"m","stream":true,"messages":[{"role":"assistant","content":[
			{"type":"mcp_tool_use","id":"t","name":"click","server_name":"s","input":{"ref":1}},
			{"type":"mcp_tool_result","tool_use_id":"t","content":[{"type":"text","text":"ok"}]}]}]}`,
			[]string{`assistant call: t click{"ref":1}`, "assistant result: t ok"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := wire.ReadRequest(test.dialect, []byte(test.body))
			require.NoError(t, err)
			require.Equal(t, "m", r.Model)
			require.True(t, r.Stream)
			require.Equal(t, test.want, brief(r.Messages))
			require.Equal(t, test.tools, r.Tools)
		})
	}
	_, err := wire.ReadRequest(wire.Anthropic, []byte("no JSON"))
	require.ErrorContains(t, err, "reading a request of anthropic")
	_, err = wire.ReadRequest("odd", []byte("{}"))
	require.ErrorContains(t, err, `the dialect "odd"`)
}

// stream writes documents as events; named ones have their type as the name.
func stream(named bool, documents ...string) string {
	var b strings.Builder
	b.WriteString(": a comment\r\n\r\n")
	for _, d := range documents {
		if named {
			var head struct{ Type string }
			if json.Unmarshal([]byte(d), &head) == nil {
				b.WriteString("event: " + head.Type + "\n")
			}
		}
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// frame is a message of Amazon's event streams.
func frame(kind, payload string) []byte {
	name := ":event-type"
	if strings.HasSuffix(kind, "Exception") {
		name = ":exception-type"
	}
	var headers []byte
	for _, h := range [][2]string{{":content-type", "application/json"}, {name, kind}} {
		headers = append(append(headers, byte(len(h[0]))), h[0]...)
		headers = append(binary.BigEndian.AppendUint16(append(headers, 7), uint16(len(h[1]))), h[1]...)
	}
	out := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(headers)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
	out = append(append(out, headers...), payload...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// unframed are the events, framed and unframed.
func unframed(t *testing.T, events ...string) string {
	var body []byte
	for i := 0; i < len(events); i += 2 {
		body = append(body, frame(events[i], events[i+1])...)
	}
	out, err := wire.Unframe(body)
	require.NoError(t, err)
	return string(out)
}

// What is cut off or damaged ends a stream of frames, and what came before it is there.
func TestUnframe(t *testing.T) {
	whole := append(frame("a", "{\"x\":\n1}"), frame("b", "{}")...)
	out, err := wire.Unframe(whole)
	require.NoError(t, err)
	require.Equal(t, "event: a\ndata: {\"x\":\ndata: 1}\n\nevent: b\ndata: {}\n\n", string(out))
	first := len(frame("a", "{\"x\":\n1}"))
	for cut := range whole {
		out, err := wire.Unframe(whole[:cut])
		require.Equal(t, cut == 0 || cut == first, err == nil, cut)
		require.Equal(t, cut >= first, strings.HasPrefix(string(out), "event: a\n"), cut)
	}
	whole[first+2] ^= 1 // the length of the second
	out, err = wire.Unframe(whole)
	require.ErrorContains(t, err, "damaged")
	require.Equal(t, "event: a\ndata: {\"x\":\ndata: 1}\n\n", string(out))
}

// A stream gives the answer that the whole document gives.
func TestReadAnswer(t *testing.T) {
	tests := []struct {
		dialect string
		whole   string
		stream  string
		want    wire.Answer
	}{
		{wire.OpenAIChat,
			`{"id":"i","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"content":"Hi you","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","function":{"name":"g","arguments":"{}"}}]}},{"index":1,"message":{"content":"other"}}],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}}}`,
			stream(false, `{"id":"i","model":"m","choices":[{"index":0,"delta":{"content":"Hi "}}]}`, `{"choices":[{"index":0,"delta":{"content":"you"}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}`,
				`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
				`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}}}`, `[DONE]`),
			wire.Answer{Model: "m", ID: "i", Text: "Hi you", Finish: "tool_calls", Usage: wire.Usage{Input: 9, Output: 4, CacheRead: 3, Reasoning: 2},
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}, {ID: "b", Name: "g", Arguments: json.RawMessage(`{}`)}}}},
		{wire.OpenAIResponses,
			`{"id":"i","model":"m","status":"completed","output":[{"type":"reasoning","summary":[{"text":"hm"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi you"}]},{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}],"usage":{"input_tokens":9,"output_tokens":4,"input_tokens_details":{"cached_tokens":3},"output_tokens_details":{"reasoning_tokens":2}}}`,
			stream(true, `{"type":"response.created","response":{"id":"i","model":"m"}}`, `{"type":"response.output_text.delta","delta":"Hi "}`,
				`{"type":"response.completed","response":{"id":"i","model":"m","status":"completed","output":[{"type":"reasoning","summary":[{"text":"hm"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi you"}]},{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}],"usage":{"input_tokens":9,"output_tokens":4,"input_tokens_details":{"cached_tokens":3},"output_tokens_details":{"reasoning_tokens":2}}}}`),
			wire.Answer{Model: "m", ID: "i", Text: "Hi you", Reasoning: "hm", Finish: "completed", Usage: wire.Usage{Input: 9, Output: 4, CacheRead: 3, Reasoning: 2},
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}},
		{wire.Anthropic,
			`{"type":"message","id":"i","model":"m","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi you"},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}],"usage":{"input_tokens":2,"cache_read_input_tokens":4,"cache_creation_input_tokens":3,"output_tokens":4}}`,
			stream(true, `{"type":"message_start","message":{"id":"i","model":"m","content":[],"usage":{"input_tokens":2,"cache_read_input_tokens":4,"cache_creation_input_tokens":3,"output_tokens":1}}}`,
				`{"type":"ping"}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi "}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"you"}}`,
				`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}`,
				`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}`,
				`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":4}}`, `{"type":"message_stop"}`),
			wire.Answer{Model: "m", ID: "i", Text: "Hi you", Reasoning: "hm", Finish: "tool_use", Usage: wire.Usage{Input: 9, Output: 4, CacheRead: 4, CacheWrite: 3},
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}},
		{wire.Gemini,
			`{"responseId":"i","modelVersion":"m","candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"hm","thought":true},{"text":"Hi you"},{"functionCall":{"id":"a","name":"f","args":{"x":1}}}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"thoughtsTokenCount":2,"cachedContentTokenCount":3}}`,
			stream(false, `{"responseId":"i","modelVersion":"m","candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"Hi "}]}}]}`,
				`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"you"},{"functionCall":{"id":"a","name":"f","args":{"x":1}}}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"thoughtsTokenCount":2,"cachedContentTokenCount":3}}`),
			wire.Answer{Model: "m", ID: "i", Text: "Hi you", Reasoning: "hm", Finish: "STOP", Usage: wire.Usage{Input: 9, Output: 4, CacheRead: 3, Reasoning: 2},
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}},
		{wire.Interactions,
			`{"id":"i","model":"m","object":"interaction","status":"requires_action","steps":[{"type":"thought","signature":"x","summary":[{"type":"text","text":"hm"}]},{"type":"model_output","content":[{"type":"text","text":"Hi you"}]},{"type":"function_call","id":"a","name":"f","arguments":{"x":1}}],"usage":{"total_input_tokens":9,"total_output_tokens":2,"total_thought_tokens":2,"total_cached_tokens":3}}`,
			stream(true, `{"event_type":"interaction.created","interaction":{"id":"i","model":"m","status":"in_progress"}}`,
				`{"event_type":"step.start","index":0,"step":{"type":"thought"}}`, `{"event_type":"step.delta","index":0,"delta":{"type":"thought_summary","content":{"type":"text","text":"hm"}}}`,
				`{"event_type":"step.start","index":1,"step":{"type":"model_output","content":[{"type":"text","text":"Hi "}]}}`, `{"event_type":"step.delta","index":1,"delta":{"type":"text","text":"you"}}`,
				`{"event_type":"step.start","index":2,"step":{"type":"function_call","id":"a","name":"f","arguments":{}}}`,
				`{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":"{\"x\""}}`, `{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":":1}"}}`,
				`{"event_type":"step.stop","index":2}`, `{"event_type":"interaction.completed","interaction":{"id":"i","status":"requires_action","usage":{"total_input_tokens":9,"total_output_tokens":2,"total_thought_tokens":2,"total_cached_tokens":3}}}`, `[DONE]`),
			wire.Answer{Model: "m", ID: "i", Text: "Hi you", Reasoning: "hm", Finish: "requires_action", Usage: wire.Usage{Input: 9, Output: 4, CacheRead: 3, Reasoning: 2},
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}},
		{wire.Interactions, // before the revision of May 2026
			`{"id":"i","model":"m","status":"completed","outputs":[{"type":"text","text":"Hi you"},{"type":"function_call","id":"a","name":"f","arguments":{"x":1}}]}`,
			stream(true, `{"event_type":"interaction.start","interaction":{"id":"i","model":"m","status":"in_progress"}}`,
				`{"event_type":"content.start","index":0,"content":{"type":"text","text":""}}`, `{"event_type":"content.delta","index":0,"delta":{"type":"text","text":"Hi you"}}`,
				`{"event_type":"content.delta","index":1,"delta":{"type":"function_call","id":"a","name":"f","arguments":{"x":1}}}`,
				`{"event_type":"interaction.complete","interaction":{"id":"i","status":"completed"}}`),
			wire.Answer{Model: "m", ID: "i", Text: "Hi you", Finish: "completed",
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}},
		{wire.Bedrock,
			`{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm"}}},{"text":"Hi you"},{"toolUse":{"toolUseId":"a","name":"f","input":{"x":1}}}]}},"stopReason":"tool_use","usage":{"inputTokens":2,"outputTokens":4,"cacheReadInputTokens":4,"cacheWriteInputTokens":3}}`,
			unframed(t, "messageStart", `{"role":"assistant"}`, "contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}}}`,
				"contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"Hi "}}`, "contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"you"}}`,
				"contentBlockStart", `{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"a","name":"f"}}}`,
				"contentBlockDelta", `{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"x\""}}}`, "contentBlockDelta", `{"contentBlockIndex":2,"delta":{"toolUse":{"input":":1}"}}}`,
				"messageStop", `{"stopReason":"tool_use"}`, "metadata", `{"usage":{"inputTokens":2,"outputTokens":4,"cacheReadInputTokens":4,"cacheWriteInputTokens":3}}`),
			wire.Answer{Text: "Hi you", Reasoning: "hm", Finish: "tool_use", Usage: wire.Usage{Input: 9, Output: 4, CacheRead: 4, CacheWrite: 3},
				Calls: []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}}}},
		{wire.Ollama,
			`{"model":"m","message":{"role":"assistant","thinking":"hm","content":"Hi you","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}},{"function":{"name":"f","arguments":{"x":2}}}]},"done":true,"done_reason":"length","prompt_eval_count":9,"eval_count":4}`,
			strings.Join([]string{`{"model":"m","message":{"role":"assistant","content":"","thinking":"h"},"done":false}`,
				`{"model":"m","message":{"role":"assistant","content":"","thinking":"m"},"done":false}`,
				`{"model":"m","message":{"role":"assistant","content":"Hi "},"done":false}`, `{"model":"m","message":{"role":"assistant","content":"you"},"done":false}`,
				`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},"done":false}`,
				`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":2}}}]},"done":false}`,
				`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"length","prompt_eval_count":9,"eval_count":4}`}, "\n"),
			wire.Answer{Model: "m", Text: "Hi you", Reasoning: "hm", Finish: "length", Usage: wire.Usage{Input: 9, Output: 4},
				Calls: []wire.ToolCall{{Name: "f", Arguments: json.RawMessage(`{"x":1}`)}, {Name: "f", Arguments: json.RawMessage(`{"x":2}`)}}}},
	}
	for _, test := range tests {
		test.want.Dialect = test.dialect
		for name, body := range map[string]string{"whole": test.whole, "stream": test.stream, "array": "[" + test.whole + "]"} {
			t.Run(test.dialect+" "+name, func(t *testing.T) {
				got, err := wire.ReadAnswer(test.dialect, []byte(body))
				require.NoError(t, err)
				want := test.want
				want.Done = strings.Contains(body, "[DONE]")
				require.Equal(t, &want, got)
			})
		}
	}
}

// A result of a few words leaves the present to the messages before it, and not to all that there are.
func TestNewest(t *testing.T) {
	long := strings.Repeat("a text of the page ", 20)
	message := func(role, said string) wire.Message {
		return wire.Message{Role: role, Parts: []wire.Part{{Kind: wire.Text, Text: said}}}
	}
	history := []wire.Message{message("system", long), message("user", "Buy it."), message("assistant", "one"),
		message("tool", long), message("assistant", long), message("tool", long), message("assistant", "three")}
	for name, c := range map[string]struct {
		more []wire.Message
		want int
	}{
		"a text":             {[]wire.Message{message("tool", long)}, 7},
		"a picture":          {[]wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Image}}}}, 7},
		"a few words":        {[]wire.Message{message("tool", "Clicked")}, 5},
		"a few words, twice": {[]wire.Message{message("tool", "Clicked"), message("assistant", long), message("tool", "ok")}, 5},
	} {
		require.Equal(t, c.want, (&wire.Request{Messages: slices.Concat(history, c.more)}).Newest(), name)
	}
	require.Zero(t, (&wire.Request{Messages: history[:2]}).Newest())
}

// A character that is cut in half between two events is one again; half of one alone is none.
func TestReadAnswerOfHalfCharacters(t *testing.T) {
	chat := func(deltas ...string) string {
		var body strings.Builder
		for _, d := range deltas {
			fmt.Fprintf(&body, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", d)
		}
		return body.String() + "data: [DONE]\n\n"
	}
	a, err := wire.ReadAnswer(wire.OpenAIChat, []byte(chat(`{"content":"Paid \ud83d"}`, `{"content":"\uDE00 \\ud83d \ud83d\ude01"}`,
		`{"content":" \udc00"}`, `{"reasoning_content":"\ud83d"}`, `{"reasoning_content":"\ude02"}`,
		`{"tool_calls":[{"index":0,"id":"c","function":{"name":"type","arguments":"{\"text\":\"\ud83d"}}]}`,
		`{"tool_calls":[{"index":0,"function":{"arguments":"\ude03\"}"}}]}`)))
	require.NoError(t, err)
	require.Equal(t, "Paid 😀 \\ud83d 😁 \ufffd", a.Text)
	require.Equal(t, "😂", a.Reasoning)
	require.JSONEq(t, `{"text":"😃"}`, string(a.Calls[0].Arguments))
}

// Hosts begin, part and end what they stream in their own ways; a client puts it together all the same.
func TestReadAnswerOfOtherHosts(t *testing.T) {
	call := func(arguments string) []wire.ToolCall {
		return []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(arguments)}}
	}
	for name, test := range map[string]struct {
		dialect, body string
		want          wire.Answer
	}{
		"a stream behind a mark of byte order": {wire.OpenAIChat,
			"\ufeff" + stream(false, `{"choices":[{"delta":{"content":"first"}}]}`, `{"choices":[{"delta":{"content":" last"}}]}`),
			wire.Answer{Text: "first last"}},
		"a call that begins whole": {wire.Anthropic,
			stream(true, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{"x":1}}}`),
			wire.Answer{Calls: call(`{"x":1}`)}},
		"a call without arguments": {wire.Anthropic,
			stream(true, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}`),
			wire.Answer{Calls: call(`{}`)}},
		"a whole response, cut at its limit": {wire.OpenAIResponses,
			`{"id":"r","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`,
			wire.Answer{ID: "r", Finish: "max_output_tokens"}},
		"a text that begins at once": {wire.Anthropic,
			stream(true, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi "}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"you"}}`), wire.Answer{Text: "Hi you"}},
		"calls in no pieces, cut": {wire.OpenAIResponses,
			stream(true, `{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"a","name":"f","arguments":""}}`,
				`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[]}}`,
				`{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}}`),
			wire.Answer{Calls: call(`{"x":1}`)}},
		"reasoning, cut": {wire.OpenAIResponses, stream(true, `{"type":"response.reasoning_text.delta","delta":"hm"}`),
			wire.Answer{Reasoning: "hm"}},
		"Mistral's reasoning": {wire.OpenAIChat,
			stream(false, `{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}`,
				`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}`), wire.Answer{Reasoning: "hm", Text: "Hi", Finish: "stop"}},
		"a tool that takes a text": {wire.OpenAIChat,
			stream(false, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"go"}}]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"custom":{"input":"()"}}]}}]}`), wire.Answer{Calls: call(`"go()"`)}},
	} {
		t.Run(name, func(t *testing.T) {
			test.want.Dialect = test.dialect
			got, err := wire.ReadAnswer(test.dialect, []byte(test.body))
			require.NoError(t, err)
			require.Equal(t, &test.want, got)
		})
	}
}

func TestReadAnswerOfFailures(t *testing.T) {
	for dialect, body := range map[string]string{
		wire.OpenAIChat:      `{"error":{"message":"too many","type":"rate_limit"}}`,
		wire.OpenAIResponses: `{"error":{"message":"too many"}}`,
		wire.Anthropic:       `{"type":"error","error":{"type":"overloaded_error","message":"too many"}}`,
		wire.Gemini:          `[{"error":{"code":429,"message":"too many","status":"RESOURCE_EXHAUSTED"}}]`,
		wire.Ollama:          `{"error":"too many"}`,
		wire.Bedrock:         unframed(t, "messageStart", `{"role":"assistant"}`, "throttlingException", `{"message":"too many"}`),
	} {
		got, err := wire.ReadAnswer(dialect, []byte(body))
		require.NoError(t, err)
		require.Equal(t, "too many", got.Error, dialect)
	}
	cut, err := wire.ReadAnswer(wire.OpenAIResponses, []byte(stream(true, `{"type":"response.created","response":{"id":"i","model":"m"}}`,
		`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"a","name":"f"}}`,
		`{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"x\":"}`, `{"type":"response.output_text.delta","delta":"Hi"`)))
	require.NoError(t, err)
	require.Equal(t, []wire.ToolCall{{ID: "a", Name: "f", Arguments: json.RawMessage(`"{\"x\":"`)}}, cut.Calls, "what was cut stays a text")
	require.Empty(t, cut.Finish)
	for _, body := range []string{"", "  ", "<html>bad gateway</html>", "data: [DONE]\n\n"} {
		_, err := wire.ReadAnswer(wire.OpenAIChat, []byte(body))
		require.Error(t, err, body)
	}
}

// Whatever comes, arguments are JSON, texts are no longer than the body, and an answer can be
// written down.
func FuzzReadAnswer(f *testing.F) {
	f.Add(`{"choices":[{"delta":{"tool_calls":[{"index":3,"function":{"arguments":"{"}}]}}]}`)
	f.Add("data: {\"type\":\"content_block_delta\",\"delta\":{\"partial_json\":\"{\"}}\n\ndata: {}")
	f.Add(`[{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]},`)
	f.Fuzz(func(t *testing.T, body string) {
		for _, dialect := range wire.Models() {
			if r, err := wire.ReadRequest(dialect, []byte(body)); err == nil {
				size := 0
				for _, m := range r.Messages {
					for _, p := range m.Parts {
						size += len(p.Data)
						require.True(t, p.Kind != wire.Call || len(p.Arguments) == 0 || json.Valid(p.Arguments))
					}
				}
				require.LessOrEqual(t, size, len(body))
			}
			a, err := wire.ReadAnswer(dialect, []byte(body))
			if err != nil {
				continue
			}
			for _, c := range a.Calls {
				require.True(t, len(c.Arguments) == 0 || json.Valid(c.Arguments), "%s", c.Arguments)
			}
			_, err = json.Marshal(a)
			require.NoError(t, err)
		}
	})
}

func TestLine(t *testing.T) {
	call := &wire.Answer{Calls: []wire.ToolCall{{Name: "click", Arguments: []byte(`{"ref": 12}`)}}, Text: "I click"}
	for want, got := range map[string]string{
		`click {"ref": 12}`:     wire.Line(call, 200, "", 100),
		"I wait":                wire.Line(&wire.Answer{Text: "I\nwait"}, 200, "", 100),
		"I ca…":                 wire.Line(&wire.Answer{Text: "I cannot"}, 200, "", 5),
		"nothing":               wire.Line(&wire.Answer{}, 200, "", 100),
		"status 429: slow down": wire.Line(&wire.Answer{Error: "slow down"}, 429, "", 100),
		"status 502, an answer that cannot be read": wire.Line(nil, 502, "", 100),
		"no connection": wire.Line(call, 0, "no connection", 100),
	} {
		require.Equal(t, want, got)
	}
}

// Codex names its tools in an item of the conversation, by namespaces.
func TestToolsInTheInput(t *testing.T) {
	body := []byte(`{"model":"gpt","input":[{"type":"additional_tools","role":"developer","tools":[` +
		`{"type":"namespace","name":"functions","tools":[{"type":"custom","name":"exec"},{"type":"function","name":"wait"}]},` +
		`{"type":"web_search"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"Go"}]}]}`)
	r, err := wire.ReadRequest(wire.OpenAIResponses, body)
	require.NoError(t, err)
	require.Equal(t, []string{"exec", "wait", "web_search"}, r.Tools)
	list, err := wire.Sections(wire.OpenAIResponses, body)
	require.NoError(t, err)
	var names []string
	for _, s := range list {
		names = append(names, s.Name+" "+s.Role)
	}
	require.Equal(t, []string{"input[0].tools[0].tools[0] tools", "input[0].tools[0].tools[1] tools", "input[0].tools[1] tools",
		"input[1].content[0] user"}, names)
}

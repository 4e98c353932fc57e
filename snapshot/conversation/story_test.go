package conversation_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestStoryOf: a turn tells what its answer wants, and what the tool of the turn before reported.
func TestStoryOf(t *testing.T) {
	d := doctor.New(doctor.Options{})
	story := func(n int, more, answer string) *conversation.Story {
		rec := &turn.Record{N: n, Capture: &snapshot.Capture{Schema: snapshot.Schema},
			Exchange: json.RawMessage(`{"sent":100,"ended":1600}`), Payloads: []turn.Payload{
				{Dialect: wire.OpenAIChat, Way: turn.Request, Model: "gpt", Bytes: []byte(`{"model":"gpt","messages":[` +
					`{"role":"system","content":"You operate a browser."},{"role":"user","content":"Go on."}` + more + `]}`)},
				{Dialect: wire.OpenAIChat, Way: turn.Answer, Bytes: []byte(answer)}}}
		r, err := d.Examine(rec)
		require.NoError(t, err)
		return conversation.StoryOf(rec, r)
	}
	call := func(name, args string) string {
		return `{"choices":[{"message":{"role":"assistant","content":"I try.","tool_calls":[{"id":"c","type":"function",` +
			`"function":{"name":"` + name + `","arguments":` + args + `}}]}}],"usage":{"prompt_tokens":40,"completion_tokens":7}}`
	}
	tool := func(said string) string {
		return `,{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"browser_click",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":` + said + `}`
	}
	first := story(1, "", call("browser_navigate", `"{\"url\":\"https://shop.example/a/cart.html?x\"}"`))
	require.Equal(t, "navigate a/cart.html", first.Did)
	require.Equal(t, 1500*time.Millisecond, first.Took)
	require.Equal(t, 40, first.Usage.Input)
	require.Zero(t, first.Of)

	second := story(2, tool(`"### Error\nTimeoutError: \u001b[2mTimeout\u001b[22m 5000ms exceeded.\nCall log"`),
		call("browser_click", `"{\"target\":\"e9\"}"`))
	require.Equal(t, "click e9", second.Did)
	require.Equal(t, 1, second.Of)
	require.Equal(t, "Error: TimeoutError: Timeout 5000ms exceeded.", second.Said)
	require.True(t, second.Failed)
	require.Equal(t, 1, second.Actions)

	last := story(3, tool(`"clicked\u202e"`), `{"choices":[{"message":{"role":"assistant","content":"## **Done**\nAll of it."}}]}`)
	require.Equal(t, "Done", last.Did)
	require.False(t, last.Failed)
	require.Equal(t, `clicked\u{202e}`, last.Said)

	// What an agent asks beside its work, and how a client calls a server's tool.
	said := func(text string) string {
		return `{"choices":[{"message":{"role":"assistant","content":` + text + `}}]}`
	}
	require.Equal(t, "title “Buy a kettle”", story(4, "", said(`"{\"title\": \"Buy a kettle\"}"`)).Did)
	require.Equal(t, "answer", story(5, "", said(`"{\"a\": \"b\", \"c\": \"d\"}"`)).Did)
	require.Equal(t, "answer", story(6, "", said(`"[1]"`)).Did)
	require.Equal(t, "navigate login and 1 more", story(7, "", said(
		`"{\"action\":[{\"navigate\":{\"url\":\"https://a.example/login\"}},{\"wait\":{}}],\"memory\":\"\"}"`)).Did)
	require.Equal(t, "exec navigate click", story(8, "", call("exec",
		`"const r = await tools.mcp__playwright__browser_navigate({url: 'x'}); text(await tools.mcp__playwright__browser_click({}))"`)).Did)
	require.Equal(t, "click e9", story(7, "", call("mcp__playwright__browser_click", `"{\"target\":\"e9\"}"`)).Did)
}

// TestStoryOfAToolsList: a list of an MCP server's tools is one, and no answer that is missing.
func TestStoryOfAToolsList(t *testing.T) {
	rec := &turn.Record{N: 1, Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{
		{Dialect: wire.MCP, Way: turn.Request, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},{"name":"b"}]}}`)},
		{Dialect: wire.MCP, Way: turn.Answer, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)}}}
	r, err := doctor.New(doctor.Options{}).Examine(rec)
	require.NoError(t, err)
	require.Equal(t, "list 2 tools", conversation.StoryOf(rec, r).Did)
	// Codex lets the vendor read what comes first, before the person has written anything.
	rec.Payloads = []turn.Payload{
		{Dialect: wire.OpenAIResponses, Way: turn.Request, Bytes: []byte(`{"type":"response.create","generate":false,"input":[]}`)},
		{Dialect: wire.OpenAIResponses, Way: turn.Answer, Bytes: []byte(`{"id":"r","status":"completed","output":[]}`)}}
	r, err = doctor.New(doctor.Options{}).Examine(rec)
	require.NoError(t, err)
	require.Equal(t, "prepare the next request", conversation.StoryOf(rec, r).Did)
}

// TestACallOfOurOwnServer: a turn of our MCP server keeps the call and what was answered. The model was given the answer,
// and what it wanted is the call; it is not a request that got no answer.
func TestACallOfOurOwnServer(t *testing.T) {
	rec := &turn.Record{N: 1, Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{
		{Dialect: wire.MCP, Way: turn.Request, Wire: true, Bytes: []byte(`{"name":"browse_click","arguments":{"ref":7}}`)},
		{Dialect: wire.MCP, Way: turn.Answer, Wire: true, Bytes: []byte(`{"content":[{"type":"text","text":"ok"}]}`)}}}
	r, err := doctor.New(doctor.Options{}).Examine(rec)
	require.NoError(t, err)
	require.Empty(t, r.Findings)
	asked, answer := conversation.Stored(rec.Payloads)
	require.Same(t, &rec.Payloads[1], asked)
	require.Same(t, &rec.Payloads[0], answer)
	require.Equal(t, "browse_click 7", conversation.Title(rec, r))
	asked, _ = conversation.Stored(rec.Payloads[:1])
	require.Nil(t, asked)
}

// TestAServersToolReportsOfItsOwnCall: what a server of tools answers to a call is recorded in the call's own turn, and
// no turn comes after the last to tell that it failed.
func TestAServersToolReportsOfItsOwnCall(t *testing.T) {
	rec := &turn.Record{N: 7, Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{
		{Dialect: wire.MCP, Way: turn.Request, Wire: true, Bytes: []byte(`{"jsonrpc":"2.0","id":3,"result":` +
			`{"isError":true,"content":[{"type":"text","text":"### Error\nError: net::ERR_UNSAFE_PORT"}]}}`)},
		{Dialect: wire.MCP, Way: turn.Answer, Wire: true, Bytes: []byte(`{"jsonrpc":"2.0","id":3,` +
			`"method":"tools/call","params":{"name":"browser_navigate","arguments":{"url":"http://127.0.0.1:1/"}}}`)}}}
	r, err := doctor.New(doctor.Options{}).Examine(rec)
	require.NoError(t, err)
	story := conversation.StoryOf(rec, r)
	require.Equal(t, 7, story.Of)
	require.Equal(t, "Error: net::ERR_UNSAFE_PORT", story.Said)
	require.True(t, story.Failed)
}

// TestStoryOfABrokenOff: a request without an answer tells why it has none.
func TestStoryOfABrokenOff(t *testing.T) {
	rec := &turn.Record{N: 1, Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{
		{Dialect: wire.OpenAIChat, Way: turn.Request, Model: "gpt", Bytes: []byte(`{"model":"gpt","messages":[]}`)}}}
	for stored, want := range map[string]string{
		`{"error":"the agent broke off the request"}`: "the agent broke off the request",
		`{"status":503}`: "the vendor answered with status 503",
		`{}`:             "no answer",
		``:               "", // it did not cross the wire
	} {
		rec.Exchange = json.RawMessage(stored)
		r, err := doctor.New(doctor.Options{}).Examine(rec)
		require.NoError(t, err)
		require.Equal(t, want, conversation.StoryOf(rec, r).Did)
		require.Equal(t, strings.TrimSuffix("gpt · "+want, " · "), conversation.Title(rec, r))
	}
}

// TestStoryOfACutAnswer: what an answer wanted is told with why it is not whole.
func TestStoryOfACutAnswer(t *testing.T) {
	rec := &turn.Record{N: 1, Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{
		{Dialect: wire.OpenAIChat, Way: turn.Request, Model: "gpt", Bytes: []byte(`{"model":"gpt","messages":[]}`)},
		{Dialect: wire.OpenAIChat, Way: turn.Answer, Bytes: []byte(`data: {"choices":[{"delta":{"content":"I click"}}]}`)}}}
	for stored, why := range map[string]string{
		`{"status":200,"error":"the agent broke off the answer"}`:         "the agent broke off the answer",
		`{"status":200,"answer":{"text":"I click","error":"overloaded"}}`: "the vendor ended the answer with an error: overloaded",
		`{"status":200,"answer":{"text":"I click","finish":"stop"}}`:      "",
	} {
		rec.Exchange = json.RawMessage(stored)
		r, err := doctor.New(doctor.Options{}).Examine(rec)
		require.NoError(t, err)
		story := conversation.StoryOf(rec, r)
		require.Equal(t, "I click", story.Did)
		require.Equal(t, strings.ToLower(strings.TrimSuffix(story.Trouble, ".")), why)
		require.Equal(t, strings.TrimSuffix("gpt · I click · "+why, " · "), conversation.Title(rec, r))
	}
}

// TestReportedByVendors: a vendor's own word for an error counts, and a text that lies in JSON is read.
func TestReportedByVendors(t *testing.T) {
	for name, c := range map[string]struct {
		dialect, body, said string
		failed              bool
	}{
		"Anthropic": {wire.Anthropic, `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"click","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"Input validation: no uid"}]}]}`, "Input validation: no uid", true},
		"MCP": {wire.MCP, `{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"Input validation: no uid"}]}}`, "Input validation: no uid", true},
		"Gemini": {wire.Gemini, `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"click"}}]},{"role":"user","parts":[{"functionResponse":
			{"name":"click","response":{"name":"click","content":"### Result\nClicked on the button"}}}]}]}`, "Result: Clicked on the button", false},
		"JSON of its own": {wire.OpenAIChat, `{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"click","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":"{\"ok\":true,\"clicked\":\"e12\"}"}]}`, `{"ok":true,"clicked":"e12"}`, false},
	} {
		c2, err := conversation.Read(turn.Payload{Dialect: c.dialect, Way: turn.Request, Bytes: []byte(c.body)}, nil, nil,
			func(s string) int { return len(s) })
		require.NoError(t, err)
		for i := range c2.Messages {
			c2.Messages[i].New = true
		}
		said, failed := c2.Reported()
		require.Equal(t, c.said, said, name)
		require.Equal(t, c.failed, failed, name)
	}
}

// TestModal: what lies outside of a modal dialog cannot be clicked, also where it is not in view.
func TestModal(t *testing.T) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "button", Role: "button", Name: "Below", Verdict: snapshot.VerdictRef, Visible: true},
		{I: 1, Parent: -1, Tag: "dialog", Role: "dialog", Name: "Basket", Verdict: snapshot.VerdictRef, Visible: true,
			InViewport: true, Layer: &snapshot.Layer{Modal: true}},
		{I: 2, Parent: 1, Tag: "button", Role: "button", Name: "Deep", Verdict: snapshot.VerdictRef, Visible: true}}}
	aim := func(node int, verb string) conversation.Aim {
		return conversation.Aims(&doctor.Report{Targets: []doctor.Target{{Node: node,
			Action: wire.Action{Verb: verb, Ref: "e1"}}}}, c)[0]
	}
	require.Equal(t, "It could not work: dialog “Basket” is modal, so nothing outside of it can be clicked.",
		aim(0, "click").Trouble)
	require.Empty(t, aim(0, "get_text").Trouble)
	require.Empty(t, aim(2, "click").Trouble)
	require.NotEmpty(t, aim(2, "click").Note, "the tool scrolls to it")
}

package doctor

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// examined is the report of a request with these messages and of what came of it.
func examined(t *testing.T, d *Doctor, c *snapshot.Capture, n int, messages []any, exchange map[string]any) *Report {
	t.Helper()
	tools := []any{map[string]any{"type": "function", "function": map[string]any{"name": "browser_click"}}}
	body, err := json.Marshal(map[string]any{"model": "gpt-4o", "messages": messages, "tools": tools})
	require.NoError(t, err)
	if c == nil {
		c = &snapshot.Capture{Schema: snapshot.Schema}
	}
	rec := &turn.Record{N: n, Capture: c, Payloads: []turn.Payload{{Dialect: "openai-chat", Way: turn.Request, Bytes: body,
		Wire: true}}}
	if exchange != nil {
		rec.Exchange, err = json.Marshal(exchange)
		require.NoError(t, err)
	}
	r, err := d.Examine(rec)
	require.NoError(t, err)
	return r
}

func rulesOf(r *Report) (out []string) {
	for _, f := range r.Findings {
		out = append(out, f.Rule)
	}
	return out
}

func said(role, content string) map[string]any {
	return map[string]any{"role": role, "content": content}
}

// A request without an answer is a finding, whichever way it was refused; an answer with what was offered is none.
func TestWhatCameOfARequest(t *testing.T) {
	call := func(name string) map[string]any {
		return map[string]any{"dialect": "openai-chat", "calls": []any{map[string]any{"name": name, "arguments": map[string]any{}}}}
	}
	for name, c := range map[string]struct {
		exchange map[string]any
		want     []string
		sentence string
	}{
		"too many requests": {map[string]any{"status": 429, "retryAfter": "7", "answer": map[string]any{"error": "slow down"}},
			[]string{Refused}, "The vendor answered with status 429, too many requests; it may be asked again after 7 s."},
		"a fault of the vendor's": {map[string]any{"status": 500}, []string{Refused},
			"The vendor answered with status 500, a fault of its own."},
		"an error with status 200": {map[string]any{"status": 200, "answer": map[string]any{"error": "no credit"}},
			[]string{Refused}, "The vendor answered with an error in the place of an answer."},
		"an error in the middle": {map[string]any{"status": 200, "answer": map[string]any{"text": "I will", "error": "overloaded"}},
			[]string{NoAnswer}, "The answer broke off."},
		"the limit of tokens": {map[string]any{"status": 200, "answer": map[string]any{"text": "I will", "finish": "length"}},
			[]string{AnswerCut}, "The model was stopped at its limit of tokens."},
		"no end of a stream": {map[string]any{"status": 200, "stream": true, "answer": map[string]any{"text": "I will"}},
			[]string{AnswerCut}, "The stream of the answer stops before its end."},
		"the end of a stream": {map[string]any{"status": 200, "stream": true, "answer": map[string]any{"text": "I will", "finish": "stop"}},
			nil, ""},
		"not reached": {map[string]any{"error": "connection refused"}, []string{NoAnswer},
			"Nothing came in the place of an answer."},
		"broken off": {map[string]any{"status": 200, "error": "the connection was cut", "answer": map[string]any{"text": "I wi"}},
			[]string{NoAnswer}, "The answer broke off."},
		"a tool that was not offered": {map[string]any{"status": 200, "answer": call("browser_teleport")}, []string{ToolUnknown},
			`The answer calls "browser_teleport", and the request offers 1 tool, none of that name.`},
		"one that was":       {map[string]any{"status": 200, "answer": call("browser_click")}, nil, ""},
		"nothing is known":   {nil, nil, ""},
		"an answer in words": {map[string]any{"status": 200, "answer": map[string]any{"text": "Done."}}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := examined(t, New(Options{}), nil, 1, []any{said("user", "Go on.")}, c.exchange)
			require.Equal(t, c.want, rulesOf(r))
			if c.sentence != "" {
				require.Equal(t, c.sentence, r.Findings[0].Sentence)
			}
		})
	}
}

// playwrightPage is a page whose elements have Playwright's refs.
func playwrightPage(refs ...string) *snapshot.Capture {
	c := &snapshot.Capture{Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: 800, Height: 600, Scale: 1},
		Nodes: []snapshot.Node{{Parent: -1, Tag: "body"}}}
	for i, ref := range refs {
		n := snapshot.Node{I: i + 1, Tag: "button", Role: "button", Name: "Button " + ref, Verdict: snapshot.VerdictRef}
		n.NoteAgentRef(snapshot.Playwright, ref)
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

// A click on an element that was taken away after the text was made names one that is gone, also where its words are on
// the page still; in changes, what stands for a text that the agent dropped is unexplained.
func TestGoneByItsRef(t *testing.T) {
	text := ""
	for i := 1; i <= 6; i++ {
		text += fmt.Sprintf("- button \"Button e%d\" [ref=e%d]\n", 1+i%2, i)
	}
	click := map[string]any{"status": 200, "answer": map[string]any{"dialect": "openai-chat", "calls": []any{
		map[string]any{"name": "browser_click", "arguments": map[string]any{"target": "e3"}}}}}
	messages := []any{said("user", "Go on."), said("user", text)}
	r := examined(t, New(Options{}), playwrightPage("e1", "e2", "e4", "e5", "e6"), 1, messages, click)
	require.Equal(t, []string{RefGone}, rulesOf(r))
	require.Equal(t, "browser_click: the element of the ref e3 is not on the page any more.", r.Findings[0].Sentence)
	r = examined(t, New(Options{}), playwrightPage("e1", "e2", "e3", "e4", "e5", "e6"), 1, messages, click)
	require.Empty(t, rulesOf(r))
}

// A call names the element that has its ref on the page; the text of another page that has this ref too is not where the
// model read of it.
func TestACallByARefOfAnotherPage(t *testing.T) {
	call := func(tool, arguments, text string) []turn.Payload {
		return []turn.Payload{{Dialect: "mcp", Way: turn.Request, Bytes: fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, tool, arguments)},
			{Dialect: "mcp", Way: turn.Answer, Bytes: fmt.Appendf(nil, `{"content":[{"type":"text","text":%q}]}`, text)}}
	}
	page := playwrightPage("e1", "e2", "e3")
	for i := range page.Nodes[1:] {
		n := &page.Nodes[i+1]
		n.NoteAgentRef(snapshot.PlaywrightSays, n.Role+" "+n.Name)
	}
	for text, want := range map[string]Target{
		"- button \"Button e1\" [ref=e1]\n- button \"Button e2\" [ref=e2]": {Line: 2, Turn: 1, Why: "Playwright's own ref on the element"},
		"- heading \"Thanks\" [ref=e1]\n- link \"Back\" [ref=e2]": {Why: `Playwright's own ref on the element; the text of turn 1 ` +
			`has it for link "Back" of another page`},
	} {
		d := New(Options{})
		require.NoError(t, d.Pass(&turn.Record{N: 1, Capture: page, Payloads: call("browser_snapshot", "{}", text)}))
		r, err := d.Examine(&turn.Record{N: 2, Capture: page, Payloads: call("browser_click", `{"target":"e2"}`, "Clicked")})
		require.NoError(t, err)
		require.Len(t, r.Targets, 1)
		got := r.Targets[0]
		require.Equal(t, 2, got.Node)
		require.Equal(t, want, Target{Line: got.Line, Turn: got.Turn, Why: got.Why})
	}
}

// A session of Playwright MCP whose answers have only what changed: what is known grows, nothing is found, and where the
// agent drops the whole text it is said.
func TestTheWholeTextIsDropped(t *testing.T) {
	body, err := os.ReadFile("../observation/testdata/playwright-changes.json")
	require.NoError(t, err)
	var asked struct{ Messages []any }
	require.NoError(t, json.Unmarshal(body, &asked))
	d := New(Options{})
	for i, until := range []int{4, 6, 8} { // the first text, and two of changes
		r := examined(t, d, nil, 2+i, asked.Messages[:until], nil)
		require.Empty(t, rulesOf(r))
		require.Equal(t, []int{26, 29, 31}[i], len(r.Knows().Lines))
		require.Equal(t, 2, r.Knows().Lines[1].Since)
		require.Empty(t, r.Dropped)
	}
	short := append([]any{}, asked.Messages[:8]...)
	short[3] = map[string]any{"role": "tool", "tool_call_id": "c1", "content": "[old result cleared]"}
	r := examined(t, d, nil, 5, append(short, said("user", "And now?")), nil)
	require.Contains(t, rulesOf(r), TextBase)
	require.Equal(t, []Dropped{{Turn: 2, Section: "messages[3]", Format: "aria snapshot", Lines: 26}}, r.Dropped)
}

// A click that reaches what is around an element, as that on the button in a customizable select does, names it.
func TestAClickOnWhatIsAround(t *testing.T) {
	c := playwrightPage("e1", "e2")
	c.Nodes[1].Tag, c.Nodes[2].Parent = "select", 1
	c.Nodes[2].Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Points: [][3]float64{{9, 9, 1}, {12, 9, 1}}}
	r := examined(t, New(Options{}), c, 1, []any{said("user",
		"- button \"Button e1\" [ref=e1]\n- button \"Button e2\" [ref=e2]")}, map[string]any{"status": 200,
		"answer": map[string]any{"dialect": "openai-chat", "calls": []any{map[string]any{"name": "browser_click",
			"arguments": map[string]any{"ref": "e2"}}}}})
	require.Contains(t, rulesOf(r), RefCovered)
	for _, f := range r.Findings {
		if f.Rule == RefCovered {
			require.Contains(t, f.Sentence, `browser_click: a click on button "Button e2" reaches button "Button e1" around it`)
		}
	}
}

// What a site's profile leaves out of texts is on the page for the agent that reads it itself.
func TestAClickOnWhatIsFiltered(t *testing.T) {
	for box, hidden := range map[snapshot.Box]bool{{}: true, {9, 9, 40, 20}: false} {
		c := playwrightPage("e1", "e2")
		c.Nodes[2].Verdict, c.Nodes[2].Box = snapshot.VerdictFiltered, box
		r := examined(t, New(Options{}), c, 1, []any{said("user",
			"- button \"Button e1\" [ref=e1]\n- button \"Button e2\" [ref=e2]")}, map[string]any{"status": 200,
			"answer": map[string]any{"dialect": "openai-chat", "calls": []any{map[string]any{"name": "browser_click",
				"arguments": map[string]any{"ref": "e2"}}}}})
		require.Equal(t, 2, r.Targets[0].Node)
		require.Equal(t, hidden, slices.Contains(rulesOf(r), RefHidden), box)
	}
}

// What an agent lays over the page that it works in keeps the person from it, and not the agent.
func TestAClickBelowWhatTheAgentLaysOver(t *testing.T) {
	for _, marked := range []string{"", "data-page-agent-ignore", "data-browser-use-ignore"} {
		c := playwrightPage("e1", "e2")
		over := 1
		c.Nodes[1].Tag, c.Nodes[1].Attrs = "div", map[string]string{marked: "true"}
		c.Nodes[2].Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &over}
		r := examined(t, New(Options{}), c, 1, []any{said("user",
			"- button \"Button e1\" [ref=e1]\n- button \"Button e2\" [ref=e2]")}, map[string]any{"status": 200,
			"answer": map[string]any{"dialect": "openai-chat", "calls": []any{map[string]any{"name": "browser_click",
				"arguments": map[string]any{"ref": "e2"}}}}})
		require.Equal(t, marked == "", slices.Contains(rulesOf(r), RefCovered), marked)
	}
}

// A ref that only a later message of what has changed names is not unknown to the model; one that no message names is.
func TestARefThatIsNamedBehindTheText(t *testing.T) {
	text := "- heading \"Shop\" [level=1, ref=e1]\n- button \"Save\" [ref=e2]\n- button \"Close\" [ref=e3]"
	change := `{"kind":"delta","changes":[{"op":"add","ref":"@e20","node":{"role":"button","name":"Saved"}}]}`
	for ref, want := range map[string][]string{"e20": nil, "e2": nil, "e21": {RefUnknown}} {
		r := examined(t, New(Options{}), nil, 1, []any{said("user", text), said("assistant", "I click @e21."), said("user", change)},
			map[string]any{"status": 200, "answer": map[string]any{"dialect": "openai-chat", "calls": []any{map[string]any{
				"name": "browser_click", "arguments": map[string]any{"ref": ref}}}}})
		require.Equal(t, want, rulesOf(r), ref)
	}
}

// An id that a tool gave with its result, and that it has put on the element, is of that element; one that stands on
// several, or is a number such as a page has many, is of none.
func TestAnIDThatThePageHolds(t *testing.T) {
	const given = "1113289d-0ccc-42d5-8173-f18ca407073c"
	page := func(of ...string) *snapshot.Capture {
		c := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Edit %ref=1 @10,40,80,20 \"Edit\"\n"+
			"  button %name=Edit %ref=2 @10,80,80,20 \"Edit\"\n  input %name=Note %ref=3 @10,120,80,20\n")
		for k, id := range of {
			if id != "" {
				c.Nodes[k+1].Attrs = map[string]string{"data-element-id": id}
			}
		}
		return c
	}
	for _, c := range []struct {
		on   *snapshot.Capture
		ref  string
		want int
	}{{page("", given), given, 2}, {page(given), given, 1}, {page(given, given), given, -1}, {page(), given, -1},
		{page("", "12"), "12", -1}} {
		for _, listed := range []string{"<html><body><button>Edit</button><button>Edit</button></body></html>", "Go on."} {
			r := examined(t, New(Options{}), c.on, 1, []any{said("user", listed), said("assistant", "button:nth-child(2)"),
				said("user", `{"elementId":"`+c.ref+`"}`)}, map[string]any{"status": 200, "answer": map[string]any{
				"dialect": "openai-chat", "calls": []any{map[string]any{"name": "locator_click",
					"arguments": map[string]any{"elementId": c.ref}}}}})
			require.Len(t, r.Targets, 1)
			require.Equal(t, c.want, r.Targets[0].Node, "%s: %s", c.ref, r.Targets[0].Why)
			require.NotContains(t, rulesOf(r), RefUnknown)
		}
	}
}

// What only says what has changed at the top of a page is not cut off before the rest of it.
func TestChangesAreNotCutOff(t *testing.T) {
	page, list := "body @0,0,400,400\n  h1 %name=Shop @0,0,80,20 \"Shop\"\n", "- heading \"Shop\" [level=1, ref=e1]"
	for k := range 12 {
		page += fmt.Sprintf("  button %%name=\"Buy %d\" @0,%d,80,20 \"Buy %d\"\n", k, 20*k+20, k)
		list += fmt.Sprintf("\n- button \"Buy %d\" [ref=e%d]", k, k+2)
	}
	change := `{"kind":"delta","changes":[{"op":"replace","ref":"@e1"}],"treeChange":{"deleteCount":2,"startLine":0,` +
		`"lines":["- heading \"Shop\" [level=1, ref=e1]","- button \"Buy 0\" [ref=e2]"]}}`
	r := examined(t, New(Options{}), pagetest.Parse(t, page), 1, []any{said("user", list), said("assistant", "Go on."), said("user", change)}, nil)
	require.Empty(t, rulesOf(r))
	require.Len(t, r.Texts, 2)
}

// A call of a tool that acts at a place is about the element there, though no picture is beside it.
func TestPlacesOfCalls(t *testing.T) {
	c := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Pay %ref=1 @10,40,80,20 \"Pay\"\n")
	c.Viewport = snapshot.Viewport{Width: 400, Height: 400, Scale: 2}
	for at, want := range map[[2]int]string{{20, 50}: "the topmost element at this place, by CSS px of the view", {300, 300}: "",
		{500, 50}: "it lies outside of the view of 400 x 400 CSS px"} {
		body := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Clicked."}]}}`
		exchange, err := json.Marshal(map[string]any{"status": 200, "answer": map[string]any{"dialect": "mcp", "calls": []any{
			map[string]any{"name": "browser_mouse_click_xy", "arguments": map[string]any{"x": at[0], "y": at[1]}}}}})
		require.NoError(t, err)
		r, err := New(Options{}).Examine(&turn.Record{N: 1, Capture: c, Exchange: exchange,
			Payloads: []turn.Payload{{Dialect: "mcp", Way: turn.Request, Bytes: []byte(body)}}})
		require.NoError(t, err)
		require.Len(t, r.Targets, 1)
		require.Equal(t, at == [2]int{20, 50}, r.Targets[0].ElementRef == 1)
		require.Contains(t, r.Targets[0].Why, want)
	}
}

// A tool that is given a selector of several elements and works has acted on the first of them, where that is drawn.
func TestSelectorsOfCallsThatWorked(t *testing.T) {
	c := pagetest.Parse(t, "body @0,0,400,400\n  a %name=Skip @0,0,0,0 \"Skip\"\n  button %name=Pay @10,40,80,20 \"Pay\"\n  button %name=Stop @10,70,80,20 \"Stop\"\n")
	for _, of := range []struct {
		tool, arguments, result string
		want                    string
	}{
		{"browser_click", `{"selector":"button"}`, `"content":[{"type":"text","text":"Clicked on element: button"}]`, "the first of 2 elements"},
		{"browser_click", `{"selector":"button"}`, `"isError":true,"content":[{"type":"text","text":"Two match"}]`, "2 elements of the page match the selector"},
		{"browser_click", `{"selector":"button"}`, `"content":[{"type":"text","text":"Error: strict mode violation"}]`, "2 elements of the page match the selector"},
		{"browser_click", `{"selector":"button"}`, `"content":[{"type":"text","text":"The click has failed"}]`, "2 elements of the page match the selector"},
		{"browser_click", `{"selector":"body > *"}`, `"content":[{"type":"text","text":"Clicked"}]`, "3 elements of the page match the selector"},
		{"run_code", `{"code":"await page.locator('button').click()"}`, `"content":[{"type":"text","text":"ok"}]`, "2 elements of the page match the selector"},
	} {
		exchange, err := json.Marshal(map[string]any{"status": 200, "answer": map[string]any{"dialect": "mcp", "calls": []any{
			map[string]any{"name": of.tool, "arguments": json.RawMessage(of.arguments)}}}})
		require.NoError(t, err)
		r, err := New(Options{}).Examine(&turn.Record{N: 1, Capture: c, Exchange: exchange,
			Payloads: []turn.Payload{{Dialect: "mcp", Way: turn.Request, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"result":{` + of.result + `}}`)}}})
		require.NoError(t, err)
		require.Len(t, r.Targets, 1, of.result)
		require.Contains(t, r.Targets[0].Why, of.want, of.result)
		require.Equal(t, of.want == "the first of 2 elements", r.Targets[0].Node >= 0, of.result)
	}
}

// TestGoneByItsWords: of what is known by its words alone, these are gone; the element may have others now.
func TestGoneByItsWords(t *testing.T) {
	page := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Save %ref=1 @10,40,80,20 \"Save\"\n  button %name=Wait %ref=2 @10,80,80,20 \"Wait\"\n"+
		"  button %name=Close %ref=3 @10,120,80,20 \"Close\"\n")
	for i := range page.Nodes {
		if n := &page.Nodes[i]; n.Tag == "button" {
			n.AX = &snapshot.AXFact{AXNode: snapshot.AXNode{Role: n.Role, Name: n.Name}}
		}
	}
	messages := []any{said("user", "Go on."), said("user", "uid=1_0 RootWebArea \"Shop\"\n  uid=1_1 button \"Save\"\n  uid=1_2 button \"Pay\"\n  uid=1_3 button \"Close\"\n")}
	click := map[string]any{"status": 200, "answer": map[string]any{"dialect": "openai-chat", "calls": []any{
		map[string]any{"name": "browser_click", "arguments": map[string]any{"uid": "1_2"}}}}}
	r := examined(t, New(Options{}), page, 1, messages, click)
	require.Equal(t, []string{RefGone}, rulesOf(r))
	require.Equal(t, "browser_click: no element of the page has the words of the ref 1_2 any more.", r.Findings[0].Sentence)
}

// What a call of a tool names is not there: the server says so, and so does the doctor. A call that succeeds says nothing.
func TestCallsThatFail(t *testing.T) {
	page := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Pay %ref=1 @10,40,80,20 \"Pay\"\n")
	list := func(snapshot, rest string) string {
		return fmt.Sprintf("## Latest page snapshot\nuid=%[1]s_0 RootWebArea \"Shop\"\n  uid=%[1]s_1 button \"Pay\"\n%[2]s", snapshot, rest)
	}
	for uid, want := range map[string]string{"2_9": RefUnknown, "1_1": RefGone, "2_2": RefGone, "2_1": ""} {
		for _, failed := range []bool{true, false} {
			d := New(Options{})
			for n, call := range []struct{ text, uid string }{{list("1", ""), ""}, {list("2", "  uid=2_2 link \"Terms\"\n"), ""}, {"No.", uid}} {
				body, err := json.Marshal(map[string]any{"id": n, "result": map[string]any{"isError": failed && call.uid != "",
					"content": []any{map[string]any{"type": "text", "text": call.text}}}})
				require.NoError(t, err)
				asked := fmt.Sprintf(`{"id":%d,"method":"tools/call","params":{"name":"click","arguments":{"uid":%q}}}`, n, call.uid)
				r, err := d.Examine(&turn.Record{N: n + 1, Capture: page, Payloads: []turn.Payload{
					{Dialect: "mcp", Way: turn.Request, Bytes: body}, {Dialect: "mcp", Way: turn.Answer, Bytes: []byte(asked)}}})
				require.NoError(t, err)
				switch {
				case call.uid == "" || !failed || want == "":
					require.Empty(t, r.Findings, uid)
				default:
					require.Equal(t, []string{want}, rulesOf(r), uid)
					require.Equal(t, -1, r.Targets[0].Node)
				}
			}
		}
	}
}

// What a server listed is the same element by its number where the newer page's tree has it no more, as behind a menu.
func TestCallsOfWhatTheTreeLeavesOut(t *testing.T) {
	page := func(menu string, buttons bool) *snapshot.Capture {
		c := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Menu %ref=1 @10,40,80,20 \"Menu\"\n"+
			"  button %name=Edit %ref=2 @10,60,80,20 \"Edit\"\n  button %name=Edit %ref=3 @10,80,80,20 \"Edit\"\n"+menu)
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Tag == "li" || n.Tag == "button" && buttons {
				n.AX = &snapshot.AXFact{AXNode: snapshot.AXNode{Role: n.Role, Name: n.Name}}
			}
		}
		return c
	}
	const list = "uid=1_0 RootWebArea \"Shop\"\n  uid=1_1 button \"Menu\"\n  uid=1_2 button \"Edit\"\n" +
		"  uid=1_3 button \"Edit\"\n"
	const settings = "  li %role=menuitem %name=Settings %ref=4 @90,40,80,20 \"Settings\"\n"
	for uid, want := range map[string]int{"1_1": 1, "1_2": 2, "1_3": 3} {
		d := New(Options{})
		for n, call := range []struct {
			text, uid string
			page      *snapshot.Capture
		}{{list, "", page("", true)}, {"Clicked.", uid, page(settings, false)}} {
			body, err := json.Marshal(map[string]any{"id": n, "result": map[string]any{
				"content": []any{map[string]any{"type": "text", "text": call.text}}}})
			require.NoError(t, err)
			asked := fmt.Sprintf(`{"id":%d,"method":"tools/call","params":{"name":"click","arguments":{"uid":%q}}}`, n, call.uid)
			r, err := d.Examine(&turn.Record{N: n + 1, Capture: call.page, Payloads: []turn.Payload{
				{Dialect: "mcp", Way: turn.Request, Bytes: body}, {Dialect: "mcp", Way: turn.Answer, Bytes: []byte(asked)}}})
			require.NoError(t, err)
			if call.uid != "" {
				require.Len(t, r.Targets, 1)
				require.Equal(t, want, r.Targets[0].ElementRef, "%+v", r.Targets[0])
			}
		}
	}
}

// An element whose role says that it has none is called by its tag: nothing was said to be covered “by none”.
func TestNamesOfWhatHasNoRole(t *testing.T) {
	for role, want := range map[string]string{"none": "<div>", "presentation": "<div>", "": "<div>", "row": "row"} {
		require.Equal(t, want, name(&snapshot.Node{Tag: "div", Role: role}))
	}
}

// A call of our own server's tool is kept as it came and as its result went; the model was given the result.
func TestCallsOfOurOwnServer(t *testing.T) {
	page := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Pay %ref=1 @10,40,80,20 \"Pay\"\n")
	kept := []turn.Payload{{Dialect: "mcp", Way: turn.Request, Bytes: []byte(`{"name":"browse_click","arguments":{"ref":1}}`)},
		{Dialect: "mcp", Way: turn.Answer, Bytes: []byte(`{"content":[{"type":"text","text":"Page: \"Shop\" (http://x/)\n@e1    [button]     \"Pay\"\n@e2    [link]       \"Terms\""}]}`)}}
	d := New(Options{})
	require.NoError(t, d.Pass(&turn.Record{N: 1, Capture: page, Payloads: kept}))
	r, err := d.Examine(&turn.Record{N: 2, Capture: page, Payloads: kept})
	require.NoError(t, err)
	require.Len(t, r.Texts, 1)
	require.Equal(t, 1, r.Texts[0].Matched)
	require.Equal(t, "result.content[0]", r.Sections[0].Name)
	require.Len(t, r.Targets, 1)
	require.Equal(t, 1, r.Targets[0].ElementRef)
	require.Empty(t, r.Findings)
	r, err = New(Options{}).Examine(&turn.Record{N: 1, Capture: page, Payloads: kept[:1]})
	require.NoError(t, err)
	require.Nil(t, r, "nothing was given to the model")
	parts := []turn.Part{{Dialect: "mcp", Way: turn.Request}, {Dialect: "mcp", Way: turn.Answer}}
	require.True(t, Asks(parts))
	require.False(t, Asks(parts[:1]))
}

// Of several elements that a selector matches Puppeteer's and Playwright's servers of tools take the first, and others none.
func TestActionsThatTakeTheFirst(t *testing.T) {
	c := pagetest.Parse(t, "body @0,0,400,400\n  button %name=Pay @10,40,80,20 \"Pay\"\n  button %name=Pay @10,70,80,20 \"Pay\"\n")
	for tool, want := range map[string]int{"puppeteer_click": 1, "mcp__executeautomation__playwright_click": 1, "browser_click": -1} {
		r := examined(t, New(Options{}), c, 1, []any{said("user", "go on")}, map[string]any{"status": 200, "answer": map[string]any{
			"dialect": "openai-chat", "calls": []any{map[string]any{"name": tool, "arguments": map[string]any{"selector": "body > button"}}}}})
		require.Equal(t, want, r.Targets[0].Node, tool)
		require.Contains(t, r.Targets[0].Why, "2 elements", tool)
	}
}

// What a program does by Playwright's locators is told by the element.
func TestActionsByLocators(t *testing.T) {
	c := pagetest.Parse(t, `
body @0,0,400,400
  button %name=Buy @10,10,80,20 "Buy"
  button %name=Pay @10,40,80,20 "Pay"
  button %name=Pay @10,70,80,20 "Pay"
`)
	for code, want := range map[string]string{
		"await page.getByRole('button', { name: 'buy' }).click()":          "the only element that matches the selector",
		"await page.getByRole('button', { name: 'pay' }).click()":          "2 elements of the page match the selector",
		"await page.getByRole('button', { name: 'pay' }).last().click()":   "the only element that matches the selector",
		"await page.getByRole('button', { name: 'sell' }).click()":         "no element of the page matches the selector",
		"await page.locator('xpath=//button').first().click()":             "the only element that matches the selector",
		"await page.locator('xpath=//button[text()=1]').first().click()":   "only CSS selectors, XPaths and the locators of Playwright and Puppeteer are looked up on the page",
		"await page.frameLocator('button >> nth=0').locator('a').click()":  "the frame that the selector enters is none that was captured",
		"document.querySelectorAll('button')[2].click()":                   "the only element that matches the selector",
		"await page.locator('body > button:nth-child(1)').hover()":         "the only element that matches the selector",
		"await page.getByText(/^B[uv]y$/).click(); await page.goto('/a')":  "the only element that matches the selector",
		"page.get_by_role('button', name='Buy', exact=True).first.click()": "the only element that matches the selector",
	} {
		r := examined(t, New(Options{}), c, 1, []any{said("user", "go on")}, map[string]any{"status": 200, "answer": map[string]any{
			"dialect": "openai-chat", "calls": []any{map[string]any{"name": "browser_run_code_unsafe", "arguments": map[string]any{"code": code}}}}})
		require.Len(t, r.Targets, 1, code)
		require.Equal(t, want, r.Targets[0].Why, code)
		require.Equal(t, want == "the only element that matches the selector", r.Targets[0].Node >= 0, code)
		if outcome := GradeOf(r, c, r.Targets[0].ElementRef).Outcome; r.Targets[0].Node >= 0 {
			require.Equal(t, Hits, outcome, code)
		} else {
			require.Equal(t, HitsNothing, outcome, code)
		}
	}
}

// TestScreenshotThatFailed: the model is told of a screenshot that failed, so no picture is missing.
func TestScreenshotThatFailed(t *testing.T) {
	for failed, want := range map[bool][]string{true: nil, false: {PictureMissing}} {
		body, err := json.Marshal(map[string]any{"model": "claude", "messages": []any{
			said("user", "Go on."),
			map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": "a",
				"name": "take_screenshot", "input": map[string]any{}}}},
			map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "a",
				"is_error": failed, "content": "Timeout of 5 s"}}},
		}})
		require.NoError(t, err)
		r, err := New(Options{}).Examine(&turn.Record{N: 1, Capture: &snapshot.Capture{Schema: snapshot.Schema},
			Payloads: []turn.Payload{{Dialect: wire.Anthropic, Way: turn.Request, Bytes: body, Wire: true}}})
		require.NoError(t, err)
		require.Equal(t, want, rulesOf(r))
	}
}

// The HTML of a document ends before the elements of its frames, and is not cut.
func TestHTMLHasNoFrames(t *testing.T) {
	c := pagetest.Parse(t, `
body @0,0,400,400
  button %name=Pay %ref=1 @10,10,80,20 "Pay"
  button %name=Cancel %ref=2 @10,40,80,20 "Cancel"
  iframe %frame @0,100,400,300
    body @0,100,400,300
      button %name=Alpha %ref=3 @10,110,80,20 "Alpha"
      button %name=Bravo %ref=4 @10,140,80,20 "Bravo"
      button %name=Charlie %ref=5 @10,170,80,20 "Charlie"
      button %name=Delta %ref=6 @10,200,80,20 "Delta"
      button %name=Echo %ref=7 @10,230,80,20 "Echo"
`)
	r := examined(t, New(Options{}), c, 1, []any{said("user",
		"<body><button>Pay</button><button>Cancel</button><iframe></iframe></body>")}, nil)
	require.Len(t, r.Texts, 1)
	require.Equal(t, 2, r.Texts[0].Matched)
	require.NotContains(t, rulesOf(r), TextCut)
}

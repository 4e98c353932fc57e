package inspect_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/refscope/refscope/snapshot/wire"
)

// shop is a page of four links, ours 1 to 4, two of which have Playwright's own refs: e2 is our 1, and e4 our 3.
func shop(t *testing.T) *snapshot.Capture {
	c := pagetest.Parse(t, `body @0,0,1280,720
  a %role=link %name="Home" %by=native @10,10,80,20 "Home"
  a %role=link %name="Basket" %by=native @10,40,80,20 "Basket"
  a %role=link %name="Sign in" %by=native @10,70,80,20 "Sign in"
  a %role=link %name="Imprint" %by=native @10,100,80,20 "Imprint"`)
	for i := range c.Nodes {
		if ref, ok := map[string]string{"Home": "e2", "Sign in": "e4"}[c.Nodes[i].Name]; ok {
			c.Nodes[i].NoteAgentRef(snapshot.Playwright, ref)
		}
		if n := &c.Nodes[i]; n.Text != "" {
			n.TextRects = []snapshot.Box{n.Box}
		}
	}
	return c
}

const sentText = "### Page\n```yaml\n- link \"Home\" [ref=e2]\n- link \"Sign in\" [ref=e4]\n```"

// session writes a session of turns, each with a page, a request with that text and an answer that clicks e4; "" is a
// turn without a request.
func session(t *testing.T, texts ...string) string {
	dir := filepath.Join(t.TempDir(), "agent")
	s, err := turn.OpenOrCreate(t.Context(), turn.Dir(dir), "test")
	require.NoError(t, err)
	defer s.Close()
	for _, words := range texts {
		_, err := s.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
			rec := &turn.Record{Capture: shop(t), Action: "look"}
			l.Assign("tab", l.NextTurn(), rec.Capture)
			if words == "" {
				return rec, nil
			}
			body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
				map[string]any{"role": "user", "content": words}}})
			rec.Action, rec.Payloads = `ask openai m: browser_click {"target":"e4"}`, []turn.Payload{
				{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: body},
				{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: []byte(`{"model":"m","choices":[{"index":0,` +
					`"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"browser_click",` +
					`"arguments":"{\"target\":\"e4\"}"}}]}}]}`)}}
			return rec, err
		})
		require.NoError(t, err)
	}
	return dir
}

func opened(t *testing.T, dir string, n int) *target.Opened {
	r, err := target.ReadTurn(t.Context(), turn.Address{Dir: dir, N: n})
	require.NoError(t, err)
	r.Name = fmt.Sprintf("agent#%d", n)
	return r
}

func TestSentOf(t *testing.T) {
	dir := session(t, sentText, "", "Do something.")
	s, err := inspect.SentOf(t.Context(), opened(t, dir, 1))
	require.NoError(t, err)
	require.Equal(t, sentText, s.Text.Body(), "the text is as it was, byte for byte")
	for _, spelled := range []string{"e2", "2", "[e2]", "@e2", "ref=e2", "[ref=e2]", " e2 "} {
		lines := s.Lines(spelled)
		require.Len(t, lines, 1, spelled)
		require.Equal(t, "Home", lines[0].Name, spelled)
	}
	require.Empty(t, s.Lines("e18"))
	require.Empty(t, s.Lines("Home"))
	var none *inspect.NoTextError
	_, err = inspect.SentOf(t.Context(), opened(t, dir, 2))
	require.ErrorAs(t, err, &none)
	require.ErrorContains(t, err, "holds no request")
	_, err = inspect.SentOf(t.Context(), opened(t, dir, 3))
	require.ErrorAs(t, err, &none)
	require.ErrorContains(t, err, "lists no elements")
}

// TestWhyByTheAgentsNumber: a number is the agent's where its text has it, and that ours is another element is told.
func TestWhyByTheAgentsNumber(t *testing.T) {
	r := opened(t, session(t, sentText), 1)
	ask := func(question string) *inspect.WhyAnswer {
		w, err := inspect.Why(t.Context(), r, inspect.WhyOptions{Question: question})
		require.NoError(t, err, question)
		require.Len(t, w.Explanations, 1, question)
		return w
	}
	w := ask("e2")
	require.Equal(t, "Home", w.Explanations[0].Element.Name)
	require.Equal(t, "e2", w.Explanations[0].AsSent.Ref)
	require.Equal(t, 2, w.AsSent.Own)
	require.Contains(t, w.Text(), `Refscope's own number 2 is another element, link “Basket”: ask for own:2`)
	require.Regexp(t, `(?m)^e2  \[1\]`, w.Text(), "the agent's number goes first")
	w = ask(why.OwnPrefix + "2")
	require.Nil(t, w.AsSent)
	require.Equal(t, "Basket", w.Explanations[0].Element.Name)
	require.Zero(t, w.Explanations[0].AsSent.Line)
	require.Contains(t, w.Text(), "no line of the agent's text")
	w = ask("e3")
	require.Equal(t, "Sign in", w.Explanations[0].Element.Name)
	require.Contains(t, w.Text(), "the agent's text has no e3: 3 is Refscope's own number")
	_, err := inspect.Why(t.Context(), r, inspect.WhyOptions{Question: "e99"})
	require.ErrorContains(t, err, "e2 to e4")
	_, err = inspect.Why(t.Context(), r, inspect.WhyOptions{Question: why.OwnPrefix + "x"})
	require.Error(t, err)
}

// TestWhyOfOneNumberTwice: where the text gives a number to two elements, both are explained.
func TestWhyOfOneNumberTwice(t *testing.T) {
	r := opened(t, session(t, "[4]<a >Home />\n[4]<a >Basket />\n[5]<a >Sign in />"), 1)
	w, err := inspect.Why(t.Context(), r, inspect.WhyOptions{Question: "4"})
	require.NoError(t, err)
	require.Len(t, w.AsSent.Lines, 2)
	require.Len(t, w.Explanations, 2)
	require.Contains(t, w.Text(), "2 lines have this number")
}

func TestFindByTheAgentsNumber(t *testing.T) {
	r := opened(t, session(t, sentText), 1)
	f, err := inspect.Find(t.Context(), r, inspect.FindOptions{Number: "e4"})
	require.NoError(t, err)
	require.Len(t, f.Matches, 1)
	require.Equal(t, "Sign in", f.Matches[0].Name)
	require.Equal(t, []string{"e4"}, f.Numbers)
	f, err = inspect.Find(t.Context(), r, inspect.FindOptions{Query: find.Query{Role: "link"}})
	require.NoError(t, err)
	require.Equal(t, []string{"e2", "", "e4", ""}, f.Numbers)
	_, err = inspect.Find(t.Context(), r, inspect.FindOptions{Number: "a.link"})
	require.Error(t, err)
}

// TestDiffSent: new numbers alone are no difference.
func TestDiffSent(t *testing.T) {
	dir := session(t, "uid=1_1 link \"Home\"\nuid=1_2 link \"Basket\"", "uid=2_7 link \"Home\"\nuid=2_9 link \"Imprint\"")
	var both [2]*inspect.Sent
	for i := range both {
		var err error
		both[i], err = inspect.SentOf(t.Context(), opened(t, dir, i+1))
		require.NoError(t, err)
	}
	d := inspect.DiffSent(both[0], both[1])
	require.Equal(t, 1, d.Same)
	require.Equal(t, 1, d.Renumbered)
	require.Len(t, d.Lines, 2)
	require.Equal(t, "1_2", d.Lines[0].Ref)
	require.Equal(t, "2_9", d.Lines[1].Ref)
	require.Contains(t, d.Text(), "-uid=1_2 link \"Basket\"\n+uid=2_9 link \"Imprint\"")
	require.False(t, inspect.DiffSent(both[0], both[0]).Differs())
}

func TestMarkOfTheAgent(t *testing.T) {
	s, err := inspect.SentOf(t.Context(), opened(t, session(t, sentText), 1))
	require.NoError(t, err)
	var o overlay.Options
	s.Mark(&o, false)
	require.Equal(t, "e4", o.Label(3))
	require.False(t, o.Untold(3))
	require.True(t, o.Untold(2))
	o = overlay.Options{}
	s.Mark(&o, true)
	require.Equal(t, "e4·3", o.Label(3))
	require.Nil(t, o.Untold)
}

// TestMarkOfLocators: a text of locators, which fit no label, marks what the agent was told of with our numbers.
func TestMarkOfLocators(t *testing.T) {
	located := "- navigation:\n    - role=link[name=\"Home\"i]\n    - role=link[name=\"Sign in\"i]\n" +
		"- role=link[name=\"Imprint\"i]"
	s, err := inspect.SentOf(t.Context(), opened(t, session(t, located), 1))
	require.NoError(t, err)
	require.Equal(t, `role=link[name="Sign in…`, s.Number(s.Capture.ByRef(3).I))
	for _, both := range []bool{false, true} {
		var o overlay.Options
		s.Mark(&o, both)
		require.Equal(t, "3", o.Label(3))
		require.Equal(t, "", o.Label(2))
	}
}

func TestTitles(t *testing.T) {
	s, err := turn.Open(turn.Dir(session(t, sentText, "")))
	require.NoError(t, err)
	defer s.Close()
	titles, err := inspect.Titles(t.Context(), s, nil)
	require.NoError(t, err)
	require.Equal(t, map[int]string{1: "Playwright MCP · click “Sign in”"}, titles)
}

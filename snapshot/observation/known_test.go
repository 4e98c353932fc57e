package observation_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/wire"
)

// changes are the texts of a real session of Playwright MCP 0.0.56, each first sent in a turn of its own, from 2: one
// whole text, four of changes, and the whole text of the same page, which the model asked for.
func changes(t *testing.T) []*observation.Text {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "playwright-changes.json"))
	require.NoError(t, err)
	sections, err := wire.Sections(wire.OpenAIChat, body)
	require.NoError(t, err)
	texts := observation.Find(sections)
	require.Len(t, texts, 6)
	for i, text := range texts {
		text.Turn = i + 2
	}
	return texts
}

func wordsOf(l *observation.Line) string {
	return strings.Join(append([]string{l.Ref, l.Role, l.Name, l.Value}, l.States...), " ")
}

// The first text with all changes merged into it says what the whole text does that was made after them, line by line.
func TestChangesAreMerged(t *testing.T) {
	texts := changes(t)
	whole := texts[5]
	known := observation.Known(texts[:5])
	require.Equal(t, observation.Merged, texts[4].Standing)
	require.Len(t, known.Lines, len(whole.Lines))
	for i := range known.Lines {
		l, want := &known.Lines[i], &whole.Lines[i]
		require.Equal(t, strings.TrimSuffix(wordsOf(l), " changed"), wordsOf(want))
		require.Equal(t, want.Depth, l.Depth, want.Ref)
	}
}

// The deltas of agent-browser, put into its list line by line, are the list that it prints after them. What they do not
// mention stands since the list; one whose list is another one is merged by refs.
func TestDeltasAreSplicedIn(t *testing.T) {
	read := func() []*observation.Text {
		body, err := os.ReadFile(filepath.Join("testdata", "agent-browser-delta.json"))
		require.NoError(t, err)
		sections, err := wire.Sections(wire.OpenAIChat, body)
		require.NoError(t, err)
		texts := observation.Find(sections)
		require.Len(t, texts, 5)
		for i, text := range texts {
			require.Equal(t, observation.AgentBrowser, text.Format)
			require.Equal(t, i > 0 && i < 4, text.Changes())
			for k := range text.Lines {
				require.Contains(t, text.Words(text.Lines[k]), "ref="+text.Lines[k].Ref)
			}
			text.Turn = i + 1
		}
		require.Empty(t, texts[3].Lines, "it only takes out")
		return texts
	}
	texts := read()
	whole, known := texts[4], observation.Known(texts[:4])
	require.Equal(t, []observation.Standing{observation.Stands, observation.Merged, observation.Merged, observation.Merged},
		[]observation.Standing{texts[0].Standing, texts[1].Standing, texts[2].Standing, texts[3].Standing})
	require.Len(t, known.Lines, len(whole.Lines))
	since := map[string]int{}
	for i := range known.Lines {
		l, want := &known.Lines[i], &whole.Lines[i]
		require.Equal(t, wordsOf(want), strings.TrimSuffix(wordsOf(l), " changed"))
		require.Equal(t, want.Depth, l.Depth, want.Ref)
		since[l.Name] = l.Since
	}
	require.Equal(t, []int{1, 2, 3, 1}, []int{since["Home"], since["Remove"], since["New"], since["Options"]})

	texts = read()
	other := observation.Known([]*observation.Text{observation.Read("- heading \"Else\" [level=1, ref=e1]\n- button \"Go\" [ref=e99]"), texts[2]})
	require.Len(t, other.ByRef("e1"), 1)
	require.Equal(t, "New", other.ByRef("e1")[0].Name)
	require.Len(t, other.ByRef("e99"), 1)
	require.Empty(t, observation.Known(texts[3:4]).Lines)
}

// The diffs of Playwriter, put into its list, are the list that it prints after them. One of a list that is not in the
// request leaves what it does not mention as it was.
func TestDiffsAreSplicedIn(t *testing.T) {
	read := func() []*observation.Text {
		body, err := os.ReadFile(filepath.Join("testdata", "playwriter-diff.json"))
		require.NoError(t, err)
		sections, err := wire.Sections(wire.OpenAIChat, body)
		require.NoError(t, err)
		texts := observation.Find(sections)
		require.Len(t, texts, 4, "the third answer is that nothing has changed")
		for i, text := range texts {
			require.Equal(t, observation.Playwriter, text.Format)
			require.Equal(t, i == 1 || i == 2, text.Changes())
			text.Turn = i + 1
		}
		return texts
	}
	texts := read()
	known, whole := observation.Known(texts[:3]), texts[3]
	require.Len(t, known.Lines, len(whole.Lines))
	for i := range known.Lines {
		require.Equal(t, wordsOf(&whole.Lines[i]), strings.TrimSuffix(wordsOf(&known.Lines[i]), " changed"))
		require.Equal(t, whole.Lines[i].Depth, known.Lines[i].Depth)
	}
	removed := known.ByRef(`role=button[name="Remove"i]`)
	require.Len(t, removed, 1)
	require.Equal(t, 2, removed[0].Since)
	require.Empty(t, known.ByRef(`role=link[name="More 3"i]`))

	texts = read()
	other := observation.Read("- heading \"Else\"\n- role=link[name=\"Home\"i]\n- role=link[name=\"More 3\"i]")
	known = observation.Known([]*observation.Text{other, texts[2]})
	require.Equal(t, observation.Merged, texts[2].Standing)
	require.Len(t, known.Lines, len(texts[2].Lines)+1)
	require.Len(t, known.ByRef(`role=link[name="More 3"i]`), 1)
}

// Changes of Playwright MCP 0.0.56 in a page and in a frame of it, which it tells side by side, are merged to what its next
// whole text says; a line that only says that nothing has changed has the element of the line that it stands for.
func TestChangesInsideFramesAreMerged(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("testdata", "playwright-frames.json"))
	require.NoError(t, err)
	sections, err := wire.Sections(wire.OpenAIChat, body)
	require.NoError(t, err)
	texts := observation.Find(sections)
	require.Len(t, texts, 4)
	known, whole := observation.Known(texts[:3]), texts[3]
	require.Len(t, known.Lines, len(whole.Lines))
	for i := range known.Lines {
		require.Equal(t, wordsOf(&whole.Lines[i]), strings.TrimSuffix(wordsOf(&known.Lines[i]), " changed"))
		require.Equal(t, whole.Lines[i].Depth, known.Lines[i].Depth, whole.Lines[i].Ref)
		known.Lines[i].Node = i
	}
	known.Share()
	for _, l := range texts[2].Lines {
		require.Equal(t, known.ByRef(l.Ref)[0].Node, l.Node, l.Ref)
	}
	require.Equal(t, len(texts[2].Lines), texts[2].Matched)
}

// However many changes come after a whole text, it is remembered, until a newer whole one takes its place.
func TestTheWholeTextIsRemembered(t *testing.T) {
	whole := func() *observation.Text { return observation.Read("- main [ref=e1]:\n  - link \"A\" [ref=e2]") }
	first := whole()
	given := observation.Remember(nil, first)
	for i := range 100 {
		given = observation.Remember(given, observation.Read(fmt.Sprintf("- <changed> main [ref=e1]:\n  - ref=e2 [unchanged]\n  - link \"%d\" [ref=e3]", i)))
	}
	require.Less(t, len(given), 100)
	require.Same(t, first, given[0])
	known := observation.Known(given)
	require.Equal(t, "A", known.ByRef("e2")[0].Name)
	require.Equal(t, "99", known.ByRef("e3")[0].Name)
	for range 100 {
		given = observation.Remember(given, whole())
	}
	require.NotSame(t, first, given[0])
}

// A line stands since the turn that first said of its element what the newest text says of it.
func TestSinceWhichTurn(t *testing.T) {
	since := func(texts []*observation.Text) map[string]int {
		out := map[string]int{}
		for _, l := range observation.Known(texts).Lines {
			out[l.Ref] = l.Since
		}
		return out
	}
	got := since(changes(t)[:3])
	require.Equal(t, 2, got["e4"], "the link Home was never mentioned again")
	require.Equal(t, 4, got["e12"], "the button lost the focus in the third text")
	require.Equal(t, 3, got["e29"], "the button came with the second")
	require.Equal(t, 4, got["e31"])
	require.NotContains(t, since(changes(t)[:5]), "e29", "it is gone with its list")
	require.Equal(t, 2, since(changes(t))["e4"], "a whole text that says the same does not make it new")
}

// A whole text takes the place of all before it.
func TestSuperseded(t *testing.T) {
	texts := changes(t)
	require.Same(t, texts[5], observation.Known(texts))
	for _, old := range texts[:5] {
		require.Equal(t, observation.Superseded, old.Standing)
	}
	require.Equal(t, observation.Stands, texts[5].Standing)
}

// Where the agent has dropped the whole text, elements that have not changed are known by their refs only.
func TestTheWholeTextIsDropped(t *testing.T) {
	n := 0
	for _, l := range observation.Known(changes(t)[1:4]).Lines {
		if l.Unexplained() {
			n++
			require.Empty(t, l.Name)
		}
	}
	require.Positive(t, n)
}

// Texts of one message that have no ref in common are one text in parts; a second of chrome-devtools-mcp's is a newer
// one.
func TestParts(t *testing.T) {
	read := func(bodies ...string) (out []*observation.Text) {
		for _, b := range bodies {
			text := observation.Read(b)
			require.NotNil(t, text, b)
			out = append(out, text)
		}
		return out
	}
	require.Len(t, observation.Known(read("[1]<a >Home />\n[2]<a >Help />", "[3]<button >Buy />\n[4]<a >Terms />")).Lines, 4)
	newer := read("uid=1_1 RootWebArea \"A\"\nuid=1_2 button \"B\"", "uid=2_1 RootWebArea \"A\"\nuid=2_2 button \"B\"")
	require.Same(t, newer[1], observation.Known(newer))
	require.Nil(t, observation.Known(nil))
}

// The text of one element, for which a tool was asked, takes the place of that element only.
func TestTheTextOfOneElement(t *testing.T) {
	message := func(role, content, call, args string) map[string]any {
		m := map[string]any{"role": role, "content": content}
		switch {
		case role == "assistant":
			m["tool_calls"] = []any{map[string]any{"id": call, "type": "function",
				"function": map[string]any{"name": "browser_snapshot", "arguments": args}}}
		case role == "tool":
			m["tool_call_id"] = call
		}
		return m
	}
	body, err := json.Marshal(map[string]any{"messages": []any{
		message("assistant", "", "c1", "{}"),
		message("tool", "- main [ref=e1]:\n  - list [ref=e2]:\n    - link \"A\" [ref=e3]\n  - button \"B\" [ref=e4]", "c1", ""),
		message("assistant", "", "c2", `{"target":"e2"}`),
		message("tool", "- list [ref=e2]:\n  - link \"C\" [ref=e5]", "c2", "")}})
	require.NoError(t, err)
	sections, err := wire.Sections(wire.OpenAIChat, body)
	require.NoError(t, err)
	var refs []string
	known := observation.Known(observation.Find(sections))
	for _, l := range known.Lines {
		refs = append(refs, l.Ref)
	}
	require.Equal(t, []string{"e1", "e2", "e5", "e4"}, refs)
	require.Equal(t, "messages[3]", known.Section)
	require.Equal(t, "messages[1]", known.Lines[0].Section)
}

// What a tool gives of the elements of a selector is a part too, and no other tool's text is that has a target.
func TestTheTextOfASelector(t *testing.T) {
	for tool, part := range map[string]bool{"browser_snapshot": true, "browser_click": false} {
		for target, part := range map[string]bool{"main": part, "e2": true, "": false} {
			text := observation.Read("- list [ref=e2]:\n  - link \"C\" [ref=e5]")
			text.AskedFor(tool, fmt.Appendf(nil, `{"target":%q}`, target))
			require.Equal(t, part, text.Part, "%s %s", tool, target)
		}
	}
}

// What was found of a page by words takes the place of nothing: its lines say again what they say.
func TestTheTextOfWhatWasFound(t *testing.T) {
	whole := observation.Read("- main [ref=e1]:\n  - list [ref=e2]:\n    - link \"A\" [ref=e3]\n    - link \"B\" [ref=e4]\n  - button \"C\" [ref=e5]")
	found := observation.Read("### Result\nFound 1 match for \"C\":\n\n- main [ref=e1]:\n  ...\n  - button \"C\" [disabled] [ref=e5]\n  - link \"D\" [ref=e6]\n")
	require.True(t, found.Part)
	require.False(t, whole.Part)
	near := observation.Read("### Result\nFound 2 matches for /a|B/ (showing first 1):\n\n- main [ref=e1]:\n  - list [ref=e2]:\n    - link \"A\" [ref=e3]\n")
	require.True(t, near.Part, "what was found at the beginning has no gap before it")
	require.Len(t, observation.Known([]*observation.Text{whole, near}).Lines, 5)
	var said []string
	for _, l := range observation.Known([]*observation.Text{whole, found}).Lines {
		said = append(said, fmt.Sprint(l.Ref, l.States, l.Depth))
	}
	require.Equal(t, []string{"e1[] 0", "e2[] 1", "e3[] 2", "e4[] 2", "e5[disabled] 1", "e6[] 1"}, said)
	require.Equal(t, observation.Merged, found.Standing)
	require.Same(t, whole, observation.Known([]*observation.Text{found, whole}))
	require.Equal(t, observation.Superseded, found.Standing)
}

package tie_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
)

// buttons is a page of buttons with these names, each with a backendNodeId, Playwright's ref and a fact of Chrome's tree.
func buttons(names ...string) *snapshot.Capture {
	c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{}},
		Nodes: []snapshot.Node{{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper}}}
	for i, name := range names {
		n := snapshot.Node{I: i + 1, Tag: "button", Role: "button", Name: name, Ref: 100 + i, BackendNodeID: int64(1000 + i),
			Verdict: snapshot.VerdictRef, InViewport: true, Interactive: []string{"native"},
			AX: &snapshot.AXFact{AXNode: snapshot.AXNode{Role: "button", Name: name}}}
		n.NoteAgentRef(snapshot.Playwright, fmt.Sprintf("e%d", 10+i))
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

// nodes are the elements of the lines, -1 for none.
func nodes(t *testing.T, c *snapshot.Capture, text string) []int {
	t.Helper()
	read := observation.Read(text)
	require.NotNil(t, read, text)
	tie.New(c).Tie(read)
	var out []int
	for _, l := range read.Lines {
		out = append(out, l.Node)
		require.Equal(t, l.Node >= 0 || l.Gone, l.Why != "", "a tie has its evidence: %+v", l)
		require.Equal(t, text[l.Bytes[0]:l.Bytes[1]], strings.TrimRight(text[l.Bytes[0]:l.Bytes[1]], "\n"))
	}
	return out
}

// TestOrderOfTheTree: a text of Chrome's accessibility tree has the order of that tree, in which what an element owns
// lies elsewhere than in the document.
func TestOrderOfTheTree(t *testing.T) {
	const text = `uid=1_1 button "A"` + "\n" + `uid=1_2 button "Reply"` + "\n" + `uid=1_3 button "B"` + "\n" +
		`uid=1_4 button "Reply"` + "\n" + `uid=1_5 button "C"`
	p := buttons("A", "B", "Reply", "C", "Reply") // the last is owned by the first
	for i, order := range []int{1, 3, 4, 5, 2} {
		p.Nodes[i+1].AX.Order = order
	}
	require.Equal(t, []int{1, 5, 2, 3, 4}, nodes(t, p, text))
}

func TestTies(t *testing.T) {
	same := []string{"Reply", "Reply", "Reply", "Reply"}
	for name, c := range map[string]struct {
		page []string
		text string
		want []int
	}{
		"Playwright's own refs, whatever the words": {same,
			"- button \"Reply\" [ref=e12]\n- button \"Other\" [ref=e10]\n- button \"Gone\" [ref=e99]", []int{3, 1, -1}},
		"Stagehand's ids":   {same, "[0-1003] button: Reply\n[0-1000] button: Reply\n[0-1] RootWebArea: Page", []int{4, 1, -1}},
		"browser-use's ids": {same, "[1002]<button />\n\tReply\n[1001]<button />\n\tReply", []int{3, 2}},
		"a running index is no id of the browser": {[]string{"Save", "Close"},
			"[0]<button >Save />\n[1]<button >Close />", []int{1, 2}},
		"DevTools, by anchors": {[]string{"A", "Reply", "B", "Reply", "C"},
			`uid=1_1 button "A"` + "\n" + `uid=1_2 button "Reply"` + "\n" + `uid=1_3 button "B"` + "\n" +
				`uid=1_4 button "Reply"` + "\n" + `uid=1_5 button "C"`, []int{1, 2, 3, 4, 5}},
		"DevTools, one of two left out: which is not known": {[]string{"A", "Reply", "Reply", "C"},
			`uid=1_1 button "A"` + "\n" + `uid=1_2 button "Reply"` + "\n" + `uid=1_3 button "C"`, []int{1, -1, 4}},
		"agent-browser, by anchors": {[]string{"A", "Reply", "B", "Reply", "C"},
			"- button \"A\" [expanded=false, ref=e1]\n- button \"Reply\" [ref=e2]\n- button \"B\" [ref=e3]\n" +
				"- button \"C\" [ref=e5]\n- generic \"D\" [ref=e6] clickable [onclick]", []int{1, 2, 3, 5, -1}},
		"agent-browser, one of two left out: which is not known": {[]string{"A", "Reply", "Reply", "C"},
			"- button \"A\" [disabled, ref=e1]\n- button \"Reply\" [ref=e2]\n- button \"C\" [ref=e3]", []int{1, -1, 4}},
		"by their places on the screen: which is not known": {[]string{"A", "Reply", "B", "Reply", "C", "Reply"},
			"[1] button \"C\"\n[2] button \"B\"\n[3] button \"A\"\n[4] button \"Reply\"\n[5] button \"Reply\"\n[6] button \"Reply\"",
			[]int{5, 3, 1, -1, -1, -1}},
		"agent-browser, in another order: which is not known": {[]string{"A", "Reply", "B", "Reply", "C", "Reply"},
			"- button \"C\" [disabled, ref=e1]\n- button \"B\" [ref=e2]\n- button \"A\" [ref=e3]\n- button \"Reply\" [ref=e4]\n" +
				"- button \"Reply\" [ref=e5]\n- button \"Reply\" [ref=e6]", []int{5, 3, 1, -1, -1, -1}},
		"one of many in another order": {[]string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "Reply", "Reply"},
			"[1] button \"B\"\n[2] button \"A\"\n[3] button \"C\"\n[4] button \"D\"\n[5] button \"E\"\n[6] button \"F\"\n[7] button \"G\"\n" +
				"[8] button \"H\"\n[9] button \"I\"\n[10] button \"J\"\n[11] button \"K\"\n[12] button \"Reply\"\n[13] button \"Reply\"",
			[]int{2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}},
		"without ids, by the order of as many": {same[:2], "@e7 [button] \"Reply\"\n@e8 [button] \"Reply\"", []int{1, 2}},
		"without ids, more than the page has":  {same[:1], "@e7 [button] \"Reply\"\n@e8 [button] \"Reply\"", []int{-1, -1}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, nodes(t, buttons(c.page...), c.text)) })
	}
}

// A name that an agent makes of several elements is one that the page has, with and without spaces between them.
func TestWordsOfSeveralElements(t *testing.T) {
	c := buttons("Shoes", "Hats", "Gloves")
	for i := range c.Nodes {
		c.Nodes[i].Text = c.Nodes[i].Name
	}
	p := tie.New(c)
	for name, has := range map[string]bool{"Shoes": true, "Shoes Hats": true, "ShoesHats Gloves": true, "": true,
		"Hats Shoes": false, "Coats": false} {
		require.Equal(t, has, p.Has(name), name)
	}
}

// TestPartsThatTheBrowserDraws: Chrome's tree has the fields and the button of a date, and the page the date alone.
func TestPartsThatTheBrowserDraws(t *testing.T) {
	c := buttons("Save", "When", "Film")
	c.Nodes[2].Tag, c.Nodes[2].Role, c.Nodes[2].AX = "input", "textbox", &snapshot.AXFact{AXNode: snapshot.AXNode{Role: "Date", Name: "When"}}
	c.Nodes[2].Attrs = map[string]string{"type": "date"}
	c.Nodes[3].Tag, c.Nodes[3].Role, c.Nodes[3].AX = "video", "", &snapshot.AXFact{AXNode: snapshot.AXNode{Role: "Video", Name: "Film"}}
	require.Equal(t, []int{1, 2, 2, 2, 2, 3, 3, 3, -1}, nodes(t, c, `uid=1_1 button "Save"
uid=1_2 Date "When"
  uid=1_3 spinbutton "Month" valuemax="12" valuemin="1" valuetext=""
  uid=1_4 "/"
  uid=1_5 button "Show date picker" haspopup="menu"
uid=1_6 Video "Film"
  uid=1_7 toolbar
    uid=1_8 button "play"
uid=1_9 button "of no control"
`))
	require.Equal(t, []int{1, 2, 2, 2}, nodes(t, c,
		"[0-1000] button: Save\n[0-1001] Date: When\n  [0-77] spinbutton: Month\n  [0-78] button: Show date picker"))
}

// What lies in a frame that was not read is not gone: nothing can be said of it.
func TestLinesOfAnUnreadFrame(t *testing.T) {
	c := buttons("Save", "Pay", "Close")
	c.Nodes[2].Tag, c.Nodes[2].Role = "iframe", "iframe"
	c.Frames = append(c.Frames, snapshot.Frame{Parent: 0, Owner: 2, Why: "the frame element is not rendered"})
	c.Frames[0].Readable = true
	read := observation.Read("- button \"Save\" [ref=e10]\n- iframe [ref=e11]:\n  - generic [ref=f1e1]:\n    " +
		"- button \"Hidden\" [ref=f1e2]\n- button \"Close\" [ref=e12]\n- button \"Left\" [ref=e13]")
	p := tie.New(c)
	p.Tie(read)
	var unread []string
	for i := range read.Lines {
		if p.Unread(read, &read.Lines[i]) {
			unread = append(unread, read.Lines[i].Ref)
		}
	}
	require.Equal(t, []string{"f1e1", "f1e2"}, unread)
}

// A tab and the panel that it names have the same words: the role decides, though the tab is a button.
func TestARoleOfNoKind(t *testing.T) {
	c := buttons("Today", "Today", "Other")
	c.Nodes[1].Role = "tab"
	c.Nodes[2].Tag, c.Nodes[2].Role = "div", "tabpanel"
	require.Equal(t, []int{1, 3}, nodes(t, c, "@e71 [tab] \"Today\"\n@e72 [button] \"Other\""))
}

// Ids of two processes may be the same number: then only what else tells them apart decides, and here nothing does.
func TestOneIdTwice(t *testing.T) {
	c := buttons("Save", "Save", "Close")
	c.Nodes[2].BackendNodeID = c.Nodes[1].BackendNodeID
	require.Equal(t, []int{-1, 3}, nodes(t, c, "[0-1000] button: Save\n[1-1002] button: Close"))
}

// Playwright counts its refs anew in each document: a text of another one, in the page or in a frame, has none of their
// elements, also where words are the same, and a line that says what its element never was has not that.
func TestRefsOfAnotherDocument(t *testing.T) {
	page := func(says ...string) *snapshot.Capture {
		c := buttons("Save", "Home", "Close", "More")
		for i, s := range says {
			c.Nodes[i+1].NoteAgentRef(snapshot.PlaywrightSays, s)
		}
		return c
	}
	says := []string{"button Save", "link Home", "button Close", "generic "}
	long := strings.Repeat("long name ", 30)
	for name, c := range map[string]struct {
		page *snapshot.Capture
		text string
		want []int
	}{
		"the same": {page(says...), "- button \"Save\" [ref=e10]\n- link \"Home\" [ref=e11]\n- generic [ref=e13]", []int{1, 2, 4}},
		"another": {page(says...), "- button \"Edit\" [ref=e10]\n- link \"Home\" [ref=e12]\n- generic [ref=e13]",
			[]int{-1, -1, -1}},
		"one line of another": {page(says...), "- button \"Save\" [ref=e10]\n- link \"Home\" [ref=e11]\n- link \"Close\" [ref=e12]",
			[]int{1, 2, -1}},
		"the page has changed since": {page("button Pay", "link Out"), "- button \"Pay\" [ref=e10]\n- link \"Out\" [ref=e11]",
			[]int{1, 2}},
		"what is not known":   {page(), "- button \"Edit\" [ref=e10]\n- link \"Out\" [ref=e12]", []int{1, 3}},
		"a name that was cut": {page("button " + long[:snapshot.SaidLength]), "- button \"" + long + "\" [ref=e10]\n- link [ref=e11]", []int{1, 2}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, nodes(t, c.page, c.text)) })
	}
}

// TestIDsOfTwoProcesses: frames of several processes have the same numbers, and a line lies in the frame that its own
// number names: that in whose element's line it lies, or that of the other lines with this name.
func TestIDsOfTwoProcesses(t *testing.T) {
	page := func() *snapshot.Capture {
		c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{Owner: -1}, {Parent: 0, Owner: 1},
			{Parent: 0, Owner: 2}}}
		add := func(parent, frame int, tag, role string, id int64) {
			c.Nodes = append(c.Nodes, snapshot.Node{I: len(c.Nodes), Parent: parent, Frame: frame, Tag: tag, Role: role,
				BackendNodeID: id, Verdict: snapshot.VerdictRef})
		}
		add(-1, 0, "body", "", 10)
		add(0, 0, "iframe", "", 11)
		add(0, 0, "iframe", "", 12)
		add(1, 1, "button", "button", 20)
		add(1, 1, "button", "button", 21)
		add(1, 1, "input", "textbox", 22)
		add(2, 2, "button", "button", 20)
		add(2, 2, "button", "button", 21)
		add(2, 2, "a", "link", 23)
		return c
	}
	for name, c := range map[string]struct {
		text string
		want []int
	}{
		"in the lines of their frames": {"[0-10] body\n  [0-11] Iframe\n    [4-20] button: Go\n    [4-21] button: Go\n" +
			"  [0-12] Iframe\n    [9-20] button: Go\n    [9-21] button: Go", []int{0, 1, 3, 4, 2, 6, 7}},
		"behind the page": {"[0-10] body\n[0-11] Iframe\n[0-12] Iframe\n[4-20] button: Go\n[4-23] link: Go\n" +
			"[9-21] button: Go\n[9-22] textbox", []int{0, 1, 2, 6, 8, 4, 5}},
		"another frame has the number alone": {"[0-10] body\n  [0-11] Iframe\n    [4-20] button: Go\n    [4-23] link: Go\n" +
			"  [0-12] Iframe", []int{0, 1, 3, -1, 2}},
		"nothing tells the frame": {"[0-10] body\n[0-11] Iframe\n[0-12] Iframe\n[4-20] button: Go", []int{0, 1, 2, -1}},
		"lines that disagree": {"[0-10] body\n[0-11] Iframe\n[0-12] Iframe\n[4-20] button: Go\n[4-22] textbox\n" +
			"[4-23] link: Go", []int{0, 1, 2, -1, 5, 8}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, nodes(t, page(), c.text)) })
	}
}

// TestWordsTellTheFrame: of two processes with the same numbers, one name stands for the frame whose elements have the
// words of its lines, however many of them fit one element of another frame by chance; the number of a document is that
// of no element.
func TestWordsTellTheFrame(t *testing.T) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{Owner: -1}, {Parent: 0, Owner: 1}}}
	add := func(parent, frame int, tag, name string, id int64) {
		c.Nodes = append(c.Nodes, snapshot.Node{I: len(c.Nodes), Parent: parent, Frame: frame, Tag: tag, Name: name,
			BackendNodeID: id, Verdict: snapshot.VerdictRef})
	}
	add(-1, 0, "body", "", 10)
	add(0, 0, "iframe", "", 11)
	add(0, 0, "button", "After", 12)
	add(0, 0, "h1", "Outer", 13)
	add(1, 1, "input", "Name", 2) // in the page's own process the number of the document
	add(1, 1, "td", "", 12)
	add(1, 1, "a", "Home", 15)
	add(1, 1, "p", "", 13)
	const page = "=== Frame 0 (Main) ===\n[0-2] RootWebArea: Page\n  [0-10] body\n    [0-13] heading: Outer\n" +
		"    [0-11] Iframe\n    [0-12] button: After\n"
	const inner = "=== Frame 4 (Main → Frame 4) ===\n[4-11] RootWebArea: Shop\n  [4-15] link: Home\n  [4-2] textbox: Name\n" +
		"  [4-12] cell\n  [4-13] paragraph\n"
	require.Equal(t, []int{-1, 0, 3, 1, 2, -1, 6, 4, 5, 7}, nodes(t, c, page+inner))
	require.Equal(t, []int{-1, 6, 4, 5, 7, -1, 0, 3, 1, 2}, nodes(t, c, inner+page))
	c.Nodes = c.Nodes[:4] // the frame could not be read
	require.Equal(t, []int{-1, 0, 3, 1, 2, -1, -1, -1, -1, -1}, nodes(t, c, page+inner))
}

// TestAPageThatIsToldTwice: in the place of a frame without a document, Stagehand lists the page once more, with the same
// ids; ids of another process may be the same by chance, and say something else.
func TestAPageThatIsToldTwice(t *testing.T) {
	c := buttons("Name", "Send", "Robot", "Close")
	c.Nodes[3].Tag, c.Nodes[3].Role = "iframe", "iframe"
	c.Frames = append(c.Frames, snapshot.Frame{Parent: 0, Owner: 3, Why: "its address could not be loaded"})
	page := "[0-1000] button: Name\n[0-1001] button: Send\n[0-1002] Iframe: Robot\n"
	require.Equal(t, []int{1, 2, 3, 1, 2, 4, 4}, nodes(t, c, page+"  [7-1000] button: Name\n  [7-1001] button: Send\n"+
		"  [7-1003] button: Close\n[0-1003] button: Close"))
	require.Equal(t, []int{1, 2, 3, -1, -1, 4}, nodes(t, c, page+"  [7-1000] button: Verify\n  [7-1001] button: Listen\n"+
		"[0-1003] button: Close"))
	// A frame that was read a moment later is none that the agent was told of.
	c.Nodes = append(c.Nodes, snapshot.Node{I: 5, Parent: 3, Frame: 1, Tag: "button", Role: "button", Name: "Verify",
		BackendNodeID: 2000, Verdict: snapshot.VerdictRef})
	require.Equal(t, []int{1, 2, 3, 1, 2, 4}, nodes(t, c, page+"  [7-1000] button: Name\n  [7-1001] button: Send\n"+
		"[0-1003] button: Close"))
	require.Equal(t, []int{1, 2, 3, 5, 4}, nodes(t, c, page+"  [7-2000] button: Verify\n[0-1003] button: Close"))
}

// Whatever is left out of a list of equal and different names, a line of Chrome's tree has its own element or none.
func TestAlignmentNeverGuesses(t *testing.T) {
	var names []string
	for i := range 60 {
		names = append(names, []string{"Reply", "Share", "Like", fmt.Sprint("Post ", i)}[i%4])
	}
	c := buttons(names...)
	told := 0
	for skip := range 1 << 10 {
		var b strings.Builder
		var truth []int
		for i, name := range names {
			if skip>>(i%10)&1 == 1 && i%3 != 0 {
				continue
			}
			truth = append(truth, i+1)
			fmt.Fprintf(&b, "uid=1_%d button %q\n", i, name)
		}
		if len(truth) < 2 {
			continue
		}
		for k, got := range nodes(t, c, b.String()) {
			if got >= 0 {
				told++
				require.Equal(t, truth[k], got, "skipping %b", skip)
			}
		}
	}
	require.Greater(t, told, 1000)
}

// A piece of text is of the element that holds it, also where the element goes on behind a link in it; what two elements
// between the same neighbours say is of neither.
func TestPiecesOfText(t *testing.T) {
	c := buttons("Read", "Close")
	c.Nodes[0].Text = "We keep your basket. And no more."
	c.Nodes = append(c.Nodes, snapshot.Node{I: 3, Tag: "i", Text: "$5", Verdict: snapshot.VerdictWrapper},
		snapshot.Node{I: 4, Tag: "b", Text: "$5 off", Verdict: snapshot.VerdictWrapper})
	read := observation.Read("uid=1_0 StaticText \"We keep your basket. \"\nuid=1_1 button \"Read\"\n" +
		"uid=1_2 StaticText \"And no more\"\nuid=1_3 button \"Close\"\nuid=1_4 StaticText \"$5\"\nuid=1_5 StaticText \"gone\"")
	tie.New(c).Tie(read)
	var got []int
	for _, l := range read.Lines {
		got = append(got, l.Node)
	}
	require.Equal(t, []int{0, 1, 0, 2, -1, -1}, got)
	require.Equal(t, []int{3, 4}, read.Lines[4].Candidates)
	require.Empty(t, read.Lines[5].Candidates)
}

// A text that lists a frame behind the page, as HyperAgent's does, has its last words where the page goes on, and not
// where a frame says the same.
func TestPiecesOfTextBeforeAFrame(t *testing.T) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{}, {}}}
	for i, n := range []snapshot.Node{{Parent: -1, Tag: "body"}, {Tag: "button", Text: "Save"}, {Tag: "iframe"},
		{Frame: 1, Parent: 2, Tag: "button", Text: "Ship"}, {Frame: 1, Parent: 2, Tag: "p", Text: "The end"},
		{Tag: "button", Text: "Print"}, {Tag: "p", Text: "The end"}} {
		n.I, n.BackendNodeID, n.Verdict = i, int64(10+i), snapshot.VerdictWrapper
		c.Nodes = append(c.Nodes, n)
	}
	require.Equal(t, []int{0, 1, 5, 6, 0, 3}, nodes(t, c, `[0-9] RootWebArea: Shop
  [0-10] body
    [0-11] button: Save
    [0-15] button: Print
    [0-59] StaticText: The end
[0-10] body
  [0-13] button: Ship`)[1:])
}

// Pieces of text among elements that have lines of their own, and others that have none, are of the element that holds
// them or of none, whatever says the same beside them.
func TestPiecesOfTextAreNeverGuessed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 11))
	words := []string{"(", ")", "then", "res", "$5", "Edit", "$5 off", "log(", "•"}
	tied := 0
	for range 1000 {
		c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{}}}
		var b strings.Builder
		var truth []int // the element of each line
		piece := 1000
		var grow func(parent, depth, lines int)
		grow = func(parent, depth, lines int) {
			at := len(c.Nodes)
			n := snapshot.Node{I: at, Parent: parent, Tag: "span", BackendNodeID: int64(10 + at), Verdict: snapshot.VerdictWrapper}
			if depth == 0 || rng.IntN(3) > 0 {
				n.Tag = []string{"p", "code", "li"}[rng.IntN(3)]
				fmt.Fprintf(&b, "%s[0-%d] %s\n", strings.Repeat("  ", lines), n.BackendNodeID, n.Tag)
				truth = append(truth, at)
				lines++
			}
			c.Nodes = append(c.Nodes, n)
			var own []string
			for range rng.IntN(5) {
				if rng.IntN(2) == 0 && depth < 4 {
					grow(at, depth+1, lines)
					continue
				}
				own = append(own, words[rng.IntN(len(words))])
				piece++
				fmt.Fprintf(&b, "%s[0-%d] StaticText: %s\n", strings.Repeat("  ", lines), piece, own[len(own)-1])
				truth = append(truth, at)
			}
			c.Nodes[at].Text = strings.Join(own, " ")
		}
		grow(-1, 0, 0)
		read := observation.Read("Accessibility Tree:\n" + b.String())
		if read == nil || read.Format != observation.Stagehand {
			continue // too short for one
		}
		require.Len(t, read.Lines, len(truth))
		tie.New(c).Tie(read)
		for i, l := range read.Lines {
			if l.Node >= 0 {
				require.Equal(t, truth[i], l.Node, "%s\n%+v", b.String(), l)
				if l.Role == "StaticText" {
					tied++
				}
			}
		}
	}
	require.Greater(t, tied, 1000)
}

func BenchmarkTieFiveThousand(b *testing.B) {
	var names []string
	var text strings.Builder
	for i := range 5000 {
		names = append(names, fmt.Sprint("Item ", i/2))
		fmt.Fprintf(&text, "uid=1_%d button \"Item %d\"\n", i, i/2)
	}
	p := tie.New(buttons(names...))
	read := observation.Read(text.String())
	for b.Loop() {
		p.Tie(read)
	}
}

// TestPartsInChromesTree: what Chrome's tree has inside a field is told as that field, also where the text leaves
// the field itself out, as it does of one that is disabled.
func TestPartsInChromesTree(t *testing.T) {
	p := buttons("Save", "Sent on", "Sent on", "Close")
	for i, order := range []int{1, 2, 5, 8} {
		n := &p.Nodes[i+1]
		if n.AX.Order = order; n.Name == "Sent on" {
			n.Tag, n.AX.Role = "input", "DateTime"
			n.AX.Parts = []snapshot.AXNode{{Role: "spinbutton", Name: "Month", Order: order + 1}, {Role: "spinbutton", Name: "Year", Order: order + 2}}
		}
	}
	require.Equal(t, []int{1, 2, 2, 2, 3, 3, 3, 4}, nodes(t, p, `uid=1_1 button "Save"
uid=1_2 DateTime "Sent on"
  uid=1_3 spinbutton "Month"
  uid=1_4 spinbutton "Year"
uid=1_5 DateTime "Sent on"
  uid=1_6 spinbutton "Month"
  uid=1_7 spinbutton "Year"
uid=1_8 button "Close"`))
	require.Equal(t, []int{1, 2, 2, 3, 3, 4}, nodes(t, p, `uid=1_1 button "Save"
uid=1_2 spinbutton "Month" disabled
uid=1_3 spinbutton "Year" disabled
uid=1_4 spinbutton "Month" disabled
uid=1_5 spinbutton "Year" disabled
uid=1_6 button "Close"`))
	require.Equal(t, []int{1, -1, 4}, nodes(t, p, "uid=1_1 button \"Save\"\nuid=1_2 spinbutton \"Month\"\nuid=1_3 button \"Close\""),
		"which of the two it is nobody knows")
}

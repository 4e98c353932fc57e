package dump

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// virtualNode is the seed's VirtualNode with our additions, as a reader has it.
type virtualNode struct {
	NodeID     string `json:"node_id"`
	Tag        string
	Role       string
	AriaLabel  string
	Text       string
	Value      string
	Visible    *bool
	Actionable *bool
	Ref        int
	Overflow   bool `json:"text_overflow"`
	Host       string
	Mode       string
	Layout     *struct {
		Box         []float64
		Z           int
		Group       string
		Row, Column int
	}
	Children, Iframe, ShadowDom []*virtualNode
}

type pageSerialized struct {
	Page struct {
		Context struct {
			URL, Title, Domain string
			Viewport           struct{ Width, Height int }
		}
		Body              *virtualNode
		Iframe, ShadowDom []*virtualNode
		Meta              struct {
			Truncated                                               bool
			TotalNodes, OmittedNodes, VisibleNodes, ActionableNodes int
			EstimatedTokens                                         int
			Version, Error                                          string
			Unsupported                                             []struct{ NodeID, Tag, Reason string }
		}
	}
}

// readDomTool reads a payload and checks what holds for every one.
func readDomTool(t testing.TB, text string) *pageSerialized {
	t.Helper()
	var p pageSerialized
	require.NoError(t, json.Unmarshal([]byte(text), &p))
	ids, nodes, visible, actionable := map[string]bool{}, 0, 0, 0
	p.walk(func(v *virtualNode) {
		require.Regexp(t, `^nv_(?:(?:(?:iframe|shadow|text|summary|summary_iframe|summary_shadow)_)?[0-9a-f]{8}(?:-\d+)?(?:_[a-z0-9-]+)?|summary_end|body)$`, v.NodeID)
		require.False(t, ids[v.NodeID], "two nodes are %s", v.NodeID)
		ids[v.NodeID] = true
		require.NotEmpty(t, v.Tag)
		require.NotNil(t, v.Visible)
		if strings.HasPrefix(v.NodeID, "nv_summary_") {
			return
		}
		nodes++
		if *v.Visible {
			visible++
		}
		if v.Actionable != nil && *v.Actionable {
			actionable++
		}
	})
	m := p.Page.Meta
	require.Equal(t, "domtool.v1", m.Version)
	if m.Error == "" {
		require.Equal(t, nodes, m.TotalNodes)
		if m.EstimatedTokens > 0 { // not compat
			require.Equal(t, visible, m.VisibleNodes)
			require.Equal(t, actionable, m.ActionableNodes)
		}
	}
	return &p
}

func (p *pageSerialized) walk(visit func(*virtualNode)) {
	var walk func(*virtualNode)
	walk = func(v *virtualNode) {
		visit(v)
		for _, list := range [][]*virtualNode{v.Children, v.Iframe, v.ShadowDom} {
			for _, c := range list {
				walk(c)
			}
		}
	}
	walk(p.Page.Body)
	for _, list := range [][]*virtualNode{p.Page.Iframe, p.Page.ShadowDom} {
		for _, c := range list {
			walk(c)
		}
	}
}

func (p *pageSerialized) byRef() map[int]*virtualNode {
	m := map[int]*virtualNode{}
	p.walk(func(v *virtualNode) {
		if v.Ref > 0 {
			m[v.Ref] = v
		}
	})
	return m
}

func domtoolOf(t testing.TB, c *snapshot.Capture, o Options) *pageSerialized {
	t.Helper()
	d, err := Render(c, DomTool, o)
	require.NoError(t, err)
	checkDocument(t, c, d)
	for _, l := range d.Lines {
		if l.Ref > 0 && !o.Compat {
			require.Contains(t, d.Text[l.Start:l.End], fmt.Sprintf(`"ref":%d`, l.Ref), "a line has its own node")
		}
	}
	return readDomTool(t, d.Text)
}

// TestMurmur3 are published vectors of MurmurHash3_x86_32: Appleby's verification
// value, and those of the test suites of Guava and of Wikipedia's article.
func TestMurmur3(t *testing.T) {
	for _, x := range []struct {
		text string
		seed uint32
		want uint32
	}{
		{"", 0, 0}, {"", 1, 0x514e28b7}, {"", 0xffffffff, 0x81f16f39},
		{"test", 0, 0xba6bd213}, {"test", 0x9747b28c, 0x704b81dc},
		{"Hello, world!", 0, 0xc0363e43}, {"Hello, world!", 0x9747b28c, 0x24884cba},
		{"The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723},
		{"The quick brown fox jumps over the lazy dog", 0x9747b28c, 0x2fa826cd},
		{"\xff\xff\xff\xff", 0, 0x76293b50}, {"\x21\x43\x65\x87", 0, 0xf55b516b}, {"\x21\x43\x65\x87", 0x5082edee, 0x2362f9de},
		{"\x21\x43\x65", 0, 0x7e4a8634}, {"\x21\x43", 0, 0xa0f7b07a}, {"\x21", 0, 0x72661cf4},
		{"\x00\x00\x00\x00", 0, 0x2362f9de}, {"\x00\x00\x00", 0, 0x85f0b427}, {"\x00\x00", 0, 0x30f4c306}, {"\x00", 0, 0x514e28b7},
	} {
		require.Equal(t, x.want, murmur3([]byte(x.text), x.seed), "%q with seed %x", x.text, x.seed)
	}
	// SMHasher's VerificationTest: hash 0, 01, 012 … with seeds 256, 255 …, then the hashes.
	var key [256]byte
	var all []byte
	for i := range key {
		key[i] = byte(i)
		h := murmur3(key[:i], uint32(256-i))
		all = append(all, byte(h), byte(h>>8), byte(h>>16), byte(h>>24))
	}
	require.Equal(t, uint32(0xb0f57ee3), murmur3(all, 0))
}

// idsOf are the node ids of the elements of a capture, by node index.
func idsOf(c *snapshot.Capture) map[int]string {
	ids, out := newNodeIDs(c), map[int]string{}
	for i := range c.Nodes {
		out[c.Nodes[i].I] = ids.of(&c.Nodes[i])
	}
	return out
}

// TestNodeIDsStayAcrossCaptures changes everything that a style sheet, a script that
// paints, typing or a new session can change; the ids stay.
func TestNodeIDsStayAcrossCaptures(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	want := idsOf(bigPage(t, 600))
	for range 20 {
		c := bigPage(t, 600)
		c.Scroll.Y, c.Viewport.Width = 900, 400
		for i := range c.Nodes {
			n := &c.Nodes[i]
			n.Ref, n.UID, n.BackendNodeID = rng.IntN(9_999), rng.IntN(99), int64(rng.IntN(99))
			n.Box = snapshot.Box{rng.Float64() * 900, rng.Float64() * 900, rng.Float64() * 90, 9}
			n.Visible, n.InViewport, n.NoPointer = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
			if rng.IntN(3) == 0 {
				n.Verdict = snapshot.VerdictDisplayNone
			}
			n.Name, n.Value, n.Text, n.Runs = "other", "typed", "other", nil
			n.States = snapshot.States{"checked": true}
			attrs := map[string]string{"class": "x", "style": "color: red", "data-x": "1"}
			for k, v := range n.Attrs {
				attrs[k] = v
			}
			n.Attrs = attrs
		}
		require.Equal(t, want, idsOf(c))
	}
}

// TestNodeIDsAreUnique: whatever the page, no two elements share an id; ids that
// collide are told apart in document order, and so are those of equal elements.
func TestNodeIDsAreUnique(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		c := &snapshot.Capture{}
		for i := range 400 {
			n := snapshot.Node{I: i, Parent: rng.IntN(i+1) - 1, Tag: []string{"div", "p", "a"}[rng.IntN(3)]}
			if rng.IntN(3) == 0 {
				n.Attrs = map[string]string{"id": "same", "role": []string{"", "x"}[rng.IntN(2)]}
			}
			c.Nodes = append(c.Nodes, n)
		}
		ids := idsOf(c)
		seen := map[string]bool{}
		for _, id := range ids {
			require.False(t, seen[id])
			seen[id] = true
		}
		require.Len(t, seen, 400)
		require.Equal(t, ids, idsOf(c))
	}
	// Three equal elements: the same id attribute at the same place.
	c := parsePage(t, "body\n  p id=a\n  p id=a\n  p id=a\n  p")
	ids := idsOf(c)
	require.Equal(t, []string{ids[1] + "-2", ids[1] + "-3"}, []string{ids[2], ids[3]})
	require.NotContains(t, ids[4], ids[1])
}

// TestNodeIDsWhenThePageChanges: an element with an id keeps its node id where
// siblings come and go; one without keeps it where siblings of other tags do.
func TestNodeIDsWhenThePageChanges(t *testing.T) {
	before := parsePage(t, "body\n  div\n    button \"a\"\n  div id=box\n    a href=1 \"b\"\n  p \"c\"")
	after := parsePage(t, "body\n  div\n    button \"a\"\n  div \"new\"\n  div id=box\n    a href=1 \"b\"\n  p \"c\"")
	old, now := idsOf(before), idsOf(after)
	require.Equal(t, old[2], now[2], "the button")
	require.Equal(t, old[3], now[4], "the box")
	require.Equal(t, old[4], now[5], "the link in it")
	require.Equal(t, old[5], now[6], "the paragraph")
	require.NotContains(t, old, now[3])
}

func TestDomtoolVisible(t *testing.T) {
	seen := snapshot.Node{Verdict: snapshot.VerdictContent, Visible: true, InViewport: true, Box: snapshot.Box{0, 0, 50, 20}}
	for name, x := range map[string]struct {
		change                  func(*snapshot.Node)
		plain, viewport, compat bool
	}{
		"as it is":               {func(n *snapshot.Node) {}, true, true, true},
		"display none":           {func(n *snapshot.Node) { n.Verdict = snapshot.VerdictDisplayNone }, false, false, false},
		"visibility hidden":      {func(n *snapshot.Node) { n.Verdict = snapshot.VerdictVisibilityHidden }, false, false, false},
		"transparent":            {func(n *snapshot.Node) { n.Visible = false }, false, false, false},
		"1 px high":              {func(n *snapshot.Node) { n.Box[3] = 1 }, false, false, false},
		"1.5 px high":            {func(n *snapshot.Node) { n.Box[3] = 1.5 }, true, true, true},
		"1 px wide":              {func(n *snapshot.Node) { n.Box[2] = 1 }, false, false, false},
		"words overflow its box": {func(n *snapshot.Node) { n.Box[3] = 0; n.TextRects = []snapshot.Box{{0, 0, 50, 20}} }, true, true, false},
		"a screen reader's box":  {func(n *snapshot.Node) { n.Box[2], n.Box[3] = 1, 1; n.TextRects = []snapshot.Box{{0, 0, 50, 20}} }, false, false, false},
		"one of its boxes large": {func(n *snapshot.Node) { n.Rects = []snapshot.Box{{0, 0, 1, 1}, {0, 9, 20, 20}} }, true, true, true},
		"clipped away":           {func(n *snapshot.Node) { n.Clip = &snapshot.Box{} }, false, false, false},
		"clipped in part":        {func(n *snapshot.Node) { n.Clip = &snapshot.Box{0, 0, 9, 9} }, true, true, true},
		"below the viewport":     {func(n *snapshot.Node) { n.InViewport = false }, true, false, true},
		"display contents":       {func(n *snapshot.Node) { n.Contents, n.Visible, n.Box = true, false, snapshot.Box{} }, true, true, true},
	} {
		n := seen
		x.change(&n)
		require.Equal(t, x.plain, domtoolVisible(&n, false, false), name)
		require.Equal(t, x.viewport, domtoolVisible(&n, true, false), name+", viewport only")
		require.Equal(t, x.compat, domtoolVisible(&n, false, true), name+", compat")
	}
}

func TestDomtoolActionable(t *testing.T) {
	for name, x := range map[string]struct {
		n             snapshot.Node
		plain, compat bool
	}{
		"native":             {snapshot.Node{Tag: "button", Interactive: []string{"native"}}, true, true},
		"role":               {snapshot.Node{Tag: "div", Interactive: []string{"role"}}, true, true},
		"tabindex":           {snapshot.Node{Tag: "div", Interactive: []string{"tabindex"}}, true, true},
		"contenteditable":    {snapshot.Node{Tag: "div", Interactive: []string{"contenteditable"}}, true, true},
		"handler":            {snapshot.Node{Tag: "div", Interactive: []string{"listener"}}, true, true},
		"pointer cursor":     {snapshot.Node{Tag: "div", Interactive: []string{"cursor"}}, true, true},
		"nothing":            {snapshot.Node{Tag: "section"}, false, false},
		"a frame":            {snapshot.Node{Tag: "iframe", Interactive: []string{"tabindex"}}, false, false},
		"clicks pass":        {snapshot.Node{Tag: "button", Interactive: []string{"native"}, NoPointer: true}, false, false},
		"disabled":           {snapshot.Node{Tag: "button", Interactive: []string{"native"}, States: snapshot.States{"disabled": true}}, false, true},
		"inert":              {snapshot.Node{Tag: "button", Interactive: []string{"native"}, States: snapshot.States{"inert": true}}, false, true},
		"explicitly enabled": {snapshot.Node{Tag: "button", Interactive: []string{"native"}, States: snapshot.States{"disabled": false}}, true, true},
	} {
		x.n.Verdict = snapshot.VerdictRef
		require.Equal(t, x.plain, domtoolActionable(&x.n, false), name)
		require.Equal(t, x.compat, domtoolActionable(&x.n, true), name+", compat")
		x.n.Verdict = snapshot.VerdictDisplayNone
		require.False(t, domtoolActionable(&x.n, false), name+", not kept")
	}
}

// listPage is a page with n children of one tag, each with that text.
func listPage(tag string, n int, text string) string {
	var b strings.Builder
	b.WriteString("body\n  ul\n    p \"first\"\n")
	for i := range n {
		fmt.Fprintf(&b, "    %s \"%s %d\"\n", tag, text, i)
	}
	b.WriteString("    p \"last\"\n")
	return b.String()
}

// TestRepeatedSiblings is B-6, with the seed's wording.
func TestRepeatedSiblings(t *testing.T) {
	long := strings.Repeat("w", 80)
	for name, x := range map[string]struct {
		page string
		want string // the summary's text, "" for none
	}{
		"120 items":             {listPage("li", 120, "x"), "List of 120 items (list items). Showing first 20."},
		"51 items":              {listPage("li", 51, "x"), "List of 51 items (list items). Showing first 20."},
		"50 items":              {listPage("li", 50, "x"), ""},
		"30 short":              {listPage("li", 30, "x"), ""},
		"30 long":               {listPage("tr", 0, "") + strings.Repeat("    li \""+long+"\"\n", 30), "List of 30 items (list items). Showing first 20."},
		"20 long":               {listPage("tr", 0, "") + strings.Repeat("    li \""+long+"\"\n", 20), ""},
		"an article":            {strings.Replace(listPage("li", 0, ""), "ul", "article", 1) + strings.Repeat("    p \""+long+"\"\n", 40), ""},
		"terms in pairs":        {"body\n  ul\n    p \"first\"\n" + strings.Repeat("    dt \"t\"\n    dd \"d\"\n", 30) + "    p \"last\"", "List of 60 items (terms and descriptions). Showing first 20."},
		"other tags in between": {"body\n  ul\n    p \"first\"\n" + strings.Repeat("    li \"t\"\n    h3 \"d\"\n", 51), "List of 51 items (list items). Showing first 20."},
	} {
		t.Run(name, func(t *testing.T) {
			c := parsePage(t, x.page)
			d, err := Render(c, DomTool, Options{MaxChars: -1})
			require.NoError(t, err)
			checkDocument(t, c, d)
			p := readDomTool(t, d.Text)
			var found []*virtualNode
			p.walk(func(v *virtualNode) {
				if v.Tag == "summary" {
					found = append(found, v)
				}
			})
			if x.want == "" {
				require.Empty(t, found)
				require.Zero(t, p.Page.Meta.OmittedNodes)
				return
			}
			require.Equal(t, x.want, found[0].Text)
			require.True(t, *found[0].Visible)
			require.Len(t, found[0].Children, 20)
			var total int
			_, err = fmt.Sscanf(x.want, "List of %d", &total)
			require.NoError(t, err)
			beyond := 0
			for _, o := range d.Omitted {
				if o.Detail == fmt.Sprintf("one of %d repeated siblings, beyond the first 20", total) {
					require.Equal(t, ReasonCut, o.Reason)
					beyond++
				}
			}
			require.GreaterOrEqual(t, beyond, total-20)
			require.False(t, d.Truncated)
		})
	}
}

// TestDomtoolLimits is B-5: nodes, characters and bytes, at every page.
func TestDomtoolLimits(t *testing.T) {
	var b strings.Builder
	b.WriteString("body\n")
	for i := range 20 {
		fmt.Fprintf(&b, "  section %%name=\"s%d\"\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "    article\n")
			for k := range 5 {
				fmt.Fprintf(&b, "      b \"%d %d %d\"\n", i, j, k)
			}
		}
	}
	c := parsePage(t, b.String())
	d, err := Render(c, DomTool, Options{MaxChars: -1})
	require.NoError(t, err)
	p := readDomTool(t, d.Text)
	require.Equal(t, 1500, p.Page.Meta.TotalNodes)
	require.True(t, p.Page.Meta.Truncated && d.Truncated)
	last := p.Page.Body.Children[len(p.Page.Body.Children)-1]
	require.Equal(t, "summary", last.Tag)
	require.Equal(t, "Truncated after 1500 nodes", last.Text)
	checkDocument(t, c, d)

	wide := parsePage(t, strings.ReplaceAll(b.String(), `b "`, `b "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字`))
	for _, c := range []*snapshot.Capture{c, wide, bigPage(t, 3_000), parsePage(t, "body"), {}} {
		d, err := Render(c, DomTool, Options{})
		require.NoError(t, err)
		require.LessOrEqual(t, len(d.Text), 50_000)
		require.LessOrEqual(t, len([]rune(d.Text)), 16_000)
		checkDocument(t, c, d)
		readDomTool(t, d.Text)
	}
	c = bigPage(t, 120)
	whole, err := Render(c, DomTool, Options{MaxChars: -1, MaxNodes: -1})
	require.NoError(t, err)
	full := len([]rune(whole.Text))
	require.False(t, whole.Truncated)
	for max := 700; max < full+600; max += 197 {
		d, err := Render(c, DomTool, Options{MaxChars: max, MaxNodes: -1})
		require.NoError(t, err)
		require.LessOrEqual(t, len([]rune(d.Text)), max)
		require.True(t, d.Truncated || max >= full, "%d of %d", max, full)
		checkDocument(t, c, d)
		readDomTool(t, d.Text)
	}
	for n := 1; n < 90; n++ {
		d, err := Render(c, DomTool, Options{MaxNodes: n})
		require.NoError(t, err)
		require.Equal(t, n, readDomTool(t, d.Text).Page.Meta.TotalNodes)
	}
}

func TestDomtoolLongText(t *testing.T) {
	long := strings.Repeat("word ", 300)
	c := parsePage(t, fmt.Sprintf("body\n  p %[1]q\n  div %%by=contenteditable %[1]q\n  p\n    a href=1 \"x\"\n    %[1]q", long))
	d, err := Render(c, DomTool, Options{})
	require.NoError(t, err)
	p := readDomTool(t, d.Text)
	kids := p.Page.Body.Children
	require.Len(t, []rune(kids[0].Text), 500)
	require.True(t, kids[0].Overflow)
	require.Len(t, []rune(kids[1].Text), 1000)
	require.True(t, kids[1].Overflow)
	require.Equal(t, "#text", kids[2].Children[1].Tag)
	require.True(t, kids[2].Children[1].Overflow)
	cuts := 0
	for _, o := range d.Omitted {
		if o.Reason == ReasonCut {
			cuts++
		}
	}
	require.Equal(t, 3, cuts)
}

func TestDomtoolWithoutBody(t *testing.T) {
	c := parsePage(t, "svg\n  a href=1 \"x\"")
	p := domtoolOf(t, c, Options{})
	require.Equal(t, "no-body", p.Page.Meta.Error)
	require.Equal(t, "body", p.Page.Body.Tag)
	require.False(t, *p.Page.Body.Visible)
	require.Empty(t, p.Page.Body.Children)
}

// TestDomtoolFrames is B-7 and B-14: nested frames, one that could not be read, open
// and closed shadow roots, in arrays, with the ids of their hosts.
func TestDomtoolFrames(t *testing.T) {
	page := `
body
  iframe src=https://one.example/ %frame
    html
      body
        button "in one"
        iframe src=https://two.example/ %frame
          html
            body
              button "in two"
  iframe src=https://three.example/ %frame=timeout
  x-open
    div %shadow=open
      button "in open"
      x-in
        span "slotted"
  x-closed
    div %shadow=closed
      button "in closed"
  canvas @0,0,50,50 %verdict=skipped-tag
`
	c := parsePage(t, page)
	for i := range c.Nodes {
		c.Nodes[i].Box = snapshot.Box{0, 0, 50, 50}
	}
	c.Frames[1].Origin, c.Frames[2].Origin = "https://one.example", "https://two.example"
	p := domtoolOf(t, c, Options{})
	hosts := map[string]*virtualNode{}
	p.walk(func(v *virtualNode) { hosts[v.NodeID] = v })
	require.Len(t, p.Page.Iframe, 2)
	one, three := p.Page.Iframe[0], p.Page.Iframe[1]
	require.Equal(t, "iframe", hosts[one.Host].Tag)
	require.Equal(t, "nv_iframe_", one.NodeID[:10])
	require.Equal(t, "in one", one.Children[0].Children[0].Text)
	two := one.Iframe[0]
	require.Equal(t, "in two", two.Children[0].Children[0].Text)
	require.Equal(t, one.Children[0].Children[1].NodeID, two.Host)
	require.Equal(t, "Frame not read: timeout", three.Text)
	require.False(t, *three.Visible)
	require.False(t, *three.Actionable)
	require.Len(t, p.Page.ShadowDom, 2)
	require.Equal(t, "open", p.Page.ShadowDom[0].Mode)
	require.Equal(t, "x-open", hosts[p.Page.ShadowDom[0].Host].Tag)
	require.Equal(t, "in closed", p.Page.ShadowDom[1].Children[0].Text)
	require.Len(t, p.Page.Meta.Unsupported, 2)
	require.Equal(t, "timeout", p.Page.Meta.Unsupported[0].Reason)
	require.Equal(t, "canvas", p.Page.Meta.Unsupported[1].Tag)

	p = domtoolOf(t, c, Options{Compat: true})
	require.Equal(t, "Cross-origin iframe (blocked)", p.Page.Iframe[0].Text)
	require.Len(t, p.Page.ShadowDom, 1)
	p.walk(func(v *virtualNode) { require.Zero(t, v.Ref) })
}

func TestDomtoolLayoutGroups(t *testing.T) {
	c := parsePage(t, `
body @0,0,900,900
  nav @0,0,900,30
    a href=1 @0,0,50,20 "a"
    a href=2 @50,0,50,20 "b"
  ul @0,40,900,200
    li @0,40,100,90 "1"
    li @100,41,100,90 "2"
    li @0,140,100,90 "3"
    li @100,140,100,90 "4"
    li @0,240,100,90 "5"
  form @0,300,900,30
    button @0,300,50,20 "x"
    button @60,302,50,20 "y"
    button @120,300,50,20 "z"
  section @0,400,900,300
    p @0,400,100,20 "down"
    p @0,420,100,20 "down"
    p @0,440,100,20 "down"
`)
	c.Nodes[1].Layer = &snapshot.Layer{Position: "fixed", Z: 7}
	p := domtoolOf(t, c, Options{IncludeLayout: true})
	kids := p.Page.Body.Children
	require.Equal(t, "nav-bar", kids[0].Layout.Group)
	require.Equal(t, 7, kids[0].Layout.Z)
	require.Equal(t, []float64{0, 0, 900, 30}, kids[0].Layout.Box)
	require.Equal(t, "grid", kids[1].Layout.Group)
	var places []int
	for _, li := range kids[1].Children {
		places = append(places, 10*li.Layout.Row+li.Layout.Column)
	}
	require.Equal(t, []int{11, 12, 21, 22, 31}, places)
	require.Equal(t, "row", kids[2].Layout.Group)
	require.Equal(t, 3, kids[2].Children[2].Layout.Column)
	require.Empty(t, kids[3].Layout.Group)
	p = domtoolOf(t, c, Options{})
	p.walk(func(v *virtualNode) { require.Nil(t, v.Layout) })
}

func checkHostileDomtool(t testing.TB, s string) {
	t.Helper()
	c := hostilePage(t, s)
	c.Nodes[0].Tag = "body" // without a body there is nothing to see
	want := map[int]bool{}
	for _, n := range c.Nodes {
		if n.Verdict == snapshot.VerdictRef {
			want[n.Ref] = true
		}
	}
	for _, o := range []Options{{MaxChars: -1}, {}, {Compat: true}, {MaxChars: 3_000}, {IncludeLayout: true}} {
		p := domtoolOf(t, c, o)
		require.Equal(t, squash(strings.ToValidUTF8(s, "\uFFFD")), p.Page.Context.URL)
		p.walk(func(v *virtualNode) { require.Regexp(t, `^[a-z#][a-z0-9-]*$`, v.Tag) })
		if o.MaxChars < 0 {
			got := p.byRef()
			for ref := range want {
				require.Contains(t, got, ref)
			}
		}
	}
}

func TestHostileDomtool(t *testing.T) {
	for i, s := range hostileTexts() {
		t.Run(strconv.Itoa(i), func(t *testing.T) { checkHostileDomtool(t, s) })
	}
}

func FuzzHostileDomtool(f *testing.F) {
	for _, s := range hostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) <= 2_000 {
			checkHostileDomtool(t, s)
		}
	})
}

// FuzzDomtoolTree builds pages of any shape: each byte is an element, its depth and
// kind; the payload is valid, and every kept element has a node, a part or a reason.
func FuzzDomtoolTree(f *testing.F) {
	f.Add([]byte{0, 17, 34, 51, 1, 200, 90, 33}, uint16(900))
	f.Add([]byte("li li li li p a button iframe"), uint16(0))
	f.Fuzz(func(t *testing.T, shape []byte, limit uint16) {
		if len(shape) > 300 {
			return
		}
		tags := []string{"div", "p", "li", "b", "a href=1", "button", "iframe src=x %frame", "x-a", "span", "h2", "input", "pre", "div %shadow=open", "dt", "label", "img"}
		var b strings.Builder
		b.WriteString("body @0,0,9,9\n")
		depth := 0
		for i, s := range shape {
			depth = 1 + int(s>>4)%(depth+1)
			fmt.Fprintf(&b, "%s%s @%d,0,%d,9", strings.Repeat("  ", depth), tags[s&15], i, s>>5)
			if s&64 != 0 {
				fmt.Fprintf(&b, " \"t%d\"", i)
			}
			b.WriteByte('\n')
		}
		c := parsePage(t, b.String())
		for _, o := range []Options{{MaxChars: -1, MaxNodes: -1}, {MaxChars: int(limit)}, {Compat: true}, {ViewportOnly: true, IncludeLayout: true}} {
			d, err := Render(c, DomTool, o)
			require.NoError(t, err)
			checkDocument(t, c, d)
			p := readDomTool(t, d.Text)
			if o.MaxChars < 0 {
				require.LessOrEqual(t, len(d.Omitted), len(c.Nodes))
				require.False(t, p.Page.Meta.Truncated)
			}
			if o.MaxChars > 700 {
				require.LessOrEqual(t, len([]rune(d.Text)), o.MaxChars)
			}
		}
	})
}

// TestLegendsCoverEveryKey renders a page that has everything and looks each key of
// the JSON formats up in their legends.
func TestLegendsCoverEveryKey(t *testing.T) {
	page := `
body @0,0,900,900
  nav @0,0,900,30
    a href=1 %covered=box @0,0,50,20 "a"
    a href=2 @50,0,50,20 "b"
    a @90,0,50,20 href=3
  input type=email placeholder=p value=v aria-label=x %name=x %state=required,checked @0,0,9,9
  select %name=s
` + strings.Repeat("    option \"o\"\n", 30) + `  h2 %state=level=2 "h"
  img src=x.png
  input role=switch type=checkbox %name=n
  p "` + strings.Repeat("w", 900) + `"
  iframe src=x %frame
    body
      button "x"
  iframe src=y %frame=blocked
  x-a
    b %shadow=open "y"
  div id=box
`
	for _, f := range []Format{WraithJSON, DomTool} {
		for _, o := range []Options{{}, {Compat: true}, {MaxChars: 2_500}, {IncludeLayout: true, Volatile: true}} {
			c := parsePage(t, page)
			c.Nodes[1].Layer = &snapshot.Layer{Position: "sticky", Top: true}
			for range 30 {
				n := snapshot.Node{I: len(c.Nodes), Parent: 0, Tag: "canvas", Box: snapshot.Box{0, 0, 9, 9}, Verdict: snapshot.VerdictSkippedTag}
				c.Nodes = append(c.Nodes, n)
			}
			d, err := Render(c, f, o)
			require.NoError(t, err)
			legend := Legend(f, o)
			var v any
			require.NoError(t, json.Unmarshal([]byte(d.Text), &v))
			var walk func(v any)
			walk = func(v any) {
				switch v := v.(type) {
				case map[string]any:
					for k, e := range v {
						require.Regexp(t, `\b`+k+`\b`, legend, "%s %+v", f, o)
						walk(e)
					}
				case []any:
					for _, e := range v {
						walk(e)
					}
				}
			}
			walk(v)
		}
	}
	require.Contains(t, Legend(Wraith, Options{MarkCovered: true}), "[COVERED by @e30]")
	require.Contains(t, Legend(Wraith, Options{Compat: true}), "Main Content Preview")
}

package domtool_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
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
		require.Regexp(t,
			`^nv_(?:(?:(?:iframe|shadow|text|summary|summary_iframe|summary_shadow)_)?[0-9a-f]{8}`+
				`(?:-\d+)?(?:_[a-z0-9-]+)?|summary_end|body)$`, v.NodeID)
		require.False(t, ids[v.NodeID], "two nodes are %s", v.NodeID)
		ids[v.NodeID] = true
		require.NotEmpty(t, v.Tag)
		require.NotNil(t, v.Visible)
		if strings.HasPrefix(v.NodeID, "nv_summary_") {
			if m := regexp.MustCompile(`^List of .* Showing (none|(?:first )?(\d+))\.$`).FindStringSubmatch(v.Text); m != nil {
				shown, _ := strconv.Atoi(m[2])
				require.Len(t, v.Children, shown, v.Text)
			}
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

func domtoolOf(t testing.TB, c *snapshot.Capture, o format.Options) *pageSerialized {
	t.Helper()
	d, err := format.Render(c, format.DomTool, o)
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	for _, l := range d.Lines {
		if l.Ref > 0 && !o.Compat {
			require.Contains(t, d.Text[l.Start:l.End], fmt.Sprintf(`"ref":%d`, l.Ref), "a line has its own node")
		}
	}
	return readDomTool(t, d.Text)
}

func TestDomtoolWithoutBody(t *testing.T) {
	c := pagetest.Parse(t, "svg\n  a href=1 \"x\"")
	p := domtoolOf(t, c, format.Options{})
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
	c := pagetest.Parse(t, page)
	for i := range c.Nodes {
		c.Nodes[i].Box = snapshot.Box{0, 0, 50, 50}
	}
	c.Frames[1].Origin, c.Frames[2].Origin = "https://one.example", "https://two.example"
	p := domtoolOf(t, c, format.Options{})
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

	p = domtoolOf(t, c, format.Options{Common: dump.Common{Compat: true}})
	require.Equal(t, "Cross-origin iframe (blocked)", p.Page.Iframe[0].Text)
	require.Len(t, p.Page.ShadowDom, 1)
	p.walk(func(v *virtualNode) { require.Zero(t, v.Ref) })
}

// A name that is made of what the element holds is not told beside it, be that its own text or what is in its children;
// where it holds neither, and where the name says something else, it is.
func TestANameOfTheContentIsToldOnce(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"text alone":     {`button %from=content %name="Save now" @0,0,60,20 "Save"`, ""},
		"children alone": {"button %from=content %name=\"Mine too\" @0,0,60,20\n  a href=/x @0,0,60,20 \"Mine\"", ""},
		"both":           {"button %from=content %name=\"Save Mine\" @0,0,60,20 \"Save\"\n  a href=/x @20,0,40,20 \"Mine\"", ""},
		"neither":        {`button %from=content %name="Save" @0,0,60,20`, "Save"},
		"another name":   {`button %from=aria-label %name="Save all" @0,0,60,20 "Save"`, "Save all"},
		"the text again": {`button %from=aria-label %name="Save" @0,0,60,20 "Save"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := domtoolOf(t, pagetest.Parse(t, "body @0,0,600,400\n  "+strings.ReplaceAll(c.page, "\n", "\n  ")), format.Options{})
			var told []string
			p.walk(func(v *virtualNode) {
				if v.Tag == "button" {
					told = append(told, v.AriaLabel)
				}
			})
			require.Equal(t, []string{c.want}, told)
		})
	}
}

func TestDomtoolLayoutGroups(t *testing.T) {
	c := pagetest.Parse(t, `
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
	p := domtoolOf(t, c, format.Options{DomTool: domtool.Options{IncludeLayout: true}})
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
	p = domtoolOf(t, c, format.Options{})
	p.walk(func(v *virtualNode) { require.Nil(t, v.Layout) })
}

// TestLegendsCoverEveryKey renders a page that has everything and looks each key of
// the JSON formats up in their legends.
// What lies over the page is no cell, and what overlaps is no row (B-14).
func TestDomtoolLayoutGroupsAreOfWhatLiesBeside(t *testing.T) {
	for name, c := range map[string]struct {
		page  string
		layer map[int]string // of nodes
		group string
	}{
		"fixed, sticky and normal": {`
body @0,0,900,900
  header @0,0,200,40
    a href=1 @0,0,50,20 "a"
  aside @250,0,300,40
    a href=2 @250,0,50,20 "b"
  main @600,0,300,40
    a href=3 @600,0,50,20 "c"
`, map[int]string{1: "fixed", 3: "sticky"}, ""},
		"over one another": {`
body @0,0,900,900
  header @0,0,900,40
    a href=1 @0,0,50,20 "a"
  aside @0,0,900,40
    a href=2 @250,0,50,20 "b"
  main @0,0,900,40
    a href=3 @600,0,50,20 "c"
`, nil, ""},
		"beside one another": {`
body @0,0,900,900
  header @0,0,200,40
    a href=1 @0,0,50,20 "a"
  aside @250,0,300,40
    a href=2 @250,0,50,20 "b"
  main @600,0,300,40
    a href=3 @600,0,50,20 "c"
`, nil, "row"},
	} {
		t.Run(name, func(t *testing.T) {
			capture := pagetest.Parse(t, c.page)
			for i, position := range c.layer {
				capture.Nodes[i].Layer = &snapshot.Layer{Position: position}
			}
			p := domtoolOf(t, capture, format.Options{DomTool: domtool.Options{IncludeLayout: true}})
			require.Equal(t, c.group, p.Page.Body.Layout.Group)
		})
	}
}

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
	for _, f := range []dump.Format{format.WraithJSON, format.DomTool} {
		for _, o := range []format.Options{{}, {Common: dump.Common{Compat: true}}, {Common: dump.Common{MaxChars: 2_500}},
			{Common: dump.Common{Volatile: true}, DomTool: domtool.Options{IncludeLayout: true}}} {
			c := pagetest.Parse(t, page)
			c.Nodes[1].Layer = &snapshot.Layer{Position: "sticky", Top: true}
			for range 30 {
				n := snapshot.Node{I: len(c.Nodes), Parent: 0, Tag: "canvas", Box: snapshot.Box{0, 0, 9, 9},
					Verdict: snapshot.VerdictSkippedTag}
				c.Nodes = append(c.Nodes, n)
			}
			d, err := format.Render(c, f, o)
			require.NoError(t, err)
			legend := format.Legend(f, o)
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
	require.Contains(t, format.Legend(format.Wraith, format.Options{Common: dump.Common{MarkCovered: true}}),
		"[COVERED by @e30]")
	require.Contains(t, format.Legend(format.Wraith, format.Options{Common: dump.Common{Compat: true}}),
		"Main Content Preview")
}

// TestNodeIDsFindsWhatThePayloadLists: each node_id of a payload that is no text or
// summary is an element's, and the element whose line it is on.
func TestNodeIDsFindsWhatThePayloadLists(t *testing.T) {
	c := pagetest.Shop(t, 600)
	all := domtool.NodeIDs(c)
	doc, err := format.Render(c, format.DomTool, format.Options{})
	require.NoError(t, err)
	listed := 0
	for _, l := range doc.Lines {
		m := regexp.MustCompile(`^\{"node_id":"(nv_[^"]+)"`).FindStringSubmatch(doc.Text[l.Start:l.End])
		if m == nil || l.Node < 0 {
			continue
		}
		listed++
		require.Equal(t, l.Node, all[m[1]], m[1])
	}
	require.Greater(t, listed, 100)
	_, ok := all["nv_00000000"]
	require.False(t, ok)
}

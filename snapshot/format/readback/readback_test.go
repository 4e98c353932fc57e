package readback

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/testpages"
)

// page is one of each kind of line.
func page() *snapshot.Capture {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}}
	c.Nodes = []snapshot.Node{{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper}}
	add := func(n snapshot.Node) {
		n.I, n.Parent, n.Ref = len(c.Nodes), 0, len(c.Nodes)
		n.Verdict, n.Interactive, n.InViewport, n.Box = snapshot.VerdictRef, []string{"native"}, true,
			snapshot.Box{0, float64(20 * n.I), 50, 10}
		c.Nodes = append(c.Nodes, n)
	}
	add(snapshot.Node{Tag: "button", Role: "button", Name: `Save "<all>" \u{202e} ` + "\u202e",
		States: snapshot.States{"disabled": true, "expanded": false}})
	add(snapshot.Node{Tag: "input", Role: "textbox", Name: "Name", Value: "Ada & <Co>",
		States: snapshot.States{"required": true}, Attrs: map[string]string{"type": "text"}})
	add(snapshot.Node{Tag: "input", Role: "checkbox", Name: "All", States: snapshot.States{"checked": "mixed"},
		Attrs: map[string]string{"type": "checkbox", "value": "on"}})
	add(snapshot.Node{Tag: "a", Role: "link",
		Name:  "Long name of a link that is cut after eighty characters, which is not a disagreement at all",
		Attrs: map[string]string{"href": "/"}})
	add(snapshot.Node{Tag: "div", Role: "slider", Name: "Volume", Value: "40"})
	add(snapshot.Node{Tag: "select", Role: "combobox", Name: "Size", Value: "M"})
	return c
}

func documents(t *testing.T, c *snapshot.Capture) []*dump.Document {
	t.Helper()
	var docs []*dump.Document
	for _, r := range Readers() {
		d, err := format.Render(c, r.Format, format.Options{})
		require.NoError(t, err)
		docs = append(docs, d)
	}
	return docs
}

func TestFormatsAgree(t *testing.T) {
	c := page()
	docs := documents(t, c)
	for i, r := range Readers() {
		said, err := r.Read(docs[i].Text)
		require.NoError(t, err)
		if r.Format != format.AX { // it lists roles of controls and no others
			require.Len(t, said, len(c.Nodes)-1, "%s reads every line\n%s", r.Format, docs[i].Text)
		}
	}
	found, err := Check(docs...)
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestDisagreementsAreFound tampers with one dump at a time.
func TestDisagreementsAreFound(t *testing.T) {
	for _, tt := range []struct {
		name, from, to, want string
		doc                  int
	}{
		{"name", "Save ", "Sell ",
			`[1] name: dddk says "Sell \"<all>\" \\u{202e} \u202e", semantic says "Save \"<all>\" \\u{202e} \u202e"`, 0},
		{"value", "Ada ", "Eve ", `[2] value: dddk says "Ada & <Co>", semantic says "Eve & <Co>"`, 1},
		{"role", "<slider", "<switch", `[5] role: dddk says "switch", semantic says "slider"`, 0},
		{"state", `"required"`, `"checked"`,
			"[2] checked: dddk says \"false\", semantic says \"true\"\n[2] required: dddk says \"true\", semantic says " +
				"\"false\"", 1},
		{"mixed", ` checked="mixed"`, " checked", "[3] checked: dddk says \"true\", semantic says \"false\"", 0},
		{"a cut name that differs before the cut", "Long name", "Long nome", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			docs := documents(t, page())[:2]
			d := *docs[tt.doc]
			require.Contains(t, d.Text, tt.from)
			d.Text = strings.Replace(d.Text, tt.from, tt.to, 1)
			d.Text = strings.Replace(d.Text, "</slider>", "</"+strings.TrimPrefix(tt.to, "<")+">", 1)
			docs[tt.doc] = &d
			found, err := Check(docs...)
			require.NoError(t, err)
			require.NotEmpty(t, found)
			if tt.want != "" {
				var got []string
				for _, f := range found {
					got = append(got, f.String())
				}
				require.Equal(t, tt.want, strings.Join(got, "\n"))
			}
		})
	}
	docs := documents(t, page())
	for i, d := range docs { // one format of all of them says something else
		tampered := *d
		tampered.Text = strings.ReplaceAll(d.Text, "Ada ", "Eve ")
		require.NotEqual(t, d.Text, tampered.Text)
		all := slices.Clone(docs)
		all[i] = &tampered
		found, err := Check(all...)
		require.NoError(t, err)
		require.NotEmpty(t, found, d.Format)
		for _, f := range found {
			require.True(t, f.What == "value" && (f.A == d.Format || f.B == d.Format), f)
		}
	}
	docs[0].Lines[4].Ref = 9
	_, err := Check(docs...)
	require.EqualError(t, err, "dddk: line 5 bears the number 1, which is not the one of its element")
	_, err = Check(&dump.Document{Format: "nope"})
	require.EqualError(t, err, "format nope has no reader")
	_, err = readDDDK("[5] no tag")
	require.Error(t, err)
	_, err = readSemantic("{")
	require.Error(t, err)
}

// TestRecordedPages: no two formats disagree on a real page.
func TestRecordedPages(t *testing.T) {
	compared, pages := 0, testpages.Captures(t)
	for name, c := range pages {
		var docs []*dump.Document
		for _, r := range Readers() {
			d, err := format.Render(c, r.Format, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1},
				Semantic: semantic.Options{NoViewportPruning: true, NoAtomic: true, KeepContainers: true},
				Markup:   markup.Options{NoTemplates: true}})
			require.NoError(t, err)
			said, err := r.Read(d.Text)
			require.NoError(t, err, name)
			compared += len(said)
			docs = append(docs, d)
		}
		found, err := Check(docs...)
		require.NoError(t, err, name)
		for _, f := range found {
			if f.What == "role" && c.ByRef(f.Ref).HasAttr("role") {
				// dddk spells the tag, semantic the role, and the page gave the element a
				// role that HTML does not allow on its tag.
				t.Logf("%s: %s (the page's own contradiction)", name, f)
				continue
			}
			t.Errorf("%s: %s", name, f)
		}
	}
	t.Logf("%d pages, %d lines read back", len(pages), compared)
}

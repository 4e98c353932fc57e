package format_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// agree renders a capture in every format that can be read back and requires that
// no two of them disagree about an element.
func agree(t *testing.T, c *snapshot.Capture) {
	t.Helper()
	var docs []*dump.Document
	for _, r := range readback.Readers() {
		d, err := format.Render(c, r.Format, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1}, Semantic: semantic.Options{NoViewportPruning: true, NoAtomic: true, KeepContainers: true}, Markup: markup.Options{NoTemplates: true}})
		require.NoError(t, err)
		docs = append(docs, d)
	}
	found, err := readback.Check(docs...)
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestFormatsAgree holds every format against every other on the pages of the
// goldens and on hostile ones.
func TestFormatsAgree(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			agree(t, pagetest.Parse(t, string(a.Files[0].Data)))
		})
	}
	for _, s := range pagetest.HostileTexts() {
		agree(t, pagetest.Hostile(t, s))
	}
}

// TestEveryFormatCanBeReadBack: the check above passes over no format.
func TestEveryFormatCanBeReadBack(t *testing.T) {
	for _, f := range format.Names() {
		require.True(t, slices.ContainsFunc(readback.Readers(), func(r readback.Reader) bool { return r.Format == f }), f)
	}
}

func TestAcross(t *testing.T) {
	c := pagetest.Parse(t, `
body
  section %name="Teas"
    button @0,0,10,10 "Buy"
    button @0,900,10,10 "Far"
  p
    "Hello "
    b "you"
  div %verdict=display-none "x"
`)
	d, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	s, err := format.Render(c, format.Semantic, format.Options{})
	require.NoError(t, err)
	at := func(tag string, k int) []dump.Place {
		for _, n := range c.Nodes {
			if n.Tag == tag {
				if k--; k < 0 {
					return dump.Across(n.I, d, s)
				}
			}
		}
		return nil
	}
	buy := at("button", 0)
	require.Equal(t, []dump.Format{format.DDDK, format.Semantic}, []dump.Format{buy[0].Format, buy[1].Format})
	require.Equal(t, []string{"[2]<button>Buy</button>"}, buy[0].Text)
	require.Equal(t, []string{`{"i":"2","r":"btn","n":"Buy","xy":[5,5],"box":[0,0,10,10]}`}, buy[1].Text)
	far := at("button", 1)
	require.Equal(t, []string{"↓[3]<button>Far</button>"}, far[0].Text)
	require.Empty(t, far[1].Lines)
	require.Equal(t, []dump.Omission{{Node: 3, Reason: dump.ReasonViewport, Detail: "below the viewport"}}, far[1].Omitted)
	bold := at("b", 0)
	require.Equal(t, []string{"<p>Hello you</p>"}, bold[0].Text)
	require.Equal(t, "you", d.Text[bold[0].Parts[0].Start:bold[0].Parts[0].End])
	require.Equal(t, dump.ReasonRole, bold[1].Omitted[0].Reason)
	hidden := at("div", 0)
	require.Empty(t, hidden[0].Lines)
	require.Empty(t, hidden[0].Omitted, "its verdict says why")
}

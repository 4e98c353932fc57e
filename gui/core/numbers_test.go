package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/why"
)

// TestNumbersInWords: what is shown under Count from 1 is what would have been written of a page
// whose elements are numbered so, in the lines of every format and in the sentences of audit and
// explanations.
func TestNumbersInWords(t *testing.T) {
	for name, c := range testpages.Captures(t) {
		t.Run(name, func(t *testing.T) {
			late := *c
			late.Nodes = append([]snapshot.Node(nil), c.Nodes...)
			for i := range late.Nodes {
				if late.Nodes[i].Ref > 0 {
					late.Nodes[i].Ref += 48_000
				}
			}
			numbers := core.NewTurn(1, "goto", &late, nil, nil).Numbers()
			counted := numbers.In(&late)
			unlimited := format.Options{} // shorter numbers come to a limit later
			unlimited.MaxChars = -1
			var views []why.View
			audits := audit.Options{PerRule: -1}
			for _, f := range format.Plain() {
				views = append(views, why.View{Format: f, Options: unlimited})
				audits.Views = append(audits.Views, audit.View{Format: f, Options: unlimited})
			}
			for _, f := range format.Plain() {
				refs, err := format.Render(&late, f, unlimited)
				require.NoError(t, err)
				want, err := format.Render(counted, f, unlimited)
				require.NoError(t, err)
				for i, l := range want.Lines {
					if l.Node < 0 && strings.Contains(want.Text[l.Start:l.End], `"estimated`) {
						continue // the window shows the cost of what an agent reads
					}
					line := numbers.Line(refs.Text[refs.Lines[i].Start:refs.Lines[i].End])
					// wraith's numbers are a column
					require.Equal(t, strings.Fields(want.Text[l.Start:l.End]), strings.Fields(line), f)
				}
			}

			refs, err := audit.Run(&late, audits)
			require.NoError(t, err)
			want, err := audit.Run(counted, audits)
			require.NoError(t, err)
			said := map[string]bool{}
			for _, f := range refs.Findings {
				said[numbers.Words(f.Sentence)] = true
			}
			for _, f := range want.Findings {
				if f.Rule != audit.TextMissing { // a number may be a text that is looked for
					require.Contains(t, said, f.Sentence)
				}
			}

			ofRefs, ofNumbers := why.New(&late, views...), why.New(counted, views...)
			for i := 0; i < len(late.Nodes); i += max(1, len(late.Nodes)/200) {
				x, err := ofRefs.Explain(i)
				require.NoError(t, err)
				y, err := ofNumbers.Explain(i)
				require.NoError(t, err)
				if !late.Nodes[i].Verdict.Kept() { // else the details have a row for it
					require.Equal(t, y.Sentence, numbers.Words(x.Sentence))
				}
				for k := range y.Formats {
					require.Equal(t, y.Formats[k].Sentence, numbers.Words(x.Formats[k].Sentence))
				}
				for k := range y.Facts {
					require.Equal(t, y.Facts[k].Text, numbers.Words(x.Facts[k].Text))
				}
			}
		})
	}
}

// TestWordsOfThePageStay: a page whose texts look like refs is shown as it is.
func TestWordsOfThePageStay(t *testing.T) {
	c := &snapshot.Capture{Nodes: []snapshot.Node{{Parent: -1}, {I: 1, Ref: 4837, Verdict: snapshot.VerdictRef}}}
	numbers := core.NewTurn(1, "goto", c, nil, nil).Numbers()
	for _, at := range [][2]string{
		{`[4837] button "Buy [4837]" covers it`, `[1] button "Buy [4837]" covers it`},
		{`name “a[4837]” → "say \"[4837]\""`, `name “a[4837]” → "say \"[4837]\""`},
		{"It took the place of [4711].", "It took the place of ref 4711."},
		{"no number at all", "no number at all"},
	} {
		require.Equal(t, at[1], numbers.Words(at[0]))
		require.Equal(t, at[0], (*core.Numbers)(nil).Words(at[0]))
	}
	row := numbers.Row(&core.Row{Title: "[4837]<a>", Code: true, Body: "was [4837]<b>", Ref: 4837})
	require.Equal(t, core.Row{Title: "[1]<a>", Code: true, Body: "was [1]<b>", Ref: 4837}, *row)
	require.False(t, strings.Contains(fmt.Sprint(row), "[4837]"))
}

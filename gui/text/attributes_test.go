package text_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestReading writes real pages without attributes and with numbers from 1: each line still is
// that of its element, and says so.
func TestReading(t *testing.T) {
	w := coretest.Worker(nil)
	for name, c := range testpages.Captures(t) {
		for i := range c.Nodes {
			if c.Nodes[i].Ref > 0 {
				c.Nodes[i].Ref += 4000 // as late in a session
			}
		}
		turn := core.NewTurn(1, "goto", c, nil, nil)
		numbers := turn.Numbers()
		for _, f := range format.Names() {
			whole := text.Render{Turn: turn, Format: f}.Do(t.Context(), w).(core.Rendered)
			reading := core.Reading{FromOne: true, Without: "class href"}
			got := text.Render{Turn: turn, Format: f, Reading: reading}.Do(t.Context(), w).(core.Rendered)
			require.Nil(t, got.Doc.Problem, "%s %s", name, f)
			require.Equal(t, whole.Doc.Tokens, got.Doc.Tokens, "the costs are those of what an agent reads")
			require.Equal(t, whole.Doc.Chars, got.Doc.Chars)
			d := got.Doc.Doc
			require.Len(t, d.Lines, len(whole.Doc.Doc.Lines), "%s %s: no other lines than an agent reads", name, f)
			require.Len(t, strings.Split(d.Text, "\n"), len(d.Lines), "%s %s", name, f)
			for i, l := range d.Lines {
				line := d.Text[l.Start:l.End]
				require.NotContains(t, line, "\n")
				n := c.Node(l.Node)
				if n == nil {
					continue
				}
				require.Equal(t, n.Ref, l.Ref, "%s %s line %d: %s", name, f, i+1, line)
				was := whole.Doc.Doc.Lines[i]
				if before := whole.Doc.Doc.Text[was.Start:was.End]; f == format.DDDK && strings.Contains(before,
					fmt.Sprintf("[%d]", n.Ref)) {
					require.Contains(t, line, fmt.Sprintf("[%d]", numbers.Of(n.Ref)))
				}
				if f == format.DDDK && strings.Contains(line, "[") && len(n.Interactive) > 0 {
					require.NotContains(t, line, ` href="`)
				}
			}
			for _, s := range d.Spans {
				l := d.Lines[s.Line]
				require.True(t, l.Start <= s.Start && s.Start <= s.End && s.End <= l.End, "%s %s: %v in %v", name, f, s,
					l)
			}
		}
		for i := range c.Nodes {
			if ref := c.Nodes[i].Ref; ref > 0 {
				require.Equal(t, ref, numbers.Ref(numbers.Of(ref)))
			}
		}
	}
}

// TestAttributes leaves attributes out and shows them again.
func TestAttributes(t *testing.T) {
	s := apptest.Captured(t)
	s, effects := apptest.Step(s, core.AttributeToggled{Name: "href"}, core.AttributeToggled{Name: "class"})
	require.Equal(t, "class href", s.Reading.Without)
	require.Equal(t, text.Render{Turn: s.Current, Format: s.Format, Reading: s.Reading},
		apptest.Last[text.Render](effects))
	late, _ := apptest.Step(s, core.Rendered{Turn: s.Current.N, Doc: core.Doc{Format: s.Format}})
	require.Nil(t, late.Doc(s.Format), "a text that was asked for before is dropped")
	s, _ = apptest.Step(s, core.Rendered{Turn: s.Current.N, Reading: s.Reading,
		Doc: core.Doc{Format: s.Format, Doc: &dump.Document{Format: s.Format, Text: "[1]<a>Shop</a>"},
			Attributes: []string{"value", "href"}}})
	require.Equal(t, []text.AttributeChoice{{Name: "value", Title: "value", On: true}, {Name: "href", Title: "href"}},
		text.HeadOf(s).Attributes)
	require.Equal(t, 1, text.HeadOf(s).Without)
	s, _ = apptest.Step(s, core.AttributeToggled{})
	require.Empty(t, s.Reading.Without)
}

// TestAttributesByKeys drops the choice down, from another side too, and chooses in it.
func TestAttributesByKeys(t *testing.T) {
	test.NewTempApp(t)
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.Rendered{Turn: s.Current.N, Doc: core.Doc{Format: s.Format, Attributes: []string{"href"},
		Doc: &dump.Document{Format: s.Format, Text: "[1]<a>Shop</a>"}}}, core.SideChosen(findings.Side))
	var sent []core.Msg
	pane := text.NewPane(&parts.Window{Send: func(m core.Msg) { sent = append(sent, m) }})
	w := test.NewTempWindow(t, pane.Object())
	var drop []core.Effect
	for _, c := range s.Commands() {
		if c.ID == text.CmdAttributes {
			require.True(t, c.Enabled(s))
			s, drop = c.Msg(s).Apply(s)
		}
	}
	require.Equal(t, core.SideText, s.Side)
	pane.Show(s)
	require.True(t, pane.Do(drop[len(drop)-1]))
	menu, ok := w.Canvas().Focused().(*widget.PopUpMenu)
	require.True(t, ok, "%T has the keys", w.Canvas().Focused())
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []core.Msg{core.AttributeToggled{Name: "href"}}, sent)
}

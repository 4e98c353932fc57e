package text_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestTheWindowIsADoor: the window shows, byte for byte, the text that snap prints of the turn, ax included: what
// TestTheSameTextAtEveryDoor of the command line asks of all other doors. As much is withheld, and JSON stays JSON.
func TestTheWindowIsADoor(t *testing.T) {
	w, texts := coretest.Worker(nil), 0
	for name, c := range testpages.Captures(t) {
		turn := core.NewTurn(1, "goto", c, nil, nil)
		for _, f := range format.Plain() {
			want, err := format.Render(c, f, format.Options{})
			require.NoError(t, err)
			shown := text.Render{Turn: turn, Format: f}.Do(t.Context(), w).(core.Rendered)
			require.Nil(t, shown.Doc.Problem, "%s %s", name, f)
			got := shown.Doc.Doc.Text
			require.Equal(t, want.Text, got, "%s %s", name, f)
			require.Equal(t, redact.Marks([]byte(want.Text)), redact.Marks([]byte(got)), "%s %s", name, f)
			if format.KindOf(f) == format.KindJSON {
				require.True(t, json.Valid([]byte(got)), "%s %s", name, f)
			}
			texts++
		}
	}
	t.Logf("%d texts", texts)
	require.Greater(t, texts, 100)
}

// TestEveryLineIsFoundByItsElement: an element that is selected in the picture has its lines marked in the text of the
// turn in view, and one that a line is about is hovered from it, whether it has a number or not.
func TestEveryLineIsFoundByItsElement(t *testing.T) {
	unnumbered := 0
	for name, c := range testpages.Captures(t) {
		s := core.State{Current: core.NewTurn(1, "goto", c, nil, nil)}
		for _, f := range format.Plain() {
			d, err := format.Render(c, f, format.Options{})
			require.NoError(t, err)
			for i, l := range d.Lines {
				if l.Node < 0 {
					continue
				}
				key := s.SelectionOfNode(l.Node, core.PanePicture).Key()
				require.True(t, text.Marks(d, i, key), "%s %s line %d", name, f, i)
				over, _ := core.Hovered{Ref: key, Source: core.PaneDump}.Apply(s)
				require.Equal(t, l.Node, over.Hover.Node, "%s %s line %d", name, f, i)
				if key < 0 {
					unnumbered++
				}
			}
		}
	}
	t.Logf("%d lines of elements without a number", unnumbered)
	require.Positive(t, unnumbered)
}

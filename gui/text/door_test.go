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

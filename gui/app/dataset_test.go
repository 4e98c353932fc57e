package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
)

// The dialog of a data set is drawn with its examples, and what is chosen in it is written to the folder that a person
// picks.
func TestDatasetFromTheWindow(t *testing.T) {
	b := reviewing(t, 2, nil)
	b.places = []string{t.TempDir()}
	b.command(export.CmdDataset)
	s := b.await("the preview", func(s core.State) bool { return s.Dialog == export.DialogDataset && export.PreviewOf(s) != nil })
	b.settled()
	require.NotEmpty(t, export.PreviewOf(s).Examples)
	b.shell.win.Canvas().Capture() // every widget is drawn
	b.shoot("dataset")
	b.shell.Dispatch(export.SetConfirmed())
	s = b.await("the set", func(s core.State) bool { return s.Notice != nil && len(s.Tasks) == 0 })
	require.Contains(t, s.Notice.Text, "Wrote a data set of 3 examples in 1 picture")
}

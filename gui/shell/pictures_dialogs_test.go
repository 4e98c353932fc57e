package shell

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/state"
)

// TestDialogsToLookAt writes pictures of every dialog in both themes.
func TestDialogsToLookAt(t *testing.T) {
	if *pictures == "" {
		t.Skip("no --pictures asked for")
	}
	for _, look := range []state.Look{state.LookDark, state.LookLight, state.LookContrast} {
		b := reviewing(t, 4, func(o *Options) { o.Prefs.Look = look })
		b.shell.win.Resize(fyne.NewSize(1440, 900))
		for _, id := range []string{state.CmdHelp, state.CmdPalette, state.CmdExport, state.CmdMarked, state.CmdSessions} {
			b.command(id)
			b.settled()
			b.shoot("dialog-" + id + "-" + string(look))
			b.shell.Dispatch(state.Escaped{})
			b.settled()
		}
		b.command("side.audit")
		b.await("the audit", func(s state.State) bool { return s.Audit.Report != nil })
		b.settled()
		b.shoot("audit-" + string(look))
	}
}

package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/snapshot/testneed"
)

// TestDialogsToLookAt writes pictures of every dialog in both themes.
func TestDialogsToLookAt(t *testing.T) {
	if *pictures == "" {
		testneed.Extra(t, "no --pictures asked for")
	}
	for _, look := range []core.Look{core.LookDark, core.LookLight, core.LookContrast} {
		b := reviewing(t, 4, func(o *Options) { o.Prefs.Look = look })
		b.shell.win.Resize(fyne.NewSize(1440, 900))
		for _, id := range []string{core.CmdHelp, core.CmdPalette, core.CmdExport, export.CmdMarked, core.CmdSessions} {
			b.command(id)
			b.settled()
			b.shoot("dialog-" + id + "-" + string(look))
			b.shell.Dispatch(core.Escaped{})
			b.settled()
		}
		b.command("side.audit")
		b.await("the audit", func(s core.State) bool { return findings.Of(s).Report != nil })
		b.settled()
		b.shoot("audit-" + string(look))
	}
}

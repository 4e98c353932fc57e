package app

import (
	"github.com/refscope/refscope/gui/aim"
	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/batch"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/compare"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/messages"
	"github.com/refscope/refscope/gui/network"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/palette"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/gui/settings"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/gui/whatif"
)

// Rooms is the table of all rooms. Their order is that of their commands in the menus, and
// the order in which Esc asks them what to leave.
func Rooms() []core.Room {
	return []core.Room{
		sessions.Room(), batch.Room(), timeline.Room(), notes.Room(), core.PageRoom(), attach.Room(), device.Room(),
		core.CaptureRoom(), live.Room(),
		find.Room(), picture.Room(), text.Room(), core.SidesRoom(), core.PrefsRoom(),
		settings.Room(), sentrequest.Room(), aim.Room(),
		messages.Room(), findings.Room(),
		details.Room(), steps.Room(), steps.ActRoom(), connect.Room(), compare.Room(), changes.Room(), payload.Room(),
		costs.Room(), turn.Room(), network.Room(), profile.Room(), whatif.Room(), replays.Room(),
		export.Room(), palette.Room(), lastRoom(),
	}
}

// cmdSave saves what is edited, wherever the keyboard is.
const cmdSave = "save"

// saves is the message that saves what is edited: the note that is being written, or else the profile whose text has
// changed, or else the payload in view to a file; nil where there is nothing to save.
func saves(s core.State) core.Msg {
	switch {
	case s.Dialog == notes.Dialog && notes.Of(s).Draft.Says():
		return notes.Confirmed()
	case s.Dialog == "" && profile.CanSave(s):
		return profile.SaveAsked()
	case s.Dialog == "" && payload.CanSave(s):
		return core.CommandChosen{ID: payload.CmdPayloadSave}
	}
	return nil
}

// lastRoom has the commands at the end of their menus.
func lastRoom() core.Room {
	return core.Room{Name: "last", Commands: func(core.State) []core.Command {
		return []core.Command{
			{ID: cmdSave, Title: "Save what is edited", Menu: "File", Key: "Ctrl+S", Gap: true,
				Enabled: func(s core.State) bool { return saves(s) != nil }, Msg: saves},
			{ID: "quit", Title: "Quit", Menu: "File", Key: "Ctrl+Q", Gap: true, Enabled: core.Always,
				Msg: core.Send(profile.CloseAsked())},
			{ID: core.CmdHelp, Title: "Commands and keys", Menu: "Help", Key: "?", Enabled: core.Always,
				Checked: func(s core.State) bool { return s.Dialog == core.DialogHelp },
				Msg:     core.Send(core.HelpToggled())},
		}
	}}
}

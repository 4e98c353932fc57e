package core

import (
	"fmt"

	"github.com/refscope/refscope/snapshot/dump"
)

// Command is one thing that a person can ask of the window. Menu, shortcuts, the
// help page and the tests all read the table that [Commands] returns.
type Command struct {
	ID    string
	Title string
	// Menu is the title of the menu it stands in, "" for none: then the palette has it.
	Menu string
	// Key is its shortcut, such as "Ctrl+R", "Alt+Left", "F5" or "B"; "" for none.
	// A key without Ctrl or Alt works while no text is being typed.
	Key string
	// Gap asks for a line above it in the menu.
	Gap bool
	// Hold: while its key is held down it is on, and a short press switches it.
	Hold bool
	// Enabled says whether it can be done now; it is never nil.
	Enabled func(State) bool
	// Checked says whether it is on, for commands that switch something.
	Checked func(State) bool
	// Msg is what it sends; it is called only where Enabled.
	Msg func(State) Msg
}

// Ids that are used outside of the table.
const (
	CmdStartBrowser = "browser.start"
	CmdCapture      = "capture"
	CmdBack         = "page.back"
	CmdForward      = "page.forward"
	CmdReload       = "page.reload"
	CmdTabs         = "page.tabs"
	CmdHelp         = "help.keys"
	CmdPalette      = "help.palette"
	CmdTheme        = "view.theme"
	CmdExport       = "export"
	CmdExportAll    = "export.all"
	CmdSessions     = "session.open"
	CmdFollow       = "session.follow"
	CmdNewest       = "turn.newest"
	CmdBoxes        = "view.boxes"
	CmdLabels       = "view.labels"
	CmdOcclusion    = "view.occlusion"
	CmdBefore       = "view.before"
	CmdMarked       = "export.marked"
	CmdChanges      = "side.changes"
	CmdPayload      = "side.payload"
	CmdPretty       = "payload.pretty"
	CmdPayloadCopy  = "payload.copy"
	CmdPayloadSave  = "payload.save"
	CmdDialects     = "payload.dialects"
	CmdModes        = "payload.modes"
	CmdModels       = "payload.models"

	CmdAuditErrors   = "audit.errors"
	CmdAuditWarnings = "audit.warnings"
	CmdAuditNotes    = "audit.notes"
	CmdAuditPersonal = "audit.personal"
	CmdCosts         = "picture.costs"
)

// Keys that sentences name.
const (
	keyFollow = "F"
	keyBefore = "B"
)

// Titles of the menus, in order.
func Menus() []string {
	return []string{"File", "Edit", "View", "Page", "Turn", "Text", "Payload", "Tools", "Help"}
}

// Commands is the table of all commands for these formats and dialects.
func Commands(formats []dump.Format, dialects []string) []Command {
	list := append(sessionCommands(), timelineCommands()...)
	list = append(list, noteCommands()...)
	list = append(list, pageCommands()...)
	list = append(list, attachCommands()...)
	list = append(list, deviceCommands()...)
	list = append(list, captureCommands()...)
	list = append(list, liveCommands()...)
	list = append(list, viewCommands(formats)...)
	list = append(list, pictureCommands()...)
	list = append(list, prefsCommands()...)
	list = append(list, auditCommands()...)
	list = append(list, findCommands()...)
	list = append(list, whyCommands()...)
	list = append(list, kindCommands()...)
	list = append(list, stepsCommands()...)
	list = append(list, actCommands()...)
	list = append(list, connectCommands()...)
	list = append(list, payloadCommands()...)
	list = append(list, profileCommands()...)
	list = append(list, whatIfCommands()...)
	list = append(list, exportCommands(formats, dialects)...)
	return append(list,
		Command{ID: "quit", Title: "Quit", Menu: "File", Key: "Ctrl+Q", Gap: true, Enabled: always, Msg: send(CloseAsked{})},
		Command{ID: CmdPalette, Title: "Find a command…", Menu: "Help", Key: "Ctrl+Shift+P", Enabled: always, Msg: send(PaletteAsked{})},
		Command{ID: CmdHelp, Title: "Commands and keys", Menu: "Help", Key: "?", Enabled: always,
			Checked: func(s State) bool { return s.Dialog == DialogHelp }, Msg: send(HelpToggled{})})
}

func pageCommands() []Command {
	const m = "Page"
	return []Command{
		{ID: "page.address", Title: "Type an address", Menu: m, Key: "Ctrl+L", Enabled: always, Msg: send(Wanted{FocusAddress{}})},
		{ID: CmdBack, Title: "Back", Menu: m, Key: "Alt+Left", Enabled: idle, Msg: send(MoveAsked{MoveBack})},
		{ID: CmdForward, Title: "Forward", Menu: m, Key: "Alt+Right", Enabled: idle, Msg: send(MoveAsked{MoveForward})},
		{ID: CmdReload, Title: "Load again", Menu: m, Key: "F5", Enabled: idle, Msg: send(MoveAsked{MoveReload})},
		{ID: CmdTabs, Title: "Tabs of the browser", Menu: m, Key: "Ctrl+T", Enabled: ready, Msg: send(TabsAsked{})},
		{ID: "page.demo", Title: "Open the demo site", Menu: m, Gap: true,
			Enabled: func(s State) bool { return idle(s) && s.Browser.Demo != "" }, Msg: send(DemoAsked{})},
		{ID: CmdStartBrowser, Title: "Start Chrome again", Menu: m,
			Enabled: func(s State) bool { return s.Browser.Phase != PhaseReady && s.Browser.Phase != PhaseStarting }, Msg: send(BrowserAsked{})},
	}
}

func captureCommands() []Command {
	const m = "Page"
	return []Command{
		{ID: CmdCapture, Title: "Capture this page", Menu: m, Key: "Ctrl+R", Gap: true, Enabled: idle, Msg: send(CaptureAsked{})},
		{ID: "task.cancel", Title: "Cancel what is running", Menu: m, Key: "Ctrl+.",
			Enabled: func(s State) bool { t := s.Busy(); return t != nil && !t.Stopping },
			Msg:     func(s State) Msg { return CancelAsked{s.Busy().ID} }},
	}
}

func sessionCommands() []Command {
	const m, file = "Turn", "File"
	return []Command{
		{ID: CmdSessions, Title: "Open a session…", Menu: file, Key: "Ctrl+O", Enabled: always, Msg: send(SessionsAsked{})},
		{ID: "session.folder", Title: "Open a session's folder…", Menu: file, Key: "Ctrl+Shift+O", Enabled: always, Msg: send(Wanted{AskSession{Folder: true}})},
		{ID: "session.file", Title: "Open a .refscope file…", Menu: file, Key: "Ctrl+Shift+F", Enabled: always, Msg: send(Wanted{AskSession{}})},
		{ID: "turn.previous", Title: "Previous turn", Menu: m, Key: "K",
			Enabled: func(s State) bool { return s.turnIndex() > 0 }, Msg: send(TurnStepped{-1})},
		{ID: "turn.next", Title: "Next turn", Menu: m, Key: "J",
			Enabled: func(s State) bool { i := s.turnIndex(); return i >= 0 && i+1 < len(s.Session.Turns) }, Msg: send(TurnStepped{1})},
		{ID: CmdNewest, Title: "Newest turn", Menu: m, Key: "G",
			Enabled: func(s State) bool { return len(s.Session.Turns) > 0 }, Msg: send(NewestAsked{})},
		{ID: CmdFollow, Title: "Follow new turns", Menu: m, Key: keyFollow, Gap: true, Enabled: State.canFollow,
			Checked: func(s State) bool { return s.Follow == FollowOn && s.canFollow() }, Msg: send(FollowToggled{})},
	}
}

func payloadCommands() []Command {
	const m = "Payload"
	derived := func(s State) bool { return s.Shown != nil && s.Payload.Choice.Stored == 0 }
	drop := func(id, title, key string, which PayloadMenu, on func(State) bool) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Msg: send(Wanted{DropDown{which}}),
			Enabled: func(s State) bool { return s.Side == SidePayload && s.Shown != nil && on(s) }}
	}
	list := []Command{
		{ID: "payload.next", Title: "Next payload", Menu: m, Key: "]", Enabled: shown, Msg: send(PayloadStepped{1})},
		{ID: "payload.previous", Title: "Previous payload", Menu: m, Key: "[", Enabled: shown, Msg: send(PayloadStepped{-1})},
		drop(CmdDialects, "Choose the payload…", "Ctrl+Shift+D", MenuDialect, shown),
		drop(CmdModes, "Choose the mode…", "Ctrl+Shift+M", MenuMode, func(s State) bool { return hasModes(s.Payload.Choice) }),
		drop(CmdModels, "Choose the model…", "Ctrl+Shift+L", MenuModel, derived),
		{ID: CmdPretty, Title: "Pretty in place of exact bytes", Menu: m, Key: "P", Gap: true,
			Enabled: func(s State) bool { return canPayload(s) && s.Payload.Built.Pretty != nil },
			Checked: func(s State) bool { return s.Payload.Pretty }, Msg: send(PrettyToggled{})},
		{ID: CmdPayloadCopy, Title: "Copy the exact bytes", Menu: m, Key: "Ctrl+Shift+C", Enabled: canPayload, Msg: send(PayloadCopied{})},
		{ID: CmdPayloadSave, Title: "Save the exact bytes…", Menu: m, Key: "Ctrl+S", Enabled: canPayload,
			Msg: func(s State) Msg { return ExportAsked{s.savePayload()} }},
	}
	return list
}

func shown(s State) bool { return s.Shown != nil }

func viewCommands(formats []dump.Format) []Command {
	const m = "View"
	layer := func(id, title, key string, l Layer, on func(State) bool) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Enabled: always, Checked: on, Msg: send(LayerToggled{l})}
	}
	zoom := func(id, title, key string, z Zoom) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Enabled: pictured, Msg: send(Wanted{ZoomTo{z}})}
	}
	list := []Command{
		layer(CmdBoxes, "Boxes", "X", LayerBoxes, func(s State) bool { return s.Layers.Boxes }),
		layer(CmdLabels, "Labels", "L", LayerLabels, func(s State) bool { return s.Layers.Labels }),
		layer(CmdOcclusion, "Occlusion", "O", LayerOcclusion, func(s State) bool { return s.Layers.Occlusion }),
		{ID: CmdBefore, Title: "Picture of the turn before", Menu: m, Key: keyBefore, Hold: true,
			Enabled: func(s State) bool { return s.Before != nil }, Checked: func(s State) bool { return s.Back },
			Msg: func(s State) Msg { return BackToggled{!s.Back} }},
		zoom("zoom.fit", "Fit the picture", "0", ZoomFit),
		zoom("zoom.actual", "Actual size", "1", ZoomActual),
		zoom("zoom.in", "Zoom in", "+", ZoomIn),
		zoom("zoom.out", "Zoom out", "-", ZoomOut),
		zoom("zoom.selection", "Zoom to the selection", "Z", ZoomSelection),
	}
	list[4].Gap = true
	list[8].Enabled = func(s State) bool { return pictured(s) && s.Selected.Some() }
	for i, f := range formats {
		c := Command{ID: "format." + string(f), Title: "Text as " + string(f), Menu: "Text", Gap: i == 0, Enabled: always,
			Checked: func(s State) bool { return s.Format == f && s.Side == SideText }, Msg: send(FormatChosen{f})}
		if i < 9 {
			c.Key = fmt.Sprintf("Ctrl+%d", i+1)
		}
		list = append(list, c)
	}
	list = append(list, sideCommands()...)
	return append(list,
		Command{ID: "select.clear", Title: "Clear the selection", Menu: "Edit",
			Enabled: func(s State) bool { return s.Selected.Some() }, Msg: send(Picked{})})
}

func send(m Msg) func(State) Msg { return func(State) Msg { return m } }

func always(State) bool { return true }

func ready(s State) bool { return s.Browser.Phase == PhaseReady }

// idle: the browser runs and nothing keeps it busy that cannot be given up.
func idle(s State) bool {
	t := s.Busy()
	return ready(s) && (t == nil || t.Kind == TaskNavigate)
}

func pictured(s State) bool { return s.Shown != nil && s.Shown.Pyramid != nil }

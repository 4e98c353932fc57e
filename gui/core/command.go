package core

import "strings"

// Command is one thing that a person can ask of the window. Menu, shortcuts, the
// help page and the tests all read the table that [Commands] returns.
type Command struct {
	ID    string
	Title string
	// Menu is the title of its menu, "" for none: then the palette has it.
	Menu string
	// Key is its shortcut, such as "Ctrl+R", "Alt+Left", "F5" or "B"; "" for none.
	// A key without Ctrl or Alt works while no text is being typed.
	Key string
	// Gap asks for a line above it in the menu.
	Gap bool
	// Hold: while its key is held down it is on, and a short press switches it.
	Hold bool
	// Enabled reports whether it can be done now; it is never nil.
	Enabled func(State) bool
	// Checked reports whether it is on, for commands that switch something.
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
	CmdLive         = "page.live"
	CmdAway         = "page.away"
	CmdInstall      = "browser.install"
	CmdRetry        = "page.retry"
	CmdProfileRule  = "profile.rule"
	CmdLonger       = "page.longer"
	CmdTabs         = "page.tabs"
	CmdHelp         = "help.keys"
	CmdPalette      = "help.palette"
	CmdTheme        = "view.theme"
	CmdExport       = "export"
	CmdSessions     = "session.open"
	CmdFollow       = "session.follow"
	CmdNewest       = "turn.newest"
	CmdAsk          = "variants.ask"
)

// Keys that sentences name.
const (
	KeyFollow = "F"
	KeyBefore = "B"
)

// Menus are the titles of the menus, in order.
func Menus() []string {
	return []string{"File", "Edit", "View", "Page", "Turn", "Text", "Payload", "Tools", "Help"}
}

// submenus lists which commands are in a submenu, by how their ids begin, so that no menu is
// longer than a person reads. They are named as the tabs of the right side are.
var submenus = []struct{ prefix, title string }{
	{"zoom.", "Zoom"}, {"pictures.", "Compare pictures"}, {"boxes.", "Kinds of boxes"}, {"side.", "Show"},
	{"view.look.", "Theme"}, {CmdTheme, "Theme"},
	{"pane.", "Panes and size"}, {"view.turns", "Panes and size"}, {"view.side", "Panes and size"}, {
		"view.details", "Panes and size"},
	{"view.bigger", "Panes and size"}, {"view.smaller", "Panes and size"}, {"view.normal", "Panes and size"}, {
		"view.fullscreen", "Panes and size"},
	{"device.", "Device"}, {"browser.", "Chrome"}, {"verdict.", "Verdict"}, {"note.verdict", "Verdict"}, {
		"turn.filter", "Filter"},
	{"audit.", "Findings"}, {"findings.", "Findings"}, {"steps.", "Steps"}, {"act.", "Act"}, {
		"profile.conflict.", "Profile conflict"},
	{"profile.other", "Profile conflict"}, {"profile.", "Profile"}, {"whatif.", "What-if"}, {"copy.", "Copy"}, {
		"format.", "Format"},
	{"find.", "Find"}, {"compare.turns", "Compare turns"}, {"compare.before", "Compare turns"},
	{"variants.", "Variants"},
}

// Submenu is the title of the command's submenu, "" for none.
func (c Command) Submenu() string {
	for _, m := range submenus {
		if strings.HasPrefix(c.ID, m.prefix) {
			return m.title
		}
	}
	return ""
}

// PageRoom and CaptureRoom have the commands of what all rooms share.
func PageRoom() Room { return Room{Name: "page", Commands: pageCommands} }

// CaptureRoom has the commands of capturing.
func CaptureRoom() Room { return Room{Name: "capture", Commands: captureCommands} }

func pageCommands(State) []Command {
	const m = "Page"
	return []Command{
		{ID: "page.address", Title: "Go to address", Menu: m, Key: "Ctrl+L", Enabled: Always,
			Msg: Send(Wanted(FocusAddress{}))},
		{ID: CmdBack, Title: "Back", Menu: m, Key: "Alt+Left", Enabled: Idle, Msg: Send(moveAsked{MoveBack})},
		{ID: CmdForward, Title: "Forward", Menu: m, Key: "Alt+Right", Enabled: Idle, Msg: Send(moveAsked{MoveForward})},
		{ID: CmdReload, Title: "Reload", Menu: m, Key: "F5", Enabled: Idle, Msg: Send(moveAsked{MoveReload})},
		{ID: CmdLive, Title: "Back to live tab", Menu: m, Key: "Ctrl+J", Enabled: func(s State) bool {
			return Idle(s) && s.Recorded() != ""
		}, Msg: Send(liveAsked())},
		{ID: CmdAway, Title: "Go to the window's session", Enabled: func(s State) bool { return s.Session.ReadOnly },
			Msg: Send(awayAgreed())},
		{ID: CmdRetry, Title: "Retry", Enabled: func(s State) bool { return Ready(s) && s.Opened != nil },
			Msg: Send(retryAsked(false))},
		{ID: CmdLonger, Title: "Wait longer", Enabled: func(s State) bool { return Ready(s) && s.Opened != nil },
			Msg: Send(retryAsked(true))},
		{ID: CmdTabs, Title: "Browser tabs", Menu: m, Key: "Ctrl+T", Enabled: Ready, Msg: Send(tabsAsked())},
		{ID: "page.demo", Title: "Open the demo site", Menu: m, Gap: true,
			Enabled: func(s State) bool { return Idle(s) && s.Browser.Demo != "" }, Msg: Send(demoAsked())},
		{ID: CmdStartBrowser, Title: "Start Chrome again", Menu: m,
			Enabled: func(s State) bool { return s.Browser.Phase != PhaseReady && s.Browser.Phase != PhaseStarting },
			Msg:     Send(browserAsked())},
		{ID: CmdInstall, Title: "Copy how to install", Enabled: func(s State) bool { return s.Install != "" },
			Msg: func(s State) Msg { return TextCopied{s.Install} }},
	}
}

func captureCommands(State) []Command {
	const m = "Page"
	return []Command{
		{ID: CmdCapture, Title: "Capture this page", Menu: m, Key: "Ctrl+R", Gap: true, Enabled: Idle,
			Msg: Send(CaptureAsked{})},
		{ID: "task.cancel", Title: "Cancel", Menu: m, Key: "Ctrl+.",
			Enabled: func(s State) bool { t := s.Busy(); return t != nil && !t.Stopping },
			Msg:     func(s State) Msg { return CancelAsked(s.Busy().ID) }},
	}
}

// Shown reports whether a turn is in view, as [Command.Enabled] asks.
func Shown(s State) bool { return s.Current != nil }

// Send makes a command that sends one message.
func Send(m Msg) func(State) Msg { return func(State) Msg { return m } }

// Always enables a command.
func Always(State) bool { return true }

// Ready reports whether the browser runs.
func Ready(s State) bool { return s.Browser.Phase == PhaseReady }

// Idle reports whether the browser runs and nothing keeps it busy that cannot be given up.
func Idle(s State) bool {
	t := s.Busy()
	return Ready(s) && (t == nil || t.Kind == TaskNavigate)
}

// Pictured reports whether a turn with a picture is in view.
func Pictured(s State) bool { return s.Current != nil && s.Current.Pyramid != nil }

// CmdWhatIf shows the side on which limits can be tried.
const CmdWhatIf = "side.whatif"

const CmdTurn = "side.turn"

package core

import (
	"slices"
)

// The export dialog (U-6, U-7): everything that can be handed out of the turn in view
// and of its session, to be picked. What was picked stays picked while the window lives.

// DialogExport is the choice of what to export, see [State.Picked].
const DialogExport Dialog = "export"

// Further kinds of exports.
const (
	ExportLegend  ExportKind = "legend"
	ExportSession ExportKind = "session" // the session as one .refscope file
	ExportReport  ExportKind = "report"  // the session as one HTML file
	// ExportPicked writes what is picked in the dialog into one folder.
	ExportPicked ExportKind = "picked"
)

// ExportGroup is a heading in the dialog.
type ExportGroup struct {
	Title string
	Rows  []ExportRow
}

// ExportRow is one thing that can be picked.
type ExportRow struct {
	Export  Export
	Title   string
	File    string // the name it gets
	On, Can bool
}

// ExportsAsked shows the dialog.
type ExportsAsked struct{}

func (ExportsAsked) Apply(s State) (State, []Effect) {
	if s.Shown == nil {
		return s, nil
	}
	s.Dialog = DialogExport
	return s, nil
}

// ExportTicked picks one thing, or no longer.
type ExportTicked struct {
	Export Export
	On     bool
}

func (m ExportTicked) Apply(s State) (State, []Effect) {
	rest := slices.DeleteFunc(slices.Clone(s.Picked), func(e Export) bool { return e == m.Export })
	if m.On {
		rest = append(rest, m.Export)
	}
	s.Picked = rest
	return s, nil
}

// ExportsConfirmed asks where what is picked goes: a file where it is one thing, else a
// folder.
type ExportsConfirmed struct{}

func (ExportsConfirmed) Apply(s State) (State, []Effect) {
	list := s.picks()
	if s.Dialog != DialogExport || len(list) == 0 {
		return s, nil
	}
	s.close(DialogExport)
	if len(list) == 1 {
		return s.askExport(list[0])
	}
	return s.askExport(Export{Kind: ExportPicked})
}

// picks are the picked exports that can be made now, in the order of the dialog.
func (s State) picks() []Export {
	var list []Export
	for _, g := range s.Exports() {
		for _, r := range g.Rows {
			if r.On && r.Can {
				list = append(list, r.Export)
			}
		}
	}
	return list
}

// Exports is what the dialog shows.
func (s State) Exports() []ExportGroup {
	n := 0
	if s.Shown != nil {
		n = s.Shown.N
	}
	row := func(title string, e Export) ExportRow {
		return ExportRow{e, title, s.fileName(n, e), slices.Contains(s.Picked, e), s.canExport(e)}
	}
	pictures := ExportGroup{"Pictures of the turn", []ExportRow{
		row("Marked picture", Export{Kind: ExportMarked}), row("Clean picture", Export{Kind: ExportClean}),
		row("Manifest of the marks", Export{Kind: ExportManifest}), row("Legend of the marks", Export{Kind: ExportLegend})}}
	texts, payloads := ExportGroup{Title: "Texts of the turn"}, ExportGroup{Title: "Payloads of the turn"}
	for _, f := range s.Formats {
		texts.Rows = append(texts.Rows, row(string(f), Export{Kind: ExportDump, Format: f}))
	}
	for _, d := range s.Dialects {
		payloads.Rows = append(payloads.Rows, row(d, Export{Kind: ExportPayload, Dialect: d}))
	}
	session := ExportGroup{"The session", []ExportRow{
		row("One portable file", Export{Kind: ExportSession}), row("Report to read in a browser", Export{Kind: ExportReport})}}
	return []ExportGroup{pictures, texts, payloads, session}
}

// fileName is the name of an exported file, also where it is of the whole session.
func (s State) fileName(n int, e Export) string {
	stem := s.Session.Name
	if stem == "" {
		stem = "session"
	}
	switch e.Kind {
	case ExportSession:
		return stem + ".refscope"
	case ExportReport:
		return stem + "-report.html"
	}
	return FileName(n, e)
}

// CopyExport copies what is in view, or a picture of it.
type CopyExport struct {
	// Picture copies the marked picture; Curl a command that sends the payload in view.
	// Else it is the text in view.
	Picture, Curl bool
}

func (m CopyExport) Apply(s State) (State, []Effect) {
	switch {
	case s.Shown == nil:
		return s, nil
	case m.Picture:
		id := s.start(TaskExport, "Copying the picture")
		return s, []Effect{CopyPicture{id, s.Shown}}
	case m.Curl:
		if !s.canCurl() {
			return s, nil
		}
		c := s.Payload.Choice
		return s, []Effect{CopyCurl{c, s.Payload.Built.Body, FileName(s.Shown.N, s.savePayload())}}
	}
	d := s.Doc(s.Format)
	if d == nil || d.Doc == nil {
		return s, nil
	}
	s.Notice = &Notice{Tone: ToneGood, Source: TaskExport, Text: "Copied the text as " + string(s.Format) + ", " + Plural(d.Chars, "character", "characters") + "."}
	return s, []Effect{CopyText{d.Doc.Text}}
}

// canCurl: a payload is in view that is sent, not answered.
func (s State) canCurl() bool { return canPayload(s) && s.Payload.Choice.Stored == 0 }

type (
	// CopyPicture puts the marked picture of the turn on the clipboard; [Copied] answers.
	CopyPicture struct {
		Task int
		Turn *Turn
	}
	// CopyCurl puts a command on the clipboard that sends Body; [Copied] answers. File is
	// what a body is called that is too long to stand in it.
	CopyCurl struct {
		Choice PayloadChoice
		Body   []byte
		File   string
	}
	// Copied says what is on the clipboard now.
	Copied struct {
		Task    int // 0 for none
		Text    string
		Problem *Problem
	}
)

func (m Copied) Apply(s State) (State, []Effect) {
	s.finish(m.Task)
	if m.Problem != nil {
		s.complain(TaskExport, m.Problem)
		return s, nil
	}
	s.Notice = &Notice{Tone: ToneGood, Text: m.Text, Source: TaskExport}
	return s, nil
}

// FileDropped opens what was dropped on the window: a session's file or folder, or a page.
type FileDropped struct{ Path string }

func (m FileDropped) Apply(s State) (State, []Effect) {
	if m.Path == "" {
		return s, nil
	}
	return s.typed(m.Path)
}

func exportCommands(s State) []Command {
	const m = "File"
	one := func(id, title, menu string, e Export) Command {
		return Command{ID: id, Title: title, Menu: menu, Enabled: func(s State) bool { return s.canExport(e) }, Msg: send(ExportAsked{e})}
	}
	all := one(CmdExportAll, "Export everything of the turn to a folder…", m, Export{Kind: ExportAll})
	all.Key = "Ctrl+Shift+E"
	list := []Command{
		{ID: CmdPayloadSave, Title: "Save the exact bytes…", Menu: m, Key: "Ctrl+S", Enabled: canPayload,
			Msg: func(s State) Msg { return ExportAsked{s.savePayload()} }},
		{ID: CmdExport, Title: "Export…", Menu: m, Key: "Ctrl+E", Gap: true, Enabled: shown, Msg: send(ExportsAsked{})},
		{ID: CmdMarked, Title: "Marked picture…", Menu: m, Key: "Ctrl+M",
			Enabled: func(s State) bool { return s.canExport(Export{Kind: ExportMarked}) }, Msg: send(MarkingAsked{})},
		all,
		one("export.session", "Session as one file…", m, Export{Kind: ExportSession}),
		one("export.report", "Report of the session…", m, Export{Kind: ExportReport}),
		{ID: "copy.text", Title: "Copy the text in view", Menu: "Edit", Key: "Ctrl+Alt+C",
			Enabled: func(s State) bool { d := s.Doc(s.Format); return d != nil && d.Doc != nil }, Msg: send(CopyExport{})},
		{ID: "copy.picture", Title: "Copy the marked picture", Menu: "Edit", Key: "Ctrl+Alt+P", Enabled: pictured, Msg: send(CopyExport{Picture: true})},
		{ID: "copy.curl", Title: "Copy the payload as a curl command", Menu: "Edit", Key: "Ctrl+Alt+U", Enabled: State.canCurl, Msg: send(CopyExport{Curl: true})},
		one("export.clean", "Export the clean picture…", "", Export{Kind: ExportClean}),
		one("export.manifest", "Export the manifest of the marks…", "", Export{Kind: ExportManifest}),
		one("export.legend", "Export the legend of the marks…", "", Export{Kind: ExportLegend}),
	}
	for _, f := range s.Formats {
		list = append(list, one("export.dump."+string(f), "Export the text as "+string(f)+"…", "", Export{Kind: ExportDump, Format: f}))
	}
	for _, d := range s.Dialects {
		list = append(list, one("export.payload."+d, "Export the payload for "+d+"…", "", Export{Kind: ExportPayload, Dialect: d}))
	}
	return list
}

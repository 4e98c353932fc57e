package export

import (
	"path/filepath"
	"slices"
	"strings"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/text"
)

// The export dialog (U-6, U-7): everything that can be exported of the turn in view
// and of its session, to be picked. What was picked stays picked while the window lives.

// DialogExport is the choice of what to export.
const DialogExport core.Dialog = "export"

// Further kinds of exports.
const (
	ExportLegend  ExportKind = "legend"
	ExportSession ExportKind = "session" // the session as one .refscope file
	ExportReport  ExportKind = "report"  // the session as one HTML file
	// ExportSessionAs writes the session in the format of another tool, ExportFindings the findings of the turn.
	ExportSessionAs ExportKind = "session-as"
	ExportFindings  ExportKind = "findings"
	// ExportPicked writes what is picked in the dialog into one folder.
	ExportPicked ExportKind = "picked"
)

// findingForms are the forms in which findings are written, by the ends of their files, and their titles.
func findingForms() [][2]string {
	return [][2]string{{"sarif", "SARIF, for CI"}, {"csv", "CSV, for spreadsheets"}, {"md", "Markdown, for an issue"}}
}

// exportGroup is a heading in the dialog.
type exportGroup struct {
	Title string
	Rows  []exportRow
}

// exportRow is one thing that can be picked.
type exportRow struct {
	Export  Export
	Title   string
	File    string // the name it gets
	On, Can bool
}

// exportsAsked shows the dialog.
func exportsAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Current == nil {
			return s, nil
		}
		s.Dialog = DialogExport
		return s, nil
	})
}

// exportTicked picks one thing, or no longer.
type exportTicked struct {
	Export Export
	On     bool
}

func (m exportTicked) Apply(s core.State) (core.State, []core.Effect) {
	rest := slices.DeleteFunc(slices.Clone(Of(s).Picked), func(e Export) bool { return e == m.Export })
	if m.On {
		rest = append(rest, m.Export)
	}
	edit(&s).Picked = rest
	return s, nil
}

// exportsConfirmed asks where what is picked goes: a file where it is one thing, else a
// folder.
func exportsConfirmed() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		list := picks(s)
		if s.Dialog != DialogExport || len(list) == 0 {
			return s, nil
		}
		s.CloseDialog(DialogExport)
		if len(list) == 1 {
			return askExport(s, list[0])
		}
		return askExport(s, Export{Kind: ExportPicked})
	})
}

// picks are the picked exports that can be made now, in the order of the dialog.
func picks(s core.State) []Export {
	var list []Export
	for _, g := range exports(s) {
		for _, r := range g.Rows {
			if r.On && r.Can {
				list = append(list, r.Export)
			}
		}
	}
	return list
}

// exports returns the content of the dialog.
func exports(s core.State) []exportGroup {
	n := 0
	if s.Current != nil {
		n = s.Current.N
	}
	row := func(title string, e Export) exportRow {
		return exportRow{e, title, fileName(s, n, e), slices.Contains(Of(s).Picked, e), CanExport(s, e)}
	}
	pictures := exportGroup{"Pictures of the turn", []exportRow{
		row("Marked picture", Export{Kind: ExportMarked}), row("Clean picture", Export{Kind: ExportClean}),
		row("Manifest of the marks", Export{Kind: ExportManifest}), row("Legend of the marks",
			Export{Kind: ExportLegend})}}
	texts, payloads := exportGroup{Title: "Texts of the turn"}, exportGroup{Title: "Payloads of the turn"}
	for _, f := range s.Formats {
		texts.Rows = append(texts.Rows, row(string(f), Export{Kind: ExportDump, Format: f}))
	}
	for _, d := range s.Dialects {
		payloads.Rows = append(payloads.Rows, row(d, Export{Kind: ExportPayload, Dialect: d}))
	}
	session := exportGroup{"The session", []exportRow{
		row("One portable file", Export{Kind: ExportSession}), row("Report to read in a browser",
			Export{Kind: ExportReport})}}
	for _, f := range exporter.Formats() {
		session.Rows = append(session.Rows, row(strings.ToUpper(string(f)),
			Export{Kind: ExportSessionAs, As: string(f)}))
	}
	findings := exportGroup{Title: "Findings of the turn"}
	for _, f := range findingForms() {
		findings.Rows = append(findings.Rows, row(f[1], Export{Kind: ExportFindings, As: f[0]}))
	}
	return []exportGroup{pictures, texts, payloads, session, findings}
}

// fileName is the name of an exported file, also where it is of the whole session.
func fileName(s core.State, n int, e Export) string {
	stem := s.Session.Name
	if stem == "" {
		stem = "session"
	}
	switch e.Kind {
	case ExportSession:
		return stem + ".refscope"
	case ExportReport:
		return stem + "-report.html"
	case ExportSessionAs:
		return files.SessionName(stem, exporter.Format(e.As))
	case ExportDataset:
		return stem + "-dataset"
	}
	return FileName(n, e)
}

// copyExport copies what is in view, or a picture of it.
type copyExport struct {
	// Picture copies the marked picture; Curl a command that sends the payload in view.
	// Else it is the text in view.
	Picture, Curl bool
}

func (m copyExport) Apply(s core.State) (core.State, []core.Effect) {
	switch {
	case s.Current == nil:
		return s, nil
	case m.Picture:
		id := s.StartTask(core.TaskExport, "Copying the picture")
		return s, []core.Effect{copyPicture{id, s.Current}}
	case m.Curl:
		if !canCurl(s) {
			return s, nil
		}
		c := payload.Of(s).Choice
		return s, []core.Effect{copyCurl{c, payload.Of(s).Built.Body, FileName(s.Current.N, SavePayload(s))}}
	}
	d := s.Doc(s.Format)
	if d == nil || d.Doc == nil {
		return s, nil
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Source: core.TaskExport, Text: "Copied the text as " +
		string(s.Format) + ", " + text.Count(d.Chars, "character", "characters") + "."}
	return s, []core.Effect{core.CopyText{Text: d.Doc.Text}}
}

// canCurl: a payload is in view that is sent, not answered.
func canCurl(s core.State) bool { return payload.CanSave(s) && payload.Of(s).Choice.Stored == 0 }

type (
	// copyPicture puts the marked picture of the turn on the clipboard; [copied] answers.
	copyPicture struct {
		Task int
		Turn *core.Turn
	}
	// copyCurl puts a command on the clipboard that sends Body; [copied] answers. File is the
	// name for a body that is too long to be inside it.
	copyCurl struct {
		Choice core.PayloadChoice
		Body   []byte
		File   string
	}
	// copied reports what is on the clipboard now.
	copied struct {
		Task    int // 0 for none
		Text    string
		Problem *core.Problem
	}
)

func (m copied) Apply(s core.State) (core.State, []core.Effect) {
	s.FinishTask(m.Task)
	if m.Problem != nil {
		s.Complain(core.TaskExport, m.Problem)
		return s, nil
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Text: m.Text, Source: core.TaskExport}
	return s, nil
}

// FilesDropped opens the first of what was dropped on the window: a session's file or folder, or a page. One is in view
// at a time, and a notice says that the others are not opened.
func FilesDropped(paths ...string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if len(paths) == 0 || paths[0] == "" {
			return s, nil
		}
		was := s.Notice
		s, effects := s.Typed(paths[0])
		if n := len(paths) - 1; n > 0 && (s.Notice == nil || s.Notice == was) {
			s.Notice = &core.Notice{Tone: core.ToneWarn, Source: core.TaskSession,
				Text: filepath.Base(paths[0]) + " is opened, and " + text.Count(n, "other", "others") + " not.",
				Hint: "Drop one file or folder at a time."}
		}
		return s, effects
	})
}

func commands(s core.State) []core.Command {
	const m = "File"
	one := func(id, title, menu string, e Export) core.Command {
		return core.Command{ID: id, Title: title, Menu: menu, Enabled: func(s core.State) bool {
			return CanExport(s, e)
		}, Msg: core.Send(asked(e))}
	}
	all := one(CmdExportAll, "Export everything of the turn to a folder…", m, Export{Kind: ExportAll})
	all.Key = "Ctrl+Shift+E"
	list := []core.Command{
		{ID: payload.CmdPayloadSave, Title: "Save the exact bytes…", Menu: m, Enabled: payload.CanSave,
			Msg: func(s core.State) core.Msg { return asked(SavePayload(s)) }},
		{ID: core.CmdExport, Title: "Export…", Menu: m, Key: "Ctrl+E", Gap: true, Enabled: core.Shown,
			Msg: core.Send(exportsAsked())},
		{ID: CmdMarked, Title: "Marked picture…", Menu: m, Key: "Ctrl+M",
			Enabled: func(s core.State) bool { return CanExport(s, Export{Kind: ExportMarked}) },
			Msg:     core.Send(markingAsked())},
		all,
		one("export.session", "Session as one file…", m, Export{Kind: ExportSession}),
		{ID: CmdDataset, Title: "Data set…", Menu: m, Enabled: func(s core.State) bool {
			return CanExport(s, Export{Kind: ExportDataset})
		}, Msg: core.Send(datasetAsked())},
		{ID: cmdDatasetBoxes, Title: "Boxes of the data set", Menu: "View", Enabled: core.Pictured,
			Checked: func(s core.State) bool { return Of(s).ShowBoxes }, Msg: core.Send(boxesToggled())},
		one("export.report", "Report of the session…", m, Export{Kind: ExportReport}),
		{ID: "copy.text", Title: "Copy the text in view", Menu: "Edit", Key: "Ctrl+Alt+C",
			Enabled: func(s core.State) bool { d := s.Doc(s.Format); return d != nil && d.Doc != nil },
			Msg:     core.Send(copyExport{})},
		{ID: "copy.picture", Title: "Copy the marked picture", Menu: "Edit", Key: "Ctrl+Alt+P", Enabled: core.Pictured,
			Msg: core.Send(copyExport{Picture: true})},
		{ID: "copy.curl", Title: "Copy the payload as a curl command", Menu: "Edit", Key: "Ctrl+Alt+U",
			Enabled: canCurl, Msg: core.Send(copyExport{Curl: true})},
		{ID: cmdFolder, Title: "Open folder", Menu: m, Enabled: func(s core.State) bool { return Of(s).Folder != "" },
			Msg: func(s core.State) core.Msg { return core.Wanted(OpenFolder{Of(s).Folder}) }},
		one("export.clean", "Export the clean picture…", "", Export{Kind: ExportClean}),
		one("export.manifest", "Export the manifest of the marks…", "", Export{Kind: ExportManifest}),
		one("export.legend", "Export the legend of the marks…", "", Export{Kind: ExportLegend}),
	}
	for _, f := range exporter.Formats() {
		list = append(list, one("export.session."+string(f), "Export the session as "+strings.ToUpper(string(f))+"…",
			"",
			Export{Kind: ExportSessionAs, As: string(f)}))
	}
	for _, f := range findingForms() {
		list = append(list, one("export.findings."+f[0], "Export the findings as "+f[1]+"…", "",
			Export{Kind: ExportFindings, As: f[0]}))
	}
	for _, f := range s.Formats {
		list = append(list, one("export.dump."+string(f), "Export the text as "+string(f)+"…", "",
			Export{Kind: ExportDump, Format: f}))
	}
	for _, d := range s.Dialects {
		list = append(list, one("export.payload."+d, "Export the payload for "+d+"…", "",
			Export{Kind: ExportPayload, Dialect: d}))
	}
	return list
}

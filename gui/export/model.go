// Package export is the room for exports: files of a turn, of the session, and the clipboard.
package export

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
)

// FileName is the name of an exported file. It is made of the turn's number and
// of our own words only: no page text can reach a file name.
func FileName(turn int, e Export) string {
	stem := fmt.Sprintf("turn-%04d-", turn)
	switch e.Kind {
	case ExportMarked:
		return stem + "marked.png"
	case ExportClean:
		return stem + "clean.png"
	case ExportManifest:
		return stem + "manifest.json"
	case ExportDump:
		return stem + string(e.Format) + format.Extension(e.Format)
	case ExportPayload:
		return stem + "payload-" + e.Dialect + ".json"
	case ExportLegend:
		return stem + "legend.txt"
	case ExportFindings:
		return stem + "findings." + e.As
	case ExportBody:
		return stem + "payload" + e.Dialect + ".json"
	}
	return stem + "export"
}

// AllExports are the files that [ExportAll] writes, in order.
func AllExports(formats []dump.Format, dialects []string) []Export {
	out := []Export{{Kind: ExportMarked}, {Kind: ExportClean}, {Kind: ExportManifest}, {Kind: ExportLegend}}
	for _, f := range formats {
		out = append(out, Export{Kind: ExportDump, Format: f})
	}
	for _, d := range dialects {
		out = append(out, Export{Kind: ExportPayload, Dialect: d})
	}
	return out
}

// CanExport reports whether there is something to export so.
func CanExport(s core.State, e Export) bool {
	if s.Current == nil {
		return false
	}
	switch e.Kind {
	case ExportMarked, ExportClean, ExportManifest, ExportLegend:
		return s.Current.Image != nil
	case ExportDump:
		return s.Paged() && slices.Contains(s.Formats, e.Format)
	case ExportPayload:
		return s.Paged() && slices.Contains(s.Dialects, e.Dialect)
	case ExportBody:
		return payload.CanSave(s)
	case ExportAll, ExportFindings:
		return true
	case ExportPicked:
		return len(Of(s).Picked) > 0
	case ExportSession, ExportReport, ExportDataset, ExportSessionAs:
		return s.Session.Kept && len(s.Session.Turns) > 0
	}
	return false
}

func askExport(s core.State, e Export) (core.State, []core.Effect) {
	if !CanExport(s, e) {
		return s, nil
	}
	return s, []core.Effect{AskPath{Export: e, Name: fileName(s, s.Current.N, e), Folder: e.Kind == ExportAll ||
		e.Kind == ExportPicked || e.Kind == ExportDataset}}
}

func export(s core.State, e Export, path string) (core.State, []core.Effect) {
	if !CanExport(s, e) || path == "" {
		return s, nil
	}
	what := "turn " + text.Thousands(s.Current.N)
	switch e.Kind {
	case ExportSession, ExportReport, ExportSessionAs:
		what = "the session"
	case ExportDataset:
		what = "the data set"
	}
	id := s.StartTask(core.TaskExport, "Exporting "+what)
	w := WriteExport{Task: id, Export: e, Turn: s.Current, Path: path}
	if r := sentrequest.Of(s); r.Turn == s.Current {
		w.Request = r.Report
	}
	switch e.Kind {
	case ExportBody:
		w.Body = payload.Of(s).Built.Body
	case ExportAll:
		w.List = named(s, AllExports(s.Formats, s.Dialects))
	case ExportPicked:
		w.List = named(s, picks(s))
	}
	return s, []core.Effect{w}
}

// named are those of a list that can be made, with their names.
func named(s core.State, list []Export) []Named {
	var out []Named
	for _, e := range list {
		if CanExport(s, e) {
			out = append(out, Named{e, fileName(s, s.Current.N, e)})
		}
	}
	return out
}

func exported(s core.State, m Exported) (core.State, []core.Effect) {
	if _, ok := s.FinishTask(m.Task); !ok {
		return s, nil
	}
	switch {
	case m.Problem != nil:
		s.Complain(core.TaskExport, m.Problem)
		several := slices.Contains([]ExportKind{ExportAll, ExportPicked, ExportMarked}, m.Export.Kind)
		if n := len(m.Paths); n > 0 && several && s.Notice != nil {
			told := *s.Notice
			told.Hint = strings.TrimSpace(text.Count(n, "file was", "files were") + " written before. " + told.Hint)
			s.Notice = &told
		}
		return s, nil
	case len(m.Paths) == 0:
		return s, nil
	}
	first := text.Cut(text.Line(m.Paths[0]), 200)
	words := "Wrote " + first + "."
	switch {
	case len(m.Paths) > 1 && m.Export.Kind == ExportMarked:
		words = "Wrote " + first + " and " + text.Count(len(m.Paths)-1, "file", "files") + " next to it."
	case len(m.Paths) > 1:
		words = "Wrote " + text.Count(len(m.Paths), "file", "files") + " to " +
			text.Cut(text.Line(filepath.Dir(m.Paths[0])), 200) + "."
	}
	edit(&s).Folder = filepath.Dir(m.Paths[0])
	if m.Export.Kind == ExportDataset {
		edit(&s).Folder, words = m.Paths[0], datasetWords(m.Paths[0], m.Counts)
	}
	if n := len(m.Losses); n > 0 {
		words += " Not in it: " + text.Cut(text.Line(m.Losses[0]), 120)
		if n > 1 {
			words += fmt.Sprintf(", and %d more", n-1)
		}
		words += "."
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Text: words, Command: cmdFolder, Source: core.TaskExport}
	return s, nil
}

// cmdFolder shows the folder of the last export.
const cmdFolder = "export.folder"

// OpenFolder shows a folder in the desktop's own program for files.
type OpenFolder struct{ Path string }

// FolderFailed: the desktop has no program that shows a folder.
func FolderFailed(path string, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Notice = &core.Notice{Tone: core.ToneWarn, Source: core.TaskExport, Hint: problem.Sentence,
			Text: "The folder cannot be opened: " + text.Cut(text.Line(path), 200)}
		return s, nil
	})
}

// Room is the room for exports.
func Room() core.Room {
	return core.Room{Name: "export", Commands: commands, AfterUpdate: fill, Start: func(s *core.State) {
		edit(s).Marked = MarkedOptions{View: overlay.ViewQA, Manifest: true, Legend: true}
		edit(s).Set = SetChoice{Shape: dataset.ScreenSpotPro}
		edit(s).Picked = []Export{{Kind: ExportMarked}, {Kind: ExportClean}, {Kind: ExportManifest}}
	}, Escape: leaveBoxes}
}

// asked wants a file; the person is asked where.
func asked(export Export) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return askExport(s, export) })
}

// Placed: the person chose where.
type Placed struct {
	Export Export
	Path   string
}

func (m Placed) Apply(s core.State) (core.State, []core.Effect) { return export(s, m.Export, m.Path) }

// ExportKind is what is exported.
type ExportKind string

const (
	ExportMarked   ExportKind = "marked"
	ExportClean    ExportKind = "clean"
	ExportManifest ExportKind = "manifest"
	ExportDump     ExportKind = "dump"
	ExportPayload  ExportKind = "payload"
	// ExportBody writes the bytes of the payload in view.
	ExportBody ExportKind = "body"
	// ExportAll writes all of them into one folder under fixed names.
	ExportAll ExportKind = "all"
)

// Export is one wish for a file. Of Format and Dialect only the one that the kind
// needs is set; with [ExportAll] every format and dialect is written.
type Export struct {
	Kind    ExportKind
	Format  dump.Format
	Dialect string
	// As is the form of [ExportFindings], the format of [ExportSessionAs].
	As string
	// Marked are the choices of a marked picture; the zero value is the one for a
	// person, alone.
	Marked MarkedOptions
	// Set are the choices of a data set.
	Set SetChoice
}

// Named is an export and the name of its file.
type Named struct {
	Export Export
	Name   string
}

// WriteExport writes files.
type WriteExport struct {
	Task   int
	Export Export
	Turn   *core.Turn
	Path   string // a file, or a folder where there is a List
	// List is what goes into the folder, for [ExportAll] and [ExportPicked].
	List []Named
	// Body is the payload in view, for [ExportBody].
	Body []byte
	// Request is what is known of the turn's request, for [ExportFindings]; nil for nothing.
	Request *doctor.Report
}

// AskPath asks the person for a place: a file named Name to begin with, or a
// folder where Folder is set. The answer is [Placed].
type AskPath struct {
	Export Export
	Name   string
	Folder bool
}

// Exported answers [WriteExport]. Paths are what was written.
type Exported struct {
	Task    int
	Export  Export
	Paths   []string
	Counts  dataset.Counts // of a data set
	Losses  []string       // what the format of [ExportSessionAs] has no place for
	Problem *core.Problem
}

func (m Exported) Apply(s core.State) (core.State, []core.Effect) { return exported(s, m) }

// markingAsked shows the choices of a marked picture.
func markingAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return openMarking(s), nil })
}

// MarkingChanged changes them.
func MarkingChanged(options MarkedOptions) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		return setMarking(s, options), nil
	})
}

// MarkingConfirmed asks where the picture goes.
func MarkingConfirmed() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return confirmMarking(s) })
}

const CmdMarked = "export.marked"

const CmdExportAll = "export.all"

// SavePayload is the wish to write the body in view to a file. Only the dialect's own
// name, which is ours, reaches the file's name.
func SavePayload(s core.State) Export {
	e := Export{Kind: ExportBody}
	if c := payload.Of(s).Choice; c.Stored > 0 {
		e.Dialect = "-stored-" + strconv.Itoa(c.Stored)
	} else {
		e.Dialect = "-" + c.Dialect
	}
	return e
}

// Model is what the dialogs of exports hold.
type Model struct {
	// Marked are the choices of a marked picture, Picked what the export dialog writes.
	Marked MarkedOptions
	Picked []Export
	// Folder is where the last export wrote, "" where there is none yet.
	Folder string
	// Set are the choices of a data set, Preview what it has of a turn, nil for none yet; ShowBoxes shows its boxes on
	// the picture.
	Set       SetChoice
	Preview   *Preview
	ShowBoxes bool
	wanted    previewSet // that was asked for last
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

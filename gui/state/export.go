package state

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// FileName is the name of an exported file. It is made of the turn's number and
// of our own words only: nothing that a page says can reach a file name.
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

func (s State) canExport(e Export) bool {
	if s.Shown == nil {
		return false
	}
	switch e.Kind {
	case ExportMarked, ExportClean, ExportManifest, ExportLegend:
		return s.Shown.Image != nil
	case ExportDump:
		return slices.Contains(s.Formats, e.Format)
	case ExportPayload:
		return slices.Contains(s.Dialects, e.Dialect)
	case ExportBody:
		return canPayload(s)
	case ExportAll:
		return true
	case ExportPicked:
		return len(s.Picked) > 0
	case ExportSession, ExportReport:
		return s.Session.Kept && len(s.Session.Turns) > 0
	}
	return false
}

func (s State) askExport(e Export) (State, []Effect) {
	if !s.canExport(e) {
		return s, nil
	}
	return s, []Effect{AskPath{Export: e, Name: s.fileName(s.Shown.N, e), Folder: e.Kind == ExportAll || e.Kind == ExportPicked}}
}

func (s State) export(e Export, path string) (State, []Effect) {
	if !s.canExport(e) || path == "" {
		return s, nil
	}
	what := "turn " + Thousands(s.Shown.N)
	if e.Kind == ExportSession || e.Kind == ExportReport {
		what = "the session"
	}
	id := s.start(TaskExport, "Exporting "+what)
	w := WriteExport{Task: id, Export: e, Turn: s.Shown, Path: path}
	switch e.Kind {
	case ExportBody:
		w.Body = s.Payload.Built.Body
	case ExportAll:
		w.List = s.named(AllExports(s.Formats, s.Dialects))
	case ExportPicked:
		w.List = s.named(s.picks())
	}
	return s, []Effect{w}
}

// named are those of a list that can be made, with their names.
func (s State) named(list []Export) []Named {
	var out []Named
	for _, e := range list {
		if s.canExport(e) {
			out = append(out, Named{e, s.fileName(s.Shown.N, e)})
		}
	}
	return out
}

func (s State) exported(m Exported) (State, []Effect) {
	if _, ok := s.finish(m.Task); !ok {
		return s, nil
	}
	switch {
	case m.Problem != nil:
		s.complain(TaskExport, m.Problem)
	case len(m.Paths) == 1:
		s.Notice = &Notice{Tone: ToneGood, Text: "Wrote " + Plain(m.Paths[0], 200) + ".", Source: TaskExport}
	case len(m.Paths) > 1 && m.Export.Kind == ExportMarked:
		s.Notice = &Notice{Tone: ToneGood, Source: TaskExport,
			Text: "Wrote " + Plain(m.Paths[0], 200) + " and " + Plural(len(m.Paths)-1, "file", "files") + " beside it."}
	case len(m.Paths) > 1:
		s.Notice = &Notice{Tone: ToneGood, Source: TaskExport,
			Text: "Wrote " + Plural(len(m.Paths), "file", "files") + " to " + Plain(filepath.Dir(m.Paths[0]), 200) + "."}
	}
	return s, nil
}

package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/core"
	payloadroom "github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
)

// Engine writes what is of the whole session, whole or not at all.
type Engine interface {
	// ExportSession writes the session in use as one .refscope file (N-14), ExportReport as
	// one HTML file.
	ExportSession(ctx context.Context, path string) error
	ExportReport(ctx context.Context, path string) error
	// ExportSessionAs writes it in another tool's format, and returns what of it the format has no place for, a
	// sentence each.
	ExportSessionAs(ctx context.Context, path string, format exporter.Format) (losses []string, err error)
	// Version is the program's.
	Version() string
	// ExportDataset writes its turns as a data set into a folder, which has nothing else or an unfinished set of the
	// same turns and choices. progress is called with the turns that are done and all.
	ExportDataset(ctx context.Context, path string, o dataset.Options, progress func(n, of int)) (dataset.Counts, error)
}

// Number implements [core.Numbered].
func (e WriteExport) Number() int { return e.Task }

// Do implements [core.Work].
func (e WriteExport) Do(ctx context.Context, w *core.Worker) core.Msg {
	if e.Export.Kind == ExportDataset {
		counts, err := core.EngineOf[Engine](w).ExportDataset(ctx, e.Path, e.Export.Set.Options(), func(n, of int) {
			w.Progress(fmt.Sprintf("%d of %d", n, of))
		})
		return Exported{Task: e.Task, Export: e.Export, Paths: []string{e.Path}, Counts: counts,
			Problem: w.Problem("export", err)}
	}
	if e.Export.Kind == ExportSessionAs {
		losses, err := core.EngineOf[Engine](w).ExportSessionAs(ctx, e.Path, exporter.Format(e.Export.As))
		return Exported{Task: e.Task, Export: e.Export, Paths: []string{e.Path}, Losses: losses,
			Problem: w.Problem("export", err)}
	}
	paths, err := e.write(ctx, w)
	return Exported{Task: e.Task, Export: e.Export, Paths: paths, Problem: w.Problem("export", err)}
}

// Number implements [core.Numbered].
func (e copyPicture) Number() int { return e.Task }

// Do implements [core.Work].
func (e copyPicture) Do(_ context.Context, w *core.Worker) core.Msg {
	err := copyMarked(w, e.Turn)
	return copied{Task: e.Task, Text: "Copied the marked picture.", Problem: w.Problem("clipboard", err)}
}

// Do implements [core.Work].
func (e copyCurl) Do(_ context.Context, w *core.Worker) core.Msg {
	text, err := payload.Curl(e.Choice.Dialect, e.Choice.Model, e.Body, e.File)
	if err != nil {
		return copied{Problem: w.Problem("curl", err)}
	}
	w.Dispatch(core.TextCopied{Text: text})
	if len(e.Body) > payload.MaxCurlBody {
		return copied{Text: "Copied a curl command. The body is too long for it: save the bytes as " + e.File + "."}
	}
	return copied{Text: "Copied a curl command that sends the exact bytes; your key stays in a variable of the shell."}
}

// write writes the files and returns their paths, those that were written before an error too.
func (e WriteExport) write(ctx context.Context, w *core.Worker) ([]string, error) {
	switch e.Export.Kind {
	case ExportSession:
		return []string{e.Path}, core.EngineOf[Engine](w).ExportSession(ctx, e.Path)
	case ExportReport:
		return []string{e.Path}, core.EngineOf[Engine](w).ExportReport(ctx, e.Path)
	case ExportSessionAs:
		_, err := core.EngineOf[Engine](w).ExportSessionAs(ctx, e.Path, exporter.Format(e.Export.As))
		return []string{e.Path}, err
	case ExportFindings:
		b, err := e.findings(core.EngineOf[Engine](w).Version())
		if err != nil {
			return nil, err
		}
		return []string{e.Path}, writeFile(e.Path, b)
	case ExportAll, ExportPicked:
		return e.writeList(ctx, w)
	case ExportMarked:
		return exportMarked(e.Turn, e.Export.Marked, e.Path)
	case ExportBody:
		return []string{e.Path}, writeFile(e.Path, e.Body)
	}
	b, err := exportBytes(e.Turn, e.Export)
	if err != nil {
		return nil, err
	}
	return []string{e.Path}, writeFile(e.Path, b)
}

// copyMarked puts the marked picture of a turn on the clipboard.
func copyMarked(w *core.Worker, t *core.Turn) error {
	if w.CopyImage == nil {
		err := errors.New("pictures cannot be copied on this desktop")
		return &core.Hinted{Err: err, Hint: "Export the marked picture as a file."}
	}
	b, err := files.Marked(t.Image, t.Scene)
	if err != nil {
		return err
	}
	if err := w.CopyImage(b); err != nil {
		return &core.Hinted{Err: err, Hint: "Export the marked picture as a file."}
	}
	return nil
}

// writeList writes a list into a folder, which is made where it does not exist, each
// under its own name. It stops at the first error and returns what is written.
func (e WriteExport) writeList(ctx context.Context, w *core.Worker) ([]string, error) {
	if err := os.MkdirAll(e.Path, 0o700); err != nil {
		return nil, cannotWrite(e.Path, err)
	}
	var paths []string
	for i, named := range e.List {
		if err := ctx.Err(); err != nil {
			return paths, err
		}
		w.Progress(fmt.Sprintf("%d of %d", i+1, len(e.List)))
		single := e
		single.Export, single.Path = named.Export, filepath.Join(e.Path, named.Name)
		wrote, err := single.write(ctx, w)
		if err != nil {
			return paths, err
		}
		paths = append(paths, wrote...)
	}
	return paths, nil
}

// findings are those of the page, and of the request where it was examined, in one of [findingForms].
func (e WriteExport) findings(version string) ([]byte, error) {
	page, err := e.Turn.Audit()
	if err != nil {
		return nil, fmt.Errorf("turn %d cannot be audited: %w", e.Turn.N, err)
	}
	list := []audit.Audited{{URI: e.Turn.Capture.URL, Report: page}}
	if e.Request != nil {
		list = append(list, audit.Audited{URI: e.Turn.Capture.URL, Report: e.Request.Audit(), Rules: doctor.Rules()})
	}
	switch e.Export.As {
	case "sarif":
		return audit.SARIF(version, list...)
	case "csv":
		return audit.CSV(list...)
	}
	return audit.Markdown(list...), nil
}

// exportBytes is the content of one file. The manifest names the marked picture by
// the file name that we suggest for it.
func exportBytes(t *core.Turn, e Export) ([]byte, error) {
	switch e.Kind {
	case ExportMarked:
		return files.Marked(t.Image, t.Scene)
	case ExportClean:
		return t.Picture, nil
	case ExportManifest:
		p := files.Picture{Scene: t.Scene, Clean: t.Image}
		b, err := json.MarshalIndent(p.Manifest(FileName(t.N, Export{Kind: ExportMarked})), "", "  ")
		if err != nil {
			return nil, fmt.Errorf("writing the manifest of turn %d: %w", t.N, err)
		}
		return append(b, '\n'), nil
	case ExportLegend:
		return []byte(t.Scene.Legend()), nil
	case ExportDump:
		var o format.Options
		o.Volatile = format.Timestamped(e.Format)
		d, err := format.Render(t.Capture, e.Format, o)
		if err != nil {
			return nil, fmt.Errorf("writing turn %d as %s: %w", t.N, e.Format, err)
		}
		return []byte(d.Text), nil
	case ExportPayload:
		p, err := payloadroom.Exact(t, core.PayloadChoice{Dialect: e.Dialect}, nil)
		if err != nil {
			return nil, err
		}
		return p.Body, nil
	}
	return nil, fmt.Errorf("there is no export called %q", e.Kind)
}

// exportMarked writes a marked picture with the choices of a person, and beside it,
// under the same name with another ending, the manifest and the legend. A model's
// picture is brought to the model's size first and marked afterwards.
func exportMarked(t *core.Turn, o MarkedOptions, path string) ([]string, error) {
	look := files.Look{Options: o.Scene()}
	if o.Model != "" {
		look.Model, _ = vision.Lookup(o.Model)
	}
	p, err := files.NewPicture(t.Image, t.Capture, look)
	if err != nil {
		return nil, fmt.Errorf("drawing the marked picture of turn %d: %w", t.N, err)
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	paths := []string{path}
	if err := writeFile(path, p.Data); err != nil {
		return nil, err
	}
	beside := func(ending string, b []byte) error {
		file := stem + ending
		if err := writeFile(file, b); err != nil {
			return err
		}
		paths = append(paths, file)
		return nil
	}
	if o.Manifest {
		b, err := json.MarshalIndent(p.Manifest(filepath.Base(path)), "", "  ")
		if err != nil {
			return paths, fmt.Errorf("writing the manifest of turn %d: %w", t.N, err)
		}
		if err := beside(".json", append(b, '\n')); err != nil {
			return paths, err
		}
	}
	if o.Legend {
		if err := beside(".txt", []byte(p.Scene.Legend())); err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// writeFile writes a whole file or none.
func writeFile(path string, b []byte) error {
	if err := files.Write(path, b); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

// cannotWrite explains which place cannot be written and what to do.
func cannotWrite(path string, err error) error {
	return &core.Hinted{Err: fmt.Errorf("%s cannot be written: %w", path, files.Cause(err)),
		Hint: "Choose another folder, or make room in this one."}
}

package app

import (
	"context"
	"errors"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/snapshot/payload"
)

// exportWork starts the work that hands something out.
func (r *runner) exportWork(e core.Effect) bool {
	switch e := e.(type) {
	case export.WriteExport:
		r.task(e.Task, func(ctx context.Context, progress func(string)) core.Msg {
			paths, err := r.export(ctx, e, progress)
			return export.Exported{Task: e.Task, Export: e.Export, Paths: paths, Problem: r.problem("export", err)}
		})
	case export.CopyPicture:
		r.task(e.Task, func(context.Context, func(string)) core.Msg {
			return export.Copied{Task: e.Task, Text: "Copied the marked picture.", Problem: r.problem("clipboard", r.copyMarked(e.Turn))}
		})
	case export.CopyCurl:
		text, err := payload.Curl(e.Choice.Dialect, e.Choice.Model, e.Body, e.File)
		if err != nil {
			r.dispatch(export.Copied{Problem: r.problem("curl", err)})
			return true
		}
		r.dispatch(core.TextCopied{Text: text})
		said := "Copied a curl command that sends the exact bytes; your key stays in a variable of the shell."
		if len(e.Body) > payload.MaxCurlBody {
			said = "Copied a curl command. The body is too long for it: save the bytes as " + e.File + "."
		}
		r.dispatch(export.Copied{Text: said})
	default:
		return false
	}
	return true
}

// export writes a wish to files. What is of the whole session is the engine's.
func (r *runner) export(ctx context.Context, e export.WriteExport, progress func(string)) ([]string, error) {
	switch e.Export.Kind {
	case export.ExportSession:
		return []string{e.Path}, r.engine.ExportSession(ctx, e.Path)
	case export.ExportReport:
		return []string{e.Path}, r.engine.ExportReport(ctx, e.Path)
	case export.ExportAll, export.ExportPicked:
		return exportList(ctx, e, progress, r.export)
	}
	return writeExport(e)
}

func (r *runner) copyMarked(t *core.Turn) error {
	if r.copyImage == nil {
		return &core.Hinted{Err: errors.New("pictures cannot be copied on this desktop"), Hint: "Export the marked picture as a file."}
	}
	b, err := files.Marked(t.Image, t.Scene)
	if err != nil {
		return err
	}
	if err := r.copyImage(b); err != nil {
		return &core.Hinted{Err: err, Hint: "Export the marked picture as a file."}
	}
	return nil
}

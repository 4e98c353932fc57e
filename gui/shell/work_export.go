package shell

import (
	"context"
	"errors"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/snapshot/payload"

	files "github.com/refscope/refscope/capture/export"
)

// exportWork starts the work that hands something out.
func (r *runner) exportWork(e state.Effect) bool {
	switch e := e.(type) {
	case state.WriteExport:
		r.task(e.Task, func(ctx context.Context, progress func(string)) state.Msg {
			paths, err := r.export(ctx, e, progress)
			return state.Exported{Task: e.Task, Export: e.Export, Paths: paths, Problem: r.problem("export", err)}
		})
	case state.CopyPicture:
		r.task(e.Task, func(context.Context, func(string)) state.Msg {
			return state.Copied{Task: e.Task, Text: "Copied the marked picture.", Problem: r.problem("clipboard", r.copyMarked(e.Turn))}
		})
	case state.CopyCurl:
		text, err := payload.Curl(e.Choice.Dialect, e.Choice.Model, e.Body, e.File)
		if err != nil {
			r.dispatch(state.Copied{Problem: r.problem("curl", err)})
			return true
		}
		r.dispatch(state.TextCopied{Text: text})
		said := "Copied a curl command that sends the exact bytes; your key stays in a variable of the shell."
		if len(e.Body) > payload.MaxCurlBody {
			said = "Copied a curl command. The body is too long for it: save the bytes as " + e.File + "."
		}
		r.dispatch(state.Copied{Text: said})
	default:
		return false
	}
	return true
}

// export writes a wish to files. What is of the whole session is the engine's.
func (r *runner) export(ctx context.Context, e state.WriteExport, progress func(string)) ([]string, error) {
	switch e.Export.Kind {
	case state.ExportSession:
		return []string{e.Path}, r.engine.ExportSession(ctx, e.Path)
	case state.ExportReport:
		return []string{e.Path}, r.engine.ExportReport(ctx, e.Path)
	case state.ExportAll, state.ExportPicked:
		return exportList(ctx, e, progress, r.export)
	}
	return export(e)
}

func (r *runner) copyMarked(t *state.Turn) error {
	if r.copyImage == nil {
		return &Hinted{errors.New("pictures cannot be copied on this desktop"), "Export the marked picture as a file."}
	}
	b, err := files.Marked(t.Image, t.Scene)
	if err != nil {
		return err
	}
	if err := r.copyImage(b); err != nil {
		return &Hinted{err, "Export the marked picture as a file."}
	}
	return nil
}

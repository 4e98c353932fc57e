package export

import (
	"context"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/payload"
)

// Engine writes files and has the clipboard for pictures.
type Engine interface {
	// WriteExport writes the files of an export and returns their paths, those that were
	// written before an error too.
	WriteExport(ctx context.Context, e WriteExport, progress func(stage string)) ([]string, error)
	// CopyMarked puts the marked picture of a turn on the clipboard.
	CopyMarked(t *core.Turn) error
}

// Number implements [core.Work].
func (e WriteExport) Number() int { return e.Task }

// Do implements [core.Work].
func (e WriteExport) Do(ctx context.Context, w *core.Worker) core.Msg {
	paths, err := core.EngineOf[Engine](w).WriteExport(ctx, e, w.Progress)
	return Exported{Task: e.Task, Export: e.Export, Paths: paths, Problem: w.Problem("export", err)}
}

// Number implements [core.Work].
func (e CopyPicture) Number() int { return e.Task }

// Do implements [core.Work].
func (e CopyPicture) Do(_ context.Context, w *core.Worker) core.Msg {
	err := core.EngineOf[Engine](w).CopyMarked(e.Turn)
	return Copied{Task: e.Task, Text: "Copied the marked picture.", Problem: w.Problem("clipboard", err)}
}

// Number implements [core.Work].
func (CopyCurl) Number() int { return 0 }

// Do implements [core.Work].
func (e CopyCurl) Do(_ context.Context, w *core.Worker) core.Msg {
	text, err := payload.Curl(e.Choice.Dialect, e.Choice.Model, e.Body, e.File)
	if err != nil {
		return Copied{Problem: w.Problem("curl", err)}
	}
	w.Dispatch(core.TextCopied{Text: text})
	if len(e.Body) > payload.MaxCurlBody {
		return Copied{Text: "Copied a curl command. The body is too long for it: save the bytes as " + e.File + "."}
	}
	return Copied{Text: "Copied a curl command that sends the exact bytes; your key stays in a variable of the shell."}
}

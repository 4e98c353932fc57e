package app

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
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
)

// outlet writes exports: what needs the disk and the clipboard.
type outlet struct {
	// session writes what is of the whole session.
	session interface {
		ExportSession(ctx context.Context, path string) error
		ExportReport(ctx context.Context, path string) error
	}
	// copyImage puts a PNG on the clipboard; nil where there is no way to.
	copyImage func(png []byte) error
}

// WriteExport implements [export.Engine].
func (o outlet) WriteExport(ctx context.Context, e export.WriteExport, progress func(string)) ([]string, error) {
	switch e.Export.Kind {
	case export.ExportSession:
		return []string{e.Path}, o.session.ExportSession(ctx, e.Path)
	case export.ExportReport:
		return []string{e.Path}, o.session.ExportReport(ctx, e.Path)
	case export.ExportAll, export.ExportPicked:
		return exportList(ctx, e, progress, o.WriteExport)
	}
	return writeExport(e)
}

// CopyMarked implements [export.Engine].
func (o outlet) CopyMarked(t *core.Turn) error {
	if o.copyImage == nil {
		return &core.Hinted{Err: errors.New("pictures cannot be copied on this desktop"), Hint: "Export the marked picture as a file."}
	}
	b, err := files.Marked(t.Image, t.Scene)
	if err != nil {
		return err
	}
	if err := o.copyImage(b); err != nil {
		return &core.Hinted{Err: err, Hint: "Export the marked picture as a file."}
	}
	return nil
}

// writeExport writes one file of a turn and returns the paths: a marked picture may have
// files beside it.
func writeExport(w export.WriteExport) ([]string, error) {
	switch w.Export.Kind {
	case export.ExportMarked:
		return exportMarked(w.Turn, w.Export.Marked, w.Path)
	case export.ExportBody:
		return []string{w.Path}, writeFile(w.Path, w.Body)
	}
	b, err := exportBytes(w.Turn, w.Export)
	if err != nil {
		return nil, err
	}
	return []string{w.Path}, writeFile(w.Path, b)
}

// exportList writes a list into a folder, which is made where it does not exist, each
// under its own name. It stops at the first error and returns what is written.
func exportList(ctx context.Context, w export.WriteExport, progress func(string), one func(context.Context, export.WriteExport, func(string)) ([]string, error)) ([]string, error) {
	if err := os.MkdirAll(w.Path, 0o755); err != nil {
		return nil, cannotWrite(w.Path, err)
	}
	var paths []string
	for i, e := range w.List {
		if err := ctx.Err(); err != nil {
			return paths, err
		}
		progress(fmt.Sprintf("%d of %d", i+1, len(w.List)))
		single := w
		single.Export, single.Path = e.Export, filepath.Join(w.Path, e.Name)
		wrote, err := one(ctx, single, progress)
		if err != nil {
			return paths, err
		}
		paths = append(paths, wrote...)
	}
	return paths, nil
}

// exportBytes is the content of one file. The manifest names the marked picture by
// the file name that we suggest for it.
func exportBytes(t *core.Turn, e export.Export) ([]byte, error) {
	switch e.Kind {
	case export.ExportMarked:
		return files.Marked(t.Image, t.Scene)
	case export.ExportClean:
		return t.PNG, nil
	case export.ExportManifest:
		m := t.Scene.Manifest(export.FileName(t.N, export.Export{Kind: export.ExportMarked}))
		b, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("writing the manifest of turn %d: %w", t.N, err)
		}
		return append(b, '\n'), nil
	case export.ExportLegend:
		return []byte(t.Scene.Legend() + "\n"), nil
	case export.ExportDump:
		d, err := format.Render(t.Capture, e.Format, format.Options{})
		if err != nil {
			return nil, fmt.Errorf("writing turn %d as %s: %w", t.N, e.Format, err)
		}
		return []byte(d.Text), nil
	case export.ExportPayload:
		p, err := payloadOf(t, core.PayloadChoice{Dialect: e.Dialect}, nil)
		if err != nil {
			return nil, fmt.Errorf("building the %s payload of turn %d: %w", e.Dialect, t.N, err)
		}
		return p.Body, nil
	}
	return nil, fmt.Errorf("there is no export called %q", e.Kind)
}

// payloadOf is the exact body that a model receives for the turn. counter counts the
// tokens of its sections, nil estimates them; the body is the same.
func payloadOf(t *core.Turn, c core.PayloadChoice, counter *tokens.Counter) (*payload.Payload, error) {
	return files.Payload(c.Dialect, payload.Input{
		Turn: t.N, Capture: t.Capture, Picture: t.PNG, Mode: c.Mode, Model: c.Model, Counter: counter,
	})
}

// exportMarked writes a marked picture with the choices of a person, and beside it,
// under the same name with another ending, the manifest and the legend. A model's
// picture is brought to the model's size first and marked afterwards.
func exportMarked(t *core.Turn, o export.MarkedOptions, path string) ([]string, error) {
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
		if err := beside(".txt", []byte(p.Scene.Legend()+"\n")); err != nil {
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

// cannotWrite says which place cannot be written and what to do.
func cannotWrite(path string, err error) error {
	return &core.Hinted{Err: fmt.Errorf("%s cannot be written: %w", path, files.Cause(err)), Hint: "Choose another folder, or make room in this one."}
}

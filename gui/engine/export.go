package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/capture/export/trainset"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// stored is the session in use, where it is on disk.
func (l *Live) stored() (*turn.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil, errors.New("this session is kept in memory only, so there is nothing to write: export its turns " +
			"one by one")
	}
	return l.store, nil
}

// ExportSession implements [export.Engine].
func (l *Live) ExportSession(ctx context.Context, path string) error {
	store, err := l.stored()
	if err != nil {
		return err
	}
	if same(path, store.Path()) {
		return &core.Hinted{Err: fmt.Errorf("%s is the session itself", path), Hint: "Choose another name."}
	}
	err = files.WritePrivateBy(path, func(w io.Writer) error {
		_, err := store.Export(ctx, w, false)
		return err
	})
	if _, ok := errors.AsType[*turn.DamagedError](err); ok {
		return &core.Hinted{Err: err, Hint: "refscopectl session export --damaged writes the intact turns."}
	}
	return err
}

// ExportReport implements [export.Engine].
func (l *Live) ExportReport(ctx context.Context, path string) error {
	store, err := l.stored()
	if err != nil {
		return err
	}
	_, err = report.WriteFile(ctx, path, store, report.Options{
		Counter: new(tokens.Counter), MaxTurns: report.DefaultMaxTurns, Formats: report.DefaultFormats(),
		Dialects: report.DefaultDialects(),
		Name:     strings.TrimSuffix(filepath.Base(filepath.Clean(store.Path())), turn.Extension),
	})
	return err
}

// ExportSessionAs implements [export.Engine].
func (l *Live) ExportSessionAs(ctx context.Context, path string, format exporter.Format) ([]string, error) {
	store, err := l.stored()
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(filepath.Clean(store.Path())), turn.Extension)
	rep, err := files.SessionAs(ctx, path, store, format, exporter.Options{Version: l.opt.Version, Session: name})
	if _, ok := errors.AsType[*turn.DamagedError](err); ok {
		return nil, &core.Hinted{Err: err, Hint: "refscopectl session export --damaged writes the intact turns."}
	}
	if err != nil {
		return nil, err
	}
	return rep.Losses, nil
}

// Version implements [export.Engine].
func (l *Live) Version() string { return l.opt.Version }

// ExportDataset implements [export.Engine].
func (l *Live) ExportDataset(ctx context.Context, path string, o dataset.Options,
	progress func(n, of int)) (dataset.Counts, error) {
	store, err := l.stored()
	if err != nil {
		return dataset.Counts{}, err
	}
	return trainset.OfSession(ctx, path, store, trainset.Plan{Tool: l.opt.Tool, Options: o, Format: "png"}, progress)
}

// same reports whether two paths name one place.
func same(a, b string) bool {
	x, err1 := filepath.Abs(a)
	y, err2 := filepath.Abs(b)
	return err1 == nil && err2 == nil && x == y
}

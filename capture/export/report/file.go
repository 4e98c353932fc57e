package report

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/turn"
)

// WriteFile writes the report of a session to a file, whole or not at all; what it puts
// aside meanwhile lies beside the file. See [Write].
func WriteFile(ctx context.Context, name string, store *turn.Store, o Options) (*Summary, error) {
	spool, err := os.CreateTemp(filepath.Dir(name), ".refscope-report.*")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, export.Cause(err))
	}
	defer func() {
		_ = spool.Close() // nothing in it is wanted any more
		_ = os.Remove(spool.Name())
	}()
	var made *Summary
	err = export.WriteBy(name, func(w io.Writer) error {
		var err error
		made, err = Write(ctx, w, spool, store, o)
		return err
	})
	return made, err
}

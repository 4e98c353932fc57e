package export

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/turn"
)

// SessionName is the name of a session's file in another tool's format; session is its name.
func SessionName(session string, format exporter.Format) string {
	name := strings.TrimSuffix(session, turn.Extension) + "." + string(format)
	if format != exporter.HAR {
		name += ".json"
	}
	return name
}

// SessionAs writes a session in another tool's format into a file that only its owner may read, and the pictures that
// the format keeps beside it into a folder next to the file. o.Picture is its own.
func SessionAs(ctx context.Context, path string, store *turn.Store, format exporter.Format,
	o exporter.Options) (*exporter.Report, error) {
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + "-pictures"
	o.Picture = func(file string, data []byte) (string, error) {
		dir := filepath.Join(filepath.Dir(path), stem)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("writing %s: %w", dir, Cause(err))
		}
		return stem + "/" + file, WritePrivate(filepath.Join(dir, file), data)
	}
	var rep *exporter.Report
	err := WritePrivateBy(path, func(w io.Writer) (err error) {
		rep, err = exporter.Write(ctx, w, store, format, o)
		return err
	})
	return rep, err
}

package inspect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/turn"
)

// ImportName is the name of the session that a file is imported as: the file's own, with what a session's name may not
// have replaced. Nothing may be left of it, see [turn.CheckName].
func ImportName(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.Trim(strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}, name), "-._")
}

// Import reads the recording of another tool into a new session folder: a turn for each that the file has, and the
// verdicts on them. tool is what the session names as its maker.
func Import(ctx context.Context, f *os.File, dir, tool string) (rep *importer.Report, err error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var o importer.Options
	// Screenshots beside a history; nothing outside that folder, whatever links it holds.
	if root, err := os.OpenRoot(filepath.Dir(f.Name())); err == nil {
		defer root.Close()
		o.Pictures = root.FS()
	}
	err = turn.Build(ctx, dir, tool, func(s *turn.Store) error {
		rep, err = importer.Read(ctx, f, st.Size(), o, func(rec *turn.Record) error {
			_, err := s.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
				l.Assign(rec.Meta.Target, l.NextTurn(), rec.Capture)
				return rec, nil
			})
			return err
		})
		if err != nil {
			if rep != nil && len(rep.Damage) > 0 {
				err = fmt.Errorf("%w: %s", err, strings.Join(rep.Damage, "; "))
			}
			return err
		}
		for _, v := range rep.Verdicts {
			if _, err := s.Annotate(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	return rep, err
}

package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/batch"
	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	batchroom "github.com/refscope/refscope/gui/batch"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/turn"
)

// OpenSession implements [core.Engine]. The session in view stays the one that captures go
// to until another one is open.
func (l *Live) OpenSession(ctx context.Context, name string) (core.Session, int, error) {
	if name == "" {
		s, err := l.ownSession(ctx)
		return s, 0, err
	}
	at, lost, err := l.locate(ctx, name)
	if err != nil {
		return core.Session{}, 0, err
	}
	if isBatch(at.Dir) {
		return core.Session{}, 0, &core.NotASession{Open: batchroom.Found{Dir: at.Dir}}
	}
	store, err := turn.OpenPath(at.Dir)
	if errors.Is(err, turn.ErrNotSession) && isDataset(at.Dir) {
		return core.Session{}, 0, &core.NotASession{Open: batchroom.Found{Dir: at.Dir}}
	}
	if err != nil {
		return core.Session{}, 0, fmt.Errorf("the session %s cannot be opened: %w", at.Dir, err)
	}
	s, err := listed(ctx, store, sessionName(at.Dir))
	if err != nil {
		return s, 0, errors.Join(fmt.Errorf("the session %s cannot be opened: %w", at.Dir, err), store.Close())
	}
	info, err := os.Stat(at.Dir)
	s.Path, s.File, s.ReadOnly = at.Dir, err == nil && !info.IsDir(), !l.isOwn(at.Dir)
	s.Lost = lost
	l.use(store)
	return s, at.N, nil
}

// isOwn reports whether a folder is that of the window's own session: all others are recordings.
func (l *Live) isOwn(dir string) bool {
	if turn.CheckName(l.opt.Session) != nil {
		return false
	}
	own, err := os.Stat(turn.SessionDir(l.opt.Home, l.opt.Session))
	if err != nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && os.SameFile(own, info)
}

// sessionName is what the window calls the session of a folder: that of a page of a batch has the page's name.
func sessionName(dir string) string {
	if name := filepath.Base(dir); name != batch.SessionDir {
		return name
	}
	return filepath.Base(filepath.Dir(dir))
}

// use makes a store the one in use and closes the one before.
func (l *Live) use(store *turn.Store) {
	l.mu.Lock()
	old := l.store
	l.store, l.reports, l.unsaved = store, nil, nil
	l.mu.Unlock()
	if old != nil {
		if err := old.Close(); err != nil {
			l.opt.Log.Debug("closing a session", "error", err)
		}
	}
}

// ownSession opens or makes the session that the program was started with.
func (l *Live) ownSession(ctx context.Context) (core.Session, error) {
	s := core.Session{Name: l.opt.Session}
	if err := turn.CheckName(l.opt.Session); err != nil {
		return s, &core.Hinted{Err: err, Hint: "Turns are kept in memory until the window closes."}
	}
	store, err := turn.OpenOrCreate(ctx, turn.Dir(turn.SessionDir(l.opt.Home, l.opt.Session)), l.opt.Tool)
	if err != nil {
		return s, sessionHint(err)
	}
	if s, err = listed(ctx, store, l.opt.Session); err != nil {
		return s, sessionHint(err)
	}
	s.Path = store.Path()
	if abs, err := filepath.Abs(s.Path); err == nil {
		s.Path = abs
	}
	l.use(store)
	return s, nil
}

func sessionHint(err error) error {
	return &core.Hinted{Err: err,
		Hint: "Until then turns are kept in memory only; another folder can be named with --home."}
}

// locate finds the session that a person named: SESSION, SESSION#N, a folder, also with #N, or the recording of another
// tool, which is imported; lost is then what it lacks. The turn is 0 where none was named. It fails with
// [core.ErrNoSession] where there is none.
func (l *Live) locate(ctx context.Context, name string) (at turn.Address, lost []string, err error) {
	if rest, ok := strings.CutPrefix(filepath.ToSlash(name), "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			name = filepath.Join(home, rest)
		}
	}
	at, err = turn.ParseTarget(l.opt.Home, name)
	switch {
	case err == nil:
	case turn.CheckName(name) == nil:
		at = turn.Address{Dir: turn.SessionDir(l.opt.Home, name)}
	default:
		at = turn.Address{Dir: name}
	}
	if at.Dir, err = filepath.Abs(at.Dir); err != nil {
		return at, nil, fmt.Errorf("%w: %s", core.ErrNoSession, name)
	}
	switch info, err := os.Stat(at.Dir); {
	case errors.Is(err, fs.ErrNotExist):
		return at, nil, fmt.Errorf("%w: %s", core.ErrNoSession, name)
	case err != nil:
		return at, nil, fmt.Errorf("%s cannot be opened: %w", at.Dir, files.Cause(err))
	case info.Mode().IsRegular():
		at.Dir, lost, err = l.imported(ctx, at.Dir)
		return at, lost, err
	case !info.IsDir():
		return at, nil, notOne(fmt.Errorf("%s is neither a file nor a folder", at.Dir))
	}
	return at, nil, nil
}

// notOne adds to the error of a file what may be opened.
func notOne(err error) error {
	return &core.Hinted{Err: err,
		Hint: "Name a session, its folder, a .refscope or .zip file of one, or the recording of another tool."}
}

// imported is the folder of the session that the recording of another tool is imported as, and what it lacks: the
// file's name and the beginning of its digest, so that one file is one session however often it is opened. A file of a
// session of ours stays what it is.
func (l *Live) imported(ctx context.Context, path string) (dir string, lost []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return path, nil, fmt.Errorf("%s cannot be opened: %w", path, files.Cause(err))
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return path, nil, fmt.Errorf("%s cannot be opened: %w", path, files.Cause(err))
	}
	switch format, err := importer.Detect(f, st.Size()); {
	case err == nil && format == importer.Session, err != nil && turn.IsFileName(path):
		return path, nil, nil
	case err != nil:
		return path, nil, notOne(fmt.Errorf("%s: %w", path, err))
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, st.Size())); err != nil {
		return path, nil, fmt.Errorf("reading %s: %w", path, files.Cause(err))
	}
	name := cmp.Or(inspect.ImportName(path), "recording") // it has characters of one byte alone
	dir = turn.SessionDir(l.opt.Home, name[:min(len(name), 60)]+"-"+hex.EncodeToString(sum.Sum(nil)[:4]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil, nil
	}
	rep, err := inspect.Import(ctx, f, dir, l.opt.Tool)
	if err != nil {
		return path, nil, fmt.Errorf("%s: %w", path, err)
	}
	return dir, append(rep.Damage, rep.Lacks...), nil
}

// listed is a session with its rows.
func listed(ctx context.Context, store *turn.Store, name string) (core.Session, error) {
	s := core.Session{Name: name}
	list, damage, err := store.List(ctx)
	if err != nil {
		return s, err
	}
	s.Kept = true
	broken := map[int]bool{}
	for _, d := range damage {
		if d.Note || d.Turn > 0 && broken[d.Turn] {
			continue
		}
		broken[d.Turn] = true
		s.Damaged = append(s.Damaged, core.Damage{N: d.Turn, Why: d.Path + ": " + d.Why})
	}
	slices.SortStableFunc(s.Damaged, func(a, b core.Damage) int { return a.N - b.N })
	for _, t := range list {
		if !broken[t.N] {
			s.Turns = append(s.Turns, rowOf(t))
		}
	}
	// Later comments; damage to them hides no turn.
	said, _, err := store.Annotations(ctx)
	if err != nil {
		return s, err
	}
	s.Notes = said
	return s, nil
}

func rowOf(t turn.Summary) core.TurnRow {
	row := core.TurnRow{
		N: t.N, Action: t.Action, Refs: t.Counts.Refs, URL: t.URL, Title: t.Title, Taken: t.Time,
		Note: t.Note, Unsettled: !t.Meta.Settled, Torn: t.Meta.Torn, Pageless: t.Pageless(),
	}
	for _, p := range t.Parts {
		if p.Way != "" {
			row.Stored++
		}
		if p.Wire {
			row.Wire++
		}
	}
	return row
}

// Sessions implements [sessions.Engine].
func (l *Live) Sessions(ctx context.Context) ([]sessions.Row, error) {
	folder := filepath.Dir(turn.SessionDir(l.opt.Home, "x"))
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the sessions in %s cannot be listed: %w", folder, files.Cause(err))
	}
	var rows []sessions.Row
	for _, e := range entries {
		if !e.IsDir() || turn.CheckName(e.Name()) != nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows = append(rows, sessionRow(ctx, turn.SessionDir(l.opt.Home, e.Name()), e.Name()))
	}
	slices.SortStableFunc(rows, func(a, b sessions.Row) int { return b.Last.Compare(a.Last) })
	return rows, nil
}

func sessionRow(ctx context.Context, dir, name string) sessions.Row {
	row := sessions.Row{Name: name, Path: dir}
	if abs, err := filepath.Abs(dir); err == nil {
		row.Path = abs
	}
	store, err := turn.Open(turn.Dir(dir))
	if err != nil {
		row.Why = files.Cause(err).Error()
		return row
	}
	list, damage, err := store.List(ctx)
	if err != nil {
		row.Why = files.Cause(err).Error()
		return row
	}
	if n := len(list); n > 0 {
		row.Last, row.Title = list[n-1].Time, list[n-1].Title
	}
	for _, t := range list {
		row.Size += t.Size
	}
	broken := map[int]bool{}
	for _, d := range damage {
		if !d.Note {
			broken[d.Turn] = true
		}
	}
	row.Damaged, row.Turns = len(broken), len(broken)
	for _, t := range list { // also those of which a part is damaged
		if !broken[t.N] {
			row.Turns++
		}
	}
	return row
}

// Follow implements [core.Engine].
func (l *Live) Follow(ctx context.Context, after int, arrived func(core.TurnRow, *core.Damage)) error {
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	if store == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	return store.Follow(ctx, after, func(t turn.Summary, err error) error {
		if err != nil {
			arrived(core.TurnRow{}, &core.Damage{N: t.N, Why: files.Cause(err).Error()})
		} else {
			arrived(rowOf(t), nil)
		}
		return nil
	})
}

// Load implements [core.Engine]. A turn of which a part is damaged is given without it, as far as its page can be read,
// and lacks it in words.
func (l *Live) Load(ctx context.Context, n int) (*core.Recorded, error) {
	l.mu.Lock()
	store, memory, unsaved := l.store, l.memory, l.unsaved
	l.mu.Unlock()
	if unsaved != nil && unsaved.N == n {
		return unsaved, nil
	}
	if store == nil {
		if n < 1 || n > len(memory) {
			return nil, fmt.Errorf("there is no turn %d", n)
		}
		return memory[n-1], nil
	}
	return recorded(ctx, store, n)
}

// recorded is a turn of a session for the window.
func recorded(ctx context.Context, store *turn.Store, n int) (*core.Recorded, error) {
	rec, err := store.Load(ctx, n)
	var d *turn.DamagedError
	switch {
	case err == nil:
	case errors.As(err, &d) && rec != nil:
		for _, part := range d.Damage {
			rec.Lacks = append(rec.Lacks, "it is damaged: "+part.Why)
		}
	case errors.As(err, &d):
		return nil, &core.Hinted{Err: fmt.Errorf("the page is damaged: %w", err),
			Hint: "The other turns of the session are not affected."}
	case errors.Is(err, turn.ErrNoTurn):
		return nil, &core.Hinted{Err: fmt.Errorf("turn %d is gone: it was deleted or moved meanwhile, with the "+
			"session %s or alone", n, store.Path()), Hint: "What was read before stays in view."}
	default:
		return nil, err
	}
	out := &core.Recorded{Record: *rec, Pairing: exchange.PairingOf(rec.Exchange),
		Trouble: exchange.Trouble(rec.Exchange)}
	out.Exchange = nil // the window needs no more of it, and keeps many turns
	return out, nil
}

// Ledger implements [details.Engine].
func (l *Live) Ledger(ctx context.Context) (*turn.Ledger, error) {
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	if store == nil {
		return nil, nil
	}
	book, err := store.Ledger(ctx)
	if err != nil {
		return nil, fmt.Errorf("the ledger of the session cannot be read: %w", err)
	}
	return book, nil
}

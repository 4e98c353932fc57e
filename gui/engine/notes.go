package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/snapshot/turn"
)

// errNoNotes: turns in memory cannot have notes.
var errNoNotes = errors.New("this session is in memory only, and a note would be lost with it")

// Annotate implements [notes.Engine].
func (l *Live) Annotate(ctx context.Context, n turn.Annotation) (turn.Annotation, error) {
	store := l.inUse()
	if store == nil {
		return n, errNoNotes
	}
	n.By = author()
	return store.Annotate(ctx, n)
}

// Retract implements [notes.Engine].
func (l *Live) Retract(ctx context.Context, n int) error {
	store := l.inUse()
	if store == nil {
		return errNoNotes
	}
	return store.Retract(ctx, n, author())
}

// FollowNotes implements [core.Engine].
func (l *Live) FollowNotes(ctx context.Context, changed func([]turn.Annotation)) error {
	store := l.inUse()
	if store == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	return store.FollowNotes(ctx, changed)
}

func (l *Live) inUse() *turn.Store {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.store
}

// author is the user of the window, "" if unknown.
func author() string {
	u, err := user.Current()
	if err != nil || len(u.Username) > 100 {
		return ""
	}
	return u.Username
}

// draftsPath is the file of the notes that were begun for a session and not written. It lies in the home folder, so
// that a recording that is a file, or cannot be written to, has drafts too.
func (l *Live) draftsPath(session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(l.opt.Home, "drafts", hex.EncodeToString(sum[:8])+".json")
}

// draftsFile is what lies there. Session is its path, for a person who looks.
type draftsFile struct {
	Session string              `json:"session"`
	Drafts  map[int]notes.Draft `json:"drafts"`
}

// maxDrafts bounds the file that is read, in bytes.
const maxDrafts = 8 << 20

// Drafts implements [notes.Engine].
func (l *Live) Drafts(_ context.Context, session string) (map[int]notes.Draft, error) {
	f, err := os.Open(l.draftsPath(session))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("drafts of notes: %w", files.Cause(err))
	}
	defer f.Close()
	var d draftsFile
	if err := json.NewDecoder(io.LimitReader(f, maxDrafts)).Decode(&d); err != nil {
		return nil, fmt.Errorf("drafts of notes in %s: %w", f.Name(), err)
	}
	return d.Drafts, nil
}

// KeepDrafts implements [notes.Engine].
func (l *Live) KeepDrafts(_ context.Context, session string, drafts map[int]notes.Draft) error {
	path := l.draftsPath(session)
	if len(drafts) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("drafts of notes: %w", files.Cause(err))
		}
		return nil
	}
	b, err := json.MarshalIndent(draftsFile{session, drafts}, "", "  ")
	if err != nil {
		return fmt.Errorf("drafts of notes: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("drafts of notes: %w", files.Cause(err))
	}
	return files.WritePrivate(path, append(b, '\n'))
}

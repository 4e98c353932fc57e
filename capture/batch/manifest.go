package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/audit"
)

// Schema names the shape of a manifest. Changes are additive only.
const Schema = "refscope.batch/1"

// Names in a batch folder.
const (
	ManifestFile = "manifest.jsonl"
	ResultsFile  = "results.jsonl"
	PagesDir     = "pages"
	// SessionDir, in the folder of a page, has its turns, and ThumbnailFile its small picture.
	SessionDir    = "session"
	ThumbnailFile = "thumbnail.jpg"

	tmpDir   = "tmp"
	lockFile = "lock"
)

// Header is the first line of a manifest.
type Header struct {
	Schema string `json:"manifest"`
	Tool   string `json:"tool,omitempty"`
	// Do is what was done to each page, with its options, as the caller spells it.
	Do string `json:"do"`
	// Works are the things that are done, one by one.
	Works []string `json:"works,omitempty"`
	// List is a hash of the keys of the whole list, and Pages how many these are; a shard has
	// the same.
	List  string `json:"list"`
	Pages int    `json:"pages"`
	// Shard is I/N where this is a part.
	Shard string `json:"shard,omitempty"`
	// Run names the batch in a queue.
	Run string `json:"run,omitempty"`
	// Browsers are those of a pool that did not serve, with the reason, as the batch ended.
	Browsers []Browser `json:"browsers,omitempty"`
}

// Browser is one of a pool that did not serve, in words: this package knows no browser.
type Browser struct {
	At  string `json:"at"` // its address as it may be shown
	Why string `json:"why"`
	// GivenUp: it was not asked again.
	GivenUp bool `json:"givenUp,omitempty"`
}

// Outcomes of a page.
const (
	OK     = "ok"
	Failed = "failed"
)

// Entry is how one page ended.
type Entry struct {
	Key     string `json:"key"`
	Place   int    `json:"n"` // in the whole list, from 1 on
	Target  string `json:"target"`
	Name    string `json:"name,omitempty"`
	Device  string `json:"device,omitempty"`
	Outcome string `json:"outcome"`
	// Cause is the kind of a failure, which many pages share; Error is what is wrong with this one.
	Cause string `json:"cause,omitempty"`
	Error string `json:"error,omitempty"`
	Result
	// Work is when, where and how often it was tried. It is not in the results.
	Work *Work `json:"work,omitempty"`
}

// Result is what is known of a page that was done.
type Result struct {
	Title string `json:"title,omitempty"`
	// Status is what the server answered, 0 where none did.
	Status int `json:"status,omitempty"`
	// Elements and Refs count those of the capture.
	Elements int `json:"elements,omitempty"`
	Refs     int `json:"refs,omitempty"`
	// Notes are what is known of the capture beside: not settled, torn, cut off.
	Notes []string `json:"notes,omitempty"`
	// Findings are those of the audit, nil where there was none.
	Findings *audit.Tally `json:"findings,omitempty"`
	// Breaches are the limits of the audit that the page breaks.
	Breaches []string `json:"breaches,omitempty"`
	// Change is the outcome of the comparison with what was accepted, "" where there was none;
	// Changed are its words where it is not the same.
	Change  string `json:"change,omitempty"`
	Changed string `json:"changed,omitempty"`
	// Files are those of the page's folder, with slashes; a session counts as one.
	Files []string `json:"files,omitempty"`
}

// Refused reports whether the server answered with an error status: what was captured is its page about that.
func (r *Result) Refused() bool { return r.Status >= 400 }

// Work is when, where and how often a page was tried.
type Work struct {
	Began    time.Time `json:"began"`
	Seconds  float64   `json:"seconds"` // of the last attempt
	Attempts int       `json:"attempts"`
	Worker   string    `json:"worker,omitempty"`
}

// seconds is how long it took, 0 where that is not known.
func (e *Entry) seconds() float64 {
	if e.Work == nil {
		return 0
	}
	return e.Work.Seconds
}

// ListHash is the hash of a list's keys in their order.
func ListHash(pages []Page) string {
	h := sha256.New()
	for i := range pages {
		_, _ = io.WriteString(h, pages[i].Key()+"\n") // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// errExists is the error of a new batch in a folder that has one.
var errExists = errors.New("it has a batch already: continue it with --resume, or name another folder")

// Manifest is the manifest of a folder as it was read.
type Manifest struct {
	Header  Header
	Entries map[string]*Entry // the last one of each page, by key
	size    int64             // bytes of whole lines
}

// ReadManifest reads the manifest of a batch folder. A last line that was broken off counts for
// nothing; any other that cannot be read is an error. The error is fs.ErrNotExist where there is
// none.
func ReadManifest(dir string) (*Manifest, error) {
	name := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	m := &Manifest{Entries: map[string]*Entry{}, size: int64(len(data))}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if n == 1 {
			if err := json.Unmarshal(line, &m.Header); err != nil || m.Header.Schema != Schema {
				return nil, fmt.Errorf("%s is not the manifest of a batch: its first line has no %q", name, Schema)
			}
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil || !ownKey(e.Key) {
			return nil, fmt.Errorf("%s, line %d: it is damaged: remove the line and resume the batch", name, n)
		}
		m.Entries[e.Key] = &e
	}
	if n == 0 {
		return nil, fs.ErrNotExist // killed before its first line was whole
	}
	return m, nil
}

// ownKey reports whether a key can be one of ours: it is the name of a folder.
func ownKey(key string) bool {
	if len(key) < 14 || len(key) > longestSlug+13 || key[0] == '-' {
		return false
	}
	return strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// InOrder are the entries in the order of the list.
func (m *Manifest) InOrder() []*Entry {
	out := make([]*Entry, 0, len(m.Entries))
	for _, e := range m.Entries {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b *Entry) int { return a.Place - b.Place })
	return out
}

// Durations are how long pages took, in seconds by key, of those that ended well.
func (m *Manifest) Durations() map[string]float64 {
	out := map[string]float64{}
	for key, e := range m.Entries {
		if e.Outcome == OK && e.seconds() > 0 {
			out[key] = e.seconds()
		}
	}
	return out
}

// Folder is a batch folder that this process writes. It is safe for concurrent use.
type Folder struct {
	dir string
	// Manifest is what it had when it was opened; [Folder.Add] keeps it up to date.
	*Manifest

	lock *flock.Flock
	mu   sync.Mutex
	file *os.File
}

// Open opens a folder for a batch, and makes it where it is not there. Where it has a batch, it
// must be the same one, and resume must be set. Close it.
func Open(ctx context.Context, dir string, h Header, resume bool) (_ *Folder, err error) {
	h.Schema = Schema
	if err := os.MkdirAll(filepath.Join(dir, PagesDir), 0o700); err != nil {
		return nil, fmt.Errorf("batch folder %s: %w", dir, export.Cause(err))
	}
	f := &Folder{dir: dir, lock: flock.New(filepath.Join(dir, lockFile))}
	if ok, err := f.lock.TryLockContext(ctx, 100*time.Millisecond); !ok {
		return nil, fmt.Errorf("batch folder %s: waiting for the process that writes there: %w", dir, err)
	}
	defer func() {
		if err != nil {
			_ = f.lock.Unlock() // the error above is what matters
		}
	}()
	if err := os.RemoveAll(filepath.Join(dir, tmpDir)); err != nil {
		return nil, fmt.Errorf("batch folder %s: what the last run left in tmp: %w", dir, export.Cause(err))
	}
	f.Manifest, err = ReadManifest(dir)
	name := filepath.Join(dir, ManifestFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Manifest = &Manifest{Header: h, Entries: map[string]*Entry{}}
		line, err := json.Marshal(h)
		if err != nil {
			return nil, err
		}
		if err := export.WritePrivate(name, append(line, '\n')); err != nil {
			return nil, err
		}
		f.size = int64(len(line) + 1)
	case err != nil:
		return nil, err
	case !resume:
		return nil, fmt.Errorf("%s: %w", dir, errExists)
	default:
		if err := f.Header.same(h); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	if f.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", name, export.Cause(err))
	}
	if err := f.file.Truncate(f.size); err != nil { // a line that was broken off
		return nil, errors.Join(fmt.Errorf("%s: %w", name, export.Cause(err)), f.file.Close())
	}
	return f, nil
}

// same explains where a batch is not the one of the folder.
func (h Header) same(o Header) error {
	switch {
	case h.Do != o.Do:
		return fmt.Errorf("its batch does %q, and not %q: name another folder", h.Do, o.Do)
	case h.List != o.List:
		return fmt.Errorf("its batch is of another list, of %d pages: name another folder", h.Pages)
	case h.Shard != o.Shard:
		return fmt.Errorf("its batch is shard %q, and not %q: name another folder", h.Shard, o.Shard)
	}
	return nil
}

// Close ends the writing.
func (f *Folder) Close() error {
	err := f.lock.Unlock()
	if f.file != nil {
		err = errors.Join(f.file.Close(), err)
	}
	return err
}

// Dir is the path of the folder.
func (f *Folder) Dir() string { return f.dir }

// Done reports whether a page ended well.
func (f *Folder) Done(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.Entries[key]
	return e != nil && e.Outcome == OK
}

// Ended reports whether a page ended, well or not.
func (f *Folder) Ended(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Entries[key] != nil
}

// Workspace makes an empty folder for the files of a page. [Folder.Add] takes it over.
func (f *Folder) Workspace(key string) (string, error) {
	dir := filepath.Join(f.dir, tmpDir, key)
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", fmt.Errorf("a folder for page %s: %w", key, export.Cause(err))
	}
	return dir, nil
}

// Add puts the files of a page into their place and lists it. workspace is the folder of
// [Folder.Workspace], "" for a page without files.
func (f *Folder) Add(e *Entry, workspace string) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("page %s: %w", e.Key, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	to := filepath.Join(f.dir, PagesDir, e.Key)
	if err := os.RemoveAll(to); err != nil { // of a run that was killed before it listed the page
		return fmt.Errorf("page %s: %w", e.Key, export.Cause(err))
	}
	if workspace != "" {
		if err := os.Rename(workspace, to); err != nil {
			return fmt.Errorf("page %s: %w", e.Key, export.Cause(err))
		}
	}
	_, err = f.file.Write(append(line, '\n'))
	if err = errors.Join(err, f.file.Sync()); err != nil {
		return fmt.Errorf("%s: %w", f.file.Name(), export.Cause(err))
	}
	f.Entries[e.Key] = e
	return nil
}

// Finish writes the manifest in the order of the list, with one line for each page, and the
// results. Nothing can be added afterwards.
func (f *Folder) Finish() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := os.RemoveAll(filepath.Join(f.dir, tmpDir)); err != nil {
		return fmt.Errorf("batch folder %s: %w", f.dir, export.Cause(err))
	}
	if err := f.file.Close(); err != nil { // Windows replaces no file that is open
		return fmt.Errorf("%s: %w", f.file.Name(), export.Cause(err))
	}
	f.file = nil
	return f.write(f.dir)
}

// write writes the manifest and the results into a folder.
func (m *Manifest) write(dir string) error {
	var manifest, results bytes.Buffer
	lines, plain := json.NewEncoder(&manifest), json.NewEncoder(&results)
	err := lines.Encode(m.Header)
	for _, e := range m.InOrder() {
		without := *e
		without.Work = nil
		err = errors.Join(err, lines.Encode(e), plain.Encode(without))
	}
	if err != nil {
		return fmt.Errorf("batch folder %s: %w", dir, err)
	}
	if err := export.WritePrivate(filepath.Join(dir, ResultsFile), results.Bytes()); err != nil {
		return err
	}
	return export.WritePrivate(filepath.Join(dir, ManifestFile), manifest.Bytes())
}

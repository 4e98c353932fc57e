package profiles

import (
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
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	snaptext "github.com/refscope/refscope/snapshot/text"
)

// ErrNotFound: there is no profile for the domain.
var ErrNotFound = errors.New("there is no profile")

const (
	ending     = ".md"
	historyDir = ".history"
	lockFile   = ".lock"
	lockRetry  = 15 * time.Millisecond
)

// Version names a text: its SHA-256 in hexadecimal, "" for no text.
type Version string

// Short is as much of a version as people need.
func (v Version) Short() string {
	if v == "" {
		return "none"
	}
	return string(v[:min(12, len(v))])
}

// VersionOf is the version of a text that is there.
func VersionOf(text string) Version {
	sum := sha256.Sum256([]byte(text))
	return Version(hex.EncodeToString(sum[:]))
}

// File is a profile as it was found.
type File struct {
	Domain   string // the name that it is kept under
	Text     string
	Version  Version
	Path     string
	Fallback bool // read from the second folder; saving puts it into the first
	Modified time.Time
	// Err is why a file of [Store.List] could not be read; Text is "" then.
	Err error
}

// Conflict: another writer saved since this one read. Nothing was written.
type Conflict struct {
	Domain string
	Yours  string  // the text that was to be saved
	Theirs string  // the text that is there, "" where it was removed
	Base   Version // what the writer had read
	Now    Version // of Theirs; read it, merge, and save with this
}

// Error describes what to do.
func (c *Conflict) Error() string {
	return "profile " + c.Domain + " was changed by somebody else since it was read: merge the two texts and save again"
}

// BrokenError: the text has rules that no page can use, so it was not written.
type BrokenError struct {
	Domain string
	Rules  []Broken // at least one
}

// Error names the first rule and its line.
func (e *BrokenError) Error() string {
	more := ""
	if n := len(e.Rules) - 1; n > 0 {
		more = ", and " + snaptext.Count(n, "more rule", "more rules")
	}
	return fmt.Sprintf("profile %s was not written: no page can use this rule: %s%s: mend it and write again", e.Domain,
		e.Rules[0], more)
}

// Store is a folder of profiles. It holds nothing open and may be used by several
// goroutines and processes at once.
type Store struct {
	dir      string
	fallback string
}

// Open names the folder. It is made by the first save. fallback is a second folder
// that is only read, "" for none.
func Open(dir, fallback string) *Store {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return &Store{dir: dir, fallback: fallback}
}

// Home names the profiles of a home folder. Those that cdp-skill keeps for this user
// are read where there is none of ours (C-17).
func Home(home string) *Store {
	fallback := ""
	if dir, err := os.UserHomeDir(); err == nil {
		fallback = filepath.Join(dir, ".cdp-skill", "sites")
	}
	return Open(filepath.Join(home, "profiles"), fallback)
}

// Path is where a domain's profile is or would be.
func (s *Store) Path(domain string) string {
	return filepath.Join(s.dir, fileName(domain)+ending)
}

// Lookup finds the profile for a URL: of its host and port, its host, or the nearest
// parent domain. ErrNotFound and ErrNoDomain are not failures of the store.
func (s *Store) Lookup(url string) (*File, error) {
	names, err := Candidates(url)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := s.read(name)
		if !errors.Is(err, ErrNotFound) {
			return f, err
		}
	}
	return nil, fmt.Errorf("profile %s: %w", names[0], ErrNotFound)
}

// Load reads the profile of exactly one domain; a URL is taken for its domain.
func (s *Store) Load(domain string) (*File, error) {
	name, err := Domain(domain)
	if err != nil {
		return nil, err
	}
	return s.read(name)
}

func (s *Store) read(name string) (*File, error) {
	f, err := readIn(s.dir, name)
	if errors.Is(err, ErrNotFound) && s.fallback != "" {
		if f, err = readIn(s.fallback, name); err == nil {
			f.Fallback = true
		}
	}
	return f, err
}

func readIn(dir, name string) (*File, error) {
	r, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("profile %s: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", name, err)
	}
	defer r.Close()
	text, at, err := readText(r, name+ending)
	if st, lerr := r.Lstat(name + ending); err != nil && lerr == nil && st.Mode()&fs.ModeSymlink != 0 {
		text, at, err = readLinked(dir, name+ending)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("profile %s: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", name, err)
	}
	path := filepath.Join(dir, name+ending)
	return &File{Domain: name, Text: text, Version: VersionOf(text), Path: path, Modified: at}, nil
}

// readLinked reads a profile that is a link to a file outside of the folder of profiles: one below the home folder that
// this lies in, and .md as all of them, as where somebody keeps profiles with other settings.
func readLinked(dir, name string) (string, time.Time, error) {
	home, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return "", time.Time{}, err
	}
	to, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil {
		return "", time.Time{}, errors.New("it is a link that leads to no file")
	}
	in, err := filepath.Rel(home, to)
	if err != nil || !filepath.IsLocal(in) || !strings.HasSuffix(in, ending) {
		return "", time.Time{},
			fmt.Errorf("it is a link, and to no .md file below %s: put the file there, or a copy in place of the link",
				home)
	}
	r, err := os.OpenRoot(home)
	if err != nil {
		return "", time.Time{}, err
	}
	defer r.Close()
	return readText(r, in)
}

func readText(r *os.Root, name string) (string, time.Time, error) {
	st, err := r.Stat(name)
	if err != nil {
		return "", time.Time{}, err
	}
	if !st.Mode().IsRegular() {
		return "", time.Time{}, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := r.Open(name)
	if err != nil {
		return "", time.Time{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxText+1))
	if err != nil {
		return "", time.Time{}, err
	}
	if len(b) > MaxText {
		return "", time.Time{}, fmt.Errorf("it has more than the %d bytes allowed", MaxText)
	}
	return string(b), st.ModTime(), nil
}

// List lists all profiles, those of the second folder too where the first has none of
// that name, sorted by domain. One that cannot be read has the reason.
func (s *Store) List() ([]File, error) {
	var out []File
	for k, dir := range []string{s.dir, s.fallback} {
		if dir == "" {
			continue
		}
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("profiles in %s: %w", dir, err)
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), ending)
			if !ok || name == "" || strings.HasPrefix(name, ".") || fileName(name) != name {
				continue
			}
			if slices.ContainsFunc(out, func(f File) bool { return f.Domain == name }) {
				continue
			}
			f, err := readIn(dir, name)
			if err != nil { // the others are there all the same
				f = &File{Domain: name, Path: filepath.Join(dir, name+ending), Err: err}
			}
			f.Fallback = k == 1
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Domain, b.Domain) })
	return out, nil
}

// Save replaces a domain's profile by a text, wholly or not at all. base is the
// version that the writer has read, "" where there was none; where another text is
// there by now, nothing is written and the error is a *Conflict. The text that is
// replaced goes to the history. A text with a rule that no page can use is not written
// either: the error is a *BrokenError.
func (s *Store) Save(ctx context.Context, domain, text string, base Version) (*File, error) {
	name, err := Domain(domain)
	if err != nil {
		return nil, err
	}
	if len(text) > MaxText {
		return nil, fmt.Errorf("profile %s: %d bytes are more than the %d allowed", name, len(text), MaxText)
	}
	if p, _ := Parse(text); len(p.Broken()) > 0 {
		return nil, &BrokenError{name, p.Broken()}
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("profile %s: %w", name, err)
	}
	r, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", name, err)
	}
	defer r.Close()
	unlock, err := s.lock(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", name, err)
	}
	defer unlock()
	now, err := s.read(name)
	switch {
	case errors.Is(err, ErrNotFound):
		now = &File{Domain: name}
	case err != nil:
		return nil, err
	}
	if now.Version != base && now.Text != text {
		return nil, &Conflict{Domain: name, Yours: text, Theirs: now.Text, Base: base, Now: now.Version}
	}
	if now.Version != "" && !now.Fallback && now.Text == text {
		return now, nil
	}
	if now.Version != "" && now.Text != text { // the same text is taken over from the second folder
		if err := remember(r, name, now.Text); err != nil {
			return nil, fmt.Errorf("profile %s: keeping the version before: %w: check the folder's space and "+
				"permissions", name, err)
		}
	}
	if err := place(r, name+ending, text); err != nil {
		return nil, fmt.Errorf("profile %s: %w: check the folder's space and permissions", name, err)
	}
	return readIn(s.dir, name)
}

func (s *Store) lock(ctx context.Context, r *os.Root) (func(), error) {
	// Made through the root first: a lock that is a link to elsewhere is refused.
	f, err := r.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(s.dir, lockFile))
	ok, err := l.TryLockContext(ctx, lockRetry)
	if err != nil {
		return nil, fmt.Errorf("another process is saving: %w", err)
	}
	if !ok {
		return nil, errors.New("the lock of the profiles could not be taken")
	}
	return func() { _ = l.Unlock() }, nil
}

// place writes a file beside its place, makes it durable, and renames it there.
func place(r *os.Root, name, text string) error {
	tmp := "." + filepath.Base(name) + ".new" // one writer at a time has the lock
	if dir := filepath.Dir(name); dir != "." {
		tmp = filepath.Join(dir, tmp)
	}
	f, err := r.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = r.Rename(tmp, name)
	}
	if err != nil {
		_ = r.Remove(tmp)
		return err
	}
	d, err := r.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	// A folder cannot be synced everywhere; the rename has happened anyway.
	_ = d.Sync()
	return d.Close()
}

// Revision is one version of a profile that was replaced.
type Revision struct {
	N    int // 1 is the oldest
	Text string
	Time time.Time // when it was replaced
}

// remember puts a text into the history of a domain, unless it is the latest there.
func remember(r *os.Root, name, text string) error {
	dir := filepath.Join(historyDir, name)
	if err := r.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	numbers, err := revisions(r, dir)
	if err != nil {
		return err
	}
	next := 1
	if n := len(numbers); n > 0 {
		next = numbers[n-1] + 1
		last, _, err := readText(r, revisionFile(dir, numbers[n-1]))
		if err == nil && last == text {
			return nil
		}
	}
	return place(r, revisionFile(dir, next), text)
}

func revisionFile(dir string, n int) string {
	return filepath.Join(dir, fmt.Sprintf("%03d%s", n, ending))
}

func revisions(r *os.Root, dir string) ([]int, error) {
	d, err := r.Open(dir)
	if err != nil {
		return nil, err
	}
	entries, err := d.ReadDir(-1)
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), ending)
		if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && len(digits) >= 3 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

// History lists the versions of a domain's profile that were replaced, oldest first.
func (s *Store) History(domain string) ([]Revision, error) {
	name, err := Domain(domain)
	if err != nil {
		return nil, err
	}
	r, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", name, err)
	}
	defer r.Close()
	dir := filepath.Join(historyDir, name)
	numbers, err := revisions(r, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", name, err)
	}
	var out []Revision
	for _, n := range numbers {
		text, at, err := readText(r, revisionFile(dir, n))
		if err != nil {
			return nil, fmt.Errorf("history of %s, version %d: %w", name, n, err)
		}
		out = append(out, Revision{n, text, at})
	}
	return out, nil
}

// maxImport is how many entries of a folder an import looks at.
const maxImport = 10_000

// Outcome is what an import did with one file.
type Outcome string

// Outcomes of an import.
const (
	// Taken: there was none of that domain, or it was only read from that folder.
	Taken Outcome = "imported"
	// Same: the store has the same text.
	Same Outcome = "same"
	// Kept: the store has another text, which stays as it is.
	Kept Outcome = "kept"
	// Refused: it cannot be a profile, or it could not be read or written.
	Refused Outcome = "refused"
)

// Imported is one file of the folder that was imported.
type Imported struct {
	File    string  `json:"file"` // its name in the folder
	Domain  string  `json:"domain,omitempty"`
	Bytes   int     `json:"bytes"` // of its text; 0 where it was not read
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why,omitempty"` // where it was kept or refused
}

// Fallback is the second folder, which is only read; "" for none.
func (s *Store) Fallback() string { return s.fallback }

// Import copies the profiles of a folder, such as that of cdp-skill (C-17), into the
// store, and returns the outcome for each .md file in it, in the order of their
// names. It never overwrites: where the store has another text, that one stays. Links
// are not followed, and nothing larger than [MaxText] is read. The error is about the
// folder as a whole, or about ctx; what was done until then is in the answer.
func (s *Store) Import(ctx context.Context, dir string) ([]Imported, error) {
	if abs, err := filepath.Abs(dir); err == nil && abs == s.dir {
		return nil, fmt.Errorf("importing %s: it is the folder of the profiles itself", dir)
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		return nil, fmt.Errorf("importing %s: %w: name a folder of .md files", dir, err)
	}
	defer r.Close()
	entries, err := entriesOf(r)
	if err != nil {
		return nil, fmt.Errorf("importing %s: %w", dir, err)
	}
	var out []Imported
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ending) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if err := ctx.Err(); err != nil {
			return out, fmt.Errorf("importing %s: %w", dir, err)
		}
		out = append(out, s.importFile(ctx, r, e))
	}
	return out, nil
}

// entriesOf lists a folder by name.
func entriesOf(r *os.Root) ([]fs.DirEntry, error) {
	d, err := r.Open(".")
	if err != nil {
		return nil, err
	}
	entries, err := d.ReadDir(maxImport + 1)
	if errors.Is(err, io.EOF) {
		err = nil // it is empty
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	if len(entries) > maxImport {
		return nil, fmt.Errorf("it has more than the %d entries allowed", maxImport)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (s *Store) importFile(ctx context.Context, r *os.Root, e fs.DirEntry) Imported {
	out := Imported{File: e.Name(), Outcome: Refused}
	if e.Type()&fs.ModeSymlink != 0 {
		out.Why = "it is a link, and links are not followed"
		return out
	}
	domain, err := Domain(strings.TrimSuffix(e.Name(), ending))
	if err != nil {
		out.Why = "its name is not a domain"
		return out
	}
	out.Domain = domain
	text, _, err := readText(r, e.Name())
	if err != nil {
		out.Why = err.Error()
		return out
	}
	out.Bytes = len(text)
	now, err := s.read(domain)
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		out.Why = err.Error()
		return out
	case err == nil && !now.Fallback && now.Text == text:
		out.Outcome = Same
		return out
	}
	// Save is the judge: another text that is there, or has come by now, is a conflict.
	var conflict *Conflict
	_, err = s.Save(ctx, domain, text, "")
	switch {
	case errors.As(err, &conflict):
		out.Outcome, out.Why = Kept, "there is another text already"
	case err != nil:
		out.Why = err.Error()
	default:
		out.Outcome = Taken
	}
	return out
}

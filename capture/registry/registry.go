package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	format   = "refscope.tabs/1"
	fileName = "tabs.json"
	lockName = "tabs.lock"
	// maxFile is how large the file may be, in bytes.
	maxFile = 16 << 20
	// lockRetry is how often a lock that another program holds is requested.
	lockRetry = 10 * time.Millisecond
)

// Tab is one tab with an alias.
type Tab struct {
	TargetID string `json:"targetId"`
	Host     string `json:"host"`
	Port     int    `json:"port"`
	// Own: it was opened by us.
	Own bool `json:"own,omitempty"`
	// Frame is the frame that steps look in, "" for the main frame (C-23, 19.12).
	Frame string `json:"frame,omitempty"`
	// Emulation is applied again by the next command (C-21).
	Emulation json.RawMessage `json:"emulation,omitempty"`
}

// Address is where the tab's browser listens, HOST:PORT.
func (t Tab) Address() string { return net.JoinHostPort(t.Host, strconv.Itoa(t.Port)) }

// File is the content of tabs.json.
type File struct {
	Format string `json:"format"`
	// Next is the number of the next alias.
	Next int            `json:"next"`
	Tabs map[string]Tab `json:"tabs"`
	// Made are the browser's ids of tabs that no step has opened and that are ours anyway, by the browser's
	// HOST:PORT: the first one of a browser that was started here, and those that pages of ours have opened.
	Made map[string][]string `json:"made,omitempty"`
}

// NoteMade notes tabs of a browser as ours.
func (f *File) NoteMade(address string, targets ...string) {
	f.Made[address] = append(f.Made[address], targets...)
}

// Ours reports whether a tab was made from here, by a step or by a page of ours: only those are closed.
func (f *File) Ours(address, target string) bool {
	return f.Tabs[f.AliasOf(address, target)].Own || slices.Contains(f.Made[address], target)
}

// ErrNoTab: there is no tab with that alias.
var ErrNoTab = errors.New("there is no tab with that alias")

var (
	aliasPattern  = regexp.MustCompile(`^t[1-9][0-9]{0,8}$`)
	targetPattern = regexp.MustCompile(`^[0-9A-Fa-f]{32}$`)
)

// IsAlias reports whether a name is spelled as an alias is: t1, t2, ….
func IsAlias(name string) bool { return aliasPattern.MatchString(name) }

// IsTarget reports whether a name is spelled as a browser's id of a tab is.
func IsTarget(name string) bool { return targetPattern.MatchString(name) }

// Registry is the file in a home folder. It holds nothing open and may be used by
// several goroutines and programs at once.
type Registry struct{ home string }

// Open is the registry of a home folder, which need not be there yet.
func Open(home string) *Registry { return &Registry{home} }

// Load reads the file. Where there is none it is empty.
func (r *Registry) Load() (*File, error) {
	path := filepath.Join(r.home, fileName)
	f := &File{Format: format, Next: 1, Tabs: map[string]Tab{}, Made: map[string][]string{}}
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, fmt.Errorf("reading the tabs: %w", err)
	case len(b) > maxFile:
		return nil, fmt.Errorf("%s has %d bytes, which no list of tabs has: move it away", path, len(b))
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w: move it away, and the tabs get new aliases", path, err)
	}
	if f.Format != format {
		return nil, fmt.Errorf("%s has the format %.40q, and this program reads %s: use the program that wrote it",
			path,
			f.Format, format)
	}
	if f.Next < 1 {
		f.Next = 1
	}
	if f.Tabs == nil {
		f.Tabs = map[string]Tab{}
	}
	if f.Made == nil {
		f.Made = map[string][]string{}
	}
	for alias, t := range f.Tabs {
		n, _ := strconv.Atoi(strings.TrimPrefix(alias, "t"))
		if !IsAlias(alias) || t.Port < 1 || t.Port > 65535 {
			return nil, fmt.Errorf("%s cannot be read: the entry %.40q is none of ours: move it away", path, alias)
		}
		f.Next = max(f.Next, n+1)
	}
	return f, nil
}

// Update changes the file under the lock. Where change fails, nothing is written. What programs that were killed
// have left in the folder is removed: lists that were half written, and the locks of tabs that are gone.
func (r *Registry) Update(ctx context.Context, change func(*File) error) error {
	unlock, err := r.lock(ctx, lockName)
	if err != nil {
		return fmt.Errorf("locking the list of tabs: %w", err)
	}
	defer unlock()
	f, err := r.Load()
	if err != nil {
		return err
	}
	if err := change(f); err != nil {
		return err
	}
	b, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return fmt.Errorf("writing the list of tabs: %w", err)
	}
	if err := r.write(filepath.Join(r.home, fileName), append(b, '\n')); err != nil {
		return fmt.Errorf("writing the list of tabs: %w", err)
	}
	r.clean(f)
	return nil
}

// clean removes what nobody has any more; the caller holds the lock. An alias is never given again, so a lock of one
// that is gone is of no use, not even to the program that holds it.
func (r *Registry) clean(f *File) {
	halves, _ := filepath.Glob(filepath.Join(r.home, fileName+".*")) // the pattern is right
	for _, path := range halves {
		_ = os.Remove(path) // what stays is tried again by the next one
	}
	locks, _ := filepath.Glob(filepath.Join(r.home, tabLock("*")))
	for _, path := range locks {
		alias := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "tab-"), ".lock")
		n, err := strconv.Atoi(strings.TrimPrefix(alias, "t"))
		if _, known := f.Tabs[alias]; err == nil && !known && IsAlias(alias) && n < f.Next {
			_ = os.Remove(path)
		}
	}
}

// tabLock is the name of the file that is locked by who acts in a tab.
func tabLock(alias string) string { return "tab-" + alias + ".lock" }

// write replaces a file whole.
func (r *Registry) write(name string, b []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name()) // best effort: the error is what matters
		}
	}()
	_, err = tmp.Write(b)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

// LockTab is the right to act in a tab, until unlock is called. It waits for the program that
// has it, as long as the context allows.
func (r *Registry) LockTab(ctx context.Context, alias string) (unlock func(), err error) {
	if !IsAlias(alias) {
		return nil, fmt.Errorf("%q is not an alias of a tab", alias)
	}
	unlock, err = r.lock(ctx, tabLock(alias))
	if err != nil {
		return nil, fmt.Errorf("tab %s is in use by another program: %w", alias, err)
	}
	return unlock, nil
}

func (r *Registry) lock(ctx context.Context, name string) (func(), error) {
	if err := os.MkdirAll(r.home, 0o700); err != nil {
		return nil, Unwritable(err)
	}
	l := flock.New(filepath.Join(r.home, name))
	if _, err := l.TryLockContext(ctx, lockRetry); err != nil {
		return nil, Unwritable(err)
	}
	return func() { _ = l.Unlock() }, nil // closing the file unlocks it in any case
}

// Unwritable adds what to do to the error of a home folder without write permission; any other error is unchanged.
func Unwritable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the home folder cannot be written: check its permissions, or name another with --home: %w",
			err)
	}
	return err
}

// Add gives a tab an alias: the one that it has, or the next one.
func (f *File) Add(t Tab) string {
	for alias, known := range f.Tabs {
		if known.TargetID == t.TargetID && known.Address() == t.Address() {
			return alias
		}
	}
	alias := "t" + strconv.Itoa(f.Next)
	f.Next++
	f.Tabs[alias] = t
	return alias
}

// AliasOf is the alias of a tab, "" where it has none.
func (f *File) AliasOf(address, target string) string {
	for alias, t := range f.Tabs {
		if t.TargetID == target && t.Address() == address {
			return alias
		}
	}
	return ""
}

// Sweep forgets the tabs of a browser that are not there any more (C-23, 19.7), and
// gives their aliases in order.
func (f *File) Sweep(address string, there []string) []string {
	var gone []string
	for alias, t := range f.Tabs {
		if t.Address() == address && !slices.Contains(there, t.TargetID) {
			gone = append(gone, alias)
			delete(f.Tabs, alias)
		}
	}
	f.Made[address] = slices.DeleteFunc(f.Made[address], func(id string) bool { return !slices.Contains(there, id) })
	if len(f.Made[address]) == 0 {
		delete(f.Made, address)
	}
	slices.Sort(gone)
	return gone
}

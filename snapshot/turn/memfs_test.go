package turn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// errDied is what every operation answers after the process "died".
var errDied = errors.New("the process died")

// memFS is a folder in memory that knows what a disk would still have after a
// crash: content after Sync, names after SyncDir. It counts the operations that
// change something, and can fail at any one of them.
type memFS struct {
	mu   sync.Mutex
	root *memNode
	lock chan struct{}
	// changed is closed, and made anew, when a name appears by a rename.
	changed chan struct{}
	// waiting is called before Wait waits, where it is set.
	waiting func()

	renames int

	ops    int
	diesAt int   // operation at which the process dies, 0 for never
	failAt int   // operation that fails once with fail
	fail   error // the error of that operation
	dead   bool
	now    time.Time
}

type memNode struct {
	dir               bool
	data, durable     []byte
	kids, durableKids map[string]*memNode
	mod               time.Time
}

func newMemFS() *memFS {
	return &memFS{root: newMemDir(), lock: make(chan struct{}, 1), changed: make(chan struct{}), now: time.Now()}
}

func newMemDir() *memNode {
	return &memNode{dir: true, kids: map[string]*memNode{}, durableKids: map[string]*memNode{}}
}

func (m *memFS) String() string { return "memory" }

// step counts one changing operation. partly is true where it is to be done by
// half, as a write that a crash cuts off.
func (m *memFS) step() (partly bool, err error) {
	if m.dead {
		return false, errDied
	}
	m.ops++
	if m.ops == m.diesAt {
		m.dead = true
		return true, errDied
	}
	if m.ops == m.failAt {
		return true, m.fail
	}
	return false, nil
}

func (m *memFS) at(op, name string) (*memNode, error) {
	n := m.root
	if name == "." {
		return n, nil
	}
	for p := range strings.SplitSeq(name, "/") {
		if !n.dir || n.kids[p] == nil {
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		n = n.kids[p]
	}
	return n, nil
}

func (m *memFS) parent(op, name string) (*memNode, string, error) {
	d, err := m.at(op, path.Dir(name))
	if err == nil && !d.dir {
		err = &fs.PathError{Op: op, Path: name, Err: errors.New("not a folder")}
	}
	return d, path.Base(name), err
}

func (m *memFS) Open(name string) (fs.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return nil, errDied
	}
	n, err := m.at("open", name)
	if err != nil {
		return nil, err
	}
	return &memReader{Reader: bytes.NewReader(n.data), info: memInfo{path.Base(name), n}}, nil
}

func (m *memFS) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return nil, errDied
	}
	n, err := m.at("readdir", name)
	if err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	for _, k := range slices.Sorted(maps.Keys(n.kids)) {
		list = append(list, fs.FileInfoToDirEntry(memInfo{k, n.kids[k]}))
	}
	return list, nil
}

func (m *memFS) Mkdir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return err
	}
	if name == "." {
		return nil
	}
	d, base, err := m.parent("mkdir", name)
	if err != nil {
		return err
	}
	if d.kids[base] == nil {
		n := newMemDir()
		n.mod = m.now
		d.kids[base] = n
	}
	return nil
}

func (m *memFS) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return nil, err
	}
	d, base, err := m.parent("create", name)
	if err != nil {
		return nil, err
	}
	if d.kids[base] != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	n := &memNode{mod: m.now}
	d.kids[base] = n
	return &memWriter{m, n}, nil
}

func (m *memFS) Append(name string, size int64) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return nil, err
	}
	n, err := m.at("append", name)
	if err != nil {
		return nil, err
	}
	if int64(len(n.data)) < size {
		return nil, fmt.Errorf("append at %d of %d bytes", size, len(n.data))
	}
	n.data = slices.Clone(n.data[:size])
	return &memWriter{m, n}, nil
}

func (m *memFS) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return err
	}
	fd, fb, err := m.parent("rename", from)
	if err != nil {
		return err
	}
	td, tb, err := m.parent("rename", to)
	if err != nil {
		return err
	}
	n := fd.kids[fb]
	if n == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	if old := td.kids[tb]; old != nil && (old.dir || n.dir) {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	delete(fd.kids, fb)
	td.kids[tb] = n
	close(m.changed)
	m.changed = make(chan struct{})
	m.renames++
	return nil
}

// Wait counts renames: turns appear by one.
func (m *memFS) Wait(ctx context.Context, _, state string) (string, error) {
	if m.waiting != nil && state != "" {
		m.waiting()
	}
	for {
		m.mu.Lock()
		changed, now := m.changed, fmt.Sprint(m.renames)
		m.mu.Unlock()
		if now != state {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func (m *memFS) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return err
	}
	d, base, err := m.parent("remove", name)
	if err != nil {
		return err
	}
	n := d.kids[base]
	if n == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	if len(n.kids) > 0 {
		return fmt.Errorf("%s is not empty", name)
	}
	delete(d.kids, base)
	return nil
}

func (m *memFS) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return err
	}
	n, err := m.at("sync", name)
	if err != nil {
		return err
	}
	n.durableKids = maps.Clone(n.kids)
	return nil
}

func (m *memFS) Lock(ctx context.Context) (func() error, error) {
	if m.dead {
		return nil, errDied
	}
	select {
	case m.lock <- struct{}{}:
		return func() error { <-m.lock; return nil }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// crash describes how much of what was not synced the disk still has.
type crash string

const (
	crashKill  crash = "kill"  // the process died: the disk has everything
	crashPower crash = "power" // the power went: only what was synced
	crashMixed crash = "mixed" // the power went: any part of the rest
)

// reboot is the folder after the crash, with no process in it.
func (m *memFS) reboot(how crash, seed uint64) *memFS {
	r := rand.New(rand.NewPCG(seed, 7))
	out := newMemFS()
	out.root = survive(m.root, how, r)
	return out
}

func survive(n *memNode, how crash, r *rand.Rand) *memNode {
	if !n.dir {
		c := &memNode{mod: n.mod}
		switch {
		case how == crashKill:
			c.data = slices.Clone(n.data)
		case how == crashPower || r.IntN(3) == 0:
			c.data = slices.Clone(n.durable)
		default:
			c.data = torn(n, r)
		}
		c.durable = slices.Clone(c.data)
		return c
	}
	c := newMemDir()
	c.mod = n.mod
	keep := func(name string, k *memNode) {
		if k != nil {
			c.kids[name] = survive(k, how, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(union(n.kids, n.durableKids))) {
		switch {
		case how == crashKill, how == crashMixed && r.IntN(2) == 0:
			keep(name, n.kids[name])
		default:
			keep(name, n.durableKids[name])
		}
	}
	c.durableKids = maps.Clone(c.kids)
	return c
}

func union(a, b map[string]*memNode) map[string]*memNode {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// torn is content of which the unsynced end is cut off, or in part zeros, as
// file systems leave it. What was synced and not overwritten survives.
func torn(n *memNode, r *rand.Rand) []byte {
	safe := 0
	for safe < len(n.durable) && safe < len(n.data) && n.durable[safe] == n.data[safe] {
		safe++
	}
	cut := safe + r.IntN(len(n.data)-safe+1)
	out := slices.Clone(n.data[:cut])
	switch r.IntN(3) {
	case 0:
		out = append(out, make([]byte, len(n.data)-cut)...)
	case 1: // an early block lost, a late one there
		if cut > safe {
			hole := safe + r.IntN(cut-safe)
			clear(out[safe:hole])
		}
	}
	return out
}

type memWriter struct {
	m *memFS
	n *memNode
}

func (w *memWriter) Write(b []byte) (int, error) {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	partly, err := w.m.step()
	if partly {
		w.n.data = append(w.n.data, b[:len(b)/2]...)
	}
	if err != nil {
		return 0, err
	}
	w.n.data = append(w.n.data, b...)
	return len(b), nil
}

func (w *memWriter) Sync() error {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if _, err := w.m.step(); err != nil {
		return err
	}
	w.n.durable = slices.Clone(w.n.data)
	return nil
}

func (w *memWriter) Close() error { return nil }

type memReader struct {
	*bytes.Reader
	info memInfo
}

func (r *memReader) Stat() (fs.FileInfo, error) { return r.info, nil }
func (r *memReader) Close() error               { return nil }

var _ io.Seeker = (*memReader)(nil)

type memInfo struct {
	name string
	n    *memNode
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return int64(len(i.n.data)) }
func (i memInfo) ModTime() time.Time { return i.n.mod }
func (i memInfo) IsDir() bool        { return i.n.dir }
func (i memInfo) Sys() any           { return nil }
func (i memInfo) Mode() fs.FileMode {
	if i.n.dir {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

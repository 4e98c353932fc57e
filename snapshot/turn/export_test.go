package turn

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// exported is a session of some turns, notes and everything beside, as one file.
func exported(t testing.TB, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	damage, err := s.Export(context.Background(), &b, false)
	require.NoError(t, err)
	require.Empty(t, damage)
	return b.Bytes()
}

func variedSession(t testing.TB) (*Store, string) {
	t.Helper()
	s, path := newSession(t)
	for i := range 3 {
		_, err := appendPage(t, s, pageSpec{nodes: 200, seed: 1, change: .02 * float64(i)}, pngBytes(fmt.Sprint(i/2)))
		require.NoError(t, err)
	}
	_, err := appendFull(t, s, nil)
	require.NoError(t, err)
	_, err = s.Annotate(context.Background(), Annotation{Turn: 2, Verdict: "fail", Text: "the button is covered"})
	require.NoError(t, err)
	return s, path
}

func openBytes(t testing.TB, b []byte) *Store {
	t.Helper()
	s, err := OpenFile(bytes.NewReader(b), int64(len(b)), "x.refscope")
	require.NoError(t, err)
	return s
}

// TestExport: a file holds all of a session, is read where it lies, and comes back
// to the same bytes after an import.
func TestExport(t *testing.T) {
	ctx := context.Background()
	s, path := variedSession(t)
	// What no turn needs stays behind.
	require.NoError(t, os.WriteFile(filepath.Join(path, partsDir, strings.Repeat("0", 64)), []byte("orphan"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(path, tmpDir, "part-X"), []byte("x"), 0o600))
	b := exported(t, s)
	require.Equal(t, b, exported(t, s), "the same session gives the same bytes")

	file := openBytes(t, b)
	want, damage, err := s.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	got, damage, err := file.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, want, got)
	for _, sum := range want {
		a, err := s.Load(ctx, sum.N)
		require.NoError(t, err)
		b, err := file.Load(ctx, sum.N)
		require.NoError(t, err)
		require.Equal(t, a, b)
	}
	notes, damage, err := file.Annotations(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, notes, 1)
	damage, err = file.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	_, err = file.Append(ctx, func(*Ledger) (*Record, error) { t.Fatal("asked for a turn"); return nil, nil })
	require.ErrorContains(t, err, "import it first")
	_, err = file.Annotate(ctx, Annotation{Text: "x"})
	require.ErrorContains(t, err, "import it first")

	home := t.TempDir()
	to := filepath.Join(home, "sessions", "copy")
	damage, err = file.Import(ctx, to, false)
	require.NoError(t, err)
	require.Empty(t, damage)
	again, err := OpenPath(to)
	require.NoError(t, err)
	require.Equal(t, b, exported(t, again), "export, import, export: the same bytes")
	require.Equal(t, b, exported(t, file), "a file can be exported too")
	damage, err = again.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	_, err = file.Import(ctx, to, false)
	require.ErrorIs(t, err, ErrExists)
	left, err := os.ReadDir(filepath.Dir(to))
	require.NoError(t, err)
	require.Len(t, left, 1)
	// The copy goes on with the numbers of the session.
	rec, err := appendPage(t, again, pageSpec{nodes: 200, seed: 1}, nil)
	require.NoError(t, err)
	require.Equal(t, 5, rec.N)

	other, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	var names []string
	for _, f := range other.File {
		names = append(names, f.Name)
		require.Equal(t, 1980, f.Modified.Year())
		r, err := f.Open()
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, r) // compares the checksum
		require.NoError(t, err)
	}
	require.True(t, slices.IsSorted(names))
	require.NotContains(t, strings.Join(names, " "), "000000")
}

func TestExportEmpty(t *testing.T) {
	s, _ := newSession(t)
	b := exported(t, s)
	file := openBytes(t, b)
	list, damage, err := file.List(context.Background())
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, damage)
	_, err = file.Import(context.Background(), filepath.Join(t.TempDir(), "s"), false)
	require.NoError(t, err)
}

// TestExportDamaged: damage is refused, or taken along and named; the turns that
// are whole stay so.
func TestExportDamaged(t *testing.T) {
	ctx := context.Background()
	for name, do := range map[string]func(path string, d *turnDoc) error{
		"picture changed": func(path string, d *turnDoc) error {
			return os.WriteFile(filepath.Join(path, partsDir, d.part(rolePicture).SHA256), []byte("rust"), 0o600)
		},
		"capture missing": func(path string, d *turnDoc) error {
			return os.Remove(filepath.Join(path, partsDir, d.part(roleCapture).SHA256))
		},
		"turn.json changed": func(path string, d *turnDoc) error {
			return os.WriteFile(filepath.Join(path, "turns/0003/turn.json"), []byte("rust"), 0o600)
		},
		"turn.json missing": func(path string, d *turnDoc) error { return os.Remove(filepath.Join(path, "turns/0003/turn.json")) },
		"session.json changed": func(path string, d *turnDoc) error {
			return os.WriteFile(filepath.Join(path, sessionFile), []byte("rust"), 0o600)
		},
		"ledger missing": func(path string, d *turnDoc) error { return os.Remove(filepath.Join(path, ledgerFile)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, path := variedSession(t)
			d, _, err := s.readTurn(3)
			require.NoError(t, err)
			require.NoError(t, do(path, d))
			s, err = Open(Dir(path))
			require.NoError(t, err)
			var b bytes.Buffer
			_, err = s.Export(ctx, &b, false)
			var damaged *DamagedError
			require.ErrorAs(t, err, &damaged)
			b.Reset()
			damage, err := s.Export(ctx, &b, true)
			require.NoError(t, err)
			require.NotEmpty(t, damage)
			file := openBytes(t, b.Bytes())
			to := filepath.Join(t.TempDir(), "s")
			_, err = file.Import(ctx, to, false)
			if name != "turn.json missing" { // that one looks like a turn that was removed
				require.ErrorAs(t, err, &damaged)
				require.NoDirExists(t, to)
				_, err = file.Import(ctx, to, true)
			}
			require.NoError(t, err)
			again, err := OpenPath(to)
			require.NoError(t, err)
			for _, n := range []int{1, 2} {
				_, err := again.Load(ctx, n)
				require.NoError(t, err)
			}
		})
	}
}

// TestExportWhileWritten: files that are made while a process writes hold a whole
// prefix of the session.
func TestExportWhileWritten(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	done := make(chan error, 1)
	go func() { done <- child(path, "a", 12).Run() }()
	seen := 0
	for running := true; running; {
		select {
		case err := <-done:
			require.NoError(t, err)
			running = false
		default:
		}
		b := exported(t, s)
		file := openBytes(t, b)
		damage, err := file.Check(ctx)
		require.NoError(t, err)
		require.Empty(t, damage)
		list, _, err := file.List(ctx)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(list), seen)
		for i, sum := range list {
			require.Equal(t, i+1, sum.N)
		}
		seen = len(list)
	}
	require.Equal(t, 12, seen)
}

// busyFS is a folder whose lock another process does not give back.
type busyFS struct{ FS }

func (busyFS) Lock(context.Context) (func() error, error) {
	return nil, fmt.Errorf("busy: %w", context.DeadlineExceeded)
}

// TestExportBusy: a batch in the ledger whose turn is not there yet stays out while
// a writer holds the lock, and stays in where nobody writes: it is burned then.
func TestExportBusy(t *testing.T) {
	ctx := context.Background()
	s, path := variedSession(t)
	require.NoError(t, os.RemoveAll(filepath.Join(path, "turns", "0004")))
	quiet, err := OpenFile(bytes.NewReader(exported(t, s)), int64(len(exported(t, s))), "x")
	require.NoError(t, err)
	damage, err := quiet.Check(ctx)
	require.NoError(t, err)
	require.Contains(t, (&DamagedError{damage}).Error(), "turn 4 is not there")
	s.fs = busyFS{s.fs}
	busy := openBytes(t, exported(t, s))
	damage, err = busy.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
}

// hookFS calls a function before a part is opened.
type hookFS struct {
	FS
	at   int
	hook func()
}

func (h *hookFS) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, partsDir+"/") {
		if h.at--; h.at == 0 {
			h.hook()
		}
	}
	return h.FS.Open(name)
}

// TestExportRemoved: a session that is deleted while it is exported is one clear
// error, and so is a copy of it; nothing is left.
func TestExportRemoved(t *testing.T) {
	ctx := context.Background()
	for at := 1; at < 12; at++ {
		s, path := variedSession(t)
		s.fs = &hookFS{s.fs, at, func() { require.NoError(t, os.RemoveAll(path)) }}
		_, err := s.Export(ctx, io.Discard, true)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, "was removed while it was read")
	}
	s, path := variedSession(t)
	s.fs = &hookFS{s.fs, 20, func() { require.NoError(t, os.RemoveAll(path)) }}
	to := filepath.Join(t.TempDir(), "s")
	_, err := s.Import(ctx, to, false)
	require.Error(t, err)
	left, err := os.ReadDir(filepath.Dir(to))
	require.NoError(t, err)
	require.Empty(t, left)
}

// raw is one entry of a made-up zip file.
type raw struct {
	name   string
	body   string
	mode   fs.FileMode
	method uint16
	size   uint64 // instead of the real one
}

func zipOf(t testing.TB, entries ...raw) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		if e.method == zip.Deflate {
			w, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate})
			require.NoError(t, err)
			_, err = w.Write([]byte(e.body))
			require.NoError(t, err)
			continue
		}
		n := uint64(len(e.body))
		if e.size > 0 {
			n = e.size
		}
		h := &zip.FileHeader{Name: e.name, Method: e.method, CRC32: crc32.ChecksumIEEE([]byte(e.body)), CompressedSize64: n, UncompressedSize64: n}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		w, err := z.CreateRaw(h)
		require.NoError(t, err)
		_, err = w.Write([]byte(e.body))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestHostileFile: each is one sentence, and nothing is written.
func TestHostileFile(t *testing.T) {
	const info = `{"format":"refscope.session/1","id":"x"}`
	session := raw{name: sessionFile, body: info}
	hash := strings.Repeat("a", 64)
	whole := zipOf(t, session)
	for name, x := range map[string]struct {
		b    []byte
		says string
		is   error
	}{
		"empty":               {nil, "no zip file", ErrNotFile},
		"a text":              {[]byte("hello, this is no session"), "no zip file", ErrNotFile},
		"another zip":         {zipOf(t, raw{name: "trace.trace"}), "without session.json", ErrNotFile},
		"an empty zip":        {zipOf(t), "without session.json", ErrNotFile},
		"climbs":              {zipOf(t, session, raw{name: "../evil"}), `holds "../evil"`, nil},
		"climbs inside":       {zipOf(t, session, raw{name: "parts/../../evil"}), "holds", nil},
		"absolute":            {zipOf(t, session, raw{name: "/etc/passwd"}), "holds", nil},
		"backslash":           {zipOf(t, session, raw{name: `parts\` + hash}), "holds", nil},
		"drive":               {zipOf(t, session, raw{name: `C:\evil`}), "holds", nil},
		"drive in a part":     {zipOf(t, session, raw{name: "parts/C:" + hash[2:]}), "holds", nil},
		"a stream":            {zipOf(t, session, raw{name: "parts/" + hash + ":x"}), "holds", nil},
		"a lock":              {zipOf(t, session, raw{name: lockFile}), "holds", nil},
		"a folder":            {zipOf(t, session, raw{name: "parts/"}), "holds", nil},
		"unknown":             {zipOf(t, session, raw{name: "autorun.inf"}), "no file of a session that this program knows", nil},
		"a control character": {zipOf(t, session, raw{name: "\x1b[2J"}), `holds "\x1b[2J"`, nil},
		"a device":            {zipOf(t, session, raw{name: "CON"}), "holds", nil},
		"twice":               {zipOf(t, session, session), "twice", nil},
		"another case":        {zipOf(t, session, raw{name: "Session.json"}), "holds", nil},
		"a part of case":      {zipOf(t, session, raw{name: "parts/" + strings.ToUpper(hash)}), "holds", nil},
		"a short number":      {zipOf(t, session, raw{name: "turns/1/turn.json"}), "holds", nil},
		"a long number":       {zipOf(t, session, raw{name: "turns/00001/turn.json"}), "holds", nil},
		"beside a turn":       {zipOf(t, session, raw{name: "turns/0001/x"}), "holds", nil},
		"a link":              {zipOf(t, session, raw{name: "parts/" + hash, body: "/etc/passwd", mode: fs.ModeSymlink | 0o777}), "a link or a device", nil},
		"a pipe":              {zipOf(t, session, raw{name: "parts/" + hash, mode: fs.ModeNamedPipe | 0o600}), "a link or a device", nil},
		"compressed":          {zipOf(t, session, raw{name: ledgerFile, method: zip.Deflate, body: strings.Repeat("x", 1<<20)}), "is compressed", nil},
		"another method":      {zipOf(t, session, raw{name: ledgerFile, method: 93, body: "x"}), "is compressed", nil},
		"too big":             {zipOf(t, session, raw{name: ledgerFile, size: 1 << 40}), "more bytes than the file", nil},
		"newer":               {zipOf(t, raw{name: sessionFile, body: `{"format":"refscope.session/2"}`}), "newer refscope", ErrNewer},
		"not ours":            {zipOf(t, raw{name: sessionFile, body: `{"format":"x"}`}), "not refscope.session/1", nil},
		"cut off":             {whole[:len(whole)-8], "cut off or damaged", nil},
		"the end is missing":  {whole[:len(whole)/2], "cut off or damaged", nil},
		"overlapping":         {overlapping(t), "more bytes than the file", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := OpenFile(bytes.NewReader(x.b), int64(len(x.b)), "x\x1b.refscope")
			if err == nil { // what opens for reading is refused when it is imported
				to := filepath.Join(t.TempDir(), "s")
				_, err = s.Import(context.Background(), to, false)
				require.NoDirExists(t, to)
			}
			require.ErrorContains(t, err, x.says)
			require.NotContains(t, err.Error(), "\x1b")
			require.NotContains(t, err.Error(), "\n")
			require.Equal(t, errors.Is(x.is, ErrNotFile), errors.Is(err, ErrNotFile))
			if x.is != nil {
				require.ErrorIs(t, err, x.is)
			}
		})
	}
}

// overlapping is a zip file whose entries all lie in the same place.
func overlapping(t testing.TB) []byte {
	entries := []raw{{name: sessionFile, body: strings.Repeat(" ", 1<<16)}}
	for i := range 40 {
		entries = append(entries, raw{name: fmt.Sprintf("turns/%04d/turn.json", i+1)})
	}
	b := zipOf(t, entries...)
	at := bytes.Index(b, []byte("PK\x01\x02"))
	for i := at + 1; i < len(b); i++ {
		if bytes.HasPrefix(b[i:], []byte("PK\x01\x02")) {
			copy(b[i+20:], b[at+20:at+28]) // the sizes of the first one
			binary.LittleEndian.PutUint32(b[i+42:], 0)
		}
	}
	return b
}

// TestTooManyEntries: the list of entries is not read without end.
func TestTooManyEntries(t *testing.T) {
	entries := make([]raw, 0, 160_000)
	for i := range cap(entries) {
		entries = append(entries, raw{name: fmt.Sprintf("parts/%064x", i)})
	}
	b := zipOf(t, entries...)
	_, err := OpenFile(bytes.NewReader(b), int64(len(b)), "x")
	require.ErrorContains(t, err, "stays a folder")
}

// TestBombFile: parts that unpack to far more than the file has.
func TestBombFile(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	big := bytes.Repeat([]byte(" "), 128<<20)
	bomb, err := compress(big)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(path, partsDir, hashOf(big)), bomb, 0o600))
	for n := 1; n <= 16; n++ {
		b, err := sealFile(turnDoc{Format: TurnFormat, N: n, Parts: []partDoc{{Role: roleCapture, SHA256: hashOf(big), Size: int64(len(big))}}})
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(path, filepath.FromSlash(turnDir(n))), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(path, filepath.FromSlash(turnDir(n)), turnFile), b, 0o600))
	}
	var b bytes.Buffer
	_, err = s.Export(ctx, &b, true)
	require.NoError(t, err)
	require.Less(t, b.Len(), 1<<20)
	to := filepath.Join(t.TempDir(), "s")
	_, err = openBytes(t, b.Bytes()).Import(ctx, to, true)
	require.ErrorContains(t, err, "it is a bomb or damaged")
	require.NoDirExists(t, to)
}

// TestFlippedFile flips single bits of a session file: each is noticed, and none
// gets past an import.
func TestFlippedFile(t *testing.T) {
	ctx := context.Background()
	s, _ := newSession(t)
	_, err := appendPage(t, s, pageSpec{nodes: 12, seed: 1}, pngBytes("p"))
	require.NoError(t, err)
	b := exported(t, s)
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	step := 1
	if testing.Short() {
		step = 11
	}
	end := bytes.Index(b, []byte("PK\x01\x02"))
	names := map[string]bool{}
	for _, f := range z.File {
		at, err := f.DataOffset()
		require.NoError(t, err)
		for i := at; i < at+int64(f.UncompressedSize64); i += int64(step) {
			c := bytes.Clone(b)
			c[i] ^= 1 << (i % 8)
			to := filepath.Join(t.TempDir(), "s")
			file, err := OpenFile(bytes.NewReader(c), int64(len(c)), "x")
			if err == nil {
				_, err = file.Import(ctx, to, false)
			}
			require.Error(t, err, "byte %d of %s", i, f.Name)
			names[f.Name] = true
		}
	}
	require.Len(t, names, 5)
	for i := end; i < len(b); i++ { // the list of entries: noticed, or of no consequence
		c := bytes.Clone(b)
		c[i] ^= 1 << (i % 8)
		file, err := OpenFile(bytes.NewReader(c), int64(len(c)), "x")
		if err != nil {
			continue
		}
		to := filepath.Join(t.TempDir(), "s")
		if _, err := file.Import(ctx, to, false); err == nil {
			again, err := OpenPath(to)
			require.NoError(t, err)
			require.Equal(t, b, exported(t, again))
		}
	}
	for n := range len(b) { // cut off anywhere
		_, err := OpenFile(bytes.NewReader(b[:n]), int64(n), "x")
		require.Error(t, err, "%d bytes", n)
	}
}

// TestImportSweeps: what a dead import left is removed by a later one.
func TestImportSweeps(t *testing.T) {
	dir := t.TempDir()
	old, young := filepath.Join(dir, importPrefix+"OLD"), filepath.Join(dir, importPrefix+"YOUNG")
	for _, d := range []string{old, young} {
		require.NoError(t, os.MkdirAll(filepath.Join(d, partsDir), 0o700))
	}
	long := time.Now().Add(-2 * leftoverAge)
	require.NoError(t, os.Chtimes(old, long, long))
	s, _ := variedSession(t)
	_, err := s.Import(context.Background(), filepath.Join(dir, "copy"), false)
	require.NoError(t, err)
	require.NoDirExists(t, old)
	require.DirExists(t, young)
	require.Error(t, CheckName(importPrefix+"OLD"))
}

func TestOpenPath(t *testing.T) {
	dir := t.TempDir()
	_, err := OpenPath(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	text := filepath.Join(dir, "text.refscope")
	require.NoError(t, os.WriteFile(text, []byte("text"), 0o600))
	_, err = OpenPath(text)
	require.ErrorIs(t, err, ErrNotFile)
	_, err = OpenPath(dir)
	require.ErrorIs(t, err, ErrNotSession)
	s, path := variedSession(t)
	file := filepath.Join(dir, "x.refscope")
	require.NoError(t, os.WriteFile(file, exported(t, s), 0o600))
	for _, p := range []string{path, file} {
		s, err := OpenPath(p)
		require.NoError(t, err)
		rec, err := s.Load(context.Background(), 4)
		require.NoError(t, err)
		require.Len(t, rec.Payloads, 3)
		require.NoError(t, s.Close())
	}
}

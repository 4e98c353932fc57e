package turn

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// raw is one entry of a made-up zip file.
type raw struct {
	name   string
	body   string
	mode   fs.FileMode
	method uint16
	size   uint64 // instead of the real one
	packed uint64 // instead of the size, where it is compressed
	flags  uint16
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
		h := &zip.FileHeader{Name: e.name, Method: e.method, Flags: e.flags, CRC32: crc32.ChecksumIEEE([]byte(e.body)),
			CompressedSize64: cmp.Or(e.packed, n), UncompressedSize64: n}
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
		"empty":           {nil, "no zip file", ErrNotFile},
		"a text":          {[]byte("hello, this is no session"), "no zip file", ErrNotFile},
		"another zip":     {zipOf(t, raw{name: "trace.trace"}), "without session.json", ErrNotFile},
		"an empty zip":    {zipOf(t), "without session.json", ErrNotFile},
		"climbs":          {zipOf(t, session, raw{name: "../evil"}), `holds "../evil"`, nil},
		"climbs inside":   {zipOf(t, session, raw{name: "parts/../../evil"}), "holds", nil},
		"absolute":        {zipOf(t, session, raw{name: "/etc/passwd"}), "holds", nil},
		"backslash":       {zipOf(t, session, raw{name: `parts\` + hash}), "holds", nil},
		"drive":           {zipOf(t, session, raw{name: `C:\evil`}), "holds", nil},
		"drive in a part": {zipOf(t, session, raw{name: "parts/C:" + hash[2:]}), "holds", nil},
		"a stream":        {zipOf(t, session, raw{name: "parts/" + hash + ":x"}), "holds", nil},
		"a lock":          {zipOf(t, session, raw{name: lockFile}), "holds", nil},
		"a folder":        {zipOf(t, session, raw{name: "parts/"}), "holds", nil},
		"unknown": {zipOf(t, session, raw{name: "autorun.inf"}), "not a file of a session that this program knows",
			nil},
		"a control character": {zipOf(t, session, raw{name: "\x1b[2J"}), `holds "\x1b[2J"`, nil},
		"a device":            {zipOf(t, session, raw{name: "CON"}), "holds", nil},
		"twice":               {zipOf(t, session, session), "twice", nil},
		"another case":        {zipOf(t, session, raw{name: "Session.json"}), "holds", nil},
		"a part of case":      {zipOf(t, session, raw{name: "parts/" + strings.ToUpper(hash)}), "holds", nil},
		"a short number":      {zipOf(t, session, raw{name: "turns/1/turn.json"}), "holds", nil},
		"a long number":       {zipOf(t, session, raw{name: "turns/00001/turn.json"}), "holds", nil},
		"number zero":         {zipOf(t, session, raw{name: "turns/0000/turn.json"}), "holds", nil},
		"an endless number":   {zipOf(t, session, raw{name: "turns/1234567890/turn.json"}), "holds", nil},
		"no number":           {zipOf(t, session, raw{name: "turns/00a1/turn.json"}), "holds", nil},
		"beside a turn":       {zipOf(t, session, raw{name: "turns/0001/x"}), "holds", nil},
		"a link": {zipOf(t, session, raw{name: "parts/" + hash, body: "/etc/passwd",
			mode: fs.ModeSymlink | 0o777}), "a link or a device", nil},
		"a pipe": {zipOf(t, session, raw{name: "parts/" + hash, mode: fs.ModeNamedPipe | 0o600}),
			"a link or a device", nil},
		"compressed": {zipOf(t, session, raw{name: ledgerFile, method: zip.Deflate,
			body: strings.Repeat("x", 1<<20)}), "is compressed", nil},
		"another method": {zipOf(t, session, raw{name: ledgerFile, method: 93, body: "x"}), "is compressed", nil},
		"encrypted":      {zipOf(t, session, raw{name: ledgerFile, body: "x", flags: 1}), "or encrypted", nil},
		"two sizes":      {zipOf(t, session, raw{name: ledgerFile, body: "xy", packed: 1}), "is compressed", nil},
		"too big":        {zipOf(t, session, raw{name: ledgerFile, size: 1 << 40}), "than the file has room for", nil},
		"newer": {zipOf(t, raw{name: sessionFile, body: `{"format":"refscope.session/2"}`}), "newer refscope",
			ErrNewer},
		"not ours":           {zipOf(t, raw{name: sessionFile, body: `{"format":"x"}`}), "not refscope.session/1", nil},
		"cut off":            {whole[:len(whole)-8], "cut off or damaged", nil},
		"the end is missing": {whole[:len(whole)/2], "cut off or damaged", nil},
		"overlapping":        {overlapping(t), "than the file has room for", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := openArchive(bytes.NewReader(x.b), int64(len(x.b)), "x\x1b.refscope")
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
	_, err := openArchive(bytes.NewReader(b), int64(len(b)), "x")
	require.ErrorContains(t, err, "stays a folder")
}

// TestBombFile: parts that unpack to far more than the file has.
func TestBombFile(t *testing.T) {
	testneed.Long(t, "files of 2 GB")
	ctx := context.Background()
	s, path := newSession(t)
	big := bytes.Repeat([]byte(" "), 128<<20)
	bomb, err := new(compressor).compress(big)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(path, partsDir, hashOf(big)), bomb, 0o600))
	for n := 1; n <= 16; n++ {
		b, err := sealFile(turnDoc{Format: turnFormat, Head: Head{N: n}, Parts: []partDoc{{Role: roleCapture,
			SHA256: hashOf(big), Size: int64(len(big))}}})
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
			file, err := openArchive(bytes.NewReader(c), int64(len(c)), "x")
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
		file, err := openArchive(bytes.NewReader(c), int64(len(c)), "x")
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
		_, err := openArchive(bytes.NewReader(b[:n]), int64(n), "x")
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

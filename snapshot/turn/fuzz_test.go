package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzLedger(f *testing.F) {
	k := newFiledLedger()
	k.Assign("t", 1, capture("L", el{tag: "a", uid: 1, node: 2, v: vr, name: "x"}, el{tag: "p", uid: 3, v: vc}))
	b, err := k.encode(1, "00")
	require.NoError(f, err)
	f.Add(b, true)
	f.Add([]byte(`{"k":"turn","s":2,"t":1,"high":2,"seen":"1-99999999"}`), true)
	f.Add([]byte(`{"k":"ref","s":1,"r":1,"d":1}`+"\n"+`{"k":"key","s":2,"r":9,"d":-1}`), true)
	f.Add([]byte{0, '\n', '{'}, false)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal { // else next to nothing gets past the checksum
			var out []byte
			for l := range strings.SplitSeq(string(b), "\n") {
				var e line
				if json.Unmarshal([]byte(l), &e) != nil {
					continue
				}
				s, err := sealLine(e)
				require.NoError(t, err)
				out = append(out, s...)
			}
			b = out
		}
		k := newFiledLedger()
		k.read(b)
		require.LessOrEqual(t, k.end+k.tailSize, int64(len(b)))
		// Whatever was read, the ledger continues, and what it then writes can be read.
		c := capture("L", el{tag: "a", uid: 1, node: 2, v: vr}, el{tag: "b", uid: 2, node: 1, v: vr})
		k.Assign("t", k.NextTurn(), c)
		require.NotEqual(t, c.Nodes[1].Ref, c.Nodes[2].Ref)
		if k.seq > maxNumber-100 || k.high > maxNumber || k.turn >= maxNumber {
			return
		}
		more, err := k.encode(k.NextTurn(), "")
		require.NoError(t, err)
		back := newFiledLedger()
		back.seq, back.docs = k.seq, k.docs
		back.read(more)
		require.Zero(t, back.tailSize)
	})
}

func FuzzTurnJSON(f *testing.F) {
	b, err := sealFile(turnDoc{Format: turnFormat, Head: Head{N: 1}, Parts: []partDoc{{Role: roleCapture,
		SHA256: strings.Repeat("0", 64), Size: 3}}})
	require.NoError(f, err)
	f.Add(b, false)
	f.Add([]byte(`{"format":"refscope.turn/1","n":1,"parts":[{"role":"capture","sha256":"../../etc","size":-1}]}`), true)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal {
			var d turnDoc
			if json.Unmarshal(b, &d) != nil {
				return
			}
			var err error
			if b, err = sealFile(d); err != nil {
				return
			}
		}
		d, err := parseTurn(b, 1)
		if err != nil {
			return
		}
		require.Equal(t, 1, d.N)
		for _, p := range d.Parts {
			require.True(t, isHash(p.SHA256))
			require.True(t, filepath.IsLocal(p.SHA256))
			require.LessOrEqual(t, p.Size, p.limit())
		}
		_ = d.summary()
	})
}

func FuzzPart(f *testing.F) {
	z, err := new(compressor).compress([]byte("content"))
	require.NoError(f, err)
	f.Add(z)
	d, err := patch([]byte("content and more"), []byte("content"), hashOf([]byte("content")))
	require.NoError(f, err)
	f.Add(d)
	f.Fuzz(func(t *testing.T, b []byte) {
		base, err := baseOf(b)
		require.True(t, base == "" || err == nil && isHash(base))
		if out, err := decompress(b, []byte("content"), 1<<16); err == nil {
			require.LessOrEqual(t, len(out), 1<<16)
		}
	})
}

// FuzzCapture: what is read as a capture is written and read as the same one, numbers belong to one element each,
// and the next turn of the same page changes none of them.
func FuzzCapture(f *testing.F) {
	b, err := json.Marshal(genCapture(pageSpec{nodes: 5, seed: 1}))
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := decodeCapture(b)
		if err != nil {
			return
		}
		l := NewLedger()
		l.Assign("t", 1, c)
		refs := map[int]bool{}
		for i := range c.Nodes {
			if ref := c.Nodes[i].Ref; ref != 0 {
				require.False(t, refs[ref], "two elements have number %d", ref)
				refs[ref] = true
			}
		}
		require.Len(t, refs, len(l.refs))
		written, err := json.Marshal(c)
		require.NoError(t, err)
		back, err := decodeCapture(written)
		require.NoError(t, err)
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, string(written), string(again))
		l.Assign("t", 2, back)
		for i := range c.Nodes {
			require.Equal(t, c.Nodes[i].Ref, back.Nodes[i].Ref)
		}
	})
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"shop#3", "a/b#3", "a/turns/0003", "https://x/#1", "..#1", "../x#2", "con#1"} {
		f.Add(s)
	}
	home := filepath.FromSlash("/h")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseTarget(home, s)
		if err != nil {
			return
		}
		require.Positive(t, a.N)
		if !strings.ContainsAny(s, `/\`) && !IsFileName(a.Dir) {
			// A name reaches one folder right below sessions and no other.
			require.Equal(t, filepath.Join(home, "sessions"), filepath.Dir(a.Dir))
		}
		back, err := ParseTarget(home, a.String())
		require.NoError(t, err)
		require.Equal(t, a, back)
	})
}

// FuzzNotes: whatever the file notes holds, it is read, and a note can be added
// that reads back, unless a newer version made the file.
func FuzzNotes(f *testing.F) {
	fsys := newMemFS()
	s, err := Create(context.Background(), fsys, "test")
	require.NoError(f, err)
	for _, text := range []string{"one", "two"} {
		_, err := s.Annotate(context.Background(), Annotation{Text: text})
		require.NoError(f, err)
	}
	b, err := readFile(fsys, notesFile, 0, maxNotes)
	require.NoError(f, err)
	f.Add(b, false)
	f.Add([]byte(`{"k":"note","s":1,"text":"x"}`+"\n"+`{"k":"note","s":536870912,"t":-1}`), true)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal {
			var out []byte
			for l := range strings.SplitSeq(string(b), "\n") {
				var e noteLine
				if json.Unmarshal([]byte(l), &e) != nil {
					continue
				}
				s, err := sealLine(e)
				require.NoError(t, err)
				out = append(out, s...)
			}
			b = out
		}
		k := readNotes(b)
		require.LessOrEqual(t, k.end, int64(len(b)))
		fsys := newMemFS()
		s, err := Create(context.Background(), fsys, "test")
		require.NoError(t, err)
		require.NoError(t, writeFile(fsys, notesFile, b))
		before, _, err := s.Annotations(context.Background())
		require.NoError(t, err)
		a, err := s.Annotate(context.Background(), Annotation{Text: "next"})
		if err != nil {
			require.True(t, k.fatal != nil || k.seq >= maxNumber, "%v", err)
			return
		}
		after, _, err := s.Annotations(context.Background())
		require.NoError(t, err)
		require.Equal(t, append(before, a), after)
	})
}

// FuzzSession changes bytes of one file of a session, with its checksum put right
// again where it has one. Everything reads on, the turns that are not concerned
// are whole, and the next turn can be written.
func FuzzSession(f *testing.F) {
	ctx := context.Background()
	whole := newMemFS()
	s, err := Create(ctx, whole, "test")
	require.NoError(f, err)
	for i := range 2 {
		_, err := appendPage(f, s, pageSpec{nodes: 12, seed: 1, change: float64(i)}, pngBytes("p"))
		require.NoError(f, err)
	}
	_, err = appendFull(f, s, nil)
	require.NoError(f, err)
	_, err = s.Annotate(ctx, Annotation{Turn: 1, Text: "note"})
	require.NoError(f, err)
	f.Add(uint8(0), uint16(10), []byte("x"), false)
	f.Add(uint8(3), uint16(40), []byte(`"n":7`), true)
	f.Add(uint8(9), uint16(0), []byte{}, false)
	f.Fuzz(func(t *testing.T, file uint8, at uint16, with []byte, seal bool) {
		fsys := whole.reboot(crashKill, 0)
		var names []string
		for _, dir := range []string{".", "parts", "turns/0001", "turns/0002", "turns/0003"} {
			list, err := fsys.ReadDir(dir)
			require.NoError(t, err)
			for _, e := range list {
				if !e.IsDir() && e.Name() != sessionFile {
					names = append(names, path.Join(dir, e.Name()))
				}
			}
		}
		name := names[int(file)%len(names)]
		n, err := fsys.at("test", name)
		require.NoError(t, err)
		n.data = spoil(n.data, int(at), with, seal && !strings.HasPrefix(name, partsDir))
		s, err := Open(fsys)
		require.NoError(t, err)
		_, _, err = s.List(ctx)
		require.NoError(t, err)
		for i := range 3 {
			rec, err := s.Load(ctx, i+1)
			if strings.HasPrefix(name, turnsDir) && !strings.HasPrefix(name, turnDir(i+1)) {
				require.NoError(t, err)
				require.NotNil(t, rec)
			}
		}
		_, err = s.Check(ctx)
		require.NoError(t, err)
		if _, err := s.Export(ctx, io.Discard, true); err != nil {
			require.NotErrorIs(t, err, fs.ErrNotExist)
		}
		rec, err := appendPage(t, s, pageSpec{nodes: 12, seed: 2, loader: "L2"}, nil)
		if err != nil { // a ledger that cannot be used at all
			require.True(t, name == ledgerFile, "%s: %v", name, err)
			return
		}
		_, err = s.Load(ctx, rec.N)
		require.NoError(t, err)
	})
}

// spoil overwrites bytes of a file, cuts it there where there is nothing to write,
// and puts the checksums of its lines right again.
func spoil(b []byte, at int, with []byte, seal bool) []byte {
	at %= len(b) + 1
	if len(with) == 0 {
		return slices.Clone(b[:at])
	}
	b = append(slices.Clone(b[:at]), with...)
	if !seal {
		return b
	}
	var out []byte
	for l := range bytes.Lines(b) {
		var v map[string]any
		if json.Unmarshal(l, &v) != nil {
			out = append(out, l...)
			continue
		}
		delete(v, "crc")
		if s, err := sealLine(v); err == nil && len(v) > 0 {
			l = s
		}
		out = append(out, l...)
	}
	return out
}

// FuzzArchive: whatever bytes are said to be a session file, they are refused or
// read; what can be imported is a session that exports to a file which imports to
// the same.
func FuzzArchive(f *testing.F) {
	ctx := context.Background()
	s, err := Create(ctx, newMemFS(), "test")
	require.NoError(f, err)
	f.Add(exported(f, s))
	_, err = appendPage(f, s, pageSpec{nodes: 5, seed: 1}, pngBytes("p"))
	require.NoError(f, err)
	f.Add(exported(f, s))
	_, err = appendFull(f, s, nil)
	require.NoError(f, err)
	f.Add(exported(f, s))
	f.Add(zipOf(f, raw{name: sessionFile, body: `{"format":"refscope.session/1"}`}, raw{name: "../x"}))
	f.Add(overlapping(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := openArchive(bytes.NewReader(b), int64(len(b)), "fuzz")
		if err != nil {
			return
		}
		list, _, err := s.List(ctx)
		require.NoError(t, err)
		for _, sum := range list {
			_, _ = s.Load(ctx, sum.N) // must not panic; errors are well
		}
		_, _, err = s.Annotations(ctx)
		require.NoError(t, err)
		dir := t.TempDir()
		to := filepath.Join(dir, "s")
		if _, err := s.Import(ctx, to, true); err != nil {
			require.NoDirExists(t, to)
			return
		}
		inside, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, inside, 1)
		again, err := OpenPath(to)
		require.NoError(t, err)
		var one, two bytes.Buffer
		_, err = again.Export(ctx, &one, true)
		require.NoError(t, err)
		_, err = again.Export(ctx, &two, true)
		require.NoError(t, err)
		require.Equal(t, one.Bytes(), two.Bytes())
		twice := filepath.Join(dir, "t")
		_, err = openBytes(t, one.Bytes()).Import(ctx, twice, true)
		require.NoError(t, err)
		copied, err := OpenPath(twice)
		require.NoError(t, err)
		two.Reset()
		_, err = copied.Export(ctx, &two, true)
		require.NoError(t, err)
		require.Equal(t, one.Bytes(), two.Bytes())
	})
}

// FuzzWeight: strings end where encoding/json sees their end, whatever they hold.
func FuzzWeight(f *testing.F) {
	f.Add([]byte(`{"a":"[,\\\"","b":[1,[2],{"c":"]"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if !json.Valid(b) {
			_ = checkWeight(b) // must not panic
			return
		}
		require.NoError(t, checkWeight(b))
		for i := range b {
			if b[i] == '"' {
				end := endOfString(b, i+1)
				require.Less(t, end, len(b))
				require.True(t, json.Valid(b[i:end+1]), "%q", b[i:end+1])
				break
			}
		}
	})
}

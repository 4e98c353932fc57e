package turn

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzLedger(f *testing.F) {
	k := newBook()
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
		k := newBook()
		k.read(b)
		require.LessOrEqual(t, k.end+k.tailSize, int64(len(b)))
		// Whatever was read, the ledger goes on, and what it then writes can be read.
		c := capture("L", el{tag: "a", uid: 1, node: 2, v: vr}, el{tag: "b", uid: 2, node: 1, v: vr})
		k.Assign("t", k.NextTurn(), c)
		require.NotEqual(t, c.Nodes[1].Ref, c.Nodes[2].Ref)
		if k.seq > maxNumber-100 || k.high > maxNumber || k.turn >= maxNumber {
			return
		}
		more, err := k.encode(k.NextTurn(), "")
		require.NoError(t, err)
		back := newBook()
		back.seq, back.docs = k.seq, k.docs
		back.read(more)
		require.Zero(t, back.tailSize)
	})
}

func FuzzTurnJSON(f *testing.F) {
	b, err := sealFile(turnDoc{Format: TurnFormat, N: 1, Parts: []partDoc{{Role: roleCapture, SHA256: strings.Repeat("0", 64), Size: 3}}})
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
	z, err := compress([]byte("content"))
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

func FuzzCapture(f *testing.F) {
	b, err := json.Marshal(genCapture(pageSpec{nodes: 5, seed: 1}))
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := decodeCapture(b)
		if err != nil {
			return
		}
		NewLedger().Assign("t", 1, c)
		_ = count(c)
		_ = c.Kept()
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

package payload

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/text"
)

// patched is a with the ranges of b in it.
func patched(a, b []byte, ranges []Range) string {
	var out []byte
	done := 0
	for _, r := range ranges {
		out = append(append(out, a[done:r.A[0]]...), b[r.B[0]:r.B[1]]...)
		done = r.A[1]
	}
	return string(append(out, a[done:]...))
}

func build(t testing.TB, dialect string, change func(*Input)) *Payload {
	t.Helper()
	in := testInput(t)
	change(&in)
	p, err := Build(dialect, in)
	require.NoError(t, err)
	return p
}

func TestDiff(t *testing.T) {
	a := build(t, "openai-chat", func(in *Input) {
		in.History = []Message{{"user", "one"}, {"assistant", "two"}, {"user", "three"}}
	})
	b := build(t, "openai-chat", func(in *Input) {
		in.History = []Message{{"assistant", "two"}, {"user", "three!"}, {"user", "four"}}
		in.Query, in.Legend, in.Capture.Nodes[1].Name = "", "1 heading Shop", "Store"
	})
	d := Diff(a, b)
	require.False(t, d.Same)
	var got []string
	for _, c := range d.Sections {
		got = append(got, c.sign()+c.label(c.Name == "history"))
	}
	require.Equal(t, "=model =system -history 1 =history 1 ~history 2 +history 3 -query ~dump =legend =image",
		strings.Join(got, " "))
	require.Equal(t, string(b.Body), patched(a.Body, b.Body, d.Ranges))
	require.Equal(t, string(a.Body[:d.First]), string(b.Body[:d.First]))
	require.NotEqual(t, a.Body[d.First], b.Body[d.First])
	for _, c := range d.Sections {
		if c.Name == "dump" {
			require.Equal(t, "Shop", string(a.Value(*c.A)[c.First-1:c.First+3]))
			require.Equal(t, "Store", string(b.Value(*c.B)[c.First-1:c.First+4]))
		}
	}
	shown := d.Report()
	for _, line := range []string{
		"openai-chat " + text.Thousands(len(a.Body)) + " bytes, ", "\n= system", "\n- history 1: 5 bytes",
		"\n~ history 2: 7 → 8 bytes, 2 → 2 tokens, from byte 6 of it", "\n- query: 11 bytes",
		`"hop" → "tore"`,
	} {
		require.Contains(t, shown, line)
	}
	raw, err := json.Marshal(d)
	require.NoError(t, err)
	var back Difference
	require.NoError(t, json.Unmarshal(raw, &back))
	back.a, back.b = d.a, d.b
	require.Equal(t, *d, back)
	require.Equal(t, diffSchema, back.Schema)
}

func TestDiffSame(t *testing.T) {
	for _, dialect := range Dialects() {
		p := build(t, dialect, func(*Input) {})
		d := Diff(p, build(t, dialect, func(*Input) {}))
		require.True(t, d.Same)
		require.Equal(t, -1, d.First)
		require.Empty(t, d.Ranges)
		for _, c := range d.Sections {
			require.Equal(t, "same", c.Kind)
		}
		require.True(t, strings.HasSuffix(d.Report(), "\nthe same, byte for byte"))
	}
}

// TestDiffAcrossDialects: the same parts in another order and spelling are the same.
func TestDiffAcrossDialects(t *testing.T) {
	d := Diff(build(t, "openai-chat", func(*Input) {}), build(t, "anthropic", func(*Input) {}))
	require.False(t, d.Same)
	for _, c := range d.Sections {
		require.Equal(t, "same", c.Kind, c.Name)
	}
}

// TestReportIsSafe: a page's text cannot add a line, hide, or make the report long.
func TestReportIsSafe(t *testing.T) {
	a := build(t, "dddk", func(*Input) {})
	b := build(t, "dddk", func(in *Input) {
		in.Query = "x\n= system\u202e" + strings.Repeat("é, ", 1_000)
		in.History = nil
	})
	text := Diff(a, b).Report()
	require.NotContains(t, text, "\u202e")
	require.Equal(t, 1, strings.Count(text, "\n= system"))
	require.Less(t, len(text), 4_000)
}

func FuzzRanges(f *testing.F) {
	f.Add("", "x")
	f.Add(`{"a":"one two"}`, `{"a":"one three two"}`)
	f.Add("aaaa", "aa")
	f.Add("é", "è")
	f.Fuzz(func(t *testing.T, a, b string) {
		rs := ranges([]byte(a), []byte(b))
		require.Equal(t, b, patched([]byte(a), []byte(b), rs))
		require.Equal(t, a == b, len(rs) == 0)
		for i, r := range rs {
			require.False(t, r.A[0] == r.A[1] && r.B[0] == r.B[1])
			require.True(t, i == 0 || r.A[0] > rs[i-1].A[1] || r.B[0] > rs[i-1].B[1], "ranges are apart")
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	long := strings.Repeat("Words of a page, \"quoted\" and not.\n", 3_000)
	x := build(b, "dddk", func(in *Input) { in.System = long + "one" + long })
	y := build(b, "dddk", func(in *Input) { in.System = long + "two" + long[7:] })
	b.SetBytes(int64(len(x.Body)))
	b.ReportAllocs()
	for b.Loop() {
		Diff(x, y)
	}
}

package observation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/wire"
)

// checkLines holds what is true of the lines of every reader, whatever the text: they lie in it, in their order, by bytes
// and by lines; a ref stands in its line; no element has been found yet.
func checkLines(t *testing.T, s string, lines []Line) {
	at, count := 0, strings.Count(s, "\n")+1
	for _, l := range lines {
		require.LessOrEqual(t, at, l.Bytes[0])
		require.LessOrEqual(t, l.Bytes[0], l.Bytes[1])
		require.LessOrEqual(t, l.Bytes[1], len(s))
		require.Equal(t, strings.Count(s[:l.Bytes[0]], "\n")+1, l.First)
		require.LessOrEqual(t, l.First, l.Last)
		require.LessOrEqual(t, l.Last, count)
		require.GreaterOrEqual(t, l.Depth, 0)
		if !strings.ContainsAny(s[l.Bytes[0]:l.Bytes[1]], `\&`) { // escapes of JSON and HTML
			require.Contains(t, s[l.Bytes[0]:l.Bytes[1]], l.Ref)
		}
		at = l.Bytes[0]
	}
}

func refsOf(lines []Line) (out []string) {
	for _, l := range lines {
		out = append(out, l.Ref)
	}
	return out
}

// Each reader by itself, of texts that need not be of its format. What it reads of a text that is cut before a line is
// what it reads of the whole before that line: nothing is made up of what comes later.
//
// The seeds are small: Go minimizes each input that reaches new code, for up to a minute each, and that takes the square
// of its length.
func FuzzReaders(f *testing.F) {
	for i := range formats {
		for _, s := range []string{
			"uid=1_1 button \"a\\\"b\" focused\n  uid=1_2",
			"- 'button \"it''s\" [ref=e1]': x\n- <changed> link [ref=f1e2]\n  - ref=e3 [unchanged]",
			"[1]<a b='>\n[2]<c d=\"e\n\t*[3]<f g=h=i />\n\t\tw",
			"{\"ref_id\":\"\xac\"}", `{"mmid":{"mmid":1},"x":[{"mmid":"2","ref_id":3,"node_id":"n","name":"x"}`,
			`<a id="AAAA" unique_id='B'><b bid="c">&lt;`,
			"[0-1] RootWebArea: x\n  [0-2] scrollable, div", "@e1 [button] \"x\" label=\"y\"",
			"\t[a12] button 'x', clickable", `[{"i":"1","r":"btn","n":"x"},`,
			`{"changes":[{"op":"add"}],"treeChange":{"lines":["- a \"b\" [ref=e1]","  - c [ref=e2]"],"startLine":1}}`,
			"--- snapshot (previous)\n@@ -1,2 +1,2 @@\n - role=link[name=\"a\"i]\n-- text\n+- role=link[name=\"b\"i]:\n@@ -9 +9,0 @@\n-x",
			"[0] [button] <b>x</b>\n[]y\n[1] [text id=\"a\"] <i>c\nd</i>", "[1] button \"x\"",
		} {
			f.Add(uint8(i), s)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, s string) {
		read := formats[int(which)%len(formats)].read
		lines := read(s)
		checkLines(t, s, lines)
		if n := len(lines); n > 0 {
			before := read(s[:lines[n-1].Bytes[0]])
			require.Equal(t, refsOf(lines[:n-1]), refsOf(before))
		}
	})
}

// A text by its signature, and what is known of it and of what comes after it.
func FuzzRead(f *testing.F) {
	f.Add("uid=1_1 button \"a\"\nuid=1_2 link \"b\"", 20)
	f.Add("- button \"a\" [ref=e1]\n  - link [ref=e2]\n- <changed> button [ref=e1]:\n  - ref=e2 [unchanged]", 41)
	f.Add(`{"a":"[1]<a >x />\n[2]<b >y />"}`, 5)
	f.Fuzz(func(t *testing.T, s string, at int) {
		at = max(0, min(at, len(s)))
		var texts []*Text
		for i, part := range []string{s, s[:at], s[at:]} {
			text := Read(part)
			if text == nil {
				continue
			}
			text.Message, text.Turn = i, i+1
			checkLines(t, text.Body(), text.Lines)
			for _, l := range text.Lines {
				require.Equal(t, -1, l.Node)
			}
			text.BrokenLine()
			texts = append(texts, text)
		}
		known := Known(texts)
		require.Equal(t, len(texts) == 0, known == nil)
		if known == nil {
			return
		}
		known.Share()
		for _, l := range known.Lines {
			require.Positive(t, l.Since)
			require.LessOrEqual(t, l.Since, 3)
		}
	})
}

// The lines of real requests have what is true of all.
func TestLinesOfRequests(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		body, err := os.ReadFile(name)
		require.NoError(t, err)
		dialect := wire.OpenAIChat
		if strings.Contains(name, "stagehand") {
			dialect = wire.OpenAIResponses
		}
		sections, err := wire.Sections(dialect, body)
		require.NoError(t, err)
		texts := Find(sections)
		require.NotEmpty(t, texts, name)
		for _, text := range texts {
			checkLines(t, text.Body(), text.Lines)
			require.False(t, slices.ContainsFunc(text.Lines, func(l Line) bool { return l.Ref == "" }))
		}
	}
}

package format_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
)

var (
	readNumbered = regexp.MustCompile(`^\t*[↑↓]?\[([1-9][0-9]*)\]<([a-z][a-z0-9-]*)((?: [a-z]+(?:="[^"<>]*")?)*)( ` +
		`/)?>([^<>]*)(</([a-z0-9-]+)>)?( \(covered(?: by (?:\[\d+\]|[a-z0-9-]+))?\))?$`)
	readContent = regexp.MustCompile(`^\t*<([a-z]+)>[^<>]*</([a-z]+)>( \(covered(?: by (?:\[\d+\]|[a-z0-9-]+))?\))?$`)
	readRow     = regexp.MustCompile(`^\t*(?:<td>[^<>]*</td>|<th>[^<>]*</th>)+$`)
	readPlain   = regexp.MustCompile(`^\t*(?:\\|[^\t\[\]@<↑↓…\\"'` + "`" + `-])[^<>]*$`)
	readPre     = regexp.MustCompile(`^\t*[↑↓]?\[(\d+)\]<pre>`)
	readPreBad  = regexp.MustCompile(`^[ \t]*(?:[↑↓@\[\]…]|URL:|TITLE:|VIEWPORT:)`)
	readPreEnd  = regexp.MustCompile(`^[^<>]*</pre>( \(covered[^<>]*\))?$`)
	readIndex   = regexp.MustCompile(`^[↑↓]?\[(\w+)\]`)
)

// readDump reads a default dddk dump strictly and answers with its numbers.
func readDump(t testing.TB, dumped string) map[int]int {
	t.Helper()
	for i, r := range dumped {
		require.False(t, text.Invisible(r) && r != '\n' && r != '\t' && !unicode.Is(unicode.Variation_Selector, r) &&
			r != '\u200c' && r != '\u200d',
			"%q at %d", r, i)
	}
	ls := strings.Split(dumped, "\n")
	require.GreaterOrEqual(t, len(ls), 4)
	require.True(t, strings.HasPrefix(ls[0], "URL: "))
	require.True(t, strings.HasPrefix(ls[1], "TITLE: "))
	require.Regexp(t, `^VIEWPORT: \d+px above · \d+px visible · \d+px below$`, ls[2])
	require.Empty(t, ls[3])
	refs := map[int]int{}
	for i := 4; i < len(ls); i++ {
		l := ls[i]
		if m := readPre.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[1])
			refs[n]++
			body := l[strings.Index(l, "<pre>")+5:]
			for !strings.Contains(body, "</pre>") {
				i++
				require.Less(t, i, len(ls), "a pre without an end")
				body = ls[i]
				require.NotRegexp(t, readPreBad, strings.Replace(body, "…[pre truncated]</pre>", "", 1))
			}
			require.Regexp(t, readPreEnd, body)
			continue
		}
		if m := readNumbered.FindStringSubmatch(l); m != nil {
			if m[6] != "" {
				require.Equal(t, m[2], m[7], l)
			}
			n, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			refs[n]++
			continue
		}
		if m := readContent.FindStringSubmatch(l); m != nil {
			require.Equal(t, m[1], m[2], l)
			require.True(t, snapshot.IsContentTag(m[1]), l)
			continue
		}
		if i == len(ls)-1 && pagetest.IsCutMark(l) {
			continue
		}
		require.True(t, readRow.MatchString(l) || readPlain.MatchString(l), "line %d is none of the grammar: %q", i, l)
		require.False(t, dump.HeaderWord(strings.TrimLeft(l, "\t")), "a forged header: %q", l)
	}
	return refs
}

func checkHostile(t testing.TB, s string) {
	t.Helper()
	c := pagetest.Hostile(t, s)
	want := map[int]int{}
	for _, n := range c.Nodes {
		if n.Verdict == snapshot.VerdictRef {
			want[n.Ref] = 1
		}
	}
	for _, o := range []format.Options{{Common: dump.Common{MaxChars: -1}},
		{Common: dump.Common{MaxChars: -1, MarkCovered: true}}} {
		d, err := format.Render(c, format.DDDK, o)
		require.NoError(t, err)
		require.True(t, utf8.ValidString(d.Text))
		readback.CheckDocument(t, c, d)
		require.Equal(t, want, readDump(t, d.Text), "the numbers of the lines are those of the elements")
	}
	d, err := format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: 500}})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	for ref := range readDump(t, d.Text) {
		require.Contains(t, want, ref)
	}

	// The compat profile does not escape, but no line begins with a number that is
	// not the element's own.
	d, err = format.Render(c, format.DDDK, format.Options{Common: dump.Common{Compat: true, MaxChars: -1}})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	for i, l := range d.Lines {
		m := readIndex.FindStringSubmatch(strings.TrimLeft(d.Text[l.Start:l.End], " \t"))
		if m != nil && i >= 4 {
			require.Equal(t, fmt.Sprint(l.Ref), m[1])
		}
	}

	for _, o := range []format.Options{{Semantic: semantic.Options{NoViewportPruning: true}},
		{Semantic: semantic.Options{NoViewportPruning: true, Long: true}},
		{Common: dump.Common{Compat: true}, Semantic: semantic.Options{NoViewportPruning: true}}} {
		d, err := format.Render(c, format.Semantic, o)
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		var env struct {
			URL  string           `json:"url"`
			Tree []map[string]any `json:"interactive_tree"`
		}
		require.NoError(t, json.Unmarshal([]byte(d.Text), &env))
		require.Equal(t, strings.ToValidUTF8(s, "\uFFFD"), env.URL)
		rows := 0
		for _, l := range d.Lines {
			if text := d.Text[l.Start:l.End]; l.Node >= 0 && !strings.HasPrefix(text, `{"id":`) || o.Semantic.Long &&
				l.Node >= 0 {
				require.True(t, json.Valid([]byte(strings.TrimSuffix(text, ","))))
				rows++
			}
		}
		require.Equal(t, len(env.Tree), rows)
	}
}

func TestHostileText(t *testing.T) {
	for i, s := range pagetest.HostileTexts() {
		t.Run(strconv.Itoa(i), func(t *testing.T) { checkHostile(t, s) })
	}
}

func FuzzHostileText(f *testing.F) {
	for _, s := range pagetest.HostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4_000 {
			return
		}
		checkHostile(t, s)
	})
}

package dump

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
)

var (
	readNumbered = regexp.MustCompile(`^\t*[↑↓]?\[([1-9][0-9]*)\]<([a-z][a-z0-9-]*)((?: [a-z]+(?:="[^"<>]*")?)*)( /)?>([^<>]*)(</([a-z0-9-]+)>)?( \(covered(?: by (?:\[\d+\]|[a-z0-9-]+))?\))?$`)
	readContent  = regexp.MustCompile(`^\t*<([a-z]+)>[^<>]*</([a-z]+)>( \(covered(?: by (?:\[\d+\]|[a-z0-9-]+))?\))?$`)
	readRow      = regexp.MustCompile(`^\t*(?:<td>[^<>]*</td>|<th>[^<>]*</th>)+$`)
	readPlain    = regexp.MustCompile(`^\t*(?:\\|[^\t\[\]@<↑↓…\\"'` + "`" + `-])[^<>]*$`)
	readPre      = regexp.MustCompile(`^\t*[↑↓]?\[(\d+)\]<pre>`)
	readPreBad   = regexp.MustCompile(`^[ \t]*(?:[↑↓@\[\]…]|URL:|TITLE:|VIEWPORT:)`)
	readPreEnd   = regexp.MustCompile(`^[^<>]*</pre>( \(covered[^<>]*\))?$`)
	readIndex    = regexp.MustCompile(`^[↑↓]?\[(\w+)\]`)
	readCut      = regexp.MustCompile(`^\[\.\.\.truncated: [0-9,]+ nodes?, [0-9,]+ characters?(?:: [0-9,]+ in <[a-z]+>(?:, [0-9,]+ in <[a-z]+>){0,2}(?:, [0-9,]+ elsewhere)?)?\]$`)
)

// readDump reads a default dddk dump strictly and answers with its numbers.
func readDump(t testing.TB, text string) map[int]int {
	t.Helper()
	for i, r := range text {
		require.False(t, invisible(r) && r != '\n' && r != '\t' && !unicode.Is(unicode.Variation_Selector, r) && r != '\u200c' && r != '\u200d',
			"%q at %d", r, i)
	}
	ls := strings.Split(text, "\n")
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
		if i == len(ls)-1 && readCut.MatchString(l) {
			continue
		}
		require.True(t, readRow.MatchString(l) || readPlain.MatchString(l), "line %d is none of the grammar: %q", i, l)
		require.False(t, headerWord(strings.TrimLeft(l, "\t")), "a forged header: %q", l)
	}
	return refs
}

// hostilePage puts one text everywhere that page text can get into a dump.
func hostilePage(t testing.TB, s string) *snapshot.Capture {
	q := strconv.Quote(s)
	page := strings.ReplaceAll(`
body
  header %name=HOSTILE @0,0,10,10
    a href=HOSTILE HOSTILE
    button HOSTILE
    button %name=HOSTILE %state=checked
  div
    HOSTILE
    a href="/" "x"
    HOSTILE
  span HOSTILE
  p
    HOSTILE
    b HOSTILE
    button "y"
    HOSTILE
  table
    tr
      td HOSTILE
      td
        p HOSTILE
      th HOSTILE
  pre HOSTILE
  section
    h2 HOSTILE
    li HOSTILE
  label HOSTILE
  input type=HOSTILE placeholder=HOSTILE value=HOSTILE
  textarea placeholder=HOSTILE %value=HOSTILE
  select %value=HOSTILE
    option HOSTILE
    option %state=selected HOSTILE
  img alt=HOSTILE
  img src=HOSTILE
  div role=HOSTILE tabindex=0 HOSTILE
  div role=dialog %name=HOSTILE
  div role=slider %name="v" %value=HOSTILE
  iframe %name=HOSTILE src=HOSTILE %frame
    html
      body
        p HOSTILE
  iframe src=HOSTILE %frame=HOSTILE
`, "HOSTILE", q)
	c := parsePage(t, page)
	c.URL, c.Title = s, s
	c.Frames[1].URL, c.Frames[2].Why = s, s
	c.Mutations = []snapshot.Mutation{{Age: 1, Type: s, Category: s, Text: s}, {Type: "added", Category: "error", Text: s}}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Tag == "header" {
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &c.Nodes[0].I}
		}
		if i == 0 {
			n.Tag = s // what a parser lets through as a name
			n.Ref, n.Verdict = 0, snapshot.VerdictWrapper
		}
	}
	return c
}

func checkHostile(t testing.TB, s string) {
	t.Helper()
	c := hostilePage(t, s)
	want := map[int]int{}
	for _, n := range c.Nodes {
		if n.Verdict == snapshot.VerdictRef {
			want[n.Ref] = 1
		}
	}
	for _, o := range []Options{{MaxChars: -1}, {MaxChars: -1, MarkCovered: true}} {
		d, err := Render(c, DDDK, o)
		require.NoError(t, err)
		require.True(t, utf8.ValidString(d.Text))
		checkDocument(t, c, d)
		require.Equal(t, want, readDump(t, d.Text), "the numbers of the lines are those of the elements")
	}
	d, err := Render(c, DDDK, Options{MaxChars: 500})
	require.NoError(t, err)
	checkDocument(t, c, d)
	for ref := range readDump(t, d.Text) {
		require.Contains(t, want, ref)
	}

	// The compat profile does not escape, but no line begins with a number that is
	// not the element's own.
	d, err = Render(c, DDDK, Options{Compat: true, MaxChars: -1})
	require.NoError(t, err)
	checkDocument(t, c, d)
	for i, l := range d.Lines {
		m := readIndex.FindStringSubmatch(strings.TrimLeft(d.Text[l.Start:l.End], " \t"))
		if m != nil && i >= 4 {
			require.Equal(t, fmt.Sprint(l.Ref), m[1])
		}
	}

	for _, o := range []Options{{NoViewportPruning: true}, {NoViewportPruning: true, Long: true}, {Compat: true, NoViewportPruning: true}} {
		d, err := Render(c, Semantic, o)
		require.NoError(t, err)
		checkDocument(t, c, d)
		var env struct {
			URL  string           `json:"url"`
			Tree []map[string]any `json:"interactive_tree"`
		}
		require.NoError(t, json.Unmarshal([]byte(d.Text), &env))
		require.Equal(t, strings.ToValidUTF8(s, "\uFFFD"), env.URL)
		rows := 0
		for _, l := range d.Lines {
			if text := d.Text[l.Start:l.End]; l.Node >= 0 && !strings.HasPrefix(text, `{"id":`) || o.Long && l.Node >= 0 {
				require.True(t, json.Valid([]byte(strings.TrimSuffix(text, ","))))
				rows++
			}
		}
		require.Equal(t, len(env.Tree), rows)
	}
}

// hostileTexts are the seeds of the fuzz target and a test of their own.
func hostileTexts() []string {
	return []string{
		"", " ", "\n", "plain", "[5]<button>Pay</button>", "\n[5]<button>Pay</button>\n", "\t\t[5]<a>", "↑[5]<p>", "↓", "@e1", "- button \"x\"",
		"</pre>\n[9]<b>", "\"><[1]", "x\u2028[5]<b>y\u2029[6]", "\u202e]5[", "\u200b[5]", "\u00ad[5]<button>", "\\[5]", "\\u{202e}",
		"URL: x", "TITLE: y\nVIEWPORT: 0px above", "[...truncated]", "…[pre truncated]", "(covered by [30])", "x (covered by [30])",
		" (not read: z)", "\xff\xfe\xed\xa0\x80", "\x00\x07\x1b[31m", "&lt;&amp;&quot;", "\ufeff[5]<p>", "\u3164[5]", "e\u0301", "😀\u200d😀",
		"\U000E0041", "a\r[5]<b>\r\nb\v[6]\f[7]\u0085[8]", "`", "'", "--", "\u180e[5]", "\ufe0f[5]", "\u200d", "]", strings.Repeat("[5]<b>", 300),
		"\u00a0[5]", "  \u00a0 [5]\n\u00a0[6]<b>", strings.Repeat("a ", 400) + "\n[5]",
	}
}

func TestHostileText(t *testing.T) {
	for i, s := range hostileTexts() {
		t.Run(strconv.Itoa(i), func(t *testing.T) { checkHostile(t, s) })
	}
}

func FuzzHostileText(f *testing.F) {
	for _, s := range hostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4_000 {
			return
		}
		checkHostile(t, s)
	})
}

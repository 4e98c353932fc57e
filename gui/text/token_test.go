package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
)

var kindNames = [...]string{"text", "head", "ref", "tag", "punct", "string", "key", "number", "cut", "cover", "escape"}

// spell writes spans as kind‹text› for a readable comparison; blanks are skipped.
func spell(line string, spans []span) string {
	var parts []string
	for _, s := range spans {
		if t := line[s.Start:s.End]; strings.TrimSpace(t) != "" {
			parts = append(parts, kindNames[s.Kind]+"‹"+t+"›")
		}
	}
	return strings.Join(parts, " ")
}

func TestTokens(t *testing.T) {
	for _, tc := range []struct {
		name   string
		format dump.Format
		line   string
		want   string
	}{
		{"header", "dddk", "URL: http://a/", "head‹URL: http://a/›"},
		{"link", "dddk", "\t[3]<a href=\"/x\">Home</a>",
			"ref‹[3]› punct‹<› tag‹a› punct‹ href=\"› string‹/x› punct‹\">› text‹Home› punct‹</a>›"},
		{"flags and void", "dddk", `[17]<input type="text" checked />`,
			`ref‹[17]› punct‹<› tag‹input› punct‹ type="› string‹text› punct‹" checked />›`},
		{"redacted", "dddk", `[19]<input value="[redacted: card]" />`,
			`ref‹[19]› punct‹<› tag‹input› punct‹ value="› cut‹[redacted: card]› punct‹" />›`},
		{"covered", "dddk", `[24]<button>Go</button> (covered by [30])`,
			`ref‹[24]› punct‹<› tag‹button› punct‹>› text‹Go› punct‹</button>› text‹ › cover‹(covered by [30])›`},
		{"below the fold", "dddk", "\t↓[40]<section> More",
			"punct‹↓› ref‹[40]› punct‹<› tag‹section› punct‹>› text‹ More›"},
		{"truncated", "dddk", "[...truncated: 38 nodes]", "cut‹[...truncated: 38 nodes]›"},
		{"hash ids", "dddk", "[k3f9]<a>x</a>", "ref‹[k3f9]› punct‹<› tag‹a› punct‹>› text‹x› punct‹</a>›"},
		{"a page's brackets stay text", "dddk", `[1]<a>[...truncated] [12]</a>`,
			`ref‹[1]› punct‹<› tag‹a› punct‹>› text‹[...truncated] [12]› punct‹</a>›`},
		{"a page's less-than stays text", "dddk", `<p>1 < 2 (58% visible) x</p>`,
			`punct‹<› tag‹p› punct‹>› text‹1 < 2 (58% visible) x› punct‹</p>›`},
		{"escaped quote", "dddk", `[1]<a title="say \"hi\" <b>">x</a>`,
			`ref‹[1]› punct‹<› tag‹a› punct‹ title="› string‹say \"hi\" <b>› punct‹">› text‹x› punct‹</a>›`},
		{"cells of a row", "dddk", "<td>Hobby</td><td>Free</td>",
			"punct‹<› tag‹td› punct‹>› text‹Hobby› punct‹</td><› tag‹td› punct‹>› text‹Free› punct‹</td>›"},
		{"quote without an end", "dddk", `[1]<a href="x>y`, `ref‹[1]› punct‹<› tag‹a› punct‹ href="› string‹x>y›`},
		{"json", "semantic", `  { "i": "12", "xy": [900, -2.5e3], "occ": true, "v": null },`,
			`punct‹  { › key‹"i"› punct‹: › string‹"12"› punct‹, › key‹"xy"› punct‹: [› number‹900› punct‹, › number‹-2.5e3› punct‹], › key‹"occ"› punct‹: › number‹true› punct‹, › key‹"v"› punct‹: › number‹null› punct‹ },›`},
		{"changed", "changes", `~ [3] textbox "Na\"me": value "" → "[4]"; focused none → true`,
			`punct‹~ › ref‹[3]› text‹ textbox › punct‹"› string‹Na\"me› punct‹"› text‹: value › punct‹""› text‹ → › punct‹"› string‹[4]› punct‹"› text‹; focused none → true›`},
		{"removed", "changes", `- [12] button "Buy" (display-none)`,
			`punct‹- › ref‹[12]› text‹ button › punct‹"› string‹Buy› punct‹"› text‹ (display-none)›`},
		{"a fact of the page", "changes", `page: title "A" → "B"`,
			`head‹page:› text‹ title › punct‹"› string‹A› punct‹"› text‹ → › punct‹"› string‹B› punct‹"›`},
		{"an address is no label", "changes", `http://a/: x`, `text‹http://a/: x›`},
		{"bytes", "bytes", `llo","k":"[redacted: card]","n":[1`,
			`text‹llo","k":"› cut‹[redacted: card]› text‹","n":[1›`},
		{"bytes cut in a mark", "bytes", `x [redacted: ca`, `text‹x › cut‹[redacted: ca›`},
		{"pretty", "pretty", `  "n": "[redacted: card]",`, `key‹"n"› punct‹: › cut‹"[redacted: card]"› punct‹,›`},
		{"a format's escapes", "dddk", `<p>a\u{202e}b \\u{202e} \u{} \u{zz}</p>`,
			`punct‹<› tag‹p› punct‹>› text‹a› escape‹\u{202e}› text‹b \\u{202e} \u{} \u{zz}› punct‹</p>›`},
		{"json redacted", "semantic", `"v":"[redacted: card]"`, `key‹"v"› punct‹:› cut‹"[redacted: card]"›`},
		{"json quote in value", "semantic", `"n":"a \"b\": c"`, `key‹"n"› punct‹:› string‹"a \"b\": c"›`},
		{"aria", "aria", `  - button "Save" [disabled] [ref=s1e2]: hi`,
			`punct‹- › tag‹button› text‹ › punct‹"› string‹Save› punct‹"› text‹ › tag‹[disabled]› text‹ › ref‹[ref=s1e2]› text‹: hi›`},
		{"wraith", "wraith", `@e12 [button] "Save"`,
			`ref‹@e12› text‹ › tag‹[button]› text‹ › punct‹"› string‹Save› punct‹"›`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := spell(tc.line, tokenize(tc.format, tc.line, nil))
			require.Equal(t, strings.ReplaceAll(tc.want, "text‹ › ", ""), got)
		})
	}
}

// checkSpans requires that spans cover the line without gap or overlap and never
// split a rune.
func checkSpans(t *testing.T, line string, spans []span) {
	t.Helper()
	at := 0
	for _, s := range spans {
		require.Equal(t, at, s.Start)
		require.Greater(t, s.End, s.Start)
		at = s.End
		if utf8.ValidString(line) && at < len(line) {
			require.True(t, utf8.RuneStart(line[at]), "span ends inside a rune: %q", line)
		}
	}
	require.Equal(t, len(line), at)
}

func FuzzTokens(f *testing.F) {
	for _, line := range strings.Split(shop, "\n") {
		f.Add(line)
	}
	f.Add(`"\`)
	f.Add(`[1]<a x="`)
	f.Add("[ref=")
	f.Add(`~ [1] a "[redacted`)
	f.Add("\xff[…\u202e")
	f.Fuzz(func(t *testing.T, line string) {
		for _, format := range []dump.Format{"dddk", "semantic", "aria", "wraith", "changes", "bytes", "pretty"} {
			spans := tokenize(format, line, nil)
			checkSpans(t, line, spans)
			asciiOnly := func(r rune) bool { return r < 0x300 }
			runs, width := layoutLine(line, spans, asciiOnly, utf8.RuneCountInString, nil)
			col := 0
			for _, r := range runs {
				require.GreaterOrEqual(t, r.col, col)
				require.Positive(t, r.cols)
				require.LessOrEqual(t, len([]rune(r.text)), max(maxRunRunes+1, r.cols))
				require.False(t, strings.ContainsFunc(r.text, func(c rune) bool {
					return !joins(c) && unseen(c)
				}), "%q", r.text)
				col = r.col + r.cols
			}
			require.GreaterOrEqual(t, width, col)
		}
		require.NotPanics(t, func() { columnsOf(line) })
		asciiOnly := func(r rune) bool { return r < 0x300 }
		runs, width := layoutLine(line, tokenize("dddk", line, nil), asciiOnly, utf8.RuneCountInString, nil)
		for at := 0; at <= len(line); at++ {
			require.LessOrEqual(t, columnOf(runs, at), width)
		}
		for col := -1; col <= width; col++ {
			require.Less(t, byteOf(runs, col), len(line))
		}
	})
}

func TestLayoutLine(t *testing.T) {
	has := func(r rune) bool { return r < 0x2000 || r == '—' }
	two := func(s string) int { return 2 * utf8.RuneCountInString(s) }
	for _, tc := range []struct {
		name, line string
		want       []run
		width      int
	}{
		{"ascii", "ab", []run{{0, 2, "ab", kindText, false, 0}}, 2},
		{"tabs go to stops", "a\tb", []run{{0, 1, "a", kindText, false, 0}, {3, 1, "b", kindText, false, 2}}, 4},
		{"dash is in the atlas", "a—b", []run{{0, 3, "a—b", kindText, false, 0}}, 3},
		{"a phrase in Japanese is one run", "x 東京 天気 y", []run{{0, 2, "x ", kindText, false, 0},
			{2, 10, "東京 天気", kindText, true, 2}, {12, 2, " y", kindText, false, 15}}, 14},
		{"Arabic needs shaping although the font has it", "مر", []run{{0, 4, "مر", kindText, true, 0}}, 4},
		{"emoji keep their joiner", "👩\u200d💻", []run{{0, 6, "👩\u200d💻", kindText, true, 0}}, 6},
		{"emoji keep a selector and its joiner", "🏳\ufe0f\u200d🌈",
			[]run{{0, 8, "🏳\ufe0f\u200d🌈", kindText, true, 0}}, 8},
		{"a letter has its marks", "ae\u0301\u0302 b", []run{{0, 1, "a", kindText, false, 0},
			{1, 6, "e\u0301\u0302", kindText, true, 1}, {7, 2, " b", kindText, false, 6}}, 9},
		{"a selector belongs to its character", "a—\ufe0f", []run{{0, 1, "a", kindText, false, 0},
			{1, 4, "—\ufe0f", kindText, true, 1}}, 5},
		{"selectors that select nothing are shown", "語\ufe0f\ufe01", []run{{0, 4, "語\ufe0f", kindText, true, 0},
			{4, 8, `\u{fe01}`, kindEscape, false, 6}}, 12},
		{"direction marks are shown", "a\u202eb", []run{{0, 1, "a", kindText, false, 0},
			{1, 8, `\u{202e}`, kindEscape, false, 1}, {9, 1, "b", kindText, false, 4}}, 10},
		{"controls are shown", "\x07", []run{{0, 5, `\u{7}`, kindEscape, false, 0}}, 5},
		{"broken bytes are shown", "\xff", []run{{0, 2, "\uFFFD", kindEscape, true, 0}}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			runs, width := layoutLine(tc.line, tokenize("none", tc.line, nil), has, two, nil)
			require.Equal(t, tc.want, runs)
			require.Equal(t, tc.width, width)
		})
	}
	t.Run("long runs for Fyne are cut in pieces", func(t *testing.T) {
		line := strings.Repeat("語", 3*maxRunRunes)
		runs, _ := layoutLine(line, tokenize("none", line, nil), has, two, nil)
		require.Len(t, runs, 3)
	})
}

func TestShownIsWhatIsDrawn(t *testing.T) {
	require.Equal(t, "\ta\\u{202e}b\uFFFD東👩\u200d💻", shown("\ta\u202eb\xff東👩\u200d💻"))
	require.Equal(t, "a\\u{200d}b", shown("a\u200db"))
	for _, line := range []string{"ae\u0301 b", "❤\ufe0f x", "語\ufe0f\ufe01\ufe02", "\ufe0f—", "👩\u200d💻\u200d",
		"\"\u0301\" مر\u200c \u200d東\U000e0061"} {
		runs, _ := layoutLine(line, tokenize("none", line, nil), func(r rune) bool { return r < 0x3000 },
			utf8.RuneCountInString, nil)
		drawn := ""
		for _, r := range runs {
			drawn += r.text
		}
		require.Equal(t, shown(line), drawn, "%q", line)
	}
}

package text_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"github.com/refscope/refscope/snapshot/text"
)

func TestInvisible(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    rune
		want bool
	}{
		{"letter", 'a', false},
		{"space", ' ', false},
		{"no-break space is a space", '\u00a0', false},
		{"NUL", 0, true},
		{"escape", 0x1b, true},
		{"delete", 0x7f, true},
		{"C1 control", 0x9b, true},
		{"soft hyphen", '\u00ad', true},
		{"combining grapheme joiner", '\u034f', true},
		{"Arabic letter mark", '\u061c', true},
		{"Arabic end of ayah is drawn", '\u06dd', false},
		{"Hangul filler", '\u3164', true},
		{"half-width Hangul filler", '\uffa0', true},
		{"Mongolian vowel separator", '\u180e', true},
		{"zero-width space", '\u200b', true},
		{"zero-width joiner", '\u200d', true},
		{"left-to-right mark", '\u200e', true},
		{"line separator", '\u2028', true},
		{"paragraph separator", '\u2029', true},
		{"right-to-left override", '\u202e', true},
		{"word joiner", '\u2060', true},
		{"isolate", '\u2066', true},
		{"variation selector", '\ufe0f', true},
		{"byte order mark", '\ufeff', true},
		{"interlinear annotation", '\ufff9', true},
		{"noncharacter", '\ufffe', true},
		{"noncharacter of the Arabic block", '\ufdd0', true},
		{"noncharacter of a high plane", 0x1ffff, true},
		{"lone surrogate", 0xd800, true},
		{"language tag", 0xe0001, true},
		{"tag letter", 0xe0041, true},
		{"variation selector 17", 0xe0100, true},
		{"replacement character", '\ufffd', false},
		{"emoji", '😀', false},
		{"icon of a font", '\ue001', false},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, text.Invisible(tt.r)) })
	}
}

func TestLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "Add to basket", "Add to basket"},
		{"white space of every kind", " a\t\r\nb\u00a0\u2003c\u2028d\u2029e\v", "a b c d e"},
		{"right-to-left override", "a\u202eb", `a\u{202e}b`},
		{"tags", "a\U000E0041", `a\u{e0041}`},
		{"zero-width space", "pass\u200bword", `pass\u{200b}word`},
		{"byte order mark", "\ufeffa", `\u{feff}a`},
		{"terminal escape", "\x1b[31mred", `\u{1b}[31mred`},
		{"soft hyphen goes", "Donau\u00addampf", "Donaudampf"},
		{"broken bytes", "a\xffb", "a\uFFFDb"},
		{"a surrogate in UTF-8", "a\xed\xa0\x80b", "a\uFFFDb"},
		{"joiner of emoji", "👩\u200d💻", "👩\u200d💻"},
		{"joiner after a selector", "🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"},
		{"joiner in ASCII", "a\u200db", `a\u{200d}b`},
		{"selector after a space", "a \ufe0fb", `a \u{fe0f}b`},
		{"own spelling is doubled", `\u{202e}`, `\\u{202e}`},
		{"backslash before a spelling", "\\\u202e", `\\\u{202e}`},
		{"other backslashes", `C:\dir\n`, `C:\dir\n`},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, text.Line(tt.in)) })
	}
}

func TestLines(t *testing.T) {
	require.Equal(t, "a\nb\tc\nd e\\u{202e}\nf", text.Lines("a\r\nb\tc\u2028d\u00a0e\u202e\rf"))
}

// Text is escaped once: what was made harmless stays as it is where it is put together, and quotes escape what it
// was made of.
func TestEscapedOnce(t *testing.T) {
	for _, tt := range []struct{ name, in, composed, quoted string }{
		{"plain", "Save", "Save", `"Save"`},
		{"a backslash of the page", text.Line(`C:\dir`), `C:\dir`, `"C:\\dir"`},
		{"spelled out", text.Line("a\u202eb"), `a\u{202e}b`, `"a\u202eb"`},
		{"the page's own spelling", text.Line(`\u{41}`), `\\u{41}`, `"\\u{41}"`},
		{"both", text.Line("\\\u202e"), `\\\u{202e}`, `"\\\u202e"`},
		{"cut in a spelling", text.Start(text.Line("a\u202eb"), 5), `a\u{2`, `"a\\u{2"`},
		{"escaped by nobody", "a\u202eb", `a\u{202e}b`, `"a\u202eb"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.composed, text.EscapeOnce(tt.in))
			require.Equal(t, tt.composed, text.EscapeOnce(text.EscapeOnce(tt.in)))
			require.Equal(t, tt.quoted, text.QuoteLine(tt.in))
		})
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		n        int
		want     string
		was      int
	}{
		{"shorter", "abc", 4, "abc", 0},
		{"equal", "abc", 3, "abc", 0},
		{"longer", "abcd", 3, "ab…", 4},
		{"characters, not bytes", "äöü", 3, "äöü", 0},
		{"characters cut", "äöüß", 3, "äö…", 4},
		{"no space before the mark", "ab cd", 4, "ab…", 5},
		{"one", "abc", 1, "…", 3},
		{"none", "abc", 0, "…", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, was := text.CutCount(tt.in, tt.n)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.was, was)
			require.Equal(t, tt.want, text.Cut(tt.in, tt.n))
		})
	}
	require.Equal(t, "äö", text.Start("äöü", 2))
	require.Equal(t, "", text.Start("äöü", 0))
	require.Equal(t, "ä", text.StartBytes("äöü", 3))
	require.Equal(t, "äöü", text.StartBytes("äöü", 6))
}

func TestCut16(t *testing.T) {
	got, was := text.Cut16("a😀b", 3)
	require.Equal(t, "a…", got, "half of a pair is not text")
	require.Equal(t, 4, was)
	got, was = text.Cut16("a😀b", 4)
	require.Equal(t, "a😀b", got)
	require.Zero(t, was)
}

func TestQuote(t *testing.T) {
	require.Equal(t, `"a\"b\\c\nd\u202e"`, text.Quote("a\"b\\c\nd\u202e"))
	require.Equal(t, `"\udb40\udc41"`, text.Quote("\U000E0041"))
	require.Equal(t, `"<a href=\"x\">&"`, text.Quote(`<a href="x">&`))
}

func TestCount(t *testing.T) {
	require.Equal(t, "0 turns", text.Count(0, "turn", "turns"))
	require.Equal(t, "1 turn", text.Count(1, "turn", "turns"))
	require.Equal(t, "-1,234,567", text.Thousands(-1234567))
	require.Equal(t, "999", text.Thousands(999))
}

// FuzzText holds what every user of the package relies on: a line is one line, nothing in
// it is dangerous, the page's text comes back, and doing it twice to a cut changes nothing.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a\u202eb", `\u{202e}`, "\\\u202e", "👩\u200d💻", "a\r\nb\tc\u2028d", "\xff\xed\xa0\x80",
		"\U000E0041\U000E007F", "x\ufe0f", " \u200d ", `\\\\u{`, "\ufeff", "\u3164a\u115f",
	} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		line := text.Line(s)
		require.False(t, strings.ContainsAny(line, "\n\r\t\v\f\u2028\u2029\u0085"), "%q is not one line", line)
		require.Equal(t, strings.TrimSpace(line), line)
		requireHarmless(t, line)
		requireHarmless(t, text.Lines(s))
		require.Equal(t, text.CollapseSpace(s), text.Restored(line))
		require.Equal(t, text.Breaks(s), text.Restored(text.Lines(s)))

		require.Equal(t, line, text.EscapeOnce(line), "what is escaped stays as it is")
		requireHarmless(t, text.EscapeOnce(s))
		require.Equal(t, text.Quote(text.CollapseSpace(s)), text.QuoteLine(line), "it is escaped once")

		quoted := text.Quote(s)
		requireHarmless(t, quoted)
		var back string
		require.NoError(t, json.Unmarshal([]byte(quoted), &back))
		require.Equal(t, strings.ToValidUTF8(s, "\uFFFD"), back)

		n = n & 0x3f
		valid := strings.ToValidUTF8(s, "\uFFFD")
		cut, was := text.CutCount(valid, n)
		require.LessOrEqual(t, utf8.RuneCountInString(cut), max(n, 1))
		if was == 0 {
			require.Equal(t, valid, cut)
		} else {
			require.Equal(t, utf8.RuneCountInString(valid), was)
			require.True(t, strings.HasPrefix(valid, strings.TrimSuffix(cut, "…")))
			require.Equal(t, cut, text.Cut(cut, max(n, 1)))
		}
		require.LessOrEqual(t, len(text.StartBytes(valid, n)), n)
		require.True(t, utf8.ValidString(text.StartBytes(valid, n)))
		short, _ := text.Cut16(valid, n)
		require.LessOrEqual(t, text.Units16(short), max(n, 1))
	})
}

// requireHarmless fails where a character is left that a reader cannot see and that no
// neighbour depends on.
func requireHarmless(t *testing.T, s string) {
	t.Helper()
	require.True(t, utf8.ValidString(s))
	runes := []rune(s)
	for i, r := range runes {
		if r == '\n' || r == '\t' || !text.Invisible(r) {
			continue
		}
		needed := r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Variation_Selector, r)
		require.True(t, needed && i > 0, "%U is left in %q", r, s)
	}
}

func TestShellWord(t *testing.T) {
	for s, want := range map[string]string{
		"":                      "''",
		"plain-word_1./:=@%+,x": "plain-word_1./:=@%+,x",
		"two words":             "'two words'",
		"it's":                  `'it'\''s'`,
		"$HOME `x` \"y\" \n~":   "'$HOME `x` \"y\" \n~'",
	} {
		require.Equal(t, want, text.ShellWord(s))
		fields, err := shell.Fields("echo "+text.ShellWord(s), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"echo", s}, fields, "a shell reads it as one word")
	}
}

// TestJSONKeepsItsMeaning: a document with hidden characters in its strings stays JSON, says the
// same, and hides nothing.
func TestJSONKeepsItsMeaning(t *testing.T) {
	for name, s := range map[string]string{"plain": "a", "override": "a\u202eb", "tag": "x\U000e0041y",
		"spelled": `\u{202e}`, "quotes": "\"\\\u200b\n"} {
		t.Run(name, func(t *testing.T) {
			doc, err := json.MarshalIndent(map[string]string{"name": s}, "", "  ")
			require.NoError(t, err)
			got := text.JSON(string(doc))
			require.False(t, text.HasHidden(got), got)
			var back map[string]string
			require.NoError(t, json.Unmarshal([]byte(got), &back))
			require.Equal(t, s, back["name"])
		})
	}
}

// TestCharacter: what a person sees as one character is in one piece, and nothing is endless.
func TestCharacter(t *testing.T) {
	for _, want := range [][]string{
		{"a", "b"}, {"e\u0301", "é", "x"}, {"👨‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "a"}, {"🇯🇵", "🇩🇪", "🇫"},
		{"🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"}, {"한", "국", "\u1112\u1161\u11ab"}, {"नि", "म"}, {"日", "本"}, {"\xff", "a"},
	} {
		var got []string
		for s := strings.Join(want, ""); s != ""; {
			n := text.Character(s)
			got, s = append(got, s[:n]), s[n:]
		}
		require.Equal(t, want, got)
	}
	require.Zero(t, text.Character(""))
	require.Less(t, text.Character("a"+strings.Repeat("\u0301", 1000)), 100)
}

// TestPercent: a part is neither none nor all.
func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 1: "100 %", 0.99998: "100 %", 0.0027: "<1 %", 0.996: "99 %",
		0.5: "50 %", 0.006: "1 %", 0.994: "99 %"} {
		require.Equal(t, want, text.Percent(share))
	}
}

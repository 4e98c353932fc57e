package dump

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/stretchr/testify/require"
)

// unspelled undoes printable, character by character: a run of backslashes before "u{" is
// pairs of the page's own, and an odd one begins a spelling.
func unspelled(t testing.TB, s string) string {
	t.Helper()
	var b strings.Builder
	for s != "" {
		run := len(s) - len(strings.TrimLeft(s, `\`))
		if run == 0 || !strings.HasPrefix(s[run:], "u{") {
			if run == 0 {
				_, run = utf8.DecodeRuneInString(s)
			}
			b.WriteString(s[:run])
			s = s[run:]
			continue
		}
		b.WriteString(strings.Repeat(`\`, run/2))
		if s = s[run:]; run%2 == 0 {
			b.WriteString("u{")
			s = s[2:]
			continue
		}
		digits, rest, found := strings.Cut(s[2:], "}")
		require.True(t, found)
		v, err := strconv.ParseInt(digits, 16, 32)
		require.NoError(t, err)
		b.WriteRune(rune(v))
		s = rest
	}
	return b.String()
}

func TestPrintableIsUnambiguous(t *testing.T) {
	for _, tt := range []struct{ page, want string }{
		{`\u{202e}`, `\\u{202e}`},
		{"\u202e", `\u{202e}`},
		{"\\\u202e", `\\\u{202e}`},
		{"\\\\\u202e", `\\\\\u{202e}`},
		{`\\u{202e}`, `\\\\u{202e}`},
		{`\\u{`, `\\\\u{`},
		{`C:\users`, `C:\users`},
		{`\\server\share`, `\\server\share`},
		{`\`, `\`},
		{"\\\n\u202e", "\\\n\\u{202e}"},
		{"\\\ufe0f", "\\\ufe0f"}, // a variation selector stays after a visible character
		{"\\\u200d\\", `\\\u{200d}\`},
	} {
		require.Equal(t, tt.want, text.Visible(tt.page))
		require.Equal(t, tt.page, unspelled(t, tt.want))
	}
	for _, s := range pagetest.HostileTexts() {
		require.Equal(t, strings.ToValidUTF8(s, "\uFFFD"), unspelled(t, text.Visible(s)))
	}
}

// FuzzPrintable: a decoder gives the page's text back.
func FuzzPrintable(f *testing.F) {
	for _, s := range pagetest.HostileTexts() {
		f.Add(s)
		f.Add(`\` + s)
	}
	f.Add("\\\\\u202e\\u{\\\\u{41}\\\x00\\\ufe0f\\\u200du{")
	f.Fuzz(func(t *testing.T, s string) {
		require.Equal(t, strings.ToValidUTF8(s, "\uFFFD"), unspelled(t, text.Visible(s)))
	})
}

func TestPrintableForPeople(t *testing.T) {
	for name, c := range map[string]struct{ in, line, lines string }{
		"plain":      {"Save", "Save", "Save"},
		"spaces":     {" a \t\u00a0b\r\nc ", "a b c", " a \t b\nc "},
		"bidi":       {"pay \u202egnp", `pay \u{202e}gnp`, `pay \u{202e}gnp`},
		"control":    {"a\x1b[31m", `a\u{1b}[31m`, `a\u{1b}[31m`},
		"no UTF-8":   {"a\xffb", "a\uFFFDb", "a\uFFFDb"},
		"not forged": {`\u{202e}`, `\\u{202e}`, `\\u{202e}`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.line, Printable(c.in))
			require.Equal(t, c.lines, PrintableLines(c.in))
		})
	}
}

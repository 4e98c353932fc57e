package parts

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestWrap(t *testing.T) {
	count := func(s string) float32 { return float32(utf8.RuneCountInString(s)) }
	for _, tc := range []struct {
		name, text string
		width      float32
		lines      int
		want       []string
	}{
		{"short", "ab", 10, 3, []string{"ab"}},
		{"empty", "", 10, 3, []string{""}},
		{"at blanks", "one two three", 8, 3, []string{"one two", "three"}},
		{"long word", "abcdefgh ij", 3, 9, []string{"abc", "def", "gh", "ij"}},
		{"long word after a short one", "13: abcdefghijkl", 9, 9, []string{"13: abcde", "fghijkl"}},
		{"no third of a line is left", "12345678 abcdefghijkl", 11, 9, []string{"12345678", "abcdefghijk", "l"}},
		{"cut", "a b c d e f", 3, 2, []string{"a b", "c…"}},
		{"never less than a rune", "日本", 0.5, 9, []string{"日", "本"}},
		{"no character is torn", "👨‍👩‍👧🇯🇵é", 2, 9, []string{"👨‍👩‍👧", "🇯🇵", "é"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, Wrap(tc.text, tc.width, tc.lines, count))
		})
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", 5, 3)
	f.Add("…", 0, 1)
	f.Add("\xff\xfe x", 1, 2)
	f.Fuzz(func(t *testing.T, text string, width, n int) {
		count := func(s string) float32 { return float32(utf8.RuneCountInString(s)) }
		n = 1 + (n&0xff)%12
		width = 1 + (width&0xff)%60
		got := Wrap(text, float32(width), n, count)
		require.NotEmpty(t, got)
		require.LessOrEqual(t, len(got), n)
		for _, l := range got {
			require.LessOrEqual(t, count(l), float32(width), "%q", got)
		}
	})
}

// TestPainted: an image has as many px as are painted of it: one more or less than the object is long, by where it
// begins.
func TestPainted(t *testing.T) {
	for _, tt := range []struct {
		at, long, scale float32
		px, want        int
	}{
		{10, 335, 1, 335, 335}, {10.4, 335.3, 1, 335, 336}, {10.6, 335.3, 1, 335, 335}, {10.6, 335.8, 1, 335, 335},
		{0.5, 335.9, 1, 335, 335}, {10.4, 100, 1.5, 150, 150}, {0.5, 100.3, 2, 200, 201},
		{10.4, 335.3, 1, 670, 670}, // a display that has twice as many px
		{3, 0, 1, 0, 0},
	} {
		require.Equal(t, tt.want, painted(tt.at, tt.long, tt.scale, tt.px), "%+v", tt)
	}
}

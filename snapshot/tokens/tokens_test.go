package tokens

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestVocabularyIsThePublishedOne writes the vocabulary in the form in which OpenAI
// publishes it and compares it with the checksum that tiktoken itself insists on
// (tiktoken_ext/openai_public.py, o200k_base, expected_hash).
func TestVocabularyIsThePublishedOne(t *testing.T) {
	var c Counter
	byRank := make([]string, vocabularySize)
	for s, i := range c.load() {
		byRank[i] = s
	}
	h := sha256.New()
	for i, s := range byRank {
		fmt.Fprintf(h, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(s)), i)
	}
	require.Equal(t, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", hex.EncodeToString(h.Sum(nil)))
}

// TestPublishedVectors are encodings that others printed with tiktoken itself: the
// OpenAI cookbook (How to count tokens) and the test suite of splintr.
func TestPublishedVectors(t *testing.T) {
	var c Counter
	for text, want := range map[string][]uint32{
		"":                             nil,
		"Hello world":                  {13225, 2375},
		"Hello, world!":                {13225, 11, 2375, 0},
		"你好世界":                         {177519, 28428},
		"Hello 🌍 World!":               {13225, 130321, 235, 5922, 0},
		"antidisestablishmentarianism": {493, 129901, 376, 160388, 21203, 2367},
		"2 + 2 = 4":                    {17, 659, 220, 17, 314, 220, 19},
		"お誕生日おめでとう":                    {8930, 9697, 243, 128225, 8930, 17693, 4344, 48669},
	} {
		require.Equal(t, want, c.Encode(text), "%q", text)
		require.Equal(t, len(want), c.Count(text))
	}
}

// texts are of every kind that the pattern tells apart.
func texts() []string {
	return []string{
		"", " ", "\n", "\r\n\r\n", "  \n  \n  x", "\t\t[12]<button>Save</button>\n\t<p>It’s 3,50 €</p>\n",
		"We'll say it's HTMLParser's don't I'M THEY'RE o'clock", "ABCdefGHIjkl 1234567890 ½ ٣٤٥ Ⅷ",
		"naïve cafe\u0301 \u0301x \u0301\u0301 \u00a0\u2003x ", "中文和日本語のテキスト、漢字かな交じり文。", "👩‍👩‍👧‍👦 🇩🇪 ❤️‍🔥",
		`{"i":"12","r":"btn","n":"Submit \"now\"","xy":[400,350]}` + "\n//// /// https://a.example/b?c=d#e\n",
		"<|endoftext|> <|im_start|>", strings.Repeat("ab", 200), strings.Repeat("a", 300) + strings.Repeat(" ", 300) + "b",
		"ǅungla ʰʰ ªº שלום مرحبا हिन्दी", "\u2028\u2029\u0085", "x\x00\x01\ufffd",
	}
}

func TestAgainstTheReference(t *testing.T) {
	var c Counter
	ref := newReference(&c)
	for _, s := range texts() {
		require.Equal(t, ref.encode(t, s), c.Encode(s), "%q", s)
	}
}

func FuzzAgainstTheReference(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	var c Counter
	ref := newReference(&c)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2_000 || !utf8.ValidString(s) {
			return
		}
		got := c.Encode(s)
		require.Equal(t, ref.encode(t, s), got)
		require.Equal(t, len(got), c.Count(s))
		ends := []int{0, len(s) / 3, len(s) / 2, len(s)}
		sum := 0
		for _, n := range c.Spread(s, ends) {
			sum += n
		}
		require.Equal(t, len(got), sum)
	})
}

// TestLongRuns: a megabyte without a place to split. A tokenizer that takes time
// in the square of it would not come back; BenchmarkLongRuns has the figures.
func TestLongRuns(t *testing.T) {
	const n = 1 << 20
	var c Counter
	for name, s := range map[string]string{"a": strings.Repeat("a", n), "space": strings.Repeat(" ", n) + "x",
		"中": strings.Repeat("中", n/3)} {
		got := c.Count(s)
		require.Positive(t, got, name)
		require.Less(t, got, len(s), "the tokenizer gave up on %s", name)
	}
	require.Equal(t, n/8, c.Count(strings.Repeat("a", n)), "aaaaaaaa is one token")
}

func TestBrokenBytes(t *testing.T) {
	var c Counter
	require.Equal(t, c.Count("a\ufffdb"), c.Count("a\xffb"))
}

func TestSpread(t *testing.T) {
	var c Counter
	text := "URL: x\n\t[1]<a>Terms</a>\n\t<p>Hello world</p>"
	ends := []int{7, 24, 24, len(text)}
	got := c.Spread(text, ends)
	sum, alone, from := 0, 0, 0
	for i, end := range ends {
		sum += got[i]
		alone += c.Count(text[from:end])
		from = end
	}
	require.Equal(t, c.Count(text), sum, "the parts add up")
	require.Zero(t, got[2], "an empty part has no token")
	require.GreaterOrEqual(t, alone, sum)
	require.Empty(t, c.Spread(text, nil))
	require.Equal(t, []int{0}, c.Spread("", []int{0}))
	require.Equal(t, []int{2, 0}, c.Spread("Hello world", []int{8, 11}),
		"a token over a boundary is counted where it begins")
}

func TestMeasure(t *testing.T) {
	for _, s := range append(texts(), "a\xff\xfe", "😀") {
		z := Measure(s)
		require.Equal(t, Size{len(s), utf8.RuneCountInString(s), len(utf16.Encode([]rune(s)))}, z, "%q", s)
	}
}

func TestEstimates(t *testing.T) {
	for _, one := range []struct {
		text                 string
		quarter, bytes4, d35 int
	}{
		{"", 0, 0, 0}, {"a", 1, 0, 1}, {"abcd", 1, 1, 2}, {"abcde", 2, 1, 2}, {"abcdefg", 2, 1, 2}, {"abcdefgh", 2, 2, 3},
		{"中文", 1, 1, 1}, {"😀😀😀😀", 1, 4, 3},
	} {
		require.Equal(t, []int{one.quarter, one.bytes4, one.d35},
			[]int{Quarter(one.text), quarterBytes(one.text), threeAndAHalf(one.text)}, one.text)
	}
	for _, m := range Estimates() {
		require.GreaterOrEqual(t, m.Count("Hello world"), 2, m.Name)
	}
}

func TestCounterIsLazyAndShared(t *testing.T) {
	var c Counter
	require.Nil(t, c.ranks, "nothing is built before the first count")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if got := c.Count(strings.Repeat("hello ", i+1)); got != i+2 {
				t.Errorf("%d tokens, want %d", got, i+2)
			}
		})
	}
	wg.Wait()
}

// BenchmarkFirstCount is what building the tables costs. The library's own table,
// made once a process, is in the first round only.
func BenchmarkFirstCount(b *testing.B) {
	for b.Loop() {
		var c Counter
		c.Count("Hello world")
	}
}

func BenchmarkCount(b *testing.B) {
	var c Counter
	line := "\t[12]<a href=\"/product/12?ref=list\">Keyboard with 12 keys</a>\n\t<p>It costs $12 and ships tomorrow.</p>\n"
	for _, n := range []int{10, 100, 1_000} {
		s := strings.Repeat(line, n)
		b.Run(fmt.Sprint(len(s)), func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				c.Count(s)
			}
		})
	}
}

func BenchmarkLongRuns(b *testing.B) {
	var c Counter
	for _, n := range []int{1 << 16, 1 << 18, 1 << 20} {
		for _, unit := range []string{"a", "A", " ", "\n", "!", "aA", "中"} {
			s := strings.Repeat(unit, n/len(unit))
			b.Run(fmt.Sprintf("%q/%d", unit, n), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					c.Count(s)
				}
			})
		}
	}
}

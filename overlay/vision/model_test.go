package vision

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestVectors are the vendors' own examples, and the table of the study.
func TestVectors(t *testing.T) {
	tests := []struct {
		model  string
		detail Detail
		size   image.Point
		fit    image.Point
		tokens int
	}{
		// OpenAI, tiles.
		{"gpt-4o", High, image.Pt(1024, 1024), image.Pt(768, 768), 765},
		{"gpt-4o", High, image.Pt(2048, 4096), image.Pt(768, 1536), 1105},
		{"gpt-4o", Low, image.Pt(4096, 8192), image.Pt(256, 512), 85},
		{"gpt-4o", Auto, image.Pt(1280, 720), image.Pt(1280, 720), 1105},
		{"gpt-4o", Auto, image.Pt(1440, 900), image.Pt(1229, 768), 1105},
		{"gpt-4o", Auto, image.Pt(2560, 1440), image.Pt(1365, 768), 1105},
		{"gpt-4o", Auto, image.Pt(1280, 3600), image.Pt(728, 2048), 85 + 8*170},
		{"gpt-4o-mini", High, image.Pt(1024, 1024), image.Pt(768, 768), 2833 + 4*5667},
		{"gpt-5", High, image.Pt(1024, 1024), image.Pt(768, 768), 70 + 4*140},
		{"o1", High, image.Pt(1024, 1024), image.Pt(768, 768), 75 + 4*150},
		{"computer-use-preview", High, image.Pt(1024, 768), image.Pt(1024, 768), 65 + 4*129},
		// OpenAI, patches. The vendor's examples count patches, before the factor.
		{"gpt-5-mini", High, image.Pt(1024, 1024), image.Pt(1024, 1024), factor(1024, 162)},
		{"gpt-5-mini", High, image.Pt(1800, 2400), image.Pt(1056, 1408), factor(1452, 162)},
		{"gpt-5-mini", High, image.Pt(1920, 1080), image.Pt(1650, 928), 2443},
		{"gpt-4.1-nano", High, image.Pt(1800, 2400), image.Pt(1056, 1408), factor(1452, 246)},
		{"o4-mini", High, image.Pt(1800, 2400), image.Pt(1056, 1408), factor(1452, 172)},
		{"gpt-5.4", Auto, image.Pt(1280, 720), image.Pt(1280, 720), 1104},
		{"gpt-5.4", Auto, image.Pt(1920, 1080), image.Pt(1920, 1080), 2448},
		{"gpt-5.4", High, image.Pt(2560, 1440), image.Pt(2048, 1152), 2765},
		{"gpt-5.4", High, image.Pt(2880, 1800), image.Pt(1997, 1248), 2949},
		{"gpt-5.4", Original, image.Pt(2880, 1800), image.Pt(2880, 1800), 6156},
		{"gpt-5.4", Low, image.Pt(2560, 1440), image.Pt(512, 288), factor(16*9, 120)},
		{"gpt-5.5", Auto, image.Pt(2560, 1440), image.Pt(2560, 1440), 4320},
		{"gpt-5.5", Auto, image.Pt(1280, 10000), image.Pt(768, 6000), factor(24*188, 120)},
		{"gpt-5.6", Auto, image.Pt(1280, 10000), image.Pt(1280, 10000), factor(40*313, 120)},
		{"gpt-5.6", High, image.Pt(2560, 1440), image.Pt(2048, 1152), 2765},
		// Anthropic. 2000 x 1500 is 1269 wide in the page's table and 1270 by its own
		// algorithm; the tokens agree.
		{"claude-opus-4-1", Auto, image.Pt(1075, 1520), image.Pt(924, 1307), 33 * 47},
		{"claude-opus-4-1", Auto, image.Pt(1920, 1080), image.Pt(1456, 819), 1560},
		{"claude-opus-4-1", Auto, image.Pt(2000, 1500), image.Pt(1270, 952), 1564},
		{"claude-opus-4-1", Auto, image.Pt(1000, 1000), image.Pt(1000, 1000), 1296},
		{"claude-opus-4-1", Auto, image.Pt(1092, 1092), image.Pt(1092, 1092), 1521},
		{"claude-opus-4-1", Auto, image.Pt(1280, 3600), image.Pt(558, 1568), 1120},
		{"claude-opus-4-7", Auto, image.Pt(1075, 1520), image.Pt(1075, 1520), 2145},
		{"claude-opus-4-7", Auto, image.Pt(1920, 1080), image.Pt(1920, 1080), 2691},
		{"claude-opus-4-7", Auto, image.Pt(3840, 2160), image.Pt(2576, 1449), 4784},
		{"claude-opus-4-7", Auto, image.Pt(1280, 3600), image.Pt(916, 2576), 3036},
		// Google.
		{"gemini-2.5-flash", Auto, image.Pt(960, 540), image.Pt(960, 540), 1548},
		{"gemini-2.5-flash", Auto, image.Pt(384, 384), image.Pt(384, 384), 258},
		{"gemini-2.5-flash", Auto, image.Pt(2560, 1440), image.Pt(2048, 1152), 1548},
		{"gemini-3-pro", Auto, image.Pt(1280, 720), image.Pt(1280, 720), 1120},
		{"gemini-3-pro", Low, image.Pt(1280, 720), image.Pt(1280, 720), 280},
		{"gemini-3-pro", Medium, image.Pt(1280, 720), image.Pt(1280, 720), 560},
		{"gemini-3-pro", UltraHigh, image.Pt(5000, 720), image.Pt(5000, 720), 2240},
		// Alibaba.
		{"qwen2.5-vl", Auto, image.Pt(1280, 720), image.Pt(1288, 728), 1196},
		{"qwen2.5-vl", Low, image.Pt(1440, 900), image.Pt(1260, 784), 1260},
		{"qwen2.5-vl", Low, image.Pt(1920, 1080), image.Pt(1316, 728), 1222},
		{"qwen2.5-vl", High, image.Pt(1920, 1080), image.Pt(1932, 1092), 2691},
		{"qwen2.5-vl", High, image.Pt(20, 20), image.Pt(56, 56), 4},
		{"qwen3-vl", Auto, image.Pt(1280, 720), image.Pt(1280, 704), 880},
		{"qwen3-vl", High, image.Pt(100, 100), image.Pt(256, 256), 64},
		// Nobody.
		{"some-model-9", Auto, image.Pt(1280, 720), image.Pt(1280, 720), 0},
		{"some-model-9", Auto, image.Pt(2560, 1440), image.Pt(1365, 768), 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %s %dx%d", tt.model, tt.detail, tt.size.X, tt.size.Y), func(t *testing.T) {
			m, _ := Lookup(tt.model)
			require.Equal(t, tt.fit, m.Fit(tt.size, tt.detail))
			e := m.Tokens(tt.size, tt.detail)
			require.Equal(t, tt.tokens, e.Tokens, e.How)
			require.Contains(t, e.How, "estimate")
		})
	}
}

func factor(patches, percent int) int { return (patches*percent + 99) / 100 }

// TestDefaultPasses: a picture of the default viewport is resized by no vendor but
// Qwen, whose sides are multiples of 28 or 32 px and 720 is not.
func TestDefaultPasses(t *testing.T) {
	size := image.Pt(1280, 720)
	for _, m := range Models() {
		details := append(m.Details(), Auto)
		for _, d := range details {
			if d == Low && m.Vendor == openAI {
				continue // which is the wish for a small picture
			}
			got := m.Fit(size, d)
			require.NoError(t, m.Check(size, d))
			if m.Vendor == alibaba {
				require.Less(t, max(abs(got.X-size.X), abs(got.Y-size.Y)), 17, "%s %s: %v", m.Name, d, got)
				continue
			}
			require.Equal(t, size, got, "%s %s", m.Name, d)
		}
	}
}

func abs(v int) int { return max(v, -v) }

func TestPadded(t *testing.T) {
	m, _ := Lookup("claude-opus-4-1")
	rule := m.rule.(squares)
	require.Equal(t, image.Pt(924, 1316), rule.padded(m.Fit(image.Pt(1075, 1520), Auto)))
	require.Equal(t, image.Pt(1288, 728), rule.padded(m.Fit(image.Pt(1280, 720), Auto)))
}

func TestLookup(t *testing.T) {
	tests := map[string]string{ // name to row
		"gpt-4o":                            "gpt-4o",
		"gpt-4o-2024-08-06":                 "gpt-4o",
		"GPT-4o":                            "gpt-4o",
		"openai/gpt-4o":                     "gpt-4o",
		"chatgpt-4o-latest":                 "gpt-4o",
		"gpt-4o-mini":                       "gpt-4o-mini",
		"gpt-4o-mini-2024-07-18":            "gpt-4o-mini",
		"gpt-4.1":                           "gpt-4o",
		"gpt-4.1-mini-2025-04-14":           "gpt-5-mini",
		"o1-pro":                            "o3",
		"o4-mini":                           "o4-mini",
		"gpt-5":                             "gpt-5",
		"gpt-5-chat-latest":                 "gpt-5",
		"gpt-5-mini":                        "gpt-5-mini",
		"gpt-5.4":                           "gpt-5.4",
		"gpt-5.4-nano":                      "gpt-5-nano",
		"gpt-5.6-sol":                       "gpt-5.6",
		"gpt-6-astra":                       "gpt-5.6",
		"gpt-5.9":                           "unknown",
		"gpt-4":                             "unknown",
		"gpt-4omni":                         "unknown",
		"claude-3-5-sonnet-20241022":        "claude-standard",
		"claude-3.5-sonnet":                 "claude-standard",
		"claude-opus-4-6":                   "claude-standard",
		"claude-haiku-4-5-20251001":         "claude-standard",
		"claude-opus-4-7":                   "claude-high",
		"anthropic/claude-opus-4.7":         "claude-high",
		"us.anthropic.claude-opus-4-8-v1:0": "claude-high",
		"claude-sonnet-5-5":                 "claude-high",
		"claude-sonnet-4-5@20250929":        "claude-standard",
		"claude-opus-9":                     "unknown",
		"models/gemini-2.5-flash-preview-09-2025": "gemini-2",
		"gemini-3.8-flash":                        "gemini-3",
		"gemini-3-pro-preview":                    "gemini-3",
		"Qwen/Qwen2.5-VL-7B-Instruct":             "qwen2.5-vl",
		"qwen-vl-max":                             "qwen2.5-vl",
		"qwen3-vl-235b-a22b-thinking":             "qwen3-vl",
		"":                                        "unknown",
		"MODEL":                                   "unknown",
	}
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			m, ok := Lookup(name)
			require.Equal(t, row, m.Row)
			require.Equal(t, row != "unknown", ok)
			require.Equal(t, name, m.Name, "the name as it was asked for")
		})
	}
}

// TestTable: every row says what it does, since when and where it was read.
func TestTable(t *testing.T) {
	seen := map[string]string{}
	for _, m := range Models() {
		t.Run(m.Name, func(t *testing.T) {
			require.NotEmpty(t, m.Rule)
			require.Equal(t, m.Row, m.Name)
			_, day := time.Parse("2006-01-02", m.AsOf)
			_, month := time.Parse("2006-01", m.AsOf)
			require.True(t, day == nil || month == nil, "date %q", m.AsOf)
			for _, p := range m.prefixes {
				require.Empty(t, seen[p], "prefix %s stands twice", p)
				seen[p] = m.Name
				require.Equal(t, strings.ToLower(p), p)
				got, ok := Lookup(p)
				require.True(t, ok)
				require.Equal(t, m.Row, got.Row)
			}
			if m.Row != "unknown" {
				require.True(t, strings.HasPrefix(m.Source, "https://"), m.Source)
				require.NotEmpty(t, m.Vendor)
			}
		})
	}
}

func TestParseDetail(t *testing.T) {
	for in, want := range map[string]Detail{"": Auto, "auto": Auto, "HIGH": High, "low": Low, "original": Original,
		"medium": Medium, "ultra_high": UltraHigh} {
		d, err := ParseDetail(in)
		require.NoError(t, err)
		require.Equal(t, want, d)
	}
	_, err := ParseDetail("best")
	require.ErrorContains(t, err, `image detail "best"`)
}

// TestDetailUnknown: a word that the model does not take means its default.
func TestDetailUnknown(t *testing.T) {
	m, _ := Lookup("gpt-4o")
	require.Equal(t, m.Fit(image.Pt(3000, 2000), High), m.Fit(image.Pt(3000, 2000), UltraHigh))
	m, _ = Lookup("gpt-5.4")
	require.Equal(t, m.Fit(image.Pt(3000, 2000), High), m.Fit(image.Pt(3000, 2000), Auto))
	m, _ = Lookup("gpt-5.5")
	require.Equal(t, m.Fit(image.Pt(3000, 2000), Original), m.Fit(image.Pt(3000, 2000), Auto))
	m, _ = Lookup("some-model-9")
	require.Equal(t, image.Pt(512, 288), m.Fit(image.Pt(1280, 720), Low))
}

func TestWord(t *testing.T) {
	tests := []struct {
		model string
		d     Detail
		word  string
		takes bool
	}{
		{"gpt-4o", "", "high", true}, {"gpt-4o", Auto, "high", true}, {"gpt-4o", Low, "low", true},
		{"gpt-4o", Original, "high", false},
		{"gpt-5.5", "", "original", true}, {"gemini-3-pro", UltraHigh, "ultra_high", true},
		{"gemini-2.5-pro", High, "", false},
		{"claude-opus-4-7", "", "", true}, {"claude-opus-4-7", High, "", false}, {"qwen3-vl", High, "", true},
		{"x", "", "", true},
	}
	for _, tt := range tests {
		m, _ := Lookup(tt.model)
		require.Equal(t, tt.word, m.Word(tt.d), "%s %s", tt.model, tt.d)
		require.Equal(t, tt.takes, m.Takes(tt.d), "%s %s", tt.model, tt.d)
	}
}

func TestCheck(t *testing.T) {
	tests := map[string]struct {
		model string
		size  image.Point
		want  string
	}{
		"patches": {"gpt-5.6", image.Pt(4800, 6401),
			"picture of 4800 x 6401 px for gpt-5.6: refused, it has 30150 patches of 32 px and 30000 are the most"},
		"patches just":    {"gpt-5.6", image.Pt(4800, 6400), ""},
		"patches shrunk":  {"gpt-5.5", image.Pt(9000, 9000), ""},
		"side":            {"claude-opus-4-7", image.Pt(8001, 10), "refused over 8000 px a side"},
		"side just":       {"claude-opus-4-7", image.Pt(8000, 8000), ""},
		"aspect":          {"qwen3-vl", image.Pt(201*4, 4), "refused over 200 times as long as wide"},
		"nothing":         {"gpt-4o", image.Pt(0, 10), "it has no size"},
		"unknown: aspect": {"x", image.Pt(4000, 10), "refused over 200 times"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, _ := Lookup(tt.model)
			err := m.Check(tt.size, Auto)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestCheckBytes(t *testing.T) {
	m, _ := Lookup("claude-opus-4-7")
	require.NoError(t, m.CheckBytes(7<<20))
	require.ErrorContains(t, m.CheckBytes(8<<20),
		"picture of 8388608 bytes for claude-opus-4-7: refused, it is 11184812 bytes in base64 and 10485760 are the most")
	m, _ = Lookup("gemini-3-pro")
	require.ErrorContains(t, m.CheckBytes(16<<20), "20971520 are the most", "of the whole request")
	require.NoError(t, Model{}.CheckBytes(1<<40))
}

package profile

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/profiles"
)

func TestLookupRule(t *testing.T) {
	for name, c := range map[string]struct{ url, domain, version, want string }{
		"own":    {"https://www.shop.example/x", "shop.example", "v", "Saved for this host"},
		"port":   {"http://shop.example:8080/", "shop.example_8080", "v", "Saved for this host"},
		"host":   {"http://shop.example:8080/", "shop.example", "v", "Saved for this host, any port"},
		"parent": {"https://a.shop.example/", "shop.example", "v", "Saved for the parent domain of a.shop.example"},
		"none": {"https://a.shop.example:1/", "a.shop.example_1", "",
			"Looked for a.shop.example_1, a.shop.example, shop.example"},
		"no url": {"about:blank", "x", "v", ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want,
				lookupRule(c.url, &profiles.File{Domain: c.domain, Version: profiles.Version(c.version)}))
		})
	}
}

func TestRecipesOfAProfile(t *testing.T) {
	p, _ := profiles.Parse("# a\n## Recipes\n### Sign in:\n```json\n{\"steps\":[]}\n```\nas prose\n```\n[{\"goto\":\"x\"}]\n```\n```js\n{}\n```\n```json\nnot\n```\n```json\n{\"never\":\"closed\"}\n")
	require.Equal(t, []Recipe{{Name: "Sign in", Line: 4, Steps: `{"steps":[]}`}, {Name: "as prose", Line: 8, Steps: `[{"goto":"x"}]`}}, recipes(p))
	p, _ = profiles.Parse("## Quirks\n```json\n{}\n```\n")
	require.Empty(t, recipes(p))
}

func TestCheckOfAProfile(t *testing.T) {
	count := func(s string) int { return len(s) }
	turn := core.NewTurn(1, "goto", coretest.Checkout(), nil, nil)
	c := checkProfile(CheckProfile{Text: "---\nfilter:\n  - .a)\n  - dialog\nredact:\n  - pattern: Checkout\n---\n# a\n## Odd\n- x\n## Quirks\n- y\n", Seq: 4, Turn: turn, Format: "dddk"}, count, time.Time{})
	require.Equal(t, 4, c.Seq)
	require.Equal(t, []Section{{Name: profileFront, Line: 1, Size: 3}, {Name: "Environment"}, {Name: "Quirks", Line: 11, Size: 1},
		{Name: "Strategies"}, {Name: "Regions"}, {Name: "Recipes"}, {Name: "Odd", Line: 9, Size: 1}}, c.Outline)
	require.NotZero(t, c.Fatal)
	for i := 1; i < len(c.Rows); i++ {
		require.LessOrEqual(t, c.Rows[i-1].Line, c.Rows[i].Line)
	}
	said := 0
	for _, r := range c.Rows {
		if r.Line == 3 {
			said++
		}
	}
	require.Equal(t, 1, said, "what lint refuses is told once")
	require.Contains(t, c.Rows, Row{Line: 4, Text: "filter dialog: 1 element matches, 3 that are kept now are left out"})
	require.Equal(t, 3, c.Effect.Counts.Went, "a rule that cannot be tried does not stop the others")
	require.NotZero(t, c.Redacted)

	none := checkProfile(CheckProfile{Format: "dddk"}, count, time.Time{})
	require.Zero(t, none.Problems, "an empty text is no mistake yet")
	bad := checkProfile(CheckProfile{Turn: turn, Format: "no-such"}, count, time.Time{})
	require.Nil(t, bad.Effect)
	require.Contains(t, bad.Why, "cannot be tried")
}

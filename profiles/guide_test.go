package profiles

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRules: the example has every rule and is without fault, commented it has none, and the page in docs shows it.
func TestRules(t *testing.T) {
	p, problems := Parse(Rules)
	require.Empty(t, problems)
	require.Empty(t, p.Broken())
	for _, key := range ruleKeys {
		require.Contains(t, Rules, "\n"+key+":")
	}
	require.Len(t, p.Front.Filter, 1)
	require.Len(t, p.Front.Redact, 2)
	require.Equal(t, "#app main", p.Front.Wait.For)
	require.Len(t, p.Front.Facts, 1)

	require.Equal(t, ruleKeys, RuleNames())
	require.Equal(t, "filter:                       # left out of every text, with its contents\n  - .global-nav\n",
		RuleExample("filter"))
	require.Empty(t, RuleExample("x"))

	text := CommentedRules() + "# shop.example\n"
	p, problems = Parse(text)
	require.Empty(t, problems)
	require.Empty(t, Lint(text, time.Time{}))
	require.True(t, p.Fenced)
	require.Empty(t, p.Front.Filter)
	require.Empty(t, p.Front.Redact)
	require.Equal(t, text, p.Text(), "nothing of it is lost")
	uncommented := strings.ReplaceAll(text, "\n# ", "\n")
	require.Equal(t, Rules+"shop.example\n", uncommented)

	page, err := os.ReadFile("../docs/profiles.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "```yaml\n"+Rules)
	guide, err := os.ReadFile("../assets/skill/SKILL.md")
	require.NoError(t, err)
	require.Contains(t, string(guide), "```text\n"+Rules+"```\n", "an agent that writes a profile reads the rules too")
}

package profiles

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	harmless "github.com/refscope/refscope/snapshot/text"
)

const sample = `---
filter:                       # not for agents
  - .global-nav
  - #newsletter
  - "a[href='#x']"
redact:
  - selector: .balance
  - pattern: ACME-(\d{8})
wait:
  quiet: 500ms
  max: 8s
  network: 300ms
  for: "#app main"
facts:
  - 2026-11-02 main content is in #content
  - the footer is lazy
owner: web team
  - second line
# a remark
---
# shop.example
Updated: 2026-11-02

## Environment
React 19

## Quirks
- cookie banner
` + "```\n## not a section\n```\n" + `
## Odd
x
`

// filters are the selectors of the host filters.
func filters(p *Profile) []string {
	var out []string
	for _, r := range p.Front.Filter {
		out = append(out, r.Text)
	}
	return out
}

func TestParse(t *testing.T) {
	p, problems := Parse(sample)
	require.Equal(t, []string{".global-nav", "#newsletter", "a[href='#x']"}, filters(p))
	selectors, patterns := p.Redactions()
	require.Equal(t, []string{".balance"}, selectors)
	require.Equal(t, []string{`ACME-(\d{8})`}, patterns)
	require.Equal(t, Wait{500 * time.Millisecond, 8 * time.Second, 300 * time.Millisecond, "#app main", 13}, p.Front.Wait)
	require.Equal(t, "main content is in #content", p.Front.Facts[0].Text)
	require.Equal(t, time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC), p.Front.Facts[0].Verified)
	require.True(t, p.Front.Facts[1].Verified.IsZero())
	require.Equal(t, []Extra{{"?", "owner: web team"}, {"?", "  - second line"}, {"?", "# a remark"}}, p.Front.Extra)
	require.Len(t, problems, 1)
	require.Equal(t, 17, problems[0].Line)
	require.Equal(t, "# shop.example\nUpdated: 2026-11-02\n\n", p.Preamble)
	names := []string{}
	for _, s := range p.Sections {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"Environment", "Quirks", "Odd"}, names)
	require.Equal(t, 24, p.Section("environment").Line)
	require.Contains(t, p.Section("Quirks").Body, "## not a section")
	require.Nil(t, p.Section("Recipes"))
}

func TestTextHasAllThatWasParsed(t *testing.T) {
	for name, text := range map[string]string{
		"sample": sample, "plain": "# x\n\ntext\n", "empty": "", "no line break": "## Quirks",
		"crlf":        "---\r\nfilter:\r\n  - .a\r\n---\r\n# x\r\n",
		"empty front": "---\n---\nx", "open front": "---\nfilter:\n", "template": Template("a.example", time.Unix(0, 0)),
	} {
		t.Run(name, func(t *testing.T) {
			again := roundTrip(t, text)
			for _, word := range strings.Fields(normal(text)) {
				if word == "#" || word == "not" || word == "for" || word == "agents" { // a comment behind a value
					continue
				}
				require.Contains(t, again, strings.Trim(word, `"`))
			}
		})
	}
}

// roundTrip checks that text and profile say the same.
func roundTrip(t *testing.T, text string) string {
	t.Helper()
	p, _ := Parse(text)
	once := p.Text()
	q, _ := Parse(once)
	require.Equal(t, once, q.Text(), "formatting again changes nothing")
	require.Equal(t, filters(p), filters(q))
	ps, pp := p.Redactions()
	qs, qp := q.Redactions()
	require.Equal(t, ps, qs)
	require.Equal(t, pp, qp)
	require.Equal(t, p.Front.Wait.For, q.Front.Wait.For)
	require.Equal(t, p.Front.AllowSecrets, q.Front.AllowSecrets)
	require.ElementsMatch(t, p.Front.Extra, q.Front.Extra)
	require.Len(t, q.Sections, len(p.Sections))
	for i := range p.Front.Facts {
		require.Equal(t, p.Front.Facts[i].Text, q.Front.Facts[i].Text)
		require.Equal(t, p.Front.Facts[i].Verified, q.Front.Facts[i].Verified)
	}
	return once
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{sample, "", "---\n---\n", "---\nfilter:\n  - 'a''b'\n  - \"\\u0007\"\n---\n",
		"---\nwait:\n  max: 1h\n---\n## A\n## B", "---\nfacts:\n- 2026-01-01\n---\n", "## a\n\t## b\n~~~\n## c\n~~~~\n",
		"---\nredact:\n  - pattern: a # b\n---"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		roundTrip(t, text)
		for _, p := range Lint(text, time.Time{}) {
			require.Positive(t, p.Line)
			require.LessOrEqual(t, p.Line, strings.Count(normal(text), "\n")+1)
			require.False(t, strings.Contains(p.Text, "\n") || harmless.HasHidden(p.Text), "not one harmless line: %q", p.Text)
		}
	})
}

func TestLint(t *testing.T) {
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"all well":   {"---\nfilter:\n  - .a\nfacts:\n  - 2026-11-01 x\n---\n# x\n\n## Quirks\n- y\n", nil},
		"open front": {"---\nfilter:\n", []string{"line 1: the front matter has no end"}},
		"no front": {"# x\nfilter: .a\nredact: #b\n```\nwait: x\n```\n## Quirks\nfacts: y\n", []string{
			"line 2: filter stands outside of the front matter", "line 3: redact stands outside of the front matter"}},
		"below the front": {"---\nfilter:\n  - .a\n---\nredact:\n  - selector: .b\n", []string{
			"line 5: redact stands outside of the front matter"}},
		"unknown key": {"---\nfilters:\n  - .a\n---\n# x\n", []string{`line 2: the key "filters" is not known`}},
		"no entry":    {"---\nfilter\n---\n# x\n", []string{`line 2: "filter" is not an entry`}},
		"bad selectors": {"---\nfilter:\n  - .a)\n  - div >\n  - a{b}\n  - .1a\n  - body\n---\n# x\n",
			[]string{"line 3: ", "line 4: ", "line 5: ", "line 6: ", "line 7: filter \"body\" leaves out the whole page"}},
		"bad redactions": {"---\nredact:\n  - .x\n  - pattern: (\n  - pattern: x*\n---\n# x\n",
			[]string{"line 3: a redaction is", "line 4: redact: pattern", "line 5: redact: pattern"}},
		"bad waits": {"---\nwait:\n  quiet: 5\n  sleep: 5s\n  max: 1s\n---\n# x\n",
			[]string{`line 3: quiet is a time such as`, `line 4: wait knows`}},
		"quiet above max": {"---\nwait:\n  quiet: 5s\n  max: 1s\n---\n# x\n",
			[]string{"line 3: the page must be quiet for 5s"}},
		"facts": {"---\nfacts:\n  - 2020-01-01 old\n  - undated\n  - 2027-01-01 early\n  - 2026-11-01\n---\n# x\n",
			[]string{"line 3: the fact was last verified", "line 4: the fact has no day",
				"line 5: the fact was last verified in the future", "line 6: the fact has a day and no text"}},
		"sections": {"# x\n## Quirks\n## quirks\na\n## Trivia\nb\n",
			[]string{`line 2: section "Quirks" is empty`, `line 3: there is a section "quirks" already in line 2`,
				`line 5: section "Trivia" is not one of Environment`}},
		"nothing": {"", []string{"line 1: the profile has no text"}},
		"a secret": {"# x\n## Recipes\nlogin with ghp_16C7e42F292c6912E7710c838347Ae178B4a\n",
			[]string{"line 3: the line holds what looks like a secret"}},
		"allow secrets": {"---\nallow-secrets: true\n---\n# x\n", []string{"line 2: answers to agents may hold"}},
		"hidden text": {"# x \u202e evil\n# \U000e0041\n",
			[]string{"line 1: the line has control, direction or", "line 2: the line has control"}},
		"byte order mark": {"\ufeff# x\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := Lint(c.text, now)
			require.Len(t, got, len(c.want), "%v", got)
			for i, p := range got {
				require.True(t, strings.HasPrefix(p.String(), c.want[i]), "%s", p)
			}
		})
	}
}

func TestTemplateIsAProfile(t *testing.T) {
	p, problems := Parse(Template("shop.example", time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)))
	require.Empty(t, problems)
	require.Len(t, p.Sections, 5)
	require.Empty(t, Lint(p.Text(), time.Time{}))
}

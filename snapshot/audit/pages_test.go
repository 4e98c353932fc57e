package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// The pages in testdata/pages say themselves what is to be found: data-find names the
// rules that find the element, data-not those that it looks like a case of and is none.
// Beside each lies its capture; go generate makes them anew:
//
//go:generate sh -c "for f in testdata/pages/*.html; do go run ../../cmd/refscopectl snap --quiet --format capture --all $DOLLAR{f} > $DOLLAR{f%.html}.json; done"

func readPage(t testing.TB, name string) *snapshot.Capture {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "pages", name+".json"))
	require.NoError(t, err)
	c := &snapshot.Capture{}
	require.NoError(t, json.Unmarshal(data, c))
	return c
}

// score is how a rule does on the pages.
type score struct{ found, missed, wrong int }

// TestRulesOnPages: everything marked is found, and nothing else of the rules that a page
// is about.
func TestRulesOnPages(t *testing.T) {
	scores := map[string]*score{}
	of := func(rule string) *score {
		if scores[rule] == nil {
			scores[rule] = &score{}
		}
		return scores[rule]
	}
	for _, name := range []string{"words", "controls", "secrets", "pictures", "canvas"} {
		c := readPage(t, name)
		r, err := Run(c, Options{Personal: true, PerRule: -1})
		require.NoError(t, err)
		tree := snapshot.NewTree(c)
		about := map[string]bool{}
		type mark struct {
			rule string
			node int
		}
		want, found := map[mark]bool{}, map[mark]bool{}
		for p := range c.Nodes {
			n := &c.Nodes[p]
			for _, rule := range strings.Fields(n.Attr("data-find")) {
				_, known := RuleByID(rule)
				require.True(t, known, rule)
				about[rule], want[mark{rule, n.I}] = true, true
			}
			for _, rule := range strings.Fields(n.Attr("data-not")) {
				about[rule] = true
			}
		}
		for _, f := range r.Findings {
			if !about[f.Rule] {
				continue
			}
			at := mark{f.Rule, f.Node}
			if !want[at] { // what is inside, or around, a marked element stands for it
				for up := range tree.Ancestors(f.Node) {
					if want[mark{f.Rule, up.I}] {
						at.node = up.I
						break
					}
				}
			}
			if want[at] {
				found[at] = true
				continue
			}
			of(f.Rule).wrong++
			t.Errorf("%s: %s found wrongly: %s %s", name, f.Rule, f.Sentence, f.Evidence)
		}
		for m := range want {
			if found[m] {
				of(m.rule).found++
			} else {
				of(m.rule).missed++
				n := c.Node(m.node)
				t.Errorf("%s: %s not found on <%s> %q (verdict %s, %s, ink %+v)", name, m.rule, n.Tag, n.Text, n.Verdict,
					n.Evidence, n.Ink)
			}
		}
	}
	all := score{}
	for _, r := range Rules() {
		s := scores[r.ID]
		if s == nil {
			continue
		}
		all = score{all.found + s.found, all.missed + s.missed, all.wrong + s.wrong}
		t.Logf("%-18s %2d found, %d missed, %d wrong", r.ID, s.found, s.missed, s.wrong)
	}
	precision := float64(all.found) / float64(all.found+all.wrong)
	recall := float64(all.found) / float64(all.found+all.missed)
	t.Logf("precision %.3f, recall %.3f on %d cases", precision, recall, all.found+all.missed)
	require.Equal(t, 1.0, precision)
	require.Equal(t, 1.0, recall)
}

// TestEveryRuleHasACase: on the pages, or in the tests named here.
func TestEveryRuleHasACase(t *testing.T) {
	cases := map[string]bool{}
	for _, name := range []string{"words", "controls", "secrets", "pictures", "canvas"} {
		for _, n := range readPage(t, name).Nodes {
			for _, rule := range strings.Fields(n.Attr("data-find")) {
				cases[rule] = true
			}
		}
	}
	// TestMoment, TestControlMissing, TestLoaded
	for _, rule := range []string{FailedLayer, PageLimit, TornMoment, Unsettled, StaleProfile, ControlMissing, FailedRequest,
		PendingRequest} {
		cases[rule] = true
	}
	for _, r := range Rules() {
		require.True(t, cases[r.ID], r.ID)
		require.NotEmpty(t, r.Title)
		require.NotEmpty(t, r.Why)
		require.NotEmpty(t, r.Action)
		require.Less(t, r.Worst.Rank(), 3)
	}
	ids := []string{}
	for _, r := range Rules() {
		require.False(t, slices.Contains(ids, r.ID), r.ID)
		ids = append(ids, r.ID)
	}
}

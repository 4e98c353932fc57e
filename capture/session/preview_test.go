package session_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/whatif"
	"github.com/stretchr/testify/require"
)

// ruleChange is a profile that a page was captured with, and the one that it is changed to.
type ruleChange struct{ before, after string }

// ruleChanges are ten changes of rules that a person may make on the page.
func ruleChanges(c *snapshot.Capture, r *rand.Rand) []ruleChange {
	var nodes []*snapshot.Node
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Verdict.Kept() && n.Parent > 1 && n.Frame == 0 && n.Shadow == "" {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	plain := regexp.MustCompile(`^[A-Za-z][\w-]*$`)
	selector := func() string {
		for range 50 {
			n := nodes[r.IntN(len(nodes))]
			class, _, _ := strings.Cut(strings.TrimSpace(n.Attrs["class"]), " ")
			switch k := r.IntN(5); {
			case k == 0 && plain.MatchString(n.Attrs["id"]):
				return "#" + n.Attrs["id"]
			case k <= 1 && plain.MatchString(class):
				return "." + class
			case k <= 2 && plain.MatchString(n.Tag):
				return n.Tag
			case k == 3 && plain.MatchString(n.Tag):
				return n.Tag + ":nth-child(2n)"
			case k == 4 && n.Role != "" && n.Attrs["href"] != "":
				return "a[href]"
			}
		}
		return nodes[0].Tag
	}
	word := regexp.MustCompile(`[A-Za-z]{4,12}`)
	pattern := func() string {
		for range 50 {
			if w := word.FindString(nodes[r.IntN(len(nodes))].Text); w != "" {
				return w
			}
		}
		return "the"
	}
	filter := func(list ...string) string { return "filter:\n  - '" + strings.Join(list, "'\n  - '") + "'\n" }
	redact := func(list ...string) string {
		return "redact:\n  - selector: '" + strings.Join(list, "'\n  - selector: '") + "'\n"
	}
	redactPattern := func(p string) string { return "redact:\n  - pattern: '" + p + "'\n" }
	old, kept := filter(selector()), redact(selector())
	return []ruleChange{
		{"", filter(selector())},
		{"", filter(selector(), selector())},
		{"", redact(selector())},
		{"", redact(selector())},
		{"", redactPattern(pattern())},
		{"", redactPattern(`(?i)\b` + pattern() + `\w*`)},
		{"", filter(selector()) + redact(selector())},
		{old, ""},
		{old, filter(selector())},
		{kept, redact(selector())},
	}
}

// TestPreviewIsTheCapture: what a change of rules makes of a recorded page is, byte for byte in every format, what the
// page is captured as with these rules; or the trial says that it cannot be known from the recording.
func TestPreviewIsTheCapture(t *testing.T) {
	testneed.Long(t, "previews")
	every := testneed.Cases(2, 2, 1)
	pages, tried, same, unknown, differ := 0, 0, 0, 0, 0
	for _, kind := range testpages.Kinds() {
		for _, folder := range testpages.Folders(t, kind) {
			root := chrometest.Folder(t, folder.Path)
			tab := chrome.Tab(t)
			for k, name := range folder.Pages(t) {
				if k%every != 0 {
					continue
				}
				t.Run(name, func(t *testing.T) {
					require.NoError(t, tab.Navigate(chrometest.Context(t), root+name), name)
					pages++
					p := &previewed{tab: tab, ledger: turn.NewLedger(), base: map[string]*snapshot.Capture{}}
					seed := fnv.New64a()
					seed.Write([]byte(name))
					for _, change := range ruleChanges(p.take(t, ""), rand.New(rand.NewPCG(seed.Sum64(), 1))) {
						tried++
						why, known := p.compare(t, change)
						for again := 0; why != "" && again < 2; again++ { // some pages change by themselves
							clear(p.base)
							why, known = p.compare(t, change)
						}
						switch {
						case !known:
							unknown++
						case why == "":
							same++
						default:
							differ++
							t.Errorf("%s: from %q to %q: %s", name, change.before, change.after, why)
						}
					}
				})
			}
		}
	}
	t.Logf("%d pages, %d changes of rules: %d previews are the capture, %d say that they cannot know, %d differ",
		pages, tried, same, unknown, differ)
	require.Greater(t, same, tried/2)
}

// previewed is a page that rules are tried on.
type previewed struct {
	tab    *browser.Tab
	ledger *turn.Ledger
	base   map[string]*snapshot.Capture // by profile
}

// take captures the page with a profile, "" for none.
func (p *previewed) take(t *testing.T, rules string) *snapshot.Capture {
	o := session.Options{NoPicture: true, Number: func(c *snapshot.Capture) {
		p.ledger.Assign("page", p.ledger.NextTurn(), c)
	}}
	if rules != "" {
		o.Profile = &profiles.File{Domain: "127.0.0.1", Text: "---\n" + rules + "---\n"}
	}
	return take(t, p.tab, o).Capture
}

// compare is the first difference between the preview and the capture, "" for none. known: the preview does not say
// that it cannot know.
func (p *previewed) compare(t *testing.T, change ruleChange) (why string, known bool) {
	before := p.base[change.before]
	if before == nil {
		before = p.take(t, change.before)
		p.base[change.before] = before
	}
	profile, problems := profiles.Parse("---\n" + change.after + "---\n")
	require.Empty(t, problems)
	trial := profile.Try(before)
	if len(trial.Unknown) > 0 {
		return "", false
	}
	after := p.take(t, change.after)
	for _, name := range format.Names() {
		setup := whatif.Setup{Drop: trial.Drop}
		preview, err := whatif.Between(before, trial.Capture, name, whatif.Setup{}, setup)
		require.NoError(t, err)
		real, err := format.Render(after, name, format.Options{})
		require.NoError(t, err)
		if a, b := preview.After.Text, real.Text; a != b {
			return fmt.Sprintf("%s: %s%s", name, firstDifference(a, b), differentNode(trial.Capture, after)), true
		}
	}
	return "", true
}

// firstDifference is the first line in which texts differ, of each.
func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(la), len(lb)) {
		if la[i] != lb[i] {
			at := 0
			for at < min(len(la[i]), len(lb[i])) && la[i][at] == lb[i][at] {
				at++
			}
			at = max(0, at-80)
			return fmt.Sprintf("line %d:\n  preview %.300s\n  capture %.300s", i+1, la[i][at:], lb[i][at:])
		}
	}
	return fmt.Sprintf("%d lines, %d in the capture", len(la), len(lb))
}

// differentNode is the first element that both keep and that differs, of each.
func differentNode(a, b *snapshot.Capture) string {
	for i := range min(len(a.Nodes), len(b.Nodes)) {
		one, two := a.Nodes[i], b.Nodes[i]
		if !one.Verdict.Kept() || !two.Verdict.Kept() {
			continue
		}
		one.Redacted, two.Redacted, one.Evidence, two.Evidence = nil, nil, "", ""
		x, errx := json.Marshal(one)
		y, erry := json.Marshal(two)
		if errx == nil && erry == nil && string(x) != string(y) {
			return fmt.Sprintf("\n  preview %.1200s\n  capture %.1200s", x, y)
		}
	}
	return ""
}

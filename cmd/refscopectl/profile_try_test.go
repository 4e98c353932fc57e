package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/whatif"
	"github.com/stretchr/testify/require"
)

// shopCapture is a recorded page as a file: an advertisement, a price, a customer's
// number, a landmark with a name that would like to write to a terminal.
func shopCapture(t *testing.T) string {
	t.Helper()
	c := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://www.shop.example/cart", Title: "Cart",
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true, URL: "https://www.shop.example/cart"}}}
	add := func(parent int, tag, class, text string, verdict snapshot.Verdict, ref int) {
		n := snapshot.Node{I: len(c.Nodes), Parent: parent, Tag: tag, Verdict: verdict, Ref: ref, Visible: true,
			InViewport: true, Box: snapshot.Box{0, 0, 90, 20}, Text: text}
		if class != "" {
			n.Attrs = map[string]string{"class": class}
		}
		if text != "" {
			n.Runs = []snapshot.Run{{Text: text, Before: -1}}
		}
		if tag == "button" {
			n.Role, n.Name, n.Interactive = "button", text, []string{"native"}
		}
		c.Nodes = append(c.Nodes, n)
	}
	add(-1, "html", "", "", snapshot.VerdictWrapper, 0)
	add(0, "body", "", "", snapshot.VerdictWrapper, 0)
	add(1, "nav", "ads", "", snapshot.VerdictRef, 1)
	add(2, "button", "", "Buy now", snapshot.VerdictRef, 2)
	add(1, "p", "sum", "Total 4711", snapshot.VerdictContent, 0)
	add(1, "p", "", "ACME-12345678 \x1b[31m", snapshot.VerdictContent, 0)
	add(1, "button", "", "Pay", snapshot.VerdictRef, 3)
	c.Nodes[2].Role = "navigation"
	c.Page.Landmarks = []snapshot.Landmark{{Node: 2, Role: "navigation", Name: "Main \x1b[31m`"}}
	c.Verdicts = c.CountVerdicts()
	data, err := json.Marshal(c)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "cart.json")
	require.NoError(t, os.WriteFile(name, data, 0o600))
	return name
}

const shopProfile = "---\nfilter:\n  - .ads\nredact:\n  - selector: .sum\n  - pattern: ACME-(\\d{8})\n---\n# " +
	"shop.example\n"

func TestProfileTry(t *testing.T) {
	emptyHome(t)
	target := shopCapture(t)
	code, _, errs := ctl(t, "profile", "try", target)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "shop.example")
	require.Contains(t, errs, "--file")

	tried := file(t, shopProfile)
	out := well(t, "profile", "try", target, "--file", tried)
	for _, line := range []string{
		"line 3: filter .ads: 1 element matches, 2 that are kept now are left out\n",
		"line 5: redact selector .sum: 1 element matches, the content of 1 that are kept is withheld\n",
		"line 6: redact pattern ACME-(\\d{8}): 1 text matches\n",
		"! <p> text: \"[redacted]\" # line 5\n",
		"ACME-[redacted]",
		"Buy now",
		"# filtered: .ads\n",
		"~ [redacted] → <p>[redacted]</p>\n",
	} {
		require.Contains(t, out, line)
	}
	require.NotContains(t, out, "4711", "what would be withheld is not shown")
	require.NotContains(t, out, "12345678")
	require.NotContains(t, out, "\x1b")
	code, _, _ = ctl(t, "profile", "show", "shop.example")
	require.Equal(t, 1, code, "nothing was saved")

	well(t, "profile", "write", "shop.example", tried)
	var answer struct {
		Profile   string
		Problems  []profiles.Problem
		Rules     []profiles.RuleTrial
		Redacted  []profiles.Redacted
		Lines     []whatif.LineChange
		Unchanged int
	}
	require.NoError(t, json.Unmarshal([]byte(well(t, "--json", "profile", "try", target)), &answer))
	require.Equal(t, profiles.Home(os.Getenv("REFSCOPE_HOME")).Path("shop.example"), answer.Profile)
	require.Len(t, answer.Rules, 3)
	require.Len(t, answer.Redacted, 2)
	require.NotEmpty(t, answer.Lines)
	for _, l := range answer.Lines {
		require.NotContains(t, l.From, "4711")
	}
	require.Positive(t, answer.Unchanged)

	code, out, _ = ctl(t, "profile", "try", target, "--file",
		file(t, "---\nfilter:\n  - nav:hover\n  - .ads\n---\n# x\n"))
	require.Equal(t, 1, code, "a rule could not be tried")
	require.Contains(t, out, "line 3: filter nav:hover: it cannot be tried here")
	require.Contains(t, out, "# filtered: .ads\n", "the others are tried all the same")

	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a live page": {[]string{"profile", "try", "https://shop.example/"}, "is not recorded"},
		"a format":    {[]string{"profile", "try", target, "--format", "xml"}, `unknown format "xml"`},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := ctl(t, c.args...)
			require.Equal(t, 2, code)
			require.Contains(t, errs, c.want)
		})
	}
}

func TestProfileNewOfARecordedPage(t *testing.T) {
	emptyHome(t)
	target := shopCapture(t)
	out := well(t, "profile", "new", target)
	require.Contains(t, out, "# shop.example\nUpdated: ")
	require.Contains(t, out, "- navigation `\"Main")
	require.Contains(t, out, ": `nav`\n")
	require.NotContains(t, out, "\x1b")
	code, _, _ := ctl(t, "profile", "show", "shop.example")
	require.Equal(t, 1, code, "it was only printed")

	require.Contains(t, well(t, "profile", "new", target, "--save", "--strict"), "shop.example.md")
	require.Equal(t, out, well(t, "profile", "show", "shop.example"))
	code, _, errs := ctl(t, "profile", "new", target, "--save")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "there is a profile of shop.example already")
	code, _, errs = ctl(t, "profile", "new", filepath.Join(t.TempDir(), "no.json"))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "no.json")
}

func TestProfileNewOfALivePage(t *testing.T) {
	needChrome(t)
	emptyHome(t)
	out := well(t, "profile", "new", page(t,
		`<!doctype html><title>x</title><header><h1>Shop</h1></header><nav id="site-nav"><a `+
			`href="#">a</a></nav><main>text</main>`))
	require.Contains(t, out, "# 127.0.0.1\n")
	require.Contains(t, out, "- banner: `header`\n- navigation: `#site-nav`\n- main: `main`\n")

	code, out, errs := ctl(t, "profile", "new", "https://no-such-host.invalid/")
	require.Equal(t, 0, code)
	require.Contains(t, out, "# no-such-host.invalid\n")
	require.Contains(t, errs, "could not be captured")
}

// TestProfileTryAgreesWithTheNextCapture: what is redacted offline is what the page's
// next capture redacts.
func TestProfileTryAgreesWithTheNextCapture(t *testing.T) {
	needChrome(t)
	home, _ := emptyHome(t)
	shop := page(t,
		`<!doctype html><title>ACME-87654321</title><h1>Account of ACME-12345678</h1>
<nav class=ads><a href="#">Buy now</a></nav>
<div class=sum title="balance in cents">Total <b>4711.20 EUR</b>
<input value="Ada Lovelace" aria-label="owner name"></div>
<button>Pay 4711.20 EUR</button><p>14711.20 EUR is another sum <a href="/c/ACME-00000001">see</a></p>`)
	recorded := file(t, well(t, "--quiet", "snap", "--format", "capture", "--all", shop)) + ".json"
	require.NoError(t, os.Rename(recorded[:len(recorded)-len(".json")], recorded))
	before, err := target.ReadCapture(recorded)
	require.NoError(t, err)
	p, problems := profiles.Parse(shopProfile)
	require.Empty(t, problems)
	tried := p.Try(before.Capture).Capture

	dir := filepath.Join(home, "profiles")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "127.0.0.1.md"), []byte(shopProfile), 0o600))
	next := &snapshot.Capture{}
	require.NoError(t, json.Unmarshal([]byte(well(t, "--quiet", "snap", "--format", "capture", "--all", shop)), next))
	require.Len(t, tried.Nodes, len(next.Nodes))
	require.Equal(t, next.Title, tried.Title)
	for i := range next.Nodes {
		want, got := &next.Nodes[i], &tried.Nodes[i]
		require.Equal(t, want.Tag, got.Tag)
		if want.Verdict == snapshot.VerdictFiltered { // it has no name: whatif.Filter has the last word
			continue
		}
		require.Equal(t, want.Text, got.Text, "text of %d <%s>", i, want.Tag)
		require.Equal(t, want.Value, got.Value, "value of %d <%s>", i, want.Tag)
		require.Equal(t, want.Name, got.Name, "name of %d <%s>", i, want.Tag)
		require.Equal(t, want.Attrs, got.Attrs, "attributes of %d <%s>", i, want.Tag)
	}
	require.NotContains(t, tried.Nodes[len(tried.Nodes)-1].Attrs["href"], "00000001")
}

package format_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
)

var update = flag.Bool("update", false, "rewrite the expected parts of the archives")

// TestGolden renders the page of each archive, those in the folders of formats too, and compares it with every other
// file in it. A file's name is the format and its options: "dddk", "dddk compat",
// "dddk max=120 covered", "semantic noprune"; "omitted dddk compat" lists what that
// rendering left out.
func TestGolden(t *testing.T) {
	for _, file := range pagetest.GoldenFiles(t) {
		t.Run(pagetest.GoldenName(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Equal(t, "page", a.Files[0].Name)
			c := pagetest.Parse(t, string(a.Files[0].Data))
			for i := range a.Files[1:] {
				f := &a.Files[i+1]
				spec, omitted := strings.CutPrefix(f.Name, "omitted ")
				name, o := optionsOf(t, spec)
				ariaRoot(t, c, spec, &o)
				d, err := format.Render(c, name, o)
				require.NoError(t, err)
				readback.CheckDocument(t, c, d)
				got := d.Text + "\n"
				if omitted {
					got = omissions(c, d)
				}
				if *update {
					f.Data = []byte(got)
					continue
				}
				require.Equal(t, string(f.Data), got, "%s: %s (go test -update rewrites it)", file, f.Name)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
			}
		})
	}
}

// optionsOf reads the options from a golden file's name.
func optionsOf(t *testing.T, spec string) (dump.Format, format.Options) {
	var o format.Options
	words := strings.Fields(spec)
	for _, w := range words[1:] {
		key, v, _ := strings.Cut(w, "=")
		switch key {
		case "compat":
			o.Compat = true
		case "max":
			n, err := strconv.Atoi(v)
			require.NoError(t, err)
			o.MaxChars = n
		case "tokens":
			n, err := strconv.Atoi(v)
			require.NoError(t, err)
			o.MaxTokens = n
		case "nodes":
			n, err := strconv.Atoi(v)
			require.NoError(t, err)
			o.MaxNodes = n
		case "repeats":
			o.SummariseRepeats = true
		case "query": // words joined by +
			o.Query = strings.ReplaceAll(v, "+", " ")
		case "found":
			n, err := strconv.Atoi(v)
			require.NoError(t, err)
			o.QueryNodes = n
		case "covered":
			o.MarkCovered = true
		case "noprune":
			o.Semantic.NoViewportPruning = true
		case "noatomic":
			o.Semantic.NoAtomic = true
		case "containers":
			o.Semantic.KeepContainers = true
		case "long":
			o.Semantic.Long = true
		case "layout":
			o.DomTool.IncludeLayout = true
		case "scope":
			o.Aria.AutoScope = true
		case "viewport":
			o.ViewportOnly = true
		case "plain":
			o.Markup.NoTemplates = true
		case "volatile":
			o.Volatile = true
		case "minvisible":
			f, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err)
			o.Semantic.MinVisible = f
		default:
			if !ariaOption(t, key, v, &o) {
				t.Fatalf("unknown option %q", w)
			}
		}
	}
	return dump.Format(words[0]), o
}

func omissions(c *snapshot.Capture, d *dump.Document) string {
	var b strings.Builder
	for _, o := range d.Omitted {
		what := "page"
		if n := c.Node(o.Node); n != nil {
			what = fmt.Sprintf("%s %d", n.Tag, n.Ref)
		}
		fmt.Fprintf(&b, "%s · %s · %s\n", what, o.Reason, o.Detail)
	}
	return b.String()
}

// ariaOption reads one option of the aria format from a golden file's name.
func ariaOption(t *testing.T, key, v string, o *format.Options) bool {
	yes, no := true, false
	number := func() int {
		n, err := strconv.Atoi(v)
		require.NoError(t, err)
		return n
	}
	a := &o.Aria
	switch key {
	case "detail":
		a.Detail = aria.Detail(v)
	case "mode":
		a.Mode = v
	case "depth":
		a.MaxDepth = number()
	case "text":
		a.IncludeText = &yes
	case "notext":
		a.IncludeText = &no
	case "shadow":
		a.PierceShadow = &yes
	case "noshadow":
		a.PierceShadow = &no
	case "frames":
		a.IncludeFrames = &yes
	case "noframes":
		a.IncludeFrames = &no
	case "snapshot":
		n := number()
		a.Snapshot = func(ref int) int { return min(ref, n) }
	case "urls":
		a.LinkURLs = true
	case "playwright":
		a.Playwright = true
	case "boxes":
		a.Boxes = true
	case "root":
	default:
		return false
	}
	return true
}

// ariaRoot resolves root=body, root=role=navigation, and root=#id.
func ariaRoot(t *testing.T, c *snapshot.Capture, spec string, o *format.Options) {
	for _, word := range strings.Fields(spec) {
		root, ok := strings.CutPrefix(word, "root=")
		if !ok {
			continue
		}
		if id, ok := strings.CutPrefix(root, "#"); ok {
			for i := range c.Nodes {
				if c.Nodes[i].Attr("id") == id {
					o.Aria.Root = &c.Nodes[i].I
				}
			}
			continue
		}
		var err error
		o.Aria.Root, err = aria.Root(c, root)
		require.NoError(t, err)
	}
}

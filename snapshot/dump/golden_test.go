package dump

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata/*.txtar")

// TestGolden renders the page of each archive and compares it with every other
// file in it. A file's name is the format and its options: "dddk", "dddk compat",
// "dddk max=120 covered", "semantic noprune"; "omitted dddk compat" lists what that
// rendering left out.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Equal(t, "page", a.Files[0].Name)
			c := pagetest.Parse(t, string(a.Files[0].Data))
			for i := range a.Files[1:] {
				f := &a.Files[i+1]
				spec, omitted := strings.CutPrefix(f.Name, "omitted ")
				format, o := optionsOf(t, spec)
				ariaRoot(t, c, spec, &o)
				d, err := Render(c, format, o)
				require.NoError(t, err)
				checkDocument(t, c, d)
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
func optionsOf(t *testing.T, spec string) (Format, Options) {
	var o Options
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
			o.NoViewportPruning = true
		case "noatomic":
			o.NoAtomic = true
		case "containers":
			o.KeepContainers = true
		case "long":
			o.Long = true
		case "layout":
			o.IncludeLayout = true
		case "viewport":
			o.ViewportOnly = true
		case "plain":
			o.NoTemplates = true
		case "volatile":
			o.Volatile = true
		case "minvisible":
			f, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err)
			o.MinVisible = f
		default:
			if !ariaOption(t, key, v, &o) {
				t.Fatalf("unknown option %q", w)
			}
		}
	}
	return Format(words[0]), o
}

func omissions(c *snapshot.Capture, d *Document) string {
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

// checkDocument holds for every document of every format.
func checkDocument(t testing.TB, c *snapshot.Capture, d *Document) {
	t.Helper()
	// The lines are the text.
	var ls []string
	for _, l := range d.Lines {
		ls = append(ls, d.Text[l.Start:l.End])
	}
	require.Equal(t, d.Text, strings.Join(ls, "\n"))
	for i, l := range d.Lines {
		require.NotContains(t, ls[i], "\n")
		if l.Node >= 0 {
			n := c.Node(l.Node)
			require.NotNil(t, n)
			require.Equal(t, n.Ref, l.Ref)
			require.Contains(t, d.LinesOf(l.Node), i)
		}
	}
	for _, s := range d.Spans {
		l := d.Lines[s.Line]
		require.True(t, l.Start <= s.Start && s.Start <= s.End && s.End <= l.End)
		require.Contains(t, d.LinesOf(s.Node), s.Line)
	}
	// Nothing vanishes: every kept node has a line or an omission.
	reasons := map[int]string{}
	for _, o := range d.Omitted {
		reasons[o.Node] = o.Reason
		switch o.Reason {
		case ReasonViewport, ReasonCovered, ReasonDuplicate, ReasonNoNumber, ReasonRole, ReasonContainer, ReasonRatio, ReasonQuery, ReasonCut, ReasonScope:
		default:
			t.Fatalf("unknown reason %q", o.Reason)
		}
	}
	for _, n := range c.Nodes {
		if n.Verdict.Kept() {
			require.True(t, d.LineOf(n.I) >= 0 || reasons[n.I] != "", "node %d (%s, ref %d) vanished", n.I, n.Tag, n.Ref)
		}
	}
}

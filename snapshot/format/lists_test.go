package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestLists: what is a repeated list, and what looks like one and is none.
func TestLists(t *testing.T) {
	four := func(line string) string {
		var b strings.Builder
		b.WriteString("body\n  main\n")
		for i := range 4 {
			fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(line, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		page string
		want string // kinds of the regions, lists with their items
	}{
		"items":                    {four(`    li "item #"`), "page main 4×li"},
		"links":                    {four(`    a href="/#" "link #"`), "page main 4×a"},
		"articles are one list":    {four("    article\n      p \"text #\""), "page main 4×article"},
		"boxes of one class":       {four("    div class=card\n      p \"text #\""), "page main 4×div"},
		"boxes that hold the same": {four("    div\n      p \"text #\"\n      a href=\"/#\" \"more\""), "page main 4×div"},
		"a list in each item": {four("    li\n      ul\n        li \"a#\"\n        li \"b#\"\n        li \"c#\"\n     " +
			"   li \"d#\""), "page main 4×li"},
		"three are too few":      {"body\n  main\n    li \"1\"\n    li \"2\"\n    li \"3\"", "page main"},
		"paragraphs":             {four(`    p "text #"`), "page main"},
		"sections":               {four("    section\n      p \"text #\""), "page main section section section section"},
		"boxes of another class": {four("    div class=c#\n      p \"text #\""), "page main"},
		"boxes that hold another": {"body\n  main\n    div\n      p \"1\"\n    div\n      h2 \"2\"\n    div\n      p " +
			"\"3\"\n    div\n      p \"4\"", "page main"},
		"interrupted": {"body\n  main\n    li \"1\"\n    li \"2\"\n    p \"x\"\n    li \"3\"\n    li \"4\"", "page main"},
	} {
		t.Run(name, func(t *testing.T) {
			page := pagetest.Parse(t, c.page)
			d := readback.Render(t, page, format.DDDK, format.Options{})
			var got []string
			for _, r := range dump.Regions(page, d, nil) {
				s := r.Kind
				if r.Items != nil {
					s = fmt.Sprintf("%d×%s", len(r.Items), r.Kind)
					require.Equal(t, r.Items[0], r.Node)
				}
				got = append(got, s)
			}
			require.Equal(t, c.want, strings.Join(got, " "), d.Text)
		})
	}
}

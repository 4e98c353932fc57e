package pagetest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
)

// GoldenFiles are the archives of the text formats: a page, and what formats make of it.
// One that is about a single format lies in the folder of that format.
func GoldenFiles(t testing.TB) []string {
	t.Helper()
	root := filepath.Join(testneed.Repository(t), "snapshot", "format")
	var all []string
	for _, folder := range []string{"testdata", filepath.Join("*", "testdata")} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.txtar"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		all = slices.Concat(all, files)
	}
	return all
}

// EachGolden tests the page of each archive.
func EachGolden(t *testing.T, test func(t *testing.T, c *snapshot.Capture)) {
	t.Helper()
	for _, file := range GoldenFiles(t) {
		t.Run(GoldenName(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			test(t, Parse(t, string(a.Files[0].Data)))
		})
	}
}

// GoldenName is the name of a test of an archive: "text", "aria/text".
func GoldenName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".txtar")
	if folder := filepath.Base(filepath.Dir(filepath.Dir(file))); folder != "format" {
		name = folder + "/" + name
	}
	return name
}

var cutMark = regexp.MustCompile(`^\[\.\.\.truncated: [0-9,]+ nodes?, [0-9,]+ characters?` +
	`(?:: [0-9,]+ in <[a-z]+>(?:, [0-9,]+ in <[a-z]+>){0,2}(?:, [0-9,]+ elsewhere)?)?(?:; what is in view was kept ` +
	`first)?\]$`)

// IsCutMark reports whether a line marks that the text was cut there.
func IsCutMark(line string) bool { return cutMark.MatchString(line) }

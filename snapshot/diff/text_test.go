package diff

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

func TestUnified(t *testing.T) {
	a := "URL: x\n[1]<button>Save</button>\n\t[2]<p>one</p>\n[3]\n[4]\n[5]\n[6]\n[7]\nend"
	b := "URL: x\n[1]<button disabled>Saved</button>\n\t[2]<p>one</p>\n[3]\n[4]\n[5]\n[6]\nnew\n[7]\nend"
	require.Equal(t, `--- a
+++ b
@@ -1,3 +1,3 @@
 URL: x
-[1]<button>Save</button>
?           ^^^^
+[1]<button disabled>Saved</button>
?          ^^^^^^^^^ ^^^^^
 	[2]<p>one</p>
@@ -7,2 +7,3 @@
 [6]
+new
 [7]
`, Unified(Lines(a, b), "a", "b", 1, true))
	require.Empty(t, Unified(Lines(a, a), "a", "b", 3, true))
	require.Equal(t, 3+11, strings.Count(Unified(Lines(a, b), "a", "b", -1, false), "\n"), "the header and all lines")
	require.Contains(t, Unified(Lines("a", ""), "a\n--- x", "b", 3, false), "--- a --- x\n", "a name is one line")
}

func TestMarks(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"one word", "pay 12 euro now", "pay 13 euro now", "pay {12} euro now|pay {13} euro now"},
		{"a word more", "pay now", "pay it now", "pay now|pay {it }now"},
		{"nothing in common", "alpha beta", "12 [34]", "alpha beta|12 [34]"},
		{"accents are one word", "cafe\u0301 au lait noir", "cafe au lait noir",
			"{cafe\u0301} au lait noir|{cafe} au lait noir"},
		{"no spaces in the script", "価格 100 円です", "価格 200 円です", "価格 {100} 円です|価格 {200} 円です"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range Lines(tt.a, tt.b) {
				s := e.Line
				for i := len(e.Marks) - 1; i >= 0; i-- {
					m := e.Marks[i]
					s = s[:m.Start] + "{" + s[m.Start:m.End] + "}" + s[m.End:]
				}
				got = append(got, s)
			}
			require.Equal(t, tt.want, strings.Join(got, "|"))
		})
	}
}

// FuzzLines: the edits are both texts, pairs point at each other, and marks are
// exactly what a pair does not share.
func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc", "a\nx\nc")
	f.Add("pay 12 now\n\n\t[5]", "pay 13 now\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 2_000 || len(b) > 2_000 {
			return
		}
		checkLines(t, a, b, Lines(a, b))
	})
}

func checkLines(t testing.TB, a, b string, edits []Edit) {
	var left, right []string
	for i, e := range edits {
		if e.Op != New {
			require.Equal(t, len(left), e.A)
			left = append(left, e.Line)
		}
		if e.Op != Gone {
			require.Equal(t, len(right), e.B)
			right = append(right, e.Line)
		}
		if e.Pair < 0 {
			require.Empty(t, e.Marks)
			continue
		}
		other := edits[e.Pair]
		require.Equal(t, i, other.Pair)
		require.Equal(t, unmarked(other), unmarked(e), "what is not marked is the same")
	}
	require.Equal(t, a, strings.Join(left, "\n"))
	require.Equal(t, b, strings.Join(right, "\n"))
}

func unmarked(e Edit) string {
	s := e.Line
	for i := len(e.Marks) - 1; i >= 0; i-- {
		s = s[:e.Marks[i].Start] + s[e.Marks[i].End:]
	}
	return s
}

// TestPatchTakesIt gives the diff without marks to patch(1), which knows the format
// better than we do.
func TestPatchTakesIt(t *testing.T) {
	patch := testneed.Program(t, "patch", "Debian: apt-get install patch")
	var from, to []string
	for i := range 200 {
		from = append(from, fmt.Sprintf("[%d]<button>Item %d</button>", i, i%7))
		switch {
		case i%31 == 0:
		case i%17 == 0:
			to = append(to, fmt.Sprintf("[%d]<button disabled>Item %d</button>", i, i%7), "<p>new</p>")
		default:
			to = append(to, from[i])
		}
	}
	a, b := strings.Join(from, "\n")+"\n", strings.Join(to, "\n")+"\n"
	for _, context := range []int{0, 1, 3} {
		edits := Lines(strings.TrimSuffix(a, "\n"), strings.TrimSuffix(b, "\n"))
		checkLines(t, strings.TrimSuffix(a, "\n"), strings.TrimSuffix(b, "\n"), edits)
		file := filepath.Join(t.TempDir(), "dump")
		require.NoError(t, os.WriteFile(file, []byte(a), 0o644))
		cmd := exec.Command(patch, "-s", "--fuzz=0", file)
		cmd.Stdin = strings.NewReader(Unified(edits, "a", "b", context, false))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, b, string(got))
	}
}

func BenchmarkLines(b *testing.B) {
	var from, to strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&from, "[%d]<a href=\"/p/%d\">Product number %d</a>\n", i, i%40, i%900)
		if i%25 > 0 {
			fmt.Fprintf(&to, "[%d]<a href=\"/p/%d\">Product no. %d</a>\n", i, i%40, i%900*(i%7))
		}
	}
	for b.Loop() {
		if len(Lines(from.String(), to.String())) == 0 {
			b.Fatal("nothing")
		}
	}
}

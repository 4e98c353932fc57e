package batch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// tree is all that a folder has, by path.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	names, err := filesOf(dir)
	require.NoError(t, err)
	out := map[string]string{}
	for _, name := range names {
		if name == lockFile {
			continue // it is not part of the result
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		out[filepath.ToSlash(name)] = string(data)
	}
	return out
}

// What shards give together is, byte for byte, what one run gives: with the clock of the test the
// manifest as well.
func TestMergeIsTheWhole(t *testing.T) {
	list := pages(t, 100, "https://a.test/%d")
	timed := map[string]float64{}
	for i := range list[:60] {
		timed[list[i].Key()] = float64(i%7) + 0.5
	}
	for _, n := range []int{2, 5, 17} {
		for name, durations := range map[string]map[string]float64{"hash": nil, "durations": timed} {
			t.Run(fmt.Sprint(n, " by ", name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					one := t.TempDir()
					do(t, one, list, list, "", fake, Options{Jobs: 2})
					var dirs []string
					in := 0
					for i := range n {
						s := Shard{i + 1, n}
						part := s.Of(list, durations)
						in += len(part)
						dir := t.TempDir()
						do(t, dir, list, part, s.String(), fake, Options{Jobs: 2})
						dirs = append([]string{dir}, dirs...) // in any order
					}
					require.Equal(t, len(list), in)
					out := filepath.Join(t.TempDir(), "whole")
					missing, err := Merge(out, dirs...)
					require.NoError(t, err)
					require.Zero(t, missing)
					require.Equal(t, tree(t, one), tree(t, out))
				})
			})
		}
	}
}

func TestShardsAreBalanced(t *testing.T) {
	list := pages(t, 200, "https://a.test/%d")
	timed := map[string]float64{}
	for i := range list {
		timed[list[i].Key()] = 1
		if i < 5 {
			timed[list[i].Key()] = 30
		}
	}
	for i := range 5 {
		sum := 0.0
		for _, p := range (Shard{i + 1, 5}).Of(list, timed) {
			sum += timed[p.Key()]
		}
		require.Equal(t, 69.0, sum)
	}
	// A page that goes moves no other where the hash decides.
	before := map[string]int{}
	for i := range 5 {
		for _, p := range (Shard{i + 1, 5}).Of(list, nil) {
			before[p.Key()] = i
		}
	}
	for i := range 5 {
		for _, p := range (Shard{i + 1, 5}).Of(list[1:], nil) {
			require.Equal(t, before[p.Key()], i)
		}
	}
}

func TestParseShard(t *testing.T) {
	for _, bad := range []string{"0/4", "5/4", "1", "a/b", "1/0", "-1/2", "1/2/3", "1/99999"} {
		_, err := ParseShard(bad)
		require.Error(t, err, bad)
	}
	s, err := ParseShard("4/4")
	require.NoError(t, err)
	require.Equal(t, Shard{4, 4}, s)
}

func TestMergeConflicts(t *testing.T) {
	list := pages(t, 10, "https://a.test/%d")
	a, b := t.TempDir(), t.TempDir()
	do(t, a, list, list[:6], "1/2", fake, Options{})
	do(t, b, list, list[4:9], "2/2", fake, Options{})
	out := filepath.Join(t.TempDir(), "out")
	missing, err := Merge(out, a, b)
	require.NoError(t, err, "equal pages are no conflict")
	require.Equal(t, 1, missing)
	_, err = Merge(out, a, b)
	require.ErrorContains(t, err, "is not empty")

	name := filepath.Join(b, PagesDir, list[5].Key(), "page.txt")
	require.NoError(t, os.WriteFile(name, []byte("something else"), 0o600))
	out = filepath.Join(t.TempDir(), "out")
	_, err = Merge(out, a, b)
	var conflict *conflictError
	require.ErrorAs(t, err, &conflict)
	require.ErrorContains(t, err, "https://a.test/5")
	require.ErrorContains(t, err, "file page.txt")
	require.NoDirExists(t, out)

	_, err = Merge(out, a, t.TempDir())
	require.ErrorContains(t, err, "is not a batch folder")
	c := t.TempDir()
	other := pages(t, 3, "https://c.test/%d")
	do(t, c, other, other, "", fake, Options{})
	_, err = Merge(out, a, c)
	require.ErrorContains(t, err, "not of one batch")
}

// A page that failed in one folder and is done in another is done.
func TestMergeTakesWhatIsDone(t *testing.T) {
	list := pages(t, 2, "https://a.test/%d")
	a, b := t.TempDir(), t.TempDir()
	f := open(t, a, list, list, "", false)
	require.NoError(t, f.Add(EntryOf(&list[0], Result{}, errors.New("it failed")), ""))
	require.NoError(t, f.Finish())
	require.NoError(t, f.Close())
	do(t, b, list, list, "", fake, Options{})
	out := filepath.Join(t.TempDir(), "out")
	missing, err := Merge(out, a, b)
	require.NoError(t, err)
	require.Zero(t, missing)
	whole(t, out, list)
}

package registry

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// The test binary is also the program that many of run at once.
func TestMain(m *testing.M) {
	if home := os.Getenv("REGISTRY_ADD"); home != "" {
		err := Open(home).Update(context.Background(), func(f *File) error {
			fmt.Println(f.Add(Tab{TargetID: os.Getenv("REGISTRY_TARGET"), Host: "127.0.0.1", Port: 9222}))
			return nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Two hundred programs at once, 60 under -short: every one gets an alias of its own and none is lost.
func TestManyProgramsOneRegistry(t *testing.T) { // C-23, section 19.8
	n := testneed.Cases(60, 200, 200) // they wait for one lock, so the cost grows with the square
	home := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	type done struct {
		alias string
		err   error
	}
	results := make(chan done, n)
	for i := range n {
		go func() {
			c := exec.Command(self)
			c.Env = append(os.Environ(), "REGISTRY_ADD="+home, fmt.Sprintf("REGISTRY_TARGET=%032X", i))
			out, err := c.Output()
			results <- done{strings.TrimSpace(string(out)), err}
		}()
	}
	seen := map[string]bool{}
	for range n {
		d := <-results
		require.NoError(t, d.err)
		require.True(t, IsAlias(d.alias), d.alias)
		require.False(t, seen[d.alias], "%s was given twice", d.alias)
		seen[d.alias] = true
	}
	f, err := Open(home).Load()
	require.NoError(t, err)
	require.Len(t, f.Tabs, n)
	require.Equal(t, n+1, f.Next)
}

func TestAliasesAreNeverUsedAgain(t *testing.T) {
	r := Open(t.TempDir())
	add := func(target string) (alias string) {
		require.NoError(t, r.Update(t.Context(), func(f *File) error {
			alias = f.Add(Tab{TargetID: target, Host: "127.0.0.1", Port: 9222})
			return nil
		}))
		return alias
	}
	require.Equal(t, "t1", add("A"))
	require.Equal(t, "t2", add("B"))
	require.Equal(t, "t1", add("A"), "it has one already")
	require.NoError(t, r.Update(t.Context(), func(f *File) error {
		require.Equal(t, []string{"t2"}, f.Sweep("127.0.0.1:9222", []string{"A"}))
		require.Empty(t, f.Sweep("127.0.0.1:9333", nil), "another browser's tabs are not ours to forget")
		return nil
	}))
	require.Equal(t, "t3", add("C"))
}

// A program that is killed leaves the lock of its tab and a list that it had begun to write. They go with the next
// change; the locks of tabs that are there, or may come, stay, and so does what is none of ours.
func TestLeftoversOfKilledPrograms(t *testing.T) {
	home := t.TempDir()
	r := Open(home)
	var kept string
	require.NoError(t, r.Update(t.Context(), func(f *File) error {
		f.Add(Tab{TargetID: "A", Host: "127.0.0.1", Port: 9222})
		kept = f.Add(Tab{TargetID: "B", Host: "127.0.0.1", Port: 9222})
		return nil
	}))
	for _, name := range []string{"tab-t1.lock", "tab-t2.lock", "tab-t3.lock", "tab-x.lock", "tabs.json.123"} {
		require.NoError(t, os.WriteFile(filepath.Join(home, name), nil, 0o600))
	}
	require.NoError(t, r.Update(t.Context(), func(f *File) error { f.Sweep("127.0.0.1:9222", []string{"B"}); return nil }))
	require.Equal(t, "t2", kept)
	require.NoFileExists(t, filepath.Join(home, "tab-t1.lock"))
	require.NoFileExists(t, filepath.Join(home, "tabs.json.123"))
	for _, name := range []string{"tab-t2.lock", "tab-t3.lock", "tab-x.lock", "tabs.json", "tabs.lock"} {
		require.FileExists(t, filepath.Join(home, name))
	}
}

func TestADamagedFileIsKept(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "{", "another's": `{"format":"x"}`, "newer": `{"format":"refscope.tabs/2","tabs":{}}`, "forged alias": `{"format":"refscope.tabs/1","tabs":{"../x":{"port":1}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, fileName)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			err := Open(home).Update(t.Context(), func(*File) error { return nil })
			require.Error(t, err)
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, text, string(b))
		})
	}
}

func TestOneActsInATabAtATime(t *testing.T) {
	r := Open(t.TempDir())
	unlock, err := r.LockTab(t.Context(), "t1")
	require.NoError(t, err)
	soon, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = r.LockTab(soon, "t1")
	require.ErrorContains(t, err, "tab t1 is in use")
	other, err := r.LockTab(t.Context(), "t2")
	require.NoError(t, err)
	other()
	unlock()
	unlock, err = r.LockTab(t.Context(), "t1")
	require.NoError(t, err)
	unlock()
	_, err = r.LockTab(t.Context(), "../t1")
	require.Error(t, err)
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"format":"refscope.tabs/1","next":2,"tabs":{"t1":{"targetId":"A","host":"h","port":1}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, fileName), b, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(home).Load()
		if err == nil && (file.Next < 1 || file.Tabs == nil) {
			t.Fatal("a file without a next alias was accepted")
		}
	})
}

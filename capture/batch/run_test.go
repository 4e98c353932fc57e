package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// fake does a page without a browser: what it writes depends on the page alone.
func fake(_ context.Context, p *Page, dir string) (Result, error) {
	err := os.WriteFile(filepath.Join(dir, "page.txt"), []byte("seen: "+p.Target+"\n"), 0o600)
	return Result{Title: "Page " + p.Target, Status: 200, Files: []string{"page.txt"}}, err
}

// busy is a page that takes that long, or ends with its context. In a bubble of synctest the time is the test's.
func busy(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func open(t testing.TB, dir string, list, pages []Page, shard string, resume bool) *Folder {
	t.Helper()
	f, err := Open(t.Context(), dir, Header{Do: "fake", List: ListHash(list), Pages: len(list), Shard: shard}, resume)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() }) // twice where the test has closed it
	return f
}

// do does pages of a list in a folder, whole.
func do(t testing.TB, dir string, list, pages []Page, shard string, doer Doer, o Options) *Manifest {
	t.Helper()
	f := open(t, dir, list, pages, shard, false)
	require.NoError(t, Run(t.Context(), f, pages, doer, o))
	require.NoError(t, f.Finish())
	require.NoError(t, f.Close())
	m, err := ReadManifest(dir)
	require.NoError(t, err)
	return m
}

func TestRunDoesAllPages(t *testing.T) {
	list := pages(t, 200, "https://a.test/%d")
	var running, most atomic.Int64
	m := do(t, t.TempDir(), list, list, "", func(ctx context.Context, p *Page, dir string) (Result, error) {
		defer running.Add(-1)
		for now := running.Add(1); ; {
			before := most.Load()
			if now <= before || most.CompareAndSwap(before, now) {
				break
			}
		}
		return fake(ctx, p, dir)
	}, Options{Jobs: 4})
	require.LessOrEqual(t, most.Load(), int64(4))
	require.Len(t, m.Entries, 200)
	for i, e := range m.InOrder() {
		require.Equal(t, i+1, e.Place)
		require.Equal(t, OK, e.Outcome)
		require.Equal(t, 1, e.Work.Attempts)
	}
}

// Ten of a hundred answers are 429, one renderer in a hundred crashes and one page in a hundred
// hangs: each page is listed once, with its reason, and what another attempt can mend is mended.
func TestRunAccountsForEachPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := pages(t, 500, "https://a.test/%d")
		var mu sync.Mutex
		tries := map[int]int{}
		doer := func(ctx context.Context, p *Page, dir string) (Result, error) {
			mu.Lock()
			tries[p.Place]++
			try := tries[p.Place]
			mu.Unlock()
			busy(ctx, 10*time.Millisecond)
			switch {
			case p.Place%10 == 0 && try == 1:
				return Result{Status: 429}, &Failure{Cause: "http 429", Err: errors.New("too many"), Busy: true}
			case p.Place%100 == 1:
				return Result{}, &Failure{Cause: "page crash", Err: errors.New("the tab crashed")}
			case p.Place%100 == 2:
				<-ctx.Done()
				return Result{}, ctx.Err()
			case p.Place == 3:
				return Result{}, &Failure{Cause: "address", Err: errors.New("no address"), Lasting: true}
			}
			return fake(ctx, p, dir)
		}
		seen := 0
		m := do(t, t.TempDir(), list, list, "", doer,
			Options{Jobs: 4, Retry: 1, PageTimeout: time.Second, Progress: func(*Entry) { seen++ }})
		require.Equal(t, 500, seen)
		causes := map[string]int{}
		for _, e := range m.InOrder() {
			causes[e.Cause]++
			want := 1
			if e.Place%10 == 0 || e.Place%100 == 1 || e.Place%100 == 2 {
				want = 2
			}
			require.Equal(t, want, e.Work.Attempts, e.Place)
		}
		require.Equal(t, map[string]int{"": 489, "page crash": 5, "timeout": 5, "address": 1}, causes)
	})
}

// A host that asks to be left alone is, for as long as it asks, while others are worked at.
func TestPoliteness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := append(pages(t, 6, "https://slow.test/%d"), pages(t, 6, "https://fast.test/%d")...)
		for i := range list {
			list[i].Place = i + 1
		}
		began := time.Now()
		var mu sync.Mutex
		starts, running, asked := map[string][]time.Duration{}, map[string]int{}, false
		doer := func(ctx context.Context, p *Page, dir string) (Result, error) {
			mu.Lock()
			starts[p.Host()] = append(starts[p.Host()], time.Since(began))
			running[p.Host()]++
			require.LessOrEqual(t, running[p.Host()], 2)
			first := p.Host() == "slow.test" && !asked
			asked = asked || first
			mu.Unlock()
			busy(ctx, 100*time.Millisecond)
			mu.Lock()
			running[p.Host()]--
			mu.Unlock()
			if first {
				return Result{}, &Failure{Cause: "http 503", Err: errors.New("busy"), Busy: true, Wait: 30 * time.Second}
			}
			return fake(ctx, p, dir)
		}
		do(t, t.TempDir(), list, list, "", doer, Options{Jobs: 4, Retry: 1, PerHost: 2, Delay: 50 * time.Millisecond})
		require.Len(t, starts["slow.test"], 7)
		require.Len(t, starts["fast.test"], 6)
		require.Less(t, starts["fast.test"][5], time.Second, "the other host is not held up")
		for host, at := range starts {
			for i := 1; i < len(at); i++ {
				require.GreaterOrEqual(t, at[i]-at[i-1], 50*time.Millisecond, host)
			}
		}
		waited := 0
		for _, at := range starts["slow.test"] {
			if at >= 30*time.Second {
				waited++
			}
		}
		require.Equal(t, 5, waited, "two had begun when it asked")
	})
}

func TestResume(t *testing.T) {
	dir, list := t.TempDir(), pages(t, 20, "https://a.test/%d")
	f := open(t, dir, list, list, "", false)
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	err := Run(ctx, f, list, func(ctx context.Context, p *Page, dir string) (Result, error) {
		if n++; n == 8 {
			stop()
		}
		if p.Place == 3 {
			return Result{}, errors.New("it failed this once")
		}
		return fake(ctx, p, dir)
	}, Options{Jobs: 1})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, f.Close())

	_, err = Open(t.Context(), dir, f.Header, false)
	require.ErrorIs(t, err, errExists)
	other := f.Header
	other.Do = "mark"
	_, err = Open(t.Context(), dir, other, true)
	require.ErrorContains(t, err, `does "fake", and not "mark"`)
	other = f.Header
	other.List = "x"
	_, err = Open(t.Context(), dir, other, true)
	require.ErrorContains(t, err, "another list")

	f = open(t, dir, list, list, "", true)
	var again []int
	require.NoError(t, Run(t.Context(), f, list, func(ctx context.Context, p *Page, dir string) (Result, error) {
		again = append(again, p.Place)
		return fake(ctx, p, dir)
	}, Options{Jobs: 1}))
	require.NoError(t, f.Finish())
	require.Equal(t, []int{3, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, again)
	whole(t, dir, list)
}

// whole asserts that each page of a list is in a folder once, well, with its file.
func whole(t testing.TB, dir string, list []Page) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	require.NoError(t, err)
	require.Equal(t, len(list)+1, strings.Count(string(data), "\n"), "a line for each page and the header")
	m, err := ReadManifest(dir)
	require.NoError(t, err)
	require.Len(t, m.Entries, len(list))
	folders, err := os.ReadDir(filepath.Join(dir, PagesDir))
	require.NoError(t, err)
	require.Len(t, folders, len(list))
	for i := range list {
		key := list[i].Key()
		require.NotNil(t, m.Entries[key])
		require.Equal(t, OK, m.Entries[key].Outcome)
		got, err := os.ReadFile(filepath.Join(dir, PagesDir, key, "page.txt"))
		require.NoError(t, err)
		require.Equal(t, "seen: "+list[i].Target+"\n", string(got))
	}
}

// A manifest is cut off anywhere, as by a disk that is full or a process that is killed: what is
// whole counts, and the batch goes on.
func TestManifestCutOff(t *testing.T) {
	list := pages(t, 5, "https://a.test/%d")
	dir := t.TempDir()
	do(t, dir, list, list, "", fake, Options{})
	name := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	for cut := 0; cut < len(data); cut += 13 {
		require.NoError(t, os.WriteFile(name, data[:cut], 0o600))
		f := open(t, dir, list, list, "", true)
		require.Equal(t, max(0, strings.Count(string(data[:cut]), "\n")-1), len(f.Entries))
		if cut%(13*13) == 0 {
			require.NoError(t, Run(t.Context(), f, list, fake, Options{}))
			require.NoError(t, f.Finish())
			require.NoError(t, f.Close())
			whole(t, dir, list)
		}
		require.NoError(t, errorsOf(f.Close()))
	}
	damaged := strings.Replace(string(data), `{"key"`, `{"kex"`, 1)
	require.NoError(t, os.WriteFile(name, []byte(damaged), 0o600))
	_, err = ReadManifest(dir)
	require.ErrorContains(t, err, "line 2: it is damaged")
	for _, key := range []string{"../../../../tmp/evil1", "a/b-0123456789ab", ""} {
		line := fmt.Sprintf("%s{\"key\":%q}\n", data, key)
		require.NoError(t, os.WriteFile(name, []byte(line), 0o600))
		_, err = ReadManifest(dir)
		require.ErrorContains(t, err, "it is damaged", key)
	}
}

// errorsOf is an error but that of a file which was closed before.
func errorsOf(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// Secrets of the list and of errors reach neither the manifest nor the results.
func TestNothingSecretIsWritten(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	line := `{"target":"https://ada:` + secret + `@a.test/?access_token=` + secret + `","steps":[{"fill":"` + secret + `"}]}`
	l, err := Read(t.Context(), strings.NewReader(line), nil)
	require.NoError(t, err)
	dir := t.TempDir()
	do(t, dir, l.Pages, l.Pages, "", func(_ context.Context, p *Page, _ string) (Result, error) {
		return Result{Title: "token " + secret}, fmt.Errorf("opening %s: refused", p.Target)
	}, Options{})
	for _, name := range []string{ManifestFile, ResultsFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotContains(t, string(data), secret)
		require.Contains(t, string(data), "redacted")
	}
}

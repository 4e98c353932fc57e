package profiles

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

func TestDomain(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"www":              {"https://www.github.com/a/b?c=d", "github.com"},
		"host alone":       {"GitHub.com", "github.com"},
		"subdomain":        {"https://docs.example.org", "docs.example.org"},
		"port":             {"http://localhost:3000/x", "localhost_3000"},
		"own port":         {"https://example.org:443/", "example.org"},
		"IPv4":             {"http://127.0.0.1:8080/", "127.0.0.1_8080"},
		"IPv6":             {"http://[::1]:8080/", "__1_8080"},
		"IPv6 alone":       {"::1", "__1"},
		"IDN":              {"https://bücher.example/", "xn--bcher-kva.example"},
		"IDN in capitals":  {"BÜCHER.example", "xn--bcher-kva.example"},
		"user":             {"https://ada:pw@example.org/", "example.org"},
		"trailing dot":     {"https://example.org./", "example.org"},
		"dots":             {"http://../../etc/passwd", ""},
		"escape":           {"http://..%2f..%2fetc/", "_.._etc"},
		"backslash":        {`..\..\x`, ""},
		"slash":            {"a/../../b", "a"},
		"space and stars":  {"a b*c.example", "a_b_c.example"},
		"device":           {"http://con/", "_con"},
		"device with end":  {"nul.example", "_nul.example"},
		"www alone":        {"http://www/", "www"},
		"www of one label": {"http://www.intra/", "intra"},
		"file":             {"file:///etc/passwd", ""},
		"about":            {"about:blank", ""},
		"empty":            {"", ""},
		"bad port":         {"http://a:b/", ""},
		"NUL":              {"a\x00b.example", "a_b.example"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Domain(c.in)
			if c.want == "" {
				require.ErrorIs(t, err, ErrNoDomain)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzDomain(f *testing.F) {
	for _, s := range []string{"https://www.github.com", "..", "con", "[::1]:1", "a%2e%2e/", "\u202e.example"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := Domain(s)
		if err != nil {
			return
		}
		require.True(t, filepath.IsLocal(name) && !strings.ContainsAny(name, `/\:`) && name[0] != '.' && len(name) <= 202,
			name)
		require.Equal(t, name, fileName(name))
	})
}

func save(t *testing.T, s *Store, domain, text string, base Version) *File {
	t.Helper()
	f, err := s.Save(t.Context(), domain, text, base)
	require.NoError(t, err)
	return f
}

func TestSaveLookupHistory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profiles")
	s := Open(dir, "")
	_, err := s.Lookup("https://shop.example/")
	require.ErrorIs(t, err, ErrNotFound)
	first := save(t, s, "https://www.shop.example/x", "one", "")
	require.Equal(t, "shop.example", first.Domain)
	require.Equal(t, s.Path("shop.example"), first.Path)
	second := save(t, s, "shop.example", "two", first.Version)
	save(t, s, "shop.example", "three", second.Version)
	for _, url := range []string{"https://shop.example", "https://a.b.shop.example:8443/x", "http://SHOP.example./"} {
		f, err := s.Lookup(url)
		require.NoError(t, err, url)
		require.Equal(t, "three", f.Text)
	}
	_, err = s.Lookup("https://myshop.example")
	require.ErrorIs(t, err, ErrNotFound)
	save(t, s, "http://shop.example:8080", "dev", "")
	f, err := s.Lookup("http://shop.example:8080/")
	require.NoError(t, err)
	require.Equal(t, "dev", f.Text, "the port's own comes first")

	list, err := s.History("shop.example")
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "one", list[0].Text)
	require.Equal(t, "two", list[1].Text)
	all, err := s.List()
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, "shop.example", all[0].Domain)
}

func TestTwoWriters(t *testing.T) {
	s := Open(t.TempDir(), "")
	base := save(t, s, "a.example", "base", "")
	mine := save(t, s, "a.example", "mine", base.Version)
	_, err := s.Save(t.Context(), "a.example", "yours", base.Version)
	var conflict *Conflict
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, Conflict{"a.example", "yours", "mine", base.Version, mine.Version}, *conflict)
	save(t, s, "a.example", "mine and yours", conflict.Now)
	_, err = s.Save(t.Context(), "new.example", "x", "some version")
	require.ErrorAs(t, err, &conflict)
	save(t, s, "a.example", "mine and yours", "whatever") // the same words: nothing to lose
}

// TestManyWritersLoseNothing: each adds a line to what it read, again where another
// was faster; in the end all lines are there.
func TestManyWritersLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var work sync.WaitGroup
	for k := range 8 {
		work.Go(func() {
			s := Open(dir, "")
			for n := 0; n < 5; {
				f, err := s.Load("a.example")
				if errors.Is(err, ErrNotFound) {
					f, err = &File{}, nil
				}
				if err != nil {
					t.Error(err)
					return
				}
				_, err = s.Save(context.Background(), "a.example", f.Text+fmt.Sprintf("line %d.%d\n", k, n), f.Version)
				var conflict *Conflict
				switch {
				case err == nil:
					n++
				case !errors.As(err, &conflict):
					t.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	f, err := Open(dir, "").Load("a.example")
	require.NoError(t, err)
	require.Len(t, strings.Fields(f.Text), 80)
	list, err := Open(dir, "").History("a.example")
	require.NoError(t, err)
	require.Len(t, list, 39, "every version that was replaced")
}

func TestFallbackIsOnlyRead(t *testing.T) {
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "old.example.md"), []byte("theirs"), 0o600))
	s := Open(filepath.Join(t.TempDir(), "profiles"), other)
	f, err := s.Lookup("https://www.old.example/")
	require.NoError(t, err)
	require.True(t, f.Fallback)
	all, err := s.List()
	require.NoError(t, err)
	require.Len(t, all, 1)
	saved := save(t, s, "old.example", "ours", f.Version)
	require.False(t, saved.Fallback)
	raw, err := os.ReadFile(filepath.Join(other, "old.example.md"))
	require.NoError(t, err)
	require.Equal(t, "theirs", string(raw))
	list, err := s.History("old.example")
	require.NoError(t, err)
	require.Equal(t, "theirs", list[0].Text, "the text that was taken over")
}

func TestLinksLeadNowhere(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	testneed.Symlink(t, secret, filepath.Join(dir, "a.example.md"))
	s := Open(dir, "")
	_, err := s.Load("a.example")
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrNotFound)
	_, err = s.Save(t.Context(), "a.example", "x", "")
	require.Error(t, err)
	raw, err := os.ReadFile(secret)
	require.NoError(t, err)
	require.Equal(t, "secret", string(raw))
}

func TestSaveThatCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(file, "").Save(t.Context(), "a.example", "x", "")
	require.ErrorContains(t, err, "profile a.example")
	_, err = Open(t.TempDir(), "").Save(t.Context(), "a.example", strings.Repeat("x", MaxText+1), "")
	require.ErrorContains(t, err, "more than the")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := Open(t.TempDir(), "")
	_, err = s.Save(ctx, "a.example", "x", "")
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Load("a.example")
	require.ErrorIs(t, err, ErrNotFound)
}

// Links below the home folder are followed; one that leads out of it is that profile's own trouble.
func TestLinks(t *testing.T) {
	home, out := t.TempDir(), t.TempDir()
	dir := filepath.Join(home, "profiles")
	require.NoError(t, os.MkdirAll(filepath.Join(home, "kept"), 0o700))
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, "kept", "in.md"), []byte("# in"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(out, "out.md"), []byte("# out"), 0o600))
	for name, to := range map[string]string{"in.example.md": filepath.Join(home, "kept", "in.md"), "out.example.md": filepath.Join(out, "out.md"),
		"up.example.md": "../kept/in.md", "none.example.md": "nothing.md"} {
		testneed.Symlink(t, to, filepath.Join(dir, name))
	}
	s := Open(dir, "")
	save(t, s, "own.example", "# own", "")
	for _, domain := range []string{"in.example", "up.example"} {
		f, err := s.Lookup("https://" + domain + "/")
		require.NoError(t, err)
		require.Equal(t, "# in", f.Text)
	}
	_, err := s.Lookup("https://out.example/")
	require.ErrorContains(t, err, "it is a link, and to no .md file below")
	require.NotErrorIs(t, err, ErrNotFound, "it may withhold")
	all, err := s.List()
	require.NoError(t, err)
	require.Len(t, all, 5)
	for _, f := range all {
		require.Equal(t, f.Domain == "out.example" || f.Domain == "none.example", f.Err != nil, "%s: %v", f.Domain, f.Err)
	}
}

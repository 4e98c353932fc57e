package snapshot_test

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redacttest"
	"github.com/stretchr/testify/require"
)

func TestRedactorClean(t *testing.T) {
	r, err := snapshot.NewRedactor()
	require.NoError(t, err)
	for _, c := range redacttest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			got := r.Clean(c.In)
			require.Equal(t, c.Want, got)
			require.Equal(t, got, r.Clean(got), "cleaning twice changes nothing more")
		})
	}
}

func TestRedactorCustom(t *testing.T) {
	r, err := snapshot.NewRedactor(`ACME-(\d{8})`, `(?i)balance: \S+`)
	require.NoError(t, err)
	require.True(t, r.Custom())
	require.Equal(t, "id ACME-[redacted], [redacted]", r.Clean("id ACME-12345678, Balance: $5"))
	require.Equal(t, "id ACME-1234567", r.Clean("id ACME-1234567"))
}

func TestBadPatternsAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ pattern, want string }{
		"does not compile": {`(`, "missing closing"},
		"look-ahead":       {`a(?=b)`, "Go's syntax"},
		"back-reference":   {`(a)\1`, "Go's syntax"},
		"empty match":      {`x*`, "matches the empty text"},
		"too long":         {strings.Repeat("x", 501), "at most 500"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := snapshot.NewRedactor(c.pattern)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestEveryRuleNamesItsSource(t *testing.T) {
	for _, rule := range snapshot.SecretRules() {
		require.NotEmpty(t, rule.Source, rule.Name)
		require.NotEmpty(t, rule.Put, rule.Name)
		if rule.Check != "card" {
			require.NotEmpty(t, rule.Hints, rule.Name)
		}
	}
}

func FuzzRedactor(f *testing.F) {
	for _, c := range redacttest.Cases() {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := snapshot.NewRedactor()
		require.NoError(t, err)
		once := r.Clean(s)
		require.Equal(t, once, r.Clean(once))
	})
}

func BenchmarkClean(b *testing.B) {
	r, err := snapshot.NewRedactor()
	require.NoError(b, err)
	text := strings.Repeat("GET /orders/12345?page=2 took 17 ms; user 42 is fine. ", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Clean(text)
	}
}

package redact_test

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
	"github.com/stretchr/testify/require"
)

func TestRedactorClean(t *testing.T) {
	r, err := redact.New()
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
	r, err := redact.New(`ACME-(\d{8})`, `(?i)balance: \S+`)
	require.NoError(t, err)
	require.True(t, r.Custom())
	require.Equal(t, "id ACME-[redacted], [redacted]", r.Clean("id ACME-12345678, Balance: $5"))
	require.Equal(t, "id ACME-1234567", r.Clean("id ACME-1234567"))
	known := r.With(redact.Secret{Value: "12345678", Why: "profile", Reach: redact.Word})
	require.Equal(t, "id ACME-[redacted] is [redacted: profile]", known.Clean("id ACME-12345678 is 12345678"),
		"a text reads as it did before what its rule withheld was known")
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
			_, err := redact.New(c.pattern)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestEveryRuleNamesItsSource(t *testing.T) {
	for _, use := range []redact.Use{redact.AtCapture, redact.Personal} {
		for _, rule := range redact.Rules(use) {
			require.NotEmpty(t, rule.Source, rule.Name)
			require.Equal(t, use != redact.Personal, rule.Put != "", rule.Name)
			if rule.Check != "card" {
				require.NotEmpty(t, rule.Hints, rule.Name)
			}
		}
	}
}

func BenchmarkClean(b *testing.B) {
	r, err := redact.New()
	require.NoError(b, err)
	text := strings.Repeat("GET /orders/12345?page=2 took 17 ms; user 42 is fine. ", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Clean(text)
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/stretchr/testify/require"
)

// capturedForm is a capture of a small page as a file: what reads it needs no browser.
func capturedForm(t *testing.T) string {
	t.Helper()
	needChrome(t)
	code, out, errs := ctl(t, "--quiet", "snap", "--format", "capture", "--all", page(t, form))
	require.Zero(t, code, errs)
	name := filepath.Join(t.TempDir(), "form.json")
	require.NoError(t, os.WriteFile(name, []byte(out), 0o600))
	return name
}

func TestTokens(t *testing.T) {
	file := capturedForm(t)
	code, out, errs := ctl(t, "--json", "tokens", file)
	require.Zero(t, code, errs)
	var got inspect.Costs
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Len(t, got.Formats, len(format.Names())-1, "all but what a query finds")
	for _, k := range got.Formats {
		require.Positive(t, k.Tokens, k.Format)
		require.GreaterOrEqual(t, k.Bytes, k.Chars)
	}
	require.Equal(t, got.Formats[0].Tokens, got.Regions[0].All.Tokens, "the page is the whole document")
	text := map[string]inspect.FormatCost{}
	for _, k := range got.Formats {
		text[k.Format] = k
		require.InDelta(t, float64(k.Tokens+k.Picture)*10/1e6, k.Cost, 1e-9, k.Format)
		require.Equal(t, k.Format == "hybrid", k.Picture > 0, "hybrid alone has a picture")
	}
	require.Equal(t, 85+6*170, text["hybrid"].Picture, "1280 x 720 px are 3 by 2 tiles of gpt-4o")
	code, out, _ = ctl(t, "--json", "tokens", file, "--price", "2.5", "--model", "claude-opus-4")
	require.Zero(t, code)
	var other inspect.Costs
	require.NoError(t, json.Unmarshal([]byte(out), &other))
	require.InDelta(t, got.Formats[0].Cost/4, other.Formats[0].Cost, 1e-9)
	own := 0
	for _, r := range got.Regions {
		own += r.Own.Tokens
	}
	require.Equal(t, got.Whole.Tokens, own)
	require.Equal(t, got.Whole.Tokens, got.Lost.Given)
	code, out, _ = ctl(t, "tokens", file)
	require.Zero(t, code)
	require.Contains(t, out, "region of dddk")
	require.Contains(t, out, "cost: at 10 for 1,000,000 tokens (--price)")
	for by, want := range map[string]string{
		"format": "wraith-json", "region": "form", "tag": "button", "repeat": "no row of dddk is there three times",
		"cut": "the whole page",
	} {
		code, out, errs = ctl(t, "tokens", "--by", by, file)
		require.Zero(t, code, errs)
		require.Contains(t, out, want)
		require.NotContains(t, out, "\n\n", "one table")
	}
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"an unknown table":     {[]string{"--by", "colour"}, 2, "format | region | tag | repeat | cut"},
		"a price below zero":   {[]string{"--price", "-1"}, 2, "below zero"},
		"an unknown model":     {[]string{"--model", "nobody"}, 2, "not known"},
		"a lossy picture":      {[]string{"--map", "x.jpg"}, 2, ".png or .webp"},
		"a capture as it was":  {[]string{"--full-page"}, 2, "name the page itself"},
		"no picture beside it": {[]string{"--map", filepath.Join(t.TempDir(), "x.png")}, 1, "no picture"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := ctl(t, append([]string{"tokens", file}, c.args...)...)
			require.Equal(t, c.code, code)
			require.Contains(t, errs, c.want)
		})
	}
}

func TestWhatIf(t *testing.T) {
	file := capturedForm(t)
	code, out, errs := ctl(t, "--quiet", "whatif", "--drop", "form", file)
	require.Zero(t, code, errs)
	require.Contains(t, out, "- [3]<label>Name</label>   # filtered: inside what form leaves out\n")
	require.NotContains(t, out, "Sign in")
	code, _, errs = ctl(t, "whatif", "--drop", "p:hover", file)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "hover")
}

func TestTextFlags(t *testing.T) {
	file := capturedForm(t)
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"aria of one part": {[]string{"--format", "aria", "--root", "form"}, 0, `textbox "Name"`},
		"by role":          {[]string{"--format", "aria", "--root", "role=heading"}, 0, "Sign in"},
		"nothing there":    {[]string{"--format", "aria", "--root", "table"}, 1, "nothing on the page matches"},
		"a wrong selector": {[]string{"--format", "aria", "--root", "p["}, 2, "--root"},
		"an unknown detail": {[]string{"--format", "aria", "--detail", "some"}, 2,
			"choose from full | interactive | summary"},
		"a query's own format":      {[]string{"--format", "filtered", "--query", "name"}, 0, `"mode":"filtered"`},
		"which needs a query":       {[]string{"--format", "filtered"}, 2, "--query"},
		"since is for aria":         {[]string{"--since", "x#1"}, 2, "--since is for"},
		"tokens are a limit":        {[]string{"--max-tokens", "60"}, 0, "[...truncated: "},
		"Playwright's own spelling": {[]string{"--format", "aria", "--playwright", "--no-refs"}, 0, `- textbox "Name": Ada`},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := ctl(t, append(append([]string{"snap"}, c.args...), file)...)
			require.Equal(t, c.code, code, errs)
			require.Contains(t, out+errs, c.want)
		})
	}
}

// The JSON of wraith has all fields of the seed's struct (W-1), its timestamp among them; a golden, which two
// captures of a page are to have in common, does not.
func TestWraithHasATimestamp(t *testing.T) {
	file := capturedForm(t)
	stamp := func(args ...string) (at *time.Time) {
		code, out, errs := ctl(t, append([]string{"--quiet", "snap", file, "--format", "wraith-json"}, args...)...)
		require.Zero(t, code, errs)
		var got struct{ Timestamp *time.Time }
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		return got.Timestamp
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var c struct{ TakenAt time.Time }
	require.NoError(t, json.Unmarshal(data, &c))
	require.NotNil(t, stamp())
	require.True(t, stamp().Equal(c.TakenAt))
	require.Nil(t, stamp("--volatile=false"))
}

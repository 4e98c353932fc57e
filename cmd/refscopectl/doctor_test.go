package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/refscope/refscope/cmd/refscopectl/view"
	"github.com/refscope/refscope/snapshot/doctor"
)

// tapped runs a tap and posts bodies to its OpenAI path one after the other.
func tapped(t *testing.T, vendor string, dir string, flags []string, bodies ...string) {
	t.Helper()
	out, print := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append(flags, "--json", "tap", "-o", dir, "--upstream", "openai="+vendor), print, io.Discard)
		_ = print.Close()
	}()
	lines := json.NewDecoder(out)
	var bases struct{ BaseURLs map[string]string }
	require.NoError(t, lines.Decode(&bases))
	for _, body := range bodies {
		answered := make(chan error, 1)
		go func() {
			resp, err := http.Post(bases.BaseURLs["openai"]+"/chat/completions", "application/json", strings.NewReader(body))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
			}
			answered <- err
		}()
		var line map[string]any
		require.NoError(t, lines.Decode(&line))
		require.NoError(t, <-answered)
	}
	stop()
	require.Equal(t, 0, <-code)
}

// calls is a vendor whose answers call a tool with the refs, one after the other, as a stream.
func calls(t *testing.T, refs ...string) string {
	var next atomic.Int32
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		ref := refs[int(next.Add(1)-1)%len(refs)]
		fmt.Fprintf(w, "data: {\"model\":\"gpt-4o\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\","+
			"\"function\":{\"name\":\"browser_click\",\"arguments\":\"{\\\"ref\\\":\\\"%s\\\"}\"}}]}}]}\n\ndata: [DONE]\n\n", ref)
	}))
	t.Cleanup(vendor.Close)
	return vendor.URL
}

type content map[string]any

func said(role, words string, pictures ...[]byte) content {
	parts := []content{{"type": "text", "text": words}}
	for _, p := range pictures {
		parts = append(parts, content{"type": "image_url", "image_url": content{
			"url": "data:image/png;base64," + base64.StdEncoding.EncodeToString(p)}})
	}
	return content{"role": role, "content": parts}
}

func chatBody(t *testing.T, messages ...content) string {
	t.Helper()
	raw, err := json.Marshal(content{"model": "gpt-4o", "messages": messages})
	require.NoError(t, err)
	return string(raw)
}

// An agent works on a page in Chrome, its requests go through the tap, and the doctor finds what is
// wrong with them and nothing in the one that is right.
func TestDoctor(t *testing.T) {
	needChrome(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	at := newGuest(t).address()
	dir, clean := filepath.Join(t.TempDir(), "s"), filepath.Join(t.TempDir(), "clean.png")
	code, _, stderr := ctl(t, "--quiet", "--attach", at, "snap", "--keep", "../../assets/demo/index.html")
	require.Equal(t, 0, code, stderr)
	code, words, stderr := ctl(t, "--quiet", "snap", "t1", "--format", "aria")
	require.Equal(t, 0, code, stderr)
	// What the agent's own connection sees: the size that --viewport emulates ends with a command.
	seen := filepath.Join(t.TempDir(), "seen")
	tapped(t, calls(t, "1"), seen, []string{"--attach", at}, chatBody(t, said("user", words)))
	code, _, stderr = ctl(t, "--quiet", "mark", seen+"#1", "-o", filepath.Join(t.TempDir(), "m.png"), "--clean", clean)
	require.Equal(t, 0, code, stderr)
	shot, err := os.ReadFile(clean)
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^\s*- (?:button|link) "[^"]{8,}".*\[ref=(\w+)\]`).FindStringSubmatch(words)
	require.NotNil(t, m, words)

	img, err := png.Decode(bytes.NewReader(shot))
	require.NoError(t, err)
	half := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx()/2, img.Bounds().Dy()/2))
	draw.BiLinear.Scale(half, half.Rect, img, img.Bounds(), draw.Src, nil)
	var small bytes.Buffer
	require.NoError(t, png.Encode(&small, half))

	system := said("system", strings.Repeat("You operate a browser for a person. ", 250))
	one := said("user", "Buy a kettle. The page:\n"+words, shot)
	went := said("assistant", "I click on it.")
	tapped(t, calls(t, m[1], "s9e9999", m[1]), dir, []string{"--attach", at},
		chatBody(t, system, one),
		chatBody(t, system, one, went, said("user", "Done. The page:\n"+words, small.Bytes())),
		chatBody(t, said("system", "It is 10:07. "+strings.Repeat("You operate a browser for a person. ", 250)), one, went,
			said("user", "See the attached screenshot.\napi_key=sk-proj-"+strings.Repeat("aB3xY9", 8)+"\nThe page:\n"+words)),
	)
	code, out, stderr := ctl(t, "doctor", dir, "--json")
	require.Equal(t, 1, code, stderr)
	var got []view.Examined
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var e view.Examined
		require.NoError(t, d.Decode(&e))
		got = append(got, e)
	}
	require.Len(t, got, 3)
	rules := func(e view.Examined) (list []string) {
		for _, f := range e.Findings {
			list = append(list, f.Rule)
		}
		return list
	}
	require.True(t, got[0].Paired)
	require.Empty(t, rules(got[0]), got[0].Text())
	require.Positive(t, got[0].Targets[0].ElementRef)
	require.Greater(t, got[0].Texts[0].Matched, len(got[0].Texts[0].Lines)*3/4)
	require.ElementsMatch(t, []string{doctor.RefUnknown, doctor.PictureScaled}, rules(got[1]), got[1].Text())
	require.Equal(t, 1, got[1].Prefix.Turn)
	require.Empty(t, got[1].Prefix.Broken)
	require.ElementsMatch(t, []string{doctor.PictureMissing, doctor.Secret, doctor.CacheBroken}, rules(got[2]), got[2].Text())
	require.NotContains(t, out, "aB3xY9aB3xY9")

	code, out, stderr = ctl(t, "doctor", dir+"#1")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "Nothing was found.")
	code, out, stderr = ctl(t, "doctor", dir, "--sarif")
	require.Equal(t, 1, code, stderr)
	var sarif struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct{ RuleID string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &sarif))
	require.Len(t, sarif.Runs, 3)
	require.Len(t, sarif.Runs[2].Results, 3)
	require.Len(t, sarif.Runs[2].Tool.Driver.Rules, 3)

	report := filepath.Join(t.TempDir(), "report.html")
	code, _, stderr = ctl(t, "session", "report", dir, "-o", report)
	require.Equal(t, 0, code, stderr)
	html, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(html), "What is wrong with the request"))
	require.Contains(t, string(html), "no element of the request has the ref s9e9999")
}

func TestDoctorIsCalledWrongly(t *testing.T) {
	for name, args := range map[string][]string{
		"no target": {"doctor"}, "two forms": {"doctor", "x", "--sarif", "--json=true"},
		"severity": {"doctor", "x", "--max-severity", "bad"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := ctl(t, args...)
			require.Equal(t, 2, code, stderr)
		})
	}
	code, _, stderr := ctl(t, "doctor", "nowhere")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "nowhere")
	code, out, _ := ctl(t, "doctor", "--rules")
	require.Equal(t, 0, code)
	require.Contains(t, out, doctor.RefUnknown)
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"golang.org/x/net/html"
)

// unsteady is how many pages of a folder may differ at first: an autofocus that
// scrolls before or after a late style sheet, on a machine that is busy with both
// folders. Each of them is looked at again, alone: see lookAgain.
const unsteady = 3

// TestCorpus captures every saved page in two fresh sessions and compares: the same
// dump, manifest and pixels, a mark for each visible ref, a line for each mark.
func TestCorpus(t *testing.T) {
	testneed.Long(t, "saved pages")
	needChrome(t)
	ctl(t, "version") // sets the environment of all runs
	var folders []string
	pages, dirs := map[string][]string{}, map[string][2]string{}
	for _, kind := range []testpages.Kind{testpages.Articles, testpages.Forms} {
		for _, f := range testpages.Folders(t, kind) {
			folders = append(folders, f.Name)
			dirs[f.Name] = [2]string{t.TempDir(), t.TempDir()}
			for _, name := range f.Pages(t) {
				pages[f.Name] = append(pages[f.Name], filepath.Join(f.Path, name))
			}
		}
	}
	for round := range 2 {
		// One folder at a time for each session: while it is served, its port is taken,
		// and the port is part of the address.
		var work sync.WaitGroup
		for _, f := range folders {
			work.Go(func() { takeAll(t, dirs[f][round], pages[f]...) })
		}
		work.Wait()
		if t.Failed() {
			return
		}
	}
	for _, f := range folders {
		differ := 0
		for k, page := range pages[f] {
			name := filepath.Base(page)
			a, b := loadTurn(t, dirs[f][0], k+1), loadTurn(t, dirs[f][1], k+1)
			if why := difference(t, a, b); why != "" {
				differ++
				t.Logf("%s: two fresh sessions differ on a busy machine: %s", name, why)
				if why = lookAgain(t, page); why != "" {
					t.Errorf("%s: two fresh sessions differ: %s", name, why)
				}
			}
			marksAndLines(t, name, a)
			everyFormat(t, name, a)
		}
		t.Logf("%s: %d pages, %d differ between two fresh sessions on a busy machine", f, len(pages[f]), differ)
		if differ > unsteady {
			t.Errorf("%s: %d pages differ at first, more than %d: that is no accident", f, differ, unsteady)
		}
	}
}

// takeAll takes a turn of each page into the session folder dir.
func takeAll(t *testing.T, dir string, pages ...string) {
	var out, errs bytes.Buffer
	code := run(context.Background(), append([]string{"--quiet", "turn", "-o", dir}, pages...), &out, &errs)
	if code != 0 {
		t.Errorf("turn: exit %d: %s", code, errs.String())
	}
}

// lookAgain takes one page in further sessions, with nothing beside it, until two of them
// are equal. A page that scrolls itself before or after a late style sheet has two states;
// of three sessions two are then in the same one, and the fourth is for a third state.
func lookAgain(t *testing.T, page string) string {
	t.Helper()
	var taken []*target.Opened
	why := ""
	for range 4 {
		dir := t.TempDir()
		takeAll(t, dir, page)
		if t.Failed() {
			return "the page cannot be taken"
		}
		s := loadTurn(t, dir, 1)
		for _, before := range taken {
			if why = difference(t, before, s); why == "" {
				return ""
			}
		}
		taken = append(taken, s)
	}
	return why
}

func loadTurn(t *testing.T, dir string, n int) *target.Opened {
	t.Helper()
	s, err := target.ReadTurn(context.Background(), turn.Address{Dir: dir, N: n})
	require.NoError(t, err)
	return s
}

// difference says in what two captures of one page differ, "" where in nothing.
func difference(t *testing.T, a, b *target.Opened) string {
	t.Helper()
	for _, f := range format.Names() {
		// webmd-2.html writes the time of day into its own text.
		one, two := clock.ReplaceAllString(dumpText(t, a, f), "T"), clock.ReplaceAllString(dumpText(t, b, f), "T")
		if one != two {
			return fmt.Sprintf("%s at byte %d", f, firstDifference(one, two))
		}
	}
	ia, err := a.Image()
	require.NoError(t, err)
	ib, err := b.Image()
	require.NoError(t, err)
	ma, err := json.Marshal(overlay.NewScene(a.Capture, ia.Bounds().Size(), overlay.Options{}).Manifest("x.png"))
	require.NoError(t, err)
	mb, err := json.Marshal(overlay.NewScene(b.Capture, ib.Bounds().Size(), overlay.Options{}).Manifest("x.png"))
	require.NoError(t, err)
	if !bytes.Equal(ma, mb) {
		return fmt.Sprintf("manifest at byte %d", firstDifference(string(ma), string(mb)))
	}
	others, first := 0, ""
	for p := 0; p < len(ia.Pix); p += 4 {
		if !bytes.Equal(ia.Pix[p:p+4], ib.Pix[p:p+4]) {
			if others++; others == 1 {
				first = fmt.Sprintf("pixel %d,%d", p/4%ia.Bounds().Dx(), p/4/ia.Bounds().Dx())
			}
		}
	}
	if others*1000 > len(ia.Pix)/4 {
		return fmt.Sprintf("%d pixels, the first %s", others, first)
	}
	return "" // of fewer, Chrome smooths the letters of a sticky header in one way or another on a busy machine
}

func dumpText(t *testing.T, s *target.Opened, f dump.Format) string {
	t.Helper()
	doc, err := format.Render(s.Capture, f, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(t, err)
	return doc.Text
}

func firstDifference(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// clock is a time in ms since 1970, as scripts print it.
var clock = regexp.MustCompile(`\b1[0-9]{12}\b`)

var numberedLine = regexp.MustCompile(`(?m)^\t*[↑↓]?\[(\d+)\]`)

// everyFormat: what is JSON, YAML or HTML is that to a parser that is not ours, and every
// number in it is a ref of the capture.
func everyFormat(t *testing.T, name string, s *target.Opened) {
	t.Helper()
	page := format.NewPage(s.Capture)
	for _, f := range format.Plain() {
		d, err := page.Render(f, format.Options{Common: dump.Common{MaxChars: -1}})
		require.NoError(t, err)
		switch format.KindOf(f) {
		case format.KindJSON:
			require.True(t, json.Valid([]byte(d.Text)), "%s: %s is not JSON", name, f)
		case format.KindYAML:
			var tree any
			require.NoError(t, yaml.Unmarshal([]byte(d.Text), &tree), "%s: %s", name, f)
		case format.KindHTML:
			key := "id"
			if f == format.Full { // it keeps the page's own ids
				key = "data-id"
			}
			doc, err := html.Parse(strings.NewReader(d.Text))
			require.NoError(t, err, "%s: %s", name, f)
			for n := range doc.Descendants() {
				for _, a := range n.Attr {
					if a.Key != key || strings.HasPrefix(a.Val, "{{") {
						continue
					}
					ref, err := strconv.Atoi(a.Val[strings.LastIndexByte(a.Val, '_')+1:])
					require.NoError(t, err, "%s: %s: id=%q", name, f, a.Val)
					require.NotNil(t, s.Capture.ByRef(ref), "%s: %s: id=%q", name, f, a.Val)
				}
			}
		}
		for _, l := range d.Lines {
			if l.Ref > 0 {
				n := s.Capture.ByRef(l.Ref)
				require.NotNil(t, n, "%s: %s: a line of ref %d, which there is not", name, f, l.Ref)
				require.Equal(t, n.I, l.Node)
			}
		}
	}
}

// marksAndLines: a drawn mark for each ref that is visible, in the viewport and not
// covered (containers apart), and one line in the dump for each mark.
func marksAndLines(t *testing.T, name string, s *target.Opened) {
	t.Helper()
	img, err := s.Image()
	require.NoError(t, err)
	m := overlay.NewScene(s.Capture, img.Bounds().Size(), overlay.Options{}).Manifest("x.png")
	status := map[int]overlay.Status{}
	for _, k := range m.Marks {
		require.NotContains(t, status, k.Ref, "%s: ref %d twice in the manifest", name, k.Ref)
		status[k.Ref] = k.Status
	}
	lines := map[int]int{}
	for _, l := range numberedLine.FindAllStringSubmatch(dumpText(t, s, format.DDDK), -1) {
		n, err := strconv.Atoi(l[1])
		require.NoError(t, err)
		lines[n]++
	}
	for i := range s.Capture.Nodes {
		n := &s.Capture.Nodes[i]
		if n.Ref == 0 {
			continue
		}
		if _, ok := status[n.Ref]; !ok {
			t.Errorf("%s: ref %d (%s) is not in the manifest", name, n.Ref, n.Path)
		}
		shown := n.Verdict == snapshot.VerdictRef && n.Visible && n.InViewport &&
			(n.Occlusion == nil || n.Occlusion.State != snapshot.Covered) && !n.Container()
		counted := status[n.Ref] == overlay.TooSmall || status[n.Ref] == overlay.NoRoom // left out, and listed as that
		if shown && status[n.Ref] != overlay.Drawn && !counted {
			t.Errorf("%s: ref %d (%s) is to be seen and its mark is %s", name, n.Ref, n.Path, status[n.Ref])
		}
		if n.Verdict == snapshot.VerdictRef && lines[n.Ref] != 1 {
			t.Errorf("%s: ref %d (%s) has %d lines", name, n.Ref, n.Path, lines[n.Ref])
		}
	}
	for ref, st := range status {
		if st == overlay.Drawn && lines[ref] != 1 {
			t.Errorf("%s: mark %d has %d lines", name, ref, lines[ref])
		}
	}
}

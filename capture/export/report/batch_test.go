package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/stretchr/testify/require"
)

// batchFolder makes a batch folder with n pages.
func batchFolder(t testing.TB, n int, change func(i int, e *batch.Entry)) string {
	t.Helper()
	dir := t.TempDir()
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "https://a.test/%d\n", i)
	}
	l, err := batch.Read(t.Context(), strings.NewReader(lines.String()), nil)
	require.NoError(t, err)
	var picture bytes.Buffer
	require.NoError(t, jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 160, 90)), nil))
	// The results are written at once: a file for each page is all that the report reads beside.
	var manifest strings.Builder
	fmt.Fprintf(&manifest, `{"manifest":%q,"do":"turn at 1280x720","list":"x","pages":%d}`+"\n", batch.Schema, n)
	for i := range l.Pages {
		e := batch.EntryOf(&l.Pages[i], batch.Result{Title: fmt.Sprint("Page ", i), Status: 200}, nil)
		e.Work = &batch.Work{Seconds: float64(i%50) / 10, Attempts: 1}
		if change != nil {
			change(i, e)
		}
		line, err := jsonLine(e)
		require.NoError(t, err)
		manifest.WriteString(line)
		folder := filepath.Join(dir, batch.PagesDir, e.Key)
		require.NoError(t, os.MkdirAll(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "thumbnail.jpg"), picture.Bytes(), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, batch.ManifestFile), []byte(manifest.String()), 0o600))
	return dir
}

// writeBatch writes the report of a folder.
func writeBatch(w io.Writer, dir string) error {
	b, err := ReadBatch(dir)
	if err != nil {
		return err
	}
	return b.Write(w)
}

func TestWriteBatch(t *testing.T) {
	dir := batchFolder(t, 30, func(i int, e *batch.Entry) {
		switch i {
		case 3, 4:
			e.Outcome, e.Cause, e.Error = batch.Failed, "http 429", "the server answered 429"
		case 5:
			e.Findings, e.Change, e.Changed = &audit.Tally{Errors: 2}, "changed", "a button is gone"
			e.Files = []string{"marked.png", "session", "../../../etc/passwd.txt", "x/y.html"}
		}
	})
	var b bytes.Buffer
	require.NoError(t, writeBatch(&b, dir))
	got := b.String()
	require.Equal(t, 30, strings.Count(got, `<div class="row" role="row"`))
	require.Equal(t, 30, strings.Count(got, "data:image/jpeg;base64,"))
	require.Contains(t, got, `<span class="badge bad">http 429</span> 2 pages`)
	require.Contains(t, got, "a button is gone")
	require.Contains(t, got, `/marked.png">marked.png</a>`)
	require.NotContains(t, got, "passwd")
	require.NotContains(t, got, "y.html")

	_, err := ReadBatch(t.TempDir())
	require.ErrorContains(t, err, "is not a batch folder")
}

// What pages, servers and lists say is text, wherever it is shown.
func TestWriteBatchHostile(t *testing.T) {
	const evil = `</script><img src=x onerror=alert(1)>"'{{.}}` + "\u202e\u200b\x00\n"
	dir := batchFolder(t, 1, func(_ int, e *batch.Entry) {
		e.Name, e.Target, e.Title, e.Outcome, e.Cause, e.Error = evil, "javascript:"+evil, evil, batch.Failed, evil, evil
		e.Notes, e.Breaches, e.Change, e.Changed = []string{evil}, []string{evil}, evil, evil
		e.Files = []string{evil, "javascript:alert.html"}
	})
	require.NoError(t, os.WriteFile(filepath.Join(dir, batch.PagesDir, onlyPage(t, dir), "thumbnail.jpg"),
		[]byte(`<svg onload=alert(1)>`), 0o600))
	var b bytes.Buffer
	require.NoError(t, writeBatch(&b, dir))
	got := strings.NewReplacer(batchScript, "", styleText+batchStyle, "").Replace(b.String())
	require.NotContains(t, got, "<img")
	require.NotContains(t, got, "<svg")
	require.NotContains(t, got, "\u202e")
	require.NotContains(t, got, `href="javascript`)
	require.Equal(t, 1, strings.Count(got, "<script>"))
	require.Equal(t, 1, strings.Count(got, "</script>"))
}

func onlyPage(t testing.TB, dir string) string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(dir, batch.PagesDir))
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0].Name()
}

// jsonLine is a value as one line of JSON.
func jsonLine(v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data) + "\n", err
}

// In a browser the table sorts and filters, asks for nothing and breaks no policy; and however many
// rows there are, scrolling lays out those in view. With REFSCOPE_SLOW there are 5,000, and the log
// has the times.
func TestBatchReportInABrowser(t *testing.T) {
	n := 500
	if os.Getenv("REFSCOPE_SLOW") != "" {
		n = 5000
	}
	dir := batchFolder(t, n, func(i int, e *batch.Entry) {
		e.Work.Seconds = float64((i * 7919) % n)
		if i == 42 {
			e.Outcome, e.Cause, e.Error = batch.Failed, "http 429", "too many <b>requests</b>"
		}
	})
	var b bytes.Buffer
	require.NoError(t, writeBatch(&b, dir))
	r := openFile(t, b.String())
	first := `document.querySelector('.row:not(.names):not([hidden]) .num').textContent`
	require.Equal(t, "1", r.text(first))
	click := func(key string) string {
		return fmt.Sprintf(`(() => { const at = performance.now(); document.querySelector('button[data-k="%s"]').click()
document.body.offsetHeight; return (performance.now() - at).toFixed(0) })()`, key)
	}
	took := r.text(click("s"))
	var seconds []float64
	r.eval(`[...document.querySelectorAll('.row:not(.names)')].map(row => Number(row.dataset.s))`, &seconds)
	require.IsDecreasing(t, seconds)
	r.text(click("o"))
	require.Equal(t, "43", r.text(first), "failures come first")
	shown := r.text(`(() => { const find = document.getElementById('find'); find.value = 'Too MANY'
find.dispatchEvent(new Event('input')); return document.getElementById('shown').textContent })()`)
	require.Equal(t, fmt.Sprintf("1 of %d pages", n), shown)
	r.eval(`(() => { const find = document.getElementById('find'); find.value = ''; find.dispatchEvent(new Event('input')) })()`, nil)
	// What is in a row that is not in view is not laid out.
	var lazy bool
	r.eval(`(async () => { scrollTo(0, 0); await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
const all = document.querySelectorAll('.row:not(.names)')
return !all[all.length - 1].children[2].checkVisibility({contentVisibilityAuto: true}) })()`, &lazy)
	require.True(t, lazy)
	worst := r.text(`(async () => { let worst = 0, last = performance.now(); const end = document.body.scrollHeight
for (let k = 1; k <= 60; k++) { scrollTo(0, end * k / 60); await new Promise(requestAnimationFrame)
const now = performance.now(); worst = Math.max(worst, now - last); last = now } return worst.toFixed(0) })()`)
	t.Logf("%d rows, %d KB: sorted in %s ms, the longest of 60 frames of a scroll over all of it %s ms", n, b.Len()>>10, took, worst)
	r.noFaults()
}

// A page that the server refused is not ok, though what it answered was captured.
func TestRefusedPageIsNotOK(t *testing.T) {
	for status, want := range map[int]BatchRow{200: {Outcome: "ok"}, 404: {Outcome: "http 404", Rank: 1},
		503: {Outcome: "http 503", Rank: 1}} {
		r := rowOf("", &batch.Entry{Outcome: batch.OK, Result: batch.Result{Status: status}})
		require.Equal(t, want.Outcome, r.Outcome)
		require.Equal(t, want.Rank, r.Rank)
		require.Equal(t, status >= 400, r.cells().Tone == warn)
	}
}

// TestTilesOfWhatWasDone: no sum stands for what nobody looked for.
func TestTilesOfWhatWasDone(t *testing.T) {
	labels := func(rows ...BatchRow) (out []string) {
		for _, tile := range (&Batch{Rows: rows}).tiles() {
			out = append(out, tile.What)
		}
		return out
	}
	require.Equal(t, []string{"pages", "failed"}, labels(BatchRow{}, BatchRow{Failed: true}))
	require.Equal(t, []string{"pages", "failed", "not as accepted"}, labels(BatchRow{}, BatchRow{Change: sameAsAccepted}))
	require.Equal(t, []string{"pages", "failed", "errors and warnings of the audit"},
		labels(BatchRow{}, BatchRow{Findings: new(audit.Tally)}))
}

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// PrintJSON prints v as one line of JSON on standard output.
func (a *App) PrintJSON(v any) error { return a.encode(a.Stdout, v) }

// encode writes v as one line of JSON. It is where every answer to --json is written, so that all are written alike: an
// object says first what shape it has, and no character is escaped that need not be. What says so itself is left alone.
func (a *App) encode(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	line := b.Bytes()
	var known struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(line, &known); err != nil || known.Schema != "" {
		_, err := w.Write(line)
		return err
	}
	rest := bytes.TrimPrefix(line, []byte("{"))
	comma := ","
	if bytes.HasPrefix(rest, []byte("}")) {
		comma = ""
	}
	_, err := fmt.Fprintf(w, `{"schema":%q%s%s`, a.Shape, comma, rest)
	return err
}

// ShapeOf is the name of what a command answers to --json: refscope.sessionlist/1.
func ShapeOf(path string) string { return "refscope." + strings.ReplaceAll(path, " ", "") + "/1" }

// Print prints text for people on standard output. Page text in it cannot write to a
// terminal: dangerous characters are spelled out.
func (a *App) Print(s string) error {
	_, err := io.WriteString(a.Stdout, text.EscapeOnce(s))
	return err
}

// Printf is [app.print] with a format.
func (a *App) Printf(format string, args ...any) error { return a.Print(fmt.Sprintf(format, args...)) }

// PrintLines is [app.print] of lines, each without its line feed.
func (a *App) PrintLines(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	return a.Print(strings.Join(lines, "\n") + "\n")
}

// answer is a result of package inspect: a text for people, and JSON.
type answer interface{ Text() string }

// Emit prints a result: as one line of JSON with --json, else as its text.
func (a *App) Emit(ctx context.Context, v answer) error {
	if a.JSON {
		return a.PrintJSON(v)
	}
	return a.Show(ctx, v.Text(), PaintText)
}

// EmitAll is [app.emit] of several results, into a file where one is named: JSON lines, or texts with an empty line
// between them.
func EmitAll[R answer](ctx context.Context, a *App, file string, list []R) error {
	var b strings.Builder
	for i, v := range list {
		if a.JSON {
			if err := a.encode(&b, v); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text.EscapeOnce(v.Text()))
	}
	if a.JSON || file != "" {
		return a.PrintTo(file, b.String())
	}
	return a.Show(ctx, b.String(), PaintText)
}

// StringsOf are the values as they describe themselves.
func StringsOf[T fmt.Stringer](values []T) []string {
	out := make([]string, len(values))
	for k, v := range values {
		out[k] = v.String()
	}
	return out
}

// PrintBytes prints exactly these bytes on standard output. Only where standard output
// is a terminal are dangerous characters spelled out.
func (a *App) PrintBytes(b []byte) error {
	if Terminal(a.Stdout) {
		return a.Print(string(b))
	}
	_, err := a.Stdout.Write(b)
	return err
}

// PrintCapture prints a capture as one line of JSON, element by element: a large one has as
// many bytes as a picture of the page.
func (a *App) PrintCapture(c *snapshot.Capture) error {
	if Terminal(a.Stdout) {
		var b bytes.Buffer
		if err := c.WriteJSON(&b); err != nil {
			return err
		}
		return a.Print(b.String() + "\n")
	}
	w := bufio.NewWriterSize(a.Stdout, 1<<16)
	if err := c.WriteJSON(w); err != nil {
		return err
	}
	if err := w.WriteByte('\n'); err != nil {
		return err
	}
	return w.Flush()
}

// PrintTo writes a report to the file that -o names, else to standard output.
func (a *App) PrintTo(file, report string) error {
	if file != "" && file != Dash {
		return export.Write(file, []byte(report))
	}
	_, err := io.WriteString(a.Stdout, report)
	return err
}

// Remark prints a line for people on standard error unless --quiet.
func (a *App) Remark(format string, args ...any) {
	if !a.Quiet {
		fmt.Fprintln(a.Stderr, text.EscapeOnce(fmt.Sprintf(format, args...)))
	}
}

// FailWith is an error whose JSON form has more than its message.
func (a *App) FailWith(err error, more map[string]any) error {
	if !a.JSON {
		return err
	}
	more["status"] = "error"
	more["error"] = map[string]string{"type": "EXECUTION", "message": text.EscapeOnce(err.Error())}
	if werr := a.PrintJSON(more); werr != nil {
		return werr
	}
	return ErrReported
}

// List is s as JSON lists it: empty and not null.
func List[T any](s []T) []T { return append([]T{}, s...) }

// Progress counts n things on standard error, where a person watches it on a terminal: how many of them are done, how
// many failed, and the time left. step is called after each; done removes the line.
func (a *App) Progress(what string, n int) (step func(failed bool), done func()) {
	if n < 2 || a.Quiet || a.Debug || !Terminal(a.Stderr) {
		return func(bool) {}, func() {}
	}
	p := counted{what: what, n: n, began: time.Now()}
	bar := progressbar.NewOptions(n, progressbar.OptionSetDescription(p.line(time.Now())),
		progressbar.OptionSetWriter(a.Stderr),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(20))
	// A bar that cannot be drawn is no reason to stop the work.
	step = func(failed bool) {
		bar.Describe(p.next(failed, time.Now()))
		_ = bar.Add(1)
	}
	return step, func() { _ = bar.Clear() }
}

// counted is how far something is.
type counted struct {
	what            string // "pages"
	n, done, failed int
	began           time.Time
	mu              sync.Mutex
}

// next counts one more, and returns the line.
func (p *counted) next(failed bool, now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done++; failed {
		p.failed++
	}
	return p.line(now)
}

// line is "12 of 60 pages, 2 failed, 40s left".
func (p *counted) line(now time.Time) string {
	out := fmt.Sprintf("%s of %s %s", text.Thousands(p.done), text.Thousands(p.n), p.what)
	if p.failed > 0 {
		out += fmt.Sprintf(", %s failed", text.Thousands(p.failed))
	}
	if p.done > 0 && p.done < p.n {
		left := time.Duration(float64(now.Sub(p.began)) / float64(p.done) * float64(p.n-p.done))
		out += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return out
}

// Terminal reports whether a person is at the other end of a stream.
func Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

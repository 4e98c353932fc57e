package window

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// marker is a word that the first and the last turn of a session say alone, in what their requests hold.
const marker = "xylophone"

// waitsTable is what a person waits for, as it was measured.
type waitsTable struct {
	d    *setup.Dev
	rows [][3]string
}

func (w *waitsTable) add(what string, took time.Duration, beside string) {
	w.rows = append(w.rows, [3]string{what, fmt.Sprintf("%d ms", took.Milliseconds()), beside})
	w.d.Say("%s: %d ms  %s", what, took.Milliseconds(), beside)
}

// Waits measures what a person waits for and prints a table in Markdown: the first commands, a session of 66 and
// one of 2,000 turns of an agent opened and walked through in the real window, their report, a word in their texts.
func Waits(ctx context.Context, d *setup.Dev) error {
	t := &setup.Test{Dev: d, Begin: time.Now()}
	if d.Machine.GOOS != "linux" {
		return errors.New("bench -waits: it needs Xvfb, so Linux")
	}
	if err := os.MkdirAll(t.Artifact(""), 0o755); err != nil {
		return fmt.Errorf("waits: %w", err)
	}
	program, ctl, err := buildBoth(ctx, t)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "refscope-waits-")
	if err != nil {
		return fmt.Errorf("waits: %w", err)
	}
	defer func() { _ = os.RemoveAll(home) }() // a stray temporary folder does no harm
	shop := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(d.Root, "assets", "demo"))))
	defer shop.Close()
	screen, err := openScreen(ctx, t, reviewScreen)
	if err != nil {
		return err
	}
	defer screen.server.End()
	drive := &driver{test: t, screen: screen, home: home, ctl: ctl, shop: shop.URL}
	table := &waitsTable{d: d}
	if err := table.commands(ctx, drive); err != nil {
		return err
	}
	for _, turns := range []int{66, 2000} {
		if err := table.session(ctx, drive, program, turns); err != nil {
			return err
		}
	}
	d.Say("\n| a person waits for | ms | beside |\n|---|---|---|")
	for _, r := range table.rows {
		d.Say("| %s | %s | %s |", r[0], r[1], r[2])
	}
	return nil
}

// commands measures commands, and records the pages that the sessions are made of.
func (w *waitsTable) commands(ctx context.Context, d *driver) error {
	defer func() { _, _ = d.run(context.WithoutCancel(ctx), "browser", "close") }() // a browser that is gone is closed
	for _, c := range []struct {
		what string
		args []string
	}{
		{"refscopectl version", []string{"version"}},
		{"the first command, a page marked", []string{"mark", d.shop + "/index.html", "-o", filepath.Join(d.home,
			"a.png")}},
		{"the same again", []string{"mark", d.shop + "/index.html", "-o", filepath.Join(d.home, "b.png")}},
		{"a page as text", []string{"snap", d.shop + "/index.html"}},
		{"three pages as turns", []string{"turn", d.shop + "/index.html", d.shop + "/checkout.html",
			d.shop + "/widgets.html", "-o", filepath.Join(d.home, "base")}},
	} {
		begin := time.Now()
		if out, err := d.run(ctx, c.args...); err != nil {
			return fmt.Errorf("%s: %w\n%s", c.what, err, out)
		}
		w.add(c.what, time.Since(begin), "")
	}
	return nil
}

// session makes a session of so many turns and measures it.
func (w *waitsTable) session(ctx context.Context, d *driver, program string, turns int) error {
	name := fmt.Sprintf("agent-%d", turns)
	path := filepath.Join(d.home, "sessions", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("waits: %w", err)
	}
	begin := time.Now()
	if err := agentTurns(ctx, filepath.Join(d.home, "base"), path, turns); err != nil {
		return fmt.Errorf("a session of %d turns: %w", turns, err)
	}
	w.add(fmt.Sprintf("%d turns written as an import does", turns), time.Since(begin), "")

	begin = time.Now()
	said, err := withWindow(ctx, d.test, d.screen, "waits-trace.jsonl", program, d.home, func(win *window) error {
		d.window = win
		whole := func(s windowState) bool {
			return s.Turns == turns && s.Turn == turns && s.Chars > 0 && s.Picture[2] > 0
		}
		first, err := win.trace.await(ctx, "the last turn", 60*time.Second, whole)
		if err != nil {
			return err
		}
		w.add(fmt.Sprintf("window with the first picture of %d turns", turns), first.At.Sub(begin), win.memory())
		ready := func(s windowState) bool { return s.Browser == "ready" && s.Busy == "" }
		if err := d.await("no work", ready)(ctx); err != nil {
			return err
		}
		if _, err := d.screen.tool(ctx, "xdotool", "search", "--onlyvisible", "--name", "^Refscope", "windowfocus",
			"--sync"); err != nil {
			return err
		}
		if err := w.walk(ctx, d, turns); err != nil {
			return err
		}
		return w.find(ctx, d, turns)
	}, path)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	if turns > 100 {
		return nil
	}
	begin = time.Now()
	file := d.test.Artifact("waits-report.html") // to be looked at
	if out, err := d.run(ctx, "session", "report", path, "-o", file); err != nil {
		return fmt.Errorf("report: %w\n%s", err, out)
	}
	st, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	w.add(fmt.Sprintf("report of %d turns", turns), time.Since(begin), fmt.Sprintf("%.1f MB", float64(st.Size())/1e6))
	return nil
}

// glance is how long a person looks at a turn at least, who does not only pass it: the frame before is painted by then.
const glance = 500 * time.Millisecond

// walk goes back through turns, one key each: with a glance at each, and with the next key as soon as the text is
// there.
func (w *waitsTable) walk(ctx context.Context, d *driver, turns int) error {
	if err := w.steps(ctx, d, turns-1, 15, glance, fmt.Sprintf("the turn before, of %d", turns)); err != nil {
		return err
	}
	return w.steps(ctx, d, turns-16, 15, 0, "the same without a pause")
}

// steps goes back from turn from, so many turns.
func (w *waitsTable) steps(ctx context.Context, d *driver, from, count int, pause time.Duration, what string) error {
	var all []time.Duration
	for n := from; n > from-count; n-- {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		took, err := d.timed(ctx, fmt.Sprintf("turn %d", n), func(s windowState) bool {
			return s.Turn == n && s.Chars > 0
		}, d.keys("k"))
		if err != nil {
			return err
		}
		all = append(all, took)
	}
	slices.Sort(all)
	w.add(fmt.Sprintf("%s, median of %d", what, len(all)), all[len(all)/2],
		fmt.Sprintf("slowest %d ms, %s", all[len(all)-1].Milliseconds(), d.window.memory()))
	return nil
}

// find looks for a word that two turns say: at first, which reads the texts of all turns, and again.
func (w *waitsTable) find(ctx context.Context, d *driver, turns int) error {
	if err := d.keys("slash")(ctx); err != nil {
		return err
	}
	for _, what := range []string{"a word in the texts of %d turns", "the same word again, in %d turns"} {
		took, err := d.timed(ctx, "both turns with the word", func(s windowState) bool { return s.Listed == 2 },
			d.write(marker))
		if err != nil {
			return err
		}
		w.add(fmt.Sprintf(what, turns), took, d.window.memory())
		whole := func(s windowState) bool { return s.Listed == turns }
		if err := d.press("all turns", whole, "ctrl+a", "Delete")(ctx); err != nil {
			return err
		}
	}
	return nil
}

// timed does something and measures, from its begin on, until the window is as wanted: with the time of the keys.
func (d *driver) timed(ctx context.Context, what string, wanted func(windowState) bool, do act) (time.Duration, error) {
	begin := time.Now()
	if err := do(ctx); err != nil {
		return 0, err
	}
	s, err := d.window.trace.await(ctx, what, 60*time.Second, wanted)
	return s.At.Sub(begin), err
}

// memory is what the window's process holds now.
func (w *window) memory() string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.process.Cmd.Process.Pid))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			var kb int
			if _, err := fmt.Sscan(rest, &kb); err == nil {
				return fmt.Sprintf("%d MB", kb/1024)
			}
		}
	}
	return ""
}

// agentTurns writes a session of an agent's run: the turns of the session base again and again, each asked about with
// its text, and answered with a click.
func agentTurns(ctx context.Context, base, path string, turns int) error {
	from, err := turn.OpenPath(base)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // only read
	var records []*turn.Record
	for n := 1; n <= 3; n++ {
		rec, err := from.Load(ctx, n)
		if err != nil {
			return err
		}
		records = append(records, rec)
	}
	return turn.Build(ctx, path, "dev bench", func(s *turn.Store) error {
		for i := range turns {
			rec := *records[i%len(records)]
			c := *rec.Capture
			c.Nodes = slices.Clone(c.Nodes)
			rec.N, rec.Capture, rec.Action = 0, &c, "ask openai gpt-4o: click"
			if _, err := s.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
				l.Assign("t", l.NextTurn(), &c)
				var err error
				rec.Payloads, err = asked(&c, i == 0 || i == turns-1)
				return &rec, err
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// asked is a request about a page and its answer, as they cross the wire.
func asked(c *snapshot.Capture, marked bool) ([]turn.Payload, error) {
	page, err := format.Render(c, format.DDDK, format.Options{})
	if err != nil {
		return nil, err
	}
	task := "Buy the kettle."
	if marked {
		task += " Mind the " + marker + "."
	}
	type object = map[string]any
	request, err := json.Marshal(object{"model": "gpt-4o", "messages": []object{{"role": "system",
		"content": "You operate a browser."}, {"role": "user", "content": task + "\n" + page.Text}}})
	if err != nil {
		return nil, err
	}
	ref := 0
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 && n.Tag == "button" {
			ref = n.Ref
		}
	}
	answer, err := json.Marshal(object{"choices": []object{{"message": object{"role": "assistant",
		"tool_calls": []object{{"id": "c", "type": "function", "function": object{"name": "click",
			"arguments": fmt.Sprintf(`{"ref":%d}`, ref)}}}}}}})
	if err != nil {
		return nil, err
	}
	payload := turn.Payload{Dialect: wire.OpenAIChat, Model: "gpt-4o", Media: "application/json", Wire: true}
	sent, got := payload, payload
	sent.Way, sent.Bytes, got.Way, got.Bytes = turn.Request, request, turn.Answer, answer
	return []turn.Payload{sent, got}, nil
}

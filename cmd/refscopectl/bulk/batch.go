// Package bulk has the commands for many pages: a batch with its works, queue and workers, the folder of what was
// accepted, the data set. Comes in: a list; goes out: a folder, in which each page has its result or its failure. No
// page is lost: what capture/batch promises holds for every one of them.
package bulk

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/goldenstore"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
)

// batchSpec is what is done to each page of a batch, wherever that happens.
type batchSpec struct {
	Do       []string       `json:"do"`
	Viewport string         `json:"viewport"`
	Settle   session.Settle `json:"settle"`
	Timeout  time.Duration  `json:"timeout"` // of a page
	Memory   int64          `json:"memory"`  // bytes, 0 for no ceiling
}

// key is the part of a batch that a resumed one must have in common with it.
func (s *batchSpec) key() string {
	return strings.Join(s.Do, "; ") + " at " + s.Viewport
}

// batchFlags are the flags of batch.
type batchFlags struct {
	dir          string
	spec         batchSpec
	resume       bool
	retry        int
	memory       int // MB
	perHost      int
	delay        time.Duration
	shard, timed string
	queue        queueFlags
	page         cli.CaptureFlags
}

// Batch does one thing to many pages, and keeps the result of each.
func Batch(a *cli.App) *cobra.Command {
	var f batchFlags
	c := &cobra.Command{
		Use: "batch LIST -o DIR", Short: "thousands of pages: jobs, shards, queues; resumed where it was stopped",
		Long: `LIST is a file, - for standard input, or a sitemap: sitemap.xml or its address; an index of sitemaps is
followed. Each line is a URL or an .html file, or a JSON object:
  {"target":"https://example.org/shop","name":"shop","device":"iphone-14","profile":"shop.md",
   "steps":[{"click":{"text":"Accept"}}]}         (on one line; all but the target can be left out)
--do golden takes the folder that golden accept made as its LIST.`,
		Example: `  refscopectl batch pages.txt -o out/night --do turn --do audit --jobs 2
  refscopectl batch https://example.org/sitemap.xml -o out/night --do "mark --view model" --per-host 2 --delay 500ms
  refscopectl batch pages.txt -o out/night --do turn --do audit --resume
  refscopectl batch pages.txt -o out/part-2 --do audit --shard 2/5
  refscopectl batch merge out/part-1 out/part-2 -o out/night
  refscopectl batch report out/night`,
		Args: cli.Between(1, 1, ", where LIST is a file, - or a sitemap"),
		RunE: func(c *cobra.Command, args []string) error { return doBatch(c.Context(), a, &f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVarP(&f.dir, "output", "o", "", "the batch folder `DIR`; created if missing")
	cli.Must(c.MarkFlagDirname("output"))
	fs.StringArrayVar(&f.spec.Do, "do", []string{"turn"},
		"what is done to each page: `COMMAND` of "+strings.Join(batchWorks, "|")+", with flags of its own in quotes; "+
			"may be given again")
	fs.BoolVar(&f.resume, "resume", false, "continue the batch of that folder: what is missing, and what failed")
	fs.IntVar(&f.retry, "retry", 1, "try a page that failed `N` times more")
	fs.DurationVar(&f.spec.Timeout, "page-timeout", time.Minute, "`TIME` that one attempt at a page may take")
	fs.IntVar(&f.memory, "page-memory", 2048,
		"end the process of a page that holds more than `MB`; 0 for no ceiling; on Linux and macOS")
	fs.IntVar(&f.perHost, "per-host", 4,
		"at most `N` pages of one host at a time, by all workers of a --queue together; 0 for as many as there are "+
			"jobs")
	fs.DurationVar(&f.delay, "delay", 0, "least `TIME` between two pages of one host")
	fs.StringVar(&f.shard, "shard", "", "do only part `I/N` of the list, from 1/N to N/N")
	fs.StringVar(&f.timed, "balance", "",
		"share out by how long pages took in that batch folder, a `DIR`; with --shard")
	cli.CompleteFlag(c, "do", batchWorks...)
	f.queue.register(c,
		"`ADDRESS` of a queue, nats:// or tls://, whose workers do the pages; local starts one for this batch")
	f.page.Register(c)
	f.page.RegisterJobs(c)
	c.AddCommand(batchMergeCommand(a), batchReportCommand(a))
	return c
}

// check reads the flags that are words.
func (f *batchFlags) check(a *cli.App) (batch.Shard, error) {
	var none batch.Shard
	switch {
	case f.dir == "":
		return none, cli.Usagef("batch: name the folder for the results with -o DIR")
	case f.retry < 0 || f.retry > 100:
		return none, cli.Usagef("batch: --retry %d: choose a number from 0 to 100", f.retry)
	case f.spec.Timeout <= 0:
		return none, cli.Usagef("batch: --page-timeout %s: it must be greater than 0", f.spec.Timeout)
	case f.memory < 0 || f.perHost < 0 || f.delay < 0:
		return none, cli.Usagef("batch: --page-memory, --per-host and --delay are 0 or more")
	case f.timed != "" && f.shard == "":
		return none, cli.Usagef("batch: --balance is for --shard I/N")
	case f.queue.credentials != "" && f.queue.address == "":
		return none, cli.Usagef("batch: --queue-creds is for --queue")
	case a.Session != "":
		return none, cli.Usagef("batch: leave out --session: each page has a session of its own in the folder")
	}
	if err := f.page.CheckJobs("batch"); err != nil {
		return none, err
	}
	shard, err := batch.ParseShard(f.shard)
	if err != nil {
		return none, cli.Usagef("batch: --shard: %v", err)
	}
	var do []string // --do turn,audit and --do turn --do audit are the same
	for _, words := range f.spec.Do {
		if strings.ContainsAny(words, " \t") {
			do = append(do, words)
		} else {
			do = append(do, strings.Split(words, ",")...)
		}
	}
	f.spec.Do = do
	f.spec.Viewport, f.spec.Settle, f.spec.Memory = a.Viewport, f.page.Settle, int64(f.memory)<<20
	return shard, nil
}

// batchList is the list of a batch with what belongs to it.
type batchList struct {
	*batch.List
	gallery *gallery // of a golden folder, else nil
}

func doBatch(ctx context.Context, a *cli.App, f *batchFlags, name string) error {
	shard, err := f.check(a)
	if err != nil {
		return err
	}
	list, err := readBatchList(ctx, a, name)
	if err != nil {
		return err
	}
	if list.Repeated > 0 {
		a.Remark("%s repeated others and are done once", text.Count(list.Repeated, "line", "lines"))
	}
	worker, err := newPageWorker(a, f.spec, list.gallery)
	if err != nil {
		return err
	}
	if err := worker.checkPages(list.Pages); err != nil {
		return err
	}
	var durations map[string]float64
	if f.timed != "" {
		m, err := batch.ReadManifest(f.timed)
		if err != nil {
			return fmt.Errorf("--balance %s: %w", f.timed, export.Cause(err))
		}
		durations = m.Durations()
	}
	pages := shard.Of(list.Pages, durations)
	header := batch.Header{
		Tool: cli.Tool(), Do: f.spec.key(), Works: f.spec.Do, List: batch.ListHash(list.Pages), Pages: len(list.Pages),
		Shard: shard.String(),
	}
	if f.queue.address != "" {
		if list.gallery != nil {
			return cli.Usagef("batch: --do golden is done without --queue: what was accepted lies in a folder of " +
				"this machine")
		}
		header.Run = strings.ToLower(rand.Text())
	}
	folder, err := batch.Open(ctx, f.dir, header, f.resume)
	if err != nil {
		return err
	}
	defer folder.Close()
	defer worker.close()
	left := slices.DeleteFunc(slices.Clone(pages), func(p batch.Page) bool { return folder.Done(p.Key()) })
	if f.resume {
		a.Remark("%d of %d pages are done already", len(pages)-len(left), len(pages))
	}
	if f.queue.address != "" {
		err = byQueue(ctx, a, f, folder, left)
	} else {
		err = runBatch(ctx, a, f, folder, left, worker)
	}
	if err != nil {
		return fmt.Errorf("%w: continue it with --resume", err)
	}
	if a.Pool != nil {
		folder.Header.Browsers = nil
		for _, t := range a.Pool.Troubles() {
			folder.Header.Browsers = append(folder.Header.Browsers, batch.Browser(t))
		}
	}
	if err := folder.Finish(); err != nil {
		return err
	}
	if err := batchDataset(a, f.dir, folder.Manifest); err != nil {
		return err
	}
	return answerBatch(a, f.dir, folder.InOrder(), 0)
}

// runBatch does the pages in this process.
func runBatch(ctx context.Context, a *cli.App, f *batchFlags, folder *batch.Folder, pages []batch.Page,
	w *pageWorker) error {
	defer w.watchMemory(ctx)()
	step, done := a.Progress("pages", len(pages))
	defer done()
	return batch.Run(ctx, folder, pages, w.do, batch.Options{
		Jobs: f.page.Jobs, Retry: f.retry, PageTimeout: f.spec.Timeout, PerHost: f.perHost, Delay: f.delay,
		Progress: func(e *batch.Entry) { step(e.Outcome == batch.Failed) },
	})
}

// failuresListed is how many pages that failed are named on standard error; the report has all.
const failuresListed = 20

// answerBatch prints how a batch ended. It is an error where a page failed, is missing, differs
// from what was accepted or breaks a limit of its audit.
func answerBatch(a *cli.App, dir string, entries []*batch.Entry, missing int) error {
	var failed, changed, broken int
	causes, refused := map[string]int{}, map[string]int{}
	for _, e := range entries {
		if e.Outcome != batch.Failed && e.Refused() {
			refused[fmt.Sprintf("http %d", e.Status)]++
		}
		switch {
		case e.Outcome == batch.Failed:
			failed++
			if causes[e.Cause]++; failed <= failuresListed {
				a.Remark("%s: %s: %s", cmp.Or(e.Name, e.Target), e.Cause, e.Error)
			}
		case e.Change != "" && e.Change != "same":
			changed++
		case len(e.Breaches) > 0:
			broken++
		}
	}
	good := failed+changed+broken+missing == 0
	if a.JSON {
		status := "ok"
		if !good {
			status = "failed"
		}
		err := a.PrintJSON(inspect.BatchRun{Schema: inspect.BatchSchema, Status: status, Folder: dir,
			Pages:  len(entries),
			Failed: failed, Changed: changed, Broken: broken, Missing: missing, Causes: causes, Refused: refused})
		if err != nil {
			return err
		}
	} else {
		line := batchSentence(dir, len(entries), failed, changed, broken, missing, causes)
		if len(refused) > 0 {
			line += "; captured, but answered with an error: " + kinds(refused)
		}
		if err := a.Print(line + "\n"); err != nil {
			return err
		}
	}
	if !good {
		return cli.ErrReported
	}
	return nil
}

// batchSentence is how a batch ended, in one line.
func batchSentence(dir string, pages, failed, changed, broken, missing int, causes map[string]int) string {
	line := fmt.Sprintf("%s: %s, %d well", dir, text.Count(pages, "page", "pages"), pages-failed-changed-broken)
	if failed > 0 {
		line += fmt.Sprintf(", %d failed (%s)", failed, kinds(causes))
	}
	for _, part := range []struct {
		n    int
		what string
	}{{changed, "not as accepted"}, {broken, "over the limits of the audit"}, {missing, "missing"}} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return line
}

// kinds lists causes with how often each was.
func kinds(causes map[string]int) string {
	var list []string
	for cause, n := range causes {
		list = append(list, fmt.Sprintf("%d %s", n, cause))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// readBatchList reads the list of that name.
func readBatchList(ctx context.Context, a *cli.App, name string) (*batchList, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return goldenList(a, name)
	}
	fetch := func(ctx context.Context, address string) (io.ReadCloser, error) { return fetchSitemap(ctx, a, address) }
	list, err := func() (*batch.List, error) {
		switch {
		case name == "-":
			return batch.Read(ctx, a.Stdin(ctx), fetch)
		case strings.Contains(name, "://"):
			body, err := fetch(ctx, name)
			if err != nil {
				return nil, err
			}
			defer body.Close()
			return batch.Read(ctx, body, fetch)
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%w: name a list that is there", export.Cause(err))
		}
		defer file.Close()
		return batch.Read(ctx, file, fetch)
	}()
	if err != nil {
		if name == "-" {
			return nil, fmt.Errorf("the list on standard input: %w", err)
		}
		return nil, fmt.Errorf("list %s: %w", target.Clean(name), err)
	}
	return &batchList{List: list}, nil
}

// goldenList is the list of the pages that a folder has accepted.
func goldenList(a *cli.App, dir string) (*batchList, error) {
	folder, err := goldenstore.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("list %s: a folder is one that golden accept made: %w", dir, err)
	}
	l := &batchList{List: &batch.List{}, gallery: newGallery(a, folder, &goldenFlags{})}
	for i := range folder.List.Pages {
		p := &folder.List.Pages[i]
		s, err := folder.List.Settings(p)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", dir, err)
		}
		l.Pages = append(l.Pages, batch.Page{Target: p.Target, Name: p.Name, Device: s.Viewport, Place: i + 1})
	}
	if len(l.Pages) == 0 {
		return nil, cli.Usagef("list %s: nothing is accepted there yet", dir)
	}
	return l, nil
}

// fetchSitemap reads the sitemap at an address.
func fetchSitemap(ctx context.Context, a *cli.App, address string) (io.ReadCloser, error) {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return nil, errors.New("only sitemaps of http and https addresses are followed")
	}
	ctx, cancel := context.WithTimeout(ctx, a.Timeout)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	transport := loopback.Transport()
	transport.DisableKeepAlives = true
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		cancel()
		return nil, export.Cause(err)
	}
	if res.StatusCode != http.StatusOK {
		cancel()
		_ = res.Body.Close() // nothing is read of it
		return nil, fmt.Errorf("the server answered %s", res.Status)
	}
	return body{res.Body, cancel}, nil
}

// body is the body of an answer, whose request ends with it.
type body struct {
	io.ReadCloser
	end context.CancelFunc
}

func (b body) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// checkPages reports what is wrong with a list, before any page of it is opened.
func (w *pageWorker) checkPages(pages []batch.Page) error {
	for i := range pages {
		p := &pages[i]
		at := func(err error) error { return cli.Usagef("page %d of the list, %s: %v", p.Place, p.Label(), err) }
		if t, err := target.Parse(w.a.Home, w.target(p)); err != nil && w.gallery == nil {
			if _, ok := errors.AsType[*target.UsageError](err); ok {
				return at(err) // a file that is not there fails by itself
			}
		} else if err == nil && t.Kind != target.PageKind {
			return at(errors.New("it is not a page: name a URL or an .html file"))
		}
		if p.Device != "" {
			with := *w.a
			if with.Viewport = p.Device; with.Check() != nil {
				return at(fmt.Errorf("unknown device %q: write 1280x720, or choose from %s", p.Device,
					strings.Join(device.Names(), ", ")))
			}
		}
		if p.Profile != "" {
			if _, err := target.ReadRegular(p.Profile); err != nil {
				return at(fmt.Errorf("profile %s: %w", p.Profile, export.Cause(err)))
			}
		}
		if len(p.Steps) > 0 {
			if _, err := stepsOf(p, "t1"); err != nil {
				return at(fmt.Errorf("steps: %w", err))
			}
		}
	}
	return nil
}

// stepsOf is the command that runs a page's steps in a tab.
func stepsOf(p *batch.Page, tab string) (*step.Command, error) {
	data, err := json.Marshal(struct {
		Tab   string          `json:"tab"`
		Steps json.RawMessage `json:"steps"`
	}{tab, p.Steps})
	if err != nil {
		return nil, err
	}
	return step.Parse(data)
}

// batchMergeCommand puts shards together.
func batchMergeCommand(a *cli.App) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "merge DIR… -o DIR", Short: "put the shards of a batch together, as if it had been one run",
		Example: "  refscopectl batch merge out/part-1 out/part-2 -o out/night",
		Args:    cli.Between(1, -1, ", where each DIR is the folder of a shard"),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return cli.Usagef("batch merge: name the folder for the whole with -o DIR")
			}
			missing, err := batch.Merge(out, args...)
			if err != nil {
				return fmt.Errorf("batch merge: %w", err)
			}
			whole, err := batch.ReadManifest(out)
			if err != nil {
				return err
			}
			if err := batchDataset(a, out, whole); err != nil {
				return err
			}
			return answerBatch(a, filepath.Clean(out), whole.InOrder(), missing)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the folder for the whole, a `DIR` that is new or empty")
	cli.Must(c.MarkFlagDirname("output"))
	return c
}

// batchReportCommand writes one page over all pages of a batch.
func batchReportCommand(a *cli.App) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "report DIR", Short: "one self-contained page: a table of all pages, failures by cause, the slowest",
		Example: "  refscopectl batch report out/night",
		Args:    cli.Between(1, 1, ", where DIR is a batch folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := report.ReadBatch(args[0])
			if err != nil {
				return fmt.Errorf("batch report: %w", err)
			}
			name := cmp.Or(out, filepath.Join(args[0], "report.html"))
			if err := export.WriteBy(name, b.Write); err != nil {
				return fmt.Errorf("batch report: %w", err)
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"status": "ok", "file": name})
			}
			a.Remark("%s", name)
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the `FILE`; default report.html in the folder, where its links work")
	return c
}

package bulk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/capture/batch/farm"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
)

// localQueue is the --queue that is started with the command and ends with it.
const localQueue = "local"

// queueFlags are the flags of those who use a queue.
type queueFlags struct {
	address, credentials string
}

func (f *queueFlags) register(c *cobra.Command, what string) {
	fs := c.Flags()
	fs.StringVar(&f.address, "queue", "", what)
	fs.StringVar(&f.credentials, "queue-creds", "", "the client's .creds `FILE` for the queue; default $NATS_CREDS")
}

// connect connects to the queue.
func (f *queueFlags) connect(ctx context.Context, a *cli.App, address string) (*farm.Queue, error) {
	credentials := f.credentials
	if credentials == "" {
		credentials = os.Getenv("NATS_CREDS")
	}
	return farm.Connect(ctx, address, farm.Options{Credentials: credentials, Log: a.Log()})
}

// startQueue starts the queue of this machine, kept in dir, and returns its address. It ends with
// stop, or with this process.
func startQueue(ctx context.Context, dir string) (address string, stop func(), err error) {
	const program = "refscope-farm"
	name := program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path, err := exec.LookPath(program)
	if own, oerr := os.Executable(); oerr == nil {
		if beside := filepath.Join(filepath.Dir(own), name); fileThere(beside) {
			path, err = beside, nil
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("--queue local needs the program %s beside refscopectl or in the PATH: go install "+
			"github.com/refscope/refscope/cmd/%s@latest, or name a nats-server with --queue nats://HOST",
			program, program)
	}
	// it ends with its input, also where this process is killed
	cmd := exec.Command(path, "--store", dir, "--until-eof")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("starting %s: %w", program, err)
	}
	stop = func() {
		_ = in.Close() // it ends then
		_ = cmd.Wait() // what it returns is of no use any more
	}
	lines := make(chan string, 1)
	go func() { // ends with the program's output
		line, _ := bufio.NewReader(out).ReadString('\n') // "" where it ended
		lines <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, out)
	}()
	select {
	case address = <-lines:
	case <-time.After(time.Minute):
	case <-ctx.Done():
	}
	if address == "" {
		stop()
		return "", nil, errors.Join(fmt.Errorf("%s did not start", program), ctx.Err())
	}
	return address, stop, nil
}

func fileThere(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// byQueue does a batch with the workers of a queue; of the local one they are in this process.
func byQueue(ctx context.Context, a *cli.App, f *batchFlags, folder *batch.Folder, pages []batch.Page) (err error) {
	address, store := f.queue.address, ""
	if address == localQueue {
		defer func() {
			if err == nil { // it holds the list as it is, with what is secret in it
				err = os.RemoveAll(store)
			}
		}()
		store = filepath.Join(folder.Dir(), "queue")
		if err := os.MkdirAll(store, 0o700); err != nil {
			return fmt.Errorf("the folder of the queue: %w", export.Cause(err))
		}
		var stop func()
		if address, stop, err = startQueue(ctx, store); err != nil {
			return err
		}
		defer stop()
	}
	q, err := f.queue.connect(ctx, a, address)
	if err != nil {
		return err
	}
	defer q.Close()
	spec, err := json.Marshal(f.spec)
	if err != nil {
		return err
	}
	if store != "" {
		in, stop := context.WithCancel(ctx)
		w := &queueWorker{a: a, files: true}
		var work sync.WaitGroup
		defer work.Wait()
		defer stop()
		work.Go(func() {
			defer w.close()
			if err := w.work(in, q, f.page.Jobs, 0); err != nil && in.Err() == nil {
				a.Log().Error("the worker ended", "error", err)
			}
		})
	}
	step, done := a.Progress("pages", len(pages))
	err = q.Collect(ctx, folder, pages, farm.CollectOptions{
		Spec: spec, Retry: f.retry, PerHost: f.perHost, Delay: f.delay, Profile: profileText,
		Progress: func(e *batch.Entry) { step(e.Outcome == batch.Failed) },
	})
	done()
	return err
}

// profileText is the text of a page's profile, "" for none.
func profileText(p *batch.Page) (string, error) {
	if p.Profile == "" {
		return "", nil
	}
	data, err := target.ReadRegular(p.Profile)
	if err != nil {
		return "", fmt.Errorf("profile %s: %w", p.Profile, export.Cause(err))
	}
	return string(data), nil
}

// Worker does pages of a queue.
func Worker(a *cli.App) *cobra.Command {
	var queue queueFlags
	var jobs cli.CaptureFlags
	var idle time.Duration
	w := &queueWorker{a: a}
	c := &cobra.Command{
		Use: "worker --queue ADDRESS", Short: "do the pages that batch --queue enqueues; as many workers as you like",
		Example: `  refscopectl worker --queue nats://queue.example:4222 --queue-creds farm.creds --jobs 4
  refscopectl worker --queue nats://127.0.0.1:4222 --idle 5m`,
		Args: cli.Between(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if queue.address == "" || queue.address == localQueue {
				return cli.Usagef("worker: name the queue with --queue nats://HOST:PORT")
			}
			if err := jobs.CheckJobs("worker"); err != nil {
				return err
			}
			q, err := queue.connect(c.Context(), a, queue.address)
			if err != nil {
				return err
			}
			defer q.Close()
			defer w.close()
			return w.work(c.Context(), q, jobs.Jobs, idle)
		},
	}
	queue.register(c, "`ADDRESS` of the queue, nats:// or tls://")
	c.Flags().DurationVar(&idle, "idle", 0, "end when no page came for that `TIME`; 0 never does")
	c.Flags().BoolVar(&w.files, "local-pages", false,
		"also open .html files of this machine, where whoever fills the queue may read them")
	jobs.RegisterJobs(c)
	return c
}

// queueWorker does pages of a queue, as the batch of each asks for it.
type queueWorker struct {
	a     *cli.App
	files bool // pages may be files of this machine

	mu      sync.Mutex
	workers map[string]*pageWorker // by what is to be done
	stops   []func()
}

func (w *queueWorker) work(ctx context.Context, q *farm.Queue, jobs int, idle time.Duration) error {
	name, err := os.Hostname()
	if err != nil {
		name = "worker"
	}
	name = fmt.Sprintf("%s-%d", name, os.Getpid())
	return q.Work(ctx, farm.WorkOptions{
		Name: name, Jobs: jobs, Idle: idle,
		PageTimeout: func(spec json.RawMessage) time.Duration {
			var s batchSpec
			if json.Unmarshal(spec, &s) != nil || s.Timeout <= 0 {
				return time.Minute
			}
			return s.Timeout
		},
		Do: func(ctx context.Context, spec json.RawMessage, p *batch.Page, profile, dir string) (batch.Result, error) {
			worker, err := w.of(ctx, spec)
			if err != nil {
				return batch.Result{}, &batch.Failure{Cause: causeAddress, Err: err, Lasting: true}
			}
			if t, err := target.Parse(w.a.Home, p.Target); err == nil && (t.Kind != target.PageKind ||
				t.Page.Path != "" && !w.files) {
				return batch.Result{}, &batch.Failure{Cause: causeFile, Lasting: true,
					Err: errors.New("it is a file, which workers open only with --local-pages")}
			}
			if p.Profile != "" {
				name := filepath.Join(dir, "profile.md")
				if err := export.WritePrivate(name, []byte(profile)); err != nil {
					return batch.Result{}, err
				}
				own := *p
				own.Profile = name
				defer os.Remove(name)
				return worker.do(ctx, &own, dir)
			}
			return worker.do(ctx, p, dir)
		},
	})
}

// of is the worker for what a batch asks for.
func (w *queueWorker) of(ctx context.Context, spec json.RawMessage) (*pageWorker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if found := w.workers[string(spec)]; found != nil {
		return found, nil
	}
	var s batchSpec
	if err := json.Unmarshal(spec, &s); err != nil {
		return nil, fmt.Errorf("what the batch asks for: %w", err)
	}
	made, err := newPageWorker(w.a, s, nil)
	if err != nil {
		return nil, err
	}
	if w.workers == nil {
		w.workers = map[string]*pageWorker{}
	}
	w.workers[string(spec)] = made
	w.stops = append(w.stops, made.watchMemory(context.WithoutCancel(ctx)))
	return made, nil
}

// close ends the browsers.
func (w *queueWorker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, stop := range w.stops {
		stop()
	}
	for _, worker := range w.workers {
		worker.close()
	}
}

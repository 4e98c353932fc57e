package farm

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/snapshot/testneed/guard"
	"github.com/stretchr/testify/require"
)

// TestMain also plays the processes that TestKill kills: the server, a worker, an enqueuer.
func TestMain(m *testing.M) {
	if role := os.Getenv("FARM_TEST_ROLE"); role != "" {
		if err := play(context.Background(), role, strings.Fields(os.Getenv("FARM_TEST_ARGS"))); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(guard.Run(m.Run))
}

const testAckWait = time.Second

func play(ctx context.Context, role string, args []string) error {
	switch role {
	case "server":
		s, err := serve(args[0], args[1])
		if err != nil {
			return err
		}
		fmt.Println("ready")
		s.WaitForShutdown()
		return nil
	case "worker":
		q, err := Connect(ctx, args[0], Options{AckWait: testAckWait})
		if err != nil {
			return err
		}
		defer q.Close()
		return q.Work(ctx, WorkOptions{Name: fmt.Sprint(os.Getpid()), Jobs: 3, Do: slowDo})
	case "enqueuer":
		n := 0
		if _, err := fmt.Sscan(args[2], &n); err != nil {
			return err
		}
		return collectAll(ctx, args[0], args[1], n, nil)
	}
	return errors.New("no such role")
}

// slowDo is [fakeDo] for pages that take a moment, in which the worker may be killed.
func slowDo(ctx context.Context, spec json.RawMessage, p *batch.Page, profile, dir string) (batch.Result, error) {
	select {
	case <-ctx.Done():
		return batch.Result{}, ctx.Err()
	case <-time.After(time.Duration(rand.IntN(60)) * time.Millisecond):
	}
	return fakeDo(ctx, spec, p, profile, dir)
}

// fakeDo does a page at once.
func fakeDo(_ context.Context, _ json.RawMessage, p *batch.Page, _, dir string) (batch.Result, error) {
	err := os.WriteFile(filepath.Join(dir, "page.txt"), []byte("seen: "+p.Target+"\n"), 0o600)
	return batch.Result{Title: "Page " + p.Target, Files: []string{"page.txt"}}, err
}

// serve starts a server in this process.
func serve(port, store string) (*server.Server, error) {
	n := 0
	if _, err := fmt.Sscan(port, &n); err != nil {
		return nil, err
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: n, JetStream: true, StoreDir: store, NoSigs: true})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return nil, errors.New("the server did not start")
	}
	return s, nil
}

// queue is a queue of the test's own.
func queue(t testing.TB) (*Queue, string) {
	t.Helper()
	s, err := serve("-1", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	q, err := Connect(t.Context(), s.ClientURL(), Options{AckWait: testAckWait})
	require.NoError(t, err)
	t.Cleanup(q.Close)
	return q, s.ClientURL()
}

func list(n int) ([]batch.Page, error) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "https://a.test/%d\n", i)
	}
	l, err := batch.Read(context.Background(), strings.NewReader(b.String()), nil)
	if err != nil {
		return nil, err
	}
	return l.Pages, nil
}

// collectAll collects a list of n pages into a folder, also where that was begun before.
func collectAll(ctx context.Context, address, dir string, n int, progress func(*batch.Entry)) error {
	pages, err := list(n)
	if err != nil {
		return err
	}
	q, err := Connect(ctx, address, Options{AckWait: testAckWait})
	if err != nil {
		return err
	}
	defer q.Close()
	f, err := batch.Open(ctx, dir, batch.Header{Do: "fake", List: batch.ListHash(pages), Pages: n, Run: "run1"}, true)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := q.Collect(ctx, f, pages, CollectOptions{Retry: 1, Progress: progress}); err != nil {
		return err
	}
	return f.Finish()
}

// complete asserts that all n pages are in the folder, once, and well.
func complete(t testing.TB, dir string, n int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, batch.ManifestFile))
	require.NoError(t, err)
	require.Equal(t, n+1, bytes.Count(data, []byte("\n")))
	m, err := batch.ReadManifest(dir)
	require.NoError(t, err)
	require.Len(t, m.Entries, n)
	for key, e := range m.Entries {
		require.Equal(t, batch.OK, e.Outcome, "%s: %s", e.Cause, e.Error)
		got, err := os.ReadFile(filepath.Join(dir, batch.PagesDir, key, "page.txt"))
		require.NoError(t, err)
		require.Equal(t, "seen: "+e.Target+"\n", string(got))
	}
}

// Each page is done, failures with their reasons, and a dead letter for each of them.
func TestFarm(t *testing.T) {
	q, address := queue(t)
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	tries := map[string]int{}
	var work sync.WaitGroup
	for i := range 3 {
		work.Go(func() {
			_ = q.Work(ctx, WorkOptions{Name: fmt.Sprint("w", i), Jobs: 2, Do: func(ctx context.Context, spec json.RawMessage,
				p *batch.Page, profile, dir string) (batch.Result, error) {
				mu.Lock()
				tries[p.Target]++
				n := tries[p.Target]
				mu.Unlock()
				switch {
				case strings.HasSuffix(p.Target, "/7"):
					return batch.Result{}, &batch.Failure{Cause: "page crash", Err: errors.New("the tab crashed"), Lasting: true}
				case strings.HasSuffix(p.Target, "/8") && n == 1:
					return batch.Result{}, &batch.Failure{Cause: "http 429", Err: errors.New("too many")}
				}
				return fakeDo(ctx, spec, p, profile, dir)
			}})
		})
	}
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, collectAll(t.Context(), address, dir, 40, nil))
	stop()
	work.Wait()
	m, err := batch.ReadManifest(dir)
	require.NoError(t, err)
	failed := 0
	for _, e := range m.InOrder() {
		switch {
		case strings.HasSuffix(e.Target, "/7"):
			failed++
			require.Equal(t, "page crash", e.Cause)
		case strings.HasSuffix(e.Target, "/8"):
			require.Equal(t, 2, e.Work.Attempts)
		default:
			require.Equal(t, 1, tries[e.Target], e.Target)
		}
	}
	require.Equal(t, 1, failed)
	dead, err := q.js.Stream(t.Context(), deadStream)
	require.NoError(t, err)
	letter, err := dead.GetMsg(t.Context(), 1)
	require.NoError(t, err)
	require.Contains(t, string(letter.Data), "the tab crashed")
	pages, err := q.js.Stream(t.Context(), pagesStream)
	require.NoError(t, err)
	info, err := pages.Info(t.Context())
	require.NoError(t, err)
	require.Zero(t, info.State.Msgs, "what was done is in the queue no more")

	// Collecting it again enqueues the page that failed, and nothing else.
	before := len(tries)
	ctx, stop = context.WithCancel(t.Context())
	work.Go(func() { _ = q.Work(ctx, WorkOptions{Jobs: 1, Do: fakeDo}) })
	require.NoError(t, collectAll(t.Context(), address, dir, 40, nil))
	stop()
	work.Wait()
	require.Len(t, tries, before)
	complete(t, dir, 40)
}

// A worker that lives keeps its page for longer than AckWait, and one that is told to end gives it
// back.
func TestHeartbeats(t *testing.T) {
	q, address := queue(t)
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	begun, ended := 0, make(chan struct{})
	long := func(in context.Context, spec json.RawMessage, p *batch.Page, profile, dir string) (batch.Result, error) {
		mu.Lock()
		begun++
		mu.Unlock()
		select {
		case <-time.After(3 * testAckWait):
		case <-in.Done():
		}
		return fakeDo(in, spec, p, profile, dir)
	}
	var work sync.WaitGroup
	work.Go(func() { _ = q.Work(ctx, WorkOptions{Name: "a", Do: long}); close(ended) })
	work.Go(func() { _ = q.Work(ctx, WorkOptions{Name: "b", Do: long}) })
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, collectAll(t.Context(), address, dir, 1, nil))
	stop()
	<-ended
	work.Wait()
	require.Equal(t, 1, begun, "the other worker was not given the page")
	complete(t, dir, 1)
}

// Pages that are in the queue no more are put back.
func TestPagesThatAreLostComeBack(t *testing.T) {
	q, address := queue(t)
	pages, err := list(3)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "out")
	f, err := batch.Open(t.Context(), dir, batch.Header{Do: "fake", List: batch.ListHash(pages), Pages: 3, Run: "run1"}, false)
	require.NoError(t, err)
	c := &collector{q: q, folder: f, run: "run1", missing: map[string]*batch.Page{}}
	for i := range pages {
		c.missing[pages[i].Key()] = &pages[i]
		require.NoError(t, c.enqueue(t.Context(), &pages[i], ""))
		require.NoError(t, c.enqueue(t.Context(), &pages[i], ""), "it is in the queue once")
	}
	stream, err := q.js.Stream(t.Context(), pagesStream)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context(), jetstream.WithPurgeSequence(2))) // all but the last two
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, info.State.Msgs)
	require.NoError(t, c.enqueueLost(t.Context()))
	info, err = stream.Info(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, info.State.Msgs)
	require.NoError(t, f.Close())
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { _ = q.Work(ctx, WorkOptions{Do: fakeDo}) })
	require.NoError(t, collectAll(t.Context(), address, dir, 3, nil))
	stop()
	work.Wait()
	complete(t, dir, 3)
}

// What a worker sends stays in the page's folder.
func TestUnpack(t *testing.T) {
	for name, h := range map[string]tar.Header{
		"up":       {Name: "../x", Typeflag: tar.TypeReg},
		"absolute": {Name: "/tmp/x", Typeflag: tar.TypeReg},
		"a link":   {Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		"large":    {Name: "x", Typeflag: tar.TypeReg, Size: maxPageBytes + 1},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w := tar.NewWriter(&b)
			require.NoError(t, w.WriteHeader(&h))
			_ = w.Close() // of the large one the content is missing
			dir := t.TempDir()
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			defer root.Close()
			require.Error(t, unpack(root, &b))
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestAddress(t *testing.T) {
	require.Equal(t, "nats://queue.test:4222", Address("nats://ada:hunter2@queue.test:4222"))
	require.Equal(t, "nats://queue.test", Address("s3cr3t@queue.test"))
	_, err := Connect(t.Context(), "nats://ada:hunter2@127.0.0.1:1", Options{})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hunter2")
}

// process is one that plays a role, and is killed and started again.
type process struct {
	t    *testing.T
	role string
	args []string
	cmd  *exec.Cmd
	log  *os.File // what it wrote to standard error, of all its starts
}

// words are what the process wrote to standard error so far.
func (p *process) words() string {
	b, _ := os.ReadFile(p.log.Name()) // it is for a message
	return string(b)
}

func (p *process) start() {
	p.t.Helper()
	if p.log == nil {
		var err error
		p.log, err = os.Create(filepath.Join(p.t.TempDir(), "log"))
		require.NoError(p.t, err)
		p.t.Cleanup(func() { _ = p.log.Close() })
	}
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), "FARM_TEST_ROLE="+p.role, "FARM_TEST_ARGS="+strings.Join(p.args, " "))
	p.cmd.Stderr = p.log
	out, err := p.cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, p.cmd.Start())
	if p.role == "server" {
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(p.t, err, p.words())
		require.Equal(p.t, "ready\n", line)
		return
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // one that has ended
	_ = p.cmd.Wait()
}

// TestKill kills the server, the worker and the enqueuer, one at each of many random moments, and
// starts it again: no page is lost, and none is in the result twice.
func TestKill(t *testing.T) {
	kills, n := 3, 80
	if os.Getenv("REFSCOPE_SLOW") != "" {
		kills, n = 30, 1500
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	require.NoError(t, err)
	require.NoError(t, free.Close())
	address, dir := "nats://127.0.0.1:"+port, filepath.Join(t.TempDir(), "out")
	all := map[string]*process{
		"server":   {t: t, role: "server", args: []string{port, t.TempDir()}},
		"worker":   {t: t, role: "worker", args: []string{address}},
		"enqueuer": {t: t, role: "enqueuer", args: []string{address, dir, fmt.Sprint(n)}},
	}
	roles := []string{"server", "worker", "enqueuer"}
	for _, role := range roles {
		all[role].start()
		t.Cleanup(all[role].kill)
	}
	random := rand.New(rand.NewPCG(1, uint64(os.Getpid())))
	for k := range kills {
		time.Sleep(time.Duration(100+random.IntN(500)) * time.Millisecond) // any moment is one to be killed at
		p := all[roles[k%len(roles)]]
		p.kill()
		p.start()
		// Those that could not connect in this moment have ended.
	}
	all["enqueuer"].kill()
	if m, err := batch.ReadManifest(dir); err == nil {
		t.Logf("after %d kills %d of %d pages had ended", kills, len(m.Entries), n)
	}
	done := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	all["worker"].kill()
	all["worker"].start()
	go func() { done <- collectAll(ctx, address, dir, n, nil) }()
	require.NoError(t, <-done, "%s\n%s", all["worker"].words(), all["server"].words())
	complete(t, dir, n)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// The reference endpoint: the other side of refscopectl task, for demonstration and for
// the tests of the loop. It has rules and no model, and it knows nothing but what is
// in the requests. Files: this one is the server, endpoint_brain.go decides,
// endpoint_plan.go reads the task's words, endpoint_page.go the request,
// endpoint_fields.go knows kinds of fields.

// interactPath is where requests are posted to (seed "DOM extraction architecture" 13).
const interactPath = "/api/agent/interact"

// maxRequest is how large a request may be, in bytes: a full page with a picture.
const maxRequest = 64 << 20

// endpointTask serves the reference endpoint until it is interrupted.
func endpointTask(ctx context.Context, d *dev, args []string) error {
	flags := flag.NewFlagSet("endpoint", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	addr := flags.String("addr", "127.0.0.1:0", "where to listen")
	quiet := flags.Bool("q", false, "do not tell of requests")
	if err := flags.Parse(args); err != nil {
		return usageError{fmt.Errorf("endpoint: %w", err)}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("endpoint takes no argument %q", flags.Arg(0))}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	tell := func(format string, args ...any) { fmt.Fprintf(os.Stderr, visible(format)+"\n", args...) }
	if *quiet {
		tell = func(string, ...any) {}
	}
	s := &http.Server{Handler: newEndpoint(tell), ReadHeaderTimeout: 10 * time.Second}
	d.say("http://%s%s", l.Addr(), interactPath)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Shutdown below
	select {
	case err := <-served:
		return fmt.Errorf("endpoint: %w", err)
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := s.Shutdown(end); err != nil {
		_ = s.Close() // a client that still waits gets no answer
	}
	<-served
	return ctx.Err()
}

// newEndpoint is the endpoint as a handler. It also serves one page of its own, /anew,
// that renders its buttons anew twice a second, as some sites do: what was captured is
// gone when the answer comes.
func newEndpoint(tell func(format string, args ...any)) http.Handler {
	var mu sync.Mutex
	b := newBrain()
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+interactPath, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		var q request
		if err == nil {
			err = json.Unmarshal(body, &q)
		}
		if err == nil && (q.URL == "" || q.Query == "") {
			err = errors.New("url or query is missing")
		}
		if err != nil {
			http.Error(w, "this is no AgentInteractRequest: "+err.Error(), http.StatusBadRequest)
			return
		}
		if strings.HasSuffix(q.URL, r.Host+anewPath) {
			// As long as a model takes; by then the page has other buttons.
			select {
			case <-time.After(anewEvery + 100*time.Millisecond):
			case <-r.Context().Done():
			}
		}
		mu.Lock()
		a := b.answer(&q)
		mu.Unlock()
		tell("%-8s %s", q.Mode, a)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(a) // a client that left needs no answer
	})
	mux.HandleFunc("GET "+anewPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, anewPage)
	})
	return mux
}

// The page that renders itself anew, and how often; the script has the number too.
const (
	anewPath  = "/anew"
	anewEvery = 500 * time.Millisecond
)

const anewPage = `<!doctype html><html lang="en"><title>Rendered anew</title>
<h1>Tickets</h1><p id="said" role="status"></p><div id="list"></div>
<script>
const list = document.getElementById('list');
function render() {
  const button = (name) => Object.assign(document.createElement('button'), { textContent: name, type: 'button' });
  list.replaceChildren(...['Reserve a seat', 'Ask for a window', 'Leave the queue'].map(button));
}
list.addEventListener('click', (event) => {
  const b = event.target.closest('button');
  if (b) document.getElementById('said').textContent = 'Done: ' + b.textContent;
});
render();
setInterval(render, 500);
</script></html>`

// reply is an answer.
type reply struct {
	Thought  string `json:"thought"`
	Action   string `json:"action,omitempty"`
	Expect   any    `json:"expected_outcome,omitempty"`
	Status   string `json:"status"`
	TaskID   string `json:"taskId"`
	Skeleton bool   `json:"needsSkeletonDom,omitempty"`
	Reason   string `json:"needsFullDomReason,omitempty"`
	Element  string `json:"requestedElement,omitempty"`
}

// String is the answer as the server's log has it, without what is typed.
func (a reply) String() string {
	what := a.Action
	switch verb, rest, _ := strings.Cut(a.Action, "("); {
	case verb == "setValue":
		id, _, _ := strings.Cut(rest, ",")
		what = verb + "(" + id + ", …)"
	case what == "":
		what = a.Status
	}
	return visible(fmt.Sprintf("%-10s %s: %s", a.TaskID, what, a.Thought))
}

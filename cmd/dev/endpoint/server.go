// Package endpoint is the other side of refscopectl task, for demonstration and for the tests of the loop: a handler
// that answers with the next action. It has rules and no model, and it knows nothing but what is in the requests.
// server.go is the handler, brain.go decides, plan.go reads the task's words, page.go the request, fields.go knows
// kinds of fields. Start with [New].
package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/snapshot/text"
)

// Path is where requests are posted to (seed "DOM extraction architecture" 13).
const Path = "/api/agent/interact"

// maxRequest is how large a request may be, in bytes: a full page with a picture.
const maxRequest = 64 << 20

// New is the endpoint as a handler. tell gets a line for each answer, harmless for a terminal. It also serves one page
// of its own, /anew, that renders its buttons anew twice a second, as some sites do: what was captured is gone when the
// answer comes.
func New(tell func(line string)) http.Handler {
	var mu sync.Mutex
	b := newBrain()
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, func(w http.ResponseWriter, r *http.Request) {
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
		tell(text.Line(fmt.Sprintf("%-8s %s", q.Mode, a)))
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
	return fmt.Sprintf("%-10s %s: %s", a.TaskID, what, a.Thought)
}

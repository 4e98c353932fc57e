package task_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/task"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/turn"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// request is what an endpoint reads.
type request struct {
	URL, Query, TaskID, SessionID, DomMode, LastActionStatus string
	SkeletonDom, Dom, Screenshot                             *string
	InteractiveTree                                          []struct{ I, R, N, V, S string }
	LastActionError                                          *struct {
		Message, Code, Action string
		ElementID             int
	}
	LastActionResult *struct {
		Success     bool
		ActualState string
	}
	DomChanges *struct {
		AddedCount, RemovedCount    int
		DropdownDetected            bool
		DropdownOptions             []string
		URLChanged, DidNetworkOccur *bool
		PreviousURL                 string
	}
	ClientObservations *struct{ DidNetworkOccur, DidDomMutate, DidURLChange *bool }
	Passed             *bool    `json:"verification_passed"`
	Message            string   `json:"verification_message"`
	Errors             []string `json:"errors_detected"`
	Events             []string `json:"recent_events"`
	HasErrors          bool     `json:"has_errors"`
	HasSuccess         bool     `json:"has_success"`
	TreeHash           string
	TreeUnchanged      bool
}

// id is the number of what is called so.
func (q *request) id(name string) string {
	for _, e := range q.InteractiveTree {
		if e.N == name {
			return e.I
		}
	}
	return "0"
}

// endpoint answers with a script: one function for each request.
type endpoint struct {
	mu   sync.Mutex
	got  []request
	raw  [][]byte
	head []http.Header
	srv  *httptest.Server
}

func serve(t *testing.T, script ...func(q *request) string) *endpoint {
	e := &endpoint{}
	e.srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var q request
		if err == nil {
			err = json.Unmarshal(body, &q)
		}
		if err != nil {
			t.Error(err)
		}
		e.mu.Lock()
		n := len(e.got)
		e.got, e.raw, e.head = append(e.got, q), append(e.raw, body), append(e.head, r.Header)
		e.mu.Unlock()
		if n >= len(script) {
			fmt.Fprint(w, `{"status":"completed"}`)
			return
		}
		switch answer := script[n](&q); {
		case answer == "HANG":
			<-r.Context().Done()
		case strings.HasPrefix(answer, "HTML"):
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, answer)
		case strings.HasPrefix(answer, "500"):
			http.Error(w, answer, 500)
		default:
			fmt.Fprint(w, answer)
		}
	}))
	t.Cleanup(e.srv.Close)
	return e
}

func says(answer string) func(*request) string { return func(*request) string { return answer } }

func do(verb, name, rest string) func(*request) string {
	return func(q *request) string {
		b, _ := json.Marshal(map[string]string{"action": verb + "(" + q.id(name) + rest + ")", "taskId": "T1"}) // strings can be written
		return string(b)
	}
}

// options of a quick run.
func options(t *testing.T, e *endpoint) task.Options {
	store, err := turn.Create(t.Context(), turn.Dir(t.TempDir()+"/s"), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return task.Options{
		Endpoint: e.srv.URL, Query: "Do it", Store: store, SessionID: "s", NoPicture: true, Tool: "test",
		RetryPause: time.Millisecond, RequestTimeout: 10 * time.Second, ActTimeout: 700 * time.Millisecond,
		Settle: session.Settle{Quiet: 50 * time.Millisecond, Network: 50 * time.Millisecond, Max: 500 * time.Millisecond},
	}
}

func run(t *testing.T, tab *browser.Tab, o task.Options) *task.Outcome {
	t.Helper()
	out, err := task.Run(chrometest.Context(t), tab, o)
	require.NoError(t, err)
	whole(t, o.Store)
	return out
}

// whole checks that a session lacks nothing.
func whole(t *testing.T, s *turn.Store) {
	t.Helper()
	damage, err := s.Check(t.Context())
	require.NoError(t, err)
	require.True(t, turn.Whole(damage), "%v", damage)
}

// stored are the payloads of all turns.
func stored(t *testing.T, s *turn.Store) (list []turn.Payload, records []*turn.Record) {
	t.Helper()
	sums, _, err := s.List(t.Context())
	require.NoError(t, err)
	for _, sum := range sums {
		rec, err := s.Load(t.Context(), sum.N)
		require.NoError(t, err)
		list, records = append(list, rec.Payloads...), append(records, rec)
	}
	return list, records
}

const shop = `<!doctype html><title>Shop</title><h1>Shop</h1><p id="said"></p>
<label>Name <input id="name"></label> <label>Password <input id="pw" type="password"></label> <button id="save">Save</button> <button id="bad">Send</button>
<button id="more" aria-haspopup="menu">More</button><div role="menu" id="menu" hidden><div role="menuitem" tabindex="-1">Copy</div><div role="menuitem" tabindex="-1">Paste</div></div>
<label><input type="checkbox" id="box"> Gift</label> <select aria-label="Speed"><option>Slow</option><option>Quick</option></select> <a href="?page=2">Next</a>
<div id="clicks">0</div><div style="height:3000px"></div><button>Far down</button>
<script>
let n = 0;
document.addEventListener('click', () => { document.getElementById('clicks').textContent = String(++n); }, true);
const say = (id, text, cls) => document.getElementById(id).addEventListener('click', () => { const p = document.getElementById('said'); p.className = cls; p.textContent = text; });
say('save', 'Saved successfully', 'success'); say('bad', 'Invalid email', 'error');
document.getElementById('more').addEventListener('click', () => { document.getElementById('menu').hidden = false; });
</script>`

// TestLoop: from the first page to the last word, and everything that goes along with it.
func TestLoop(t *testing.T) {
	e := serve(t,
		do("setValue", "Name", `, "Ada"`),
		do("click", "Save", ""),
		do("click", "Send", ""),
		do("click", "More", ""),
		do("check", "Gift", ""),
		do("check", "Gift", ""),
		do("select", "Speed", `, "Quick"`),
		do("click", "Next", ""),
		says(`{"action":"finish(\"done it\")"}`))
	o := options(t, e)
	o.Headers = http.Header{"Authorization": {"Bearer abcdefgh12345678ijklmnop"}}
	tab := chrome.Open(t, chrometest.Page(t, shop))
	out := run(t, tab, o)
	require.True(t, out.OK(), "%+v", out)
	require.Equal(t, "the endpoint says that the task is done: done it", out.Reason)
	require.Equal(t, []int{9, 9, 8, 6, 1}, []int{out.Steps, out.Requests, out.Actions, out.Verified, out.Unverified})

	q := e.got
	require.Empty(t, q[0].TaskID)
	require.Empty(t, q[0].LastActionStatus)
	require.Equal(t, "semantic", q[0].DomMode)
	require.Nil(t, q[0].Dom)
	require.Equal(t, "T1", q[1].TaskID)
	require.Equal(t, "s", q[1].SessionID)
	require.Equal(t, "success", q[1].LastActionStatus)
	require.True(t, *q[1].Passed)
	require.False(t, q[1].TreeUnchanged)
	// Saved.
	require.True(t, q[2].HasSuccess && !q[2].HasErrors)
	require.Contains(t, strings.Join(q[2].Events, "\n"), "'Saved successfully'")
	require.True(t, *q[2].ClientObservations.DidDomMutate)
	require.False(t, *q[2].ClientObservations.DidURLChange)
	require.False(t, *q[2].ClientObservations.DidNetworkOccur)
	// An error is a failure, though the click was done, and nothing beside it says success.
	require.Equal(t, "failure", q[3].LastActionStatus)
	require.False(t, q[3].LastActionResult.Success)
	require.False(t, *q[3].Passed)
	require.Equal(t, []string{"Invalid email"}, q[3].Errors)
	require.Contains(t, q[3].Message, "Error: 'Invalid email'")
	require.True(t, q[3].HasErrors && !q[3].HasSuccess)
	// A menu came up.
	require.True(t, q[4].DomChanges.DropdownDetected)
	require.Equal(t, []string{"Copy", "Paste"}, q[4].DomChanges.DropdownOptions)
	require.Equal(t, 2, q[4].DomChanges.AddedCount)
	// A box that is checked is not unchecked, and then the tree is what it was.
	require.True(t, *q[5].Passed)
	require.Nil(t, q[6].Passed)
	require.Contains(t, q[6].LastActionResult.ActualState, "nothing to do")
	require.True(t, q[6].TreeUnchanged)
	require.Equal(t, q[5].TreeHash, q[6].TreeHash)
	require.NotEqual(t, q[6].TreeHash, q[7].TreeHash, "a list box is form state")
	// Another page.
	require.True(t, *q[8].DomChanges.URLChanged && *q[8].ClientObservations.DidURLChange && *q[8].ClientObservations.DidNetworkOccur)
	require.Equal(t, q[0].URL, q[8].DomChanges.PreviousURL)

	// What was sent is what is kept, to the byte, and headers are not.
	payloads, records := stored(t, o.Store)
	require.Len(t, records, 9)
	require.Equal(t, []string{"task", "setValue(3, [3 characters])"}, []string{records[0].Action, records[1].Action}, "typed texts are only counted")
	n := 0
	for i, p := range payloads {
		require.True(t, p.Wire)
		require.NotContains(t, string(p.Bytes), "abcdefgh12345678")
		require.Equal(t, i%2 == 0, p.Way == turn.Request)
		if p.Way == turn.Request {
			require.Equal(t, string(e.raw[n]), string(p.Bytes))
			require.Equal(t, "Bearer abcdefgh12345678ijklmnop", e.head[n].Get("Authorization"))
			n++
		}
	}
	require.Equal(t, 9, n)
	require.Contains(t, string(records[3].Answer), `"errorsDetected":["Invalid email"]`)
}

// TestSecrets: a password that an endpoint types is typed, and stored nowhere, not in its
// own answer, not in what it says about it later, not in what is sent after it.
func TestSecrets(t *testing.T) {
	const secret = "Tea-at-4-oclock!"
	e := serve(t, do("setValue", "Password", `, "`+secret+`"`), says(`{"thought":"I typed Tea-at-4-oclock!","action":"wait(1)"}`))
	o := options(t, e)
	o.Query = "Log in with " + secret
	var told strings.Builder
	o.Progress = func(ev task.Event) { fmt.Fprintln(&told, ev.Text) }
	tab := chrome.Open(t, chrometest.Page(t, shop))
	out := run(t, tab, o)
	require.True(t, out.OK(), "%+v", out)
	require.True(t, *e.got[1].Passed, "%s", e.got[1].Message)
	list, records := stored(t, o.Store)
	for i, p := range list {
		if i > 0 { // the first request has the user's own words, and nobody can know what in them is a password
			require.NotContains(t, string(p.Bytes), secret, "payload %d", i)
		}
	}
	require.Contains(t, string(list[1].Bytes), "[redacted: password]")
	require.NotEmpty(t, list[1].Redacted)
	for _, rec := range records {
		require.NotContains(t, string(rec.Steps)+string(rec.Answer)+rec.Action, secret)
	}
	require.NotContains(t, told.String(), secret)
	require.NotContains(t, fmt.Sprintf("%+v", out), secret)
	for _, raw := range e.raw[1:] {
		require.NotContains(t, string(raw), secret)
	}
}

// TestNegotiation: each context that is asked for comes in a request of its own about the
// same page, with exactly that in it.
func TestNegotiation(t *testing.T) {
	e := serve(t, says(`{"needsSkeletonDom":true}`), says(`{"needsScreenshot":true}`), says(`{"status":"needs_full_dom","needsFullDomReason":"not found","requestedElement":"Save"}`),
		says(`{"status":"needs_full_dom"}`), says(`{"status":"completed"}`))
	o := options(t, e)
	o.NoPicture = false
	out := run(t, chrome.Open(t, chrometest.Page(t, shop)), o)
	require.True(t, out.OK(), "%+v", out)
	q := e.got
	require.True(t, q[1].DomMode == "skeleton" && q[1].SkeletonDom != nil && q[1].Screenshot == nil && q[1].Dom == nil && q[1].InteractiveTree == nil)
	require.Contains(t, *q[1].SkeletonDom, "Far down")
	require.True(t, q[2].DomMode == "hybrid" && q[2].SkeletonDom == nil && q[2].Screenshot != nil && q[2].Dom == nil)
	require.True(t, q[3].DomMode == "full" && q[3].Dom != nil && q[3].SkeletonDom == nil && q[3].Screenshot == nil)
	require.Equal(t, "semantic", q[4].DomMode, "what was sent already is not sent again")
	require.Equal(t, "REPEATED_REQUEST", q[4].LastActionError.Code)
	require.Nil(t, q[4].LastActionResult)
	require.Equal(t, 1, out.Faults)

	// How many contexts of one page are sent is the caller's.
	e = serve(t, says(`{"requestedDomMode":"skeleton"}`), says(`{"requestedDomMode":"full"}`), says(`{"action":"finish()"}`))
	o = options(t, e)
	o.MaxContexts = 1
	out = run(t, chrome.Open(t, chrometest.Page(t, shop)), o)
	require.True(t, out.OK(), "%+v", out)
	require.Equal(t, "TOO_MANY_REQUESTS", e.got[2].LastActionError.Code)
	require.Equal(t, "semantic", e.got[2].DomMode)

	// A page on which nothing can be operated: the mode that the words suggest goes first.
	e = serve(t, says(`{"requestedDomMode":"full"}`))
	o = options(t, e)
	o.Query, o.Compat, o.NoPicture = "What is the price?", true, false
	out = run(t, chrome.Open(t, chrometest.Page(t, "<p>Tea, $4")), o)
	require.True(t, out.OK(), "%+v", out)
	require.Equal(t, "hybrid", e.got[0].DomMode)
	require.True(t, e.got[1].Dom != nil && e.got[1].SkeletonDom != nil && e.got[1].Screenshot != nil, "compat: with the backups")
}

// TestFaults: whatever an endpoint answers, it is told, the page is touched by nothing but
// what it can mean, and the session is whole.
func TestFaults(t *testing.T) {
	e := serve(t,
		says(`HTML <html>Log in</html>`), says(`500 oops`), // sent again
		says(`{"action":"launch(1)"}`), says(`not JSON`), says(`{"action":"click(99)"}`), says(`{"action":"setValue(3)"}`),
		says(`{"action":"click(7)","expected_outcome":{"type":"state_changes","ref":99}}`), says(`{"action":"click(7)","expected_outcome":{"type":"element_appears","selector":"a[["}}`),
		says(`{"action":"click(7)","expected_outcome":"wonders"}`), do("setValue", "Save", `, "x"`), do("select", "Speed", `, "Never"`), says(`{"thought":"hm"}`),
		says(`{"action":"goForward()"}`), says(`{"action":"navigate(\"http://127.0.0.1:1/\")"}`), says(`{"action":"finish()"}`))
	o := options(t, e)
	tab := chrome.Open(t, chrometest.Page(t, shop))
	out := run(t, tab, o)
	require.True(t, out.OK(), "%+v", out)
	var codes []string
	for _, q := range e.got[3:] {
		codes = append(codes, q.LastActionError.Code)
	}
	require.Equal(t, []string{"INVALID_ACTION", "INVALID_ANSWER", "UNKNOWN_ELEMENT", "INVALID_ACTION", "INVALID_EXPECTATION", "INVALID_EXPECTATION", "INVALID_EXPECTATION",
		"NOT_EDITABLE", "NO_OPTION", "NO_ACTION", "NAVIGATION", "NAVIGATION"}, codes)
	require.Equal(t, 2, out.Retries)
	require.Equal(t, "click(99)", e.got[5].LastActionError.Action)
	require.Equal(t, 99, e.got[5].LastActionError.ElementID)
	list, _ := stored(t, o.Store)
	require.Equal(t, "HTML <html>Log in</html>", string(list[1].Bytes))
	require.Equal(t, "text/html", list[1].Media)
	require.Equal(t, list[0].Bytes, list[2].Bytes, "the same request again")
}

// TestNothingIsTouched by an answer that cannot be followed.
func TestNothingIsTouched(t *testing.T) {
	var script []func(*request) string
	for _, a := range []string{"click(7) ", "click(7); click(8)", "Click(7)", "click(#save)", "click('Save')"} {
		b, err := json.Marshal(map[string]string{"action": a + "\x00"})
		require.NoError(t, err)
		script = append(script, says(string(b)))
	}
	o := options(t, serve(t, script...))
	tab := chrome.Open(t, chrometest.Page(t, shop))
	out := run(t, tab, o)
	require.Equal(t, []string{"stopped", "faults"}, []string{out.Status, out.Why}, "%+v", out)
	require.Zero(t, out.Actions)
	frames, err := tab.Frames(t.Context())
	require.NoError(t, err)
	clicks, err := tab.Session().Eval(t.Context(), frames[0].ID, "document.getElementById('clicks').textContent")
	require.NoError(t, err)
	require.Equal(t, "0", clicks)
}

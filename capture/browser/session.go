package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/refscope/refscope/capture/trace"
)

// Session is one flattened DevTools session. It implements [cdp.Session], so
// cdp.Call and cdp.Events work on it. It is safe for concurrent use.
type Session struct {
	conn *Conn
	id   target.SessionID

	gone chan struct{} // closed when the session ended
	err  error         // why; guarded by conn.mu, set before gone is closed

	mu       sync.Mutex
	handlers map[string][]func(jsonv2.Value)
	queues   map[string][]*queue

	dialogs atomic.Pointer[dialogs] // of the tab, nil for the browser's own session

	// silent: a call timed out, and the page has answered nothing since.
	silent atomic.Bool

	worlds worlds
	frames frameList
	counts atomic.Bool  // the browser counts what it does for the page
	realms atomic.Int64 // entered so far
}

var _ cdp.Session = (*Session)(nil)

// Gone is closed when the session ended: detached, crashed, or the browser left.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// patience is how long a call may take where its command allows no more: far longer than
// any page that works needs for an answer.
const patience = 10 * time.Second

// silentPatience is how long a call may take in a page that has let another one wait in
// vain and has answered nothing since.
const silentPatience = time.Second

type patienceKey struct{}

// Pause waits for a time, or until the context ends.
func Pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Within bounds a command to that time, and lets a single call of it take as long. Where
// the command around it has less time left, that is the bound. Calls of other contexts
// take [patience], or as long as the deadline of theirs allows.
func Within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	whole := limit
	if end, ok := ctx.Deadline(); ok && time.Until(end) < limit {
		whole = time.Until(end).Round(time.Second)
		if outer, said := patienceOf(ctx); said {
			whole = outer // what the error names is the command's own time
		}
	}
	return context.WithTimeout(context.WithValue(ctx, patienceKey{}, whole), limit)
}

// patienceOf returns how long a single call of a command may take, and whether the command
// set that limit.
func patienceOf(ctx context.Context) (time.Duration, bool) {
	if limit, ok := ctx.Value(patienceKey{}).(time.Duration); ok {
		return limit, true
	}
	return patience, false
}

// Busy is an error of a command whose time is over as a [*BusyError], and any other as it is.
func Busy(ctx context.Context, err error) error {
	var busy *BusyError
	limit, bounded := patienceOf(ctx)
	if !bounded || !errors.Is(ctx.Err(), context.DeadlineExceeded) || !errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &busy) {
		return err
	}
	return &BusyError{Within: limit}
}

// ErrBusy is the error of a page whose main thread lets nothing else run. From outside a script that does not end
// cannot be told from the layout of a very large page.
var ErrBusy = errors.New("its main thread is busy with a script that does not end, " +
	"or with a page too large for that time")

// BusyError is the error of a call that was not answered in the time that its command has.
// It is an [ErrBusy] and a [context.DeadlineExceeded].
type BusyError struct {
	Within time.Duration // that was waited
	// Browser: the browser itself did not answer, as it does where a page floods it or the machine is loaded.
	Browser bool
	// Lost: the page ran, and answered what it was asked later. The browser lost the command or its answer, or the page
	// is not drawn, or waits for what does not come. It is no [ErrBusy].
	Lost    bool
	Loading string // how far the page had come, where it had not loaded: see [Tab.Busy]
}

func (e *BusyError) Error() string {
	within := e.Within.Round(100 * time.Millisecond)
	if e.Browser {
		return fmt.Sprintf("the browser did not answer within %s: a page floods it, it hangs, or the machine has no "+
			"time for it", within)
	}
	if e.Lost {
		return fmt.Sprintf("it was not answered within %s, though the page answered later questions", within)
	}
	said := fmt.Sprintf("it did not answer within %s: %v", within, ErrBusy)
	if e.Loading != "" {
		said += "; " + e.Loading
	}
	return said
}

// Busy is Busy of the package, for an error of a tab: a [*BusyError] of a page that has not loaded says so.
func (t *Tab) Busy(ctx context.Context, err error) error {
	err = Busy(ctx, err)
	if busy, ok := errors.AsType[*BusyError](err); ok && !busy.Browser && !busy.Lost && busy.Loading == "" {
		busy.Loading = t.requests.loading()
	}
	return err
}

// Unwrap makes the error known by both of its kinds.
func (e *BusyError) Unwrap() []error {
	if e.Lost {
		return []error{context.DeadlineExceeded}
	}
	return []error{ErrBusy, context.DeadlineExceeded}
}

// Call sends the command, waits for the answer and decodes it into result. Every call of
// the program comes through here, and none waits for ever: see [Within]. Its error is the
// context's, a [*BusyError], the browser's own ([cdproto.Error]), or one of [ErrGone],
// [ErrDetached] and [ErrCrashed]; the text names the method. A read whose answer the browser loses is given to it
// again; of what may change the page the error is [ErrNavigated].
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	if reads(method) {
		return asked(func() error { return s.begin(ctx, method, params)(result) })
	}
	return s.begin(ctx, method, params)(result)
}

// asked asks again, a few times, where the browser loses the answer.
func asked(ask func() error) error {
	err := ask()
	for range 3 {
		if !errors.Is(err, ErrUnanswered) {
			break
		}
		err = ask()
	}
	return err
}

// begin sends the command; what it returns waits for the answer as [Session.Call] does. Commands that are begun one
// after another are answered in that order, without a way there and back for each.
func (s *Session) begin(ctx context.Context, method string, params any) (wait func(result any) error) {
	done := trace.Start(ctx, trace.LaneProtocol, method)
	ch := make(chan reply, 1)
	id, err := s.conn.send(ctx, s, method, params, ch)
	return func(result any) error {
		defer done()
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		return s.wait(ctx, method, params, id, ch, result)
	}
}

// wait waits for the answer to a command.
func (s *Session) wait(ctx context.Context, method string, params any, id int64, ch chan reply, result any) error {
	limit, bounded := patienceOf(ctx)
	limit = s.left(limit)
	began := time.Now()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	later := s.askLater(ctx, method, params)
	defer later.stop()
	giveUp := func(err error) error {
		s.conn.forget(id)
		return fmt.Errorf("%s: %w", method, err)
	}
	tooLate := func() error { return giveUp(&BusyError{Within: limit, Browser: s.id == "", Lost: later.answered}) }
	var open <-chan struct{}
	d := s.dialogs.Load()
	if d != nil && method != page.CommandHandleJavaScriptDialog {
		open = d.gate()
	}
	var grace <-chan time.Time
	for {
		select {
		case r := <-ch:
			if s.id == "" || fromPage(method) {
				s.silent.Store(false)
			}
			return r.decode(method, result)
		case <-later.due:
			later.ask()
		case said := <-later.answer:
			if said.err != nil { // it need not be the page's
				continue
			}
			select {
			case r := <-ch:
				return r.decode(method, result)
			default:
			}
			if later.answered = true; later.ordered {
				return giveUp(ErrUnanswered)
			}
		case <-open:
			// The page waits; what needs no page is answered anyway.
			open = nil
			timer := time.NewTimer(dialogGrace)
			defer timer.Stop()
			grace = timer.C
		case <-grace:
			grace = nil
			err := d.err()
			if err == nil {
				open = d.gate() // it was answered meanwhile
				continue
			}
			return giveUp(err)
		case <-timer.C:
			s.silent.Store(!later.answered)
			return tooLate()
		case <-ctx.Done():
			over := errors.Is(ctx.Err(), context.DeadlineExceeded)
			if over && bounded && time.Since(began) >= limit*9/10 { // else it was broken off early
				s.silent.Store(!later.answered)
			}
			if !bounded || !over {
				return giveUp(ctx.Err())
			}
			return tooLate()
		}
	}
}

// ErrUnanswered is the error of a command that the browser lost on the way to the page, or whose answer it lost: Chrome
// 156 does so now and then where a frame of another process goes on to its document. It is an [ErrNavigated], as what
// reads is read anew in either case.
var ErrUnanswered = fmt.Errorf("%w: the browser answered a later question and not this one", ErrNavigated)

// lateAfter is how long an answer is waited for before the page is asked another question; each next one has twice the
// time.
const lateAfter = 500 * time.Millisecond

// laterQuestion is a question to a page that is asked after a command. Its answer proves that the page runs, and that
// the command's own is lost where a page answers such commands in order.
type laterQuestion struct {
	due      <-chan time.Time // never where no page is asked
	answer   chan reply
	ordered  bool
	answered bool

	ctx     context.Context
	session *Session
	timer   *time.Timer
	after   time.Duration
	id      int64
}

func (s *Session) askLater(ctx context.Context, method string, params any) *laterQuestion {
	l := &laterQuestion{ctx: ctx, session: s}
	if s.id != "" {
		l.ordered = inOrder(method, params)
		l.after = lateAfter
		l.timer = time.NewTimer(l.after)
		l.due = l.timer.C
	}
	return l
}

// ask asks the question; one that was asked before may be lost as well.
func (l *laterQuestion) ask() {
	l.session.conn.forget(l.id)
	l.answer = make(chan reply, 1)
	l.id, _ = l.session.conn.send(l.ctx, l.session, runtime.Evaluate.Method,
		runtime.EvaluateParams{Expression: "0", Silent: new(true)}, l.answer) // the command itself tells an error
	l.after *= 2
	l.timer.Reset(l.after)
}

func (l *laterQuestion) stop() {
	if l.timer != nil {
		l.timer.Stop()
		l.session.conn.forget(l.id)
	}
}

// inOrder reports whether the page answers the command before it begins with the next one.
func inOrder(method string, params any) bool {
	switch p := params.(type) {
	case runtime.EvaluateParams:
		return p.AwaitPromise == nil || !*p.AwaitPromise
	case runtime.CallFunctionOnParams:
		return p.AwaitPromise == nil || !*p.AwaitPromise
	case map[string]any:
		evaluates := method == runtime.Evaluate.Method || method == runtime.CallFunctionOn.Method
		return evaluates && p["awaitPromise"] != true
	}
	return reads(method)
}

// reads reports whether a command changes nothing that a page could tell, or nothing the second time, so that it can be
// given twice.
func reads(method string) bool {
	switch method {
	case accessibility.GetFullAXTree.Method, accessibility.GetPartialAXTree.Method, dom.DescribeNode.Method,
		dom.Enable.Method, dom.GetBoxModel.Method, dom.GetFrameOwner.Method, dom.PerformSearch.Method,
		dom.ResolveNode.Method, dom.ScrollIntoViewIfNeeded.Method, domdebugger.GetEventListeners.Method,
		page.CreateIsolatedWorld.Method, page.GetFrameTree.Method, page.GetLayoutMetrics.Method,
		performance.Enable.Method, performance.GetMetrics.Method, runtime.GetProperties.Method:
		return true
	}
	return false
}

// CountWork has the browser count what it does for the page from now on, once: see Performance.getMetrics.
func (s *Session) CountWork(ctx context.Context) error {
	if s.counts.Load() {
		return nil
	}
	if err := call(ctx, s, performance.Enable, performance.EnableParams{}); err != nil {
		return err
	}
	s.counts.Store(true)
	return nil
}

// Slots is how many slot elements are in all documents of the session, closed shadow roots included; rather more, where
// a text speaks of them.
func (s *Session) Slots(ctx context.Context) (int, error) {
	if err := call(ctx, s, dom.Enable, dom.EnableParams{}); err != nil {
		return 0, err
	}
	found, err := cdp.Call(ctx, s, dom.PerformSearch, dom.PerformSearchParams{Query: "<slot>"})
	_ = s.Post(ctx, dom.DiscardSearchResults.Method, dom.DiscardSearchResultsParams{SearchID: found.SearchID})
	_ = s.Post(ctx, dom.Disable.Method, cdp.Empty{})
	return int(found.ResultCount), err
}

// Silent reports whether the last call of the session timed out: the next one is not
// worth waiting for long.
func (s *Session) Silent() bool { return s.silent.Load() }

// left is how long the next call of a command with that patience may take.
func (s *Session) left(limit time.Duration) time.Duration {
	if s.silent.Load() {
		return min(limit, silentPatience)
	}
	return limit
}

// fromPage reports whether only the page's own process answers the method, so that an
// answer shows that its main thread runs.
func fromPage(method string) bool {
	return strings.HasPrefix(method, "Runtime.") || strings.HasPrefix(method, "DOM.") ||
		method == page.GetFrameTree.Method || method == page.GetLayoutMetrics.Method
}

// decode reads an answer into result, which may be nil.
func (r reply) decode(method string, result any) error {
	if r.err != nil {
		return fmt.Errorf("%s: %w", method, r.err)
	}
	if result == nil || len(r.result) == 0 {
		return nil
	}
	if err := jsonv2.Unmarshal(r.result, result, chromedp.DefaultUnmarshalOptions); err != nil {
		return fmt.Errorf("decoding the answer to %s: %w", method, err)
	}
	return nil
}

// Post sends a command without waiting for its answer. Handlers use it: they run
// on the read loop and must not wait.
func (s *Session) Post(ctx context.Context, method string, params any) error {
	_, err := s.conn.send(ctx, s, method, params, nil)
	return err
}

// On calls fn for every event of the method, on the read loop and in order: fn
// must return at once and must not call. It lasts as long as the session.
func (s *Session) On(method string, fn func(params jsonv2.Value)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[method] = append(s.handlers[method], fn)
}

// on is [Session.On] with the event decoded; an event that does not decode is
// passed over, as a protocol of another version may send it.
func on[E any](s *Session, e cdp.Event[E], fn func(E)) {
	s.On(e.Method, func(raw jsonv2.Value) {
		var ev E
		if jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) == nil {
			fn(ev)
		}
	})
}

// Subscribe buffers the events of the method from now on, without a limit, until
// stop is called or the session ends.
func (s *Session) Subscribe(method string) (events <-chan jsonv2.Value, stop func()) {
	q := newQueue()
	s.mu.Lock()
	s.queues[method] = append(s.queues[method], q)
	s.mu.Unlock()
	s.conn.mu.Lock()
	ended := s.err != nil
	s.conn.mu.Unlock()
	if ended {
		q.finish()
	}
	return q.out, func() {
		s.mu.Lock()
		list := s.queues[method]
		for i := range list {
			if list[i] == q {
				s.queues[method] = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		s.mu.Unlock()
		q.stop()
	}
}

func (s *Session) publish(method string, params jsonv2.Value) {
	params = params.Clone() // the transport reuses its buffer
	s.mu.Lock()
	handlers := s.handlers[method]
	queues := s.queues[method]
	s.mu.Unlock()
	for _, fn := range handlers {
		fn(params)
	}
	for _, q := range queues {
		q.push(params)
	}
}

// end marks the session as ended; conn.mu is held.
func (s *Session) end(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	close(s.gone)
	s.mu.Lock()
	for _, list := range s.queues {
		for _, q := range list {
			q.finish()
		}
	}
	s.mu.Unlock()
}

// queue passes events from the read loop to one reader without ever blocking the
// former. Its goroutine ends with stop, or after finish when it is empty and read.
type queue struct {
	out  chan jsonv2.Value
	wake chan struct{}
	quit chan struct{}
	once sync.Once

	mu       sync.Mutex
	items    []jsonv2.Value
	finished bool
}

func newQueue() *queue {
	q := &queue{out: make(chan jsonv2.Value), wake: make(chan struct{}, 1), quit: make(chan struct{})}
	go q.pump()
	return q
}

func (q *queue) push(v jsonv2.Value) {
	q.mu.Lock()
	q.items = append(q.items, v)
	q.mu.Unlock()
	q.poke()
}

func (q *queue) finish() {
	q.mu.Lock()
	q.finished = true
	q.mu.Unlock()
	q.poke()
}

func (q *queue) stop() { q.once.Do(func() { close(q.quit) }) }

func (q *queue) poke() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) pump() {
	defer close(q.out)
	for {
		q.mu.Lock()
		items, finished := q.items, q.finished
		q.items = nil
		q.mu.Unlock()
		for _, v := range items {
			select {
			case q.out <- v:
			case <-q.quit:
				return
			}
		}
		if len(items) > 0 {
			continue
		}
		if finished {
			return
		}
		select {
		case <-q.wake:
		case <-q.quit:
			return
		}
	}
}

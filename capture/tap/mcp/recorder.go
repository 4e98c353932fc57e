package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Options configure a recorder.
type Options struct {
	Keeper tap.Keeper
	// Open makes the session where Keeper has none, at the first call of a tool. A list of tools before waits for it,
	// and goes where there is none.
	Open func(ctx context.Context) (*turn.Store, error)
	// Watcher captures the pages of the browser that the server drives; nil for none.
	Watcher *tap.Watcher
	// Server names the server until it has named itself, URL is where it is: "stdio:" or its address without secrets.
	Server, URL string
	// Uids: the server lists pages by numbers that nothing in them holds, so that captures need the accessibility tree.
	Uids bool
	Log  *slog.Logger
	// Recorded, where it is not nil, is called with each saved turn, from one goroutine.
	Recorded func(n int, e *tap.Exchange)
}

// Recorder makes turns of the messages that pass. It is safe for concurrent use.
type Recorder struct {
	o     Options
	queue chan *call
	done  chan struct{} // closed when the queue is worked off
	ctx   context.Context
	end   context.CancelFunc
	looks sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	server  string
	open    map[string]*call // by session and id
	looking []*look          // that are under way
	uids    bool
	said    []byte // the last answer that has an address: of the page that the model knows
	// withheld are the credentials of clients.
	withheld []redact.Secret
	garbage  int // lines that are no message, since the last turn
	tools    [sha256.Size]byte

	// For the goroutine that saves.
	secrets []redact.Secret
	tab     string
	given   []*observation.Text // what the server listed pages with
	listed  *observation.Text   // what the model knows from it
	last    *tap.Page           // after the call before; nil where that is not known
	behind  map[string]bool     // the tabs that lay behind others after the call before
	names   map[string][]string // title and address that each tab had last
}

// call is a call of a tool under way, or a list of tools.
type call struct {
	asked, answer  []byte
	askedSize      int64
	answerSize     int64
	began          time.Time
	ended          float64 // ms after began
	err            string
	lacks          []string
	before, after  *look
	server         string
	isToolsRequest bool
}

// look is one look at the pages, which calls may share.
type look struct {
	done  chan struct{} // closed when pages are there
	pages []tap.Page
	// begun: the capture has begun. called: a call came since the look was asked for, so that the pages may be as that
	// call left them. late are the tabs whose pages were captured only then.
	begun, called bool
	late          map[string]bool
}

const (
	// maxLooks is how many captures of the pages are under way at most: where calls come faster, some have no page.
	maxLooks = 3
	// lookAfter is how long a look at what a call led to waits for a next call, which would spoil it.
	lookAfter = 30 * time.Millisecond
	// lookWait is how long saving waits for a look.
	lookWait = 15 * time.Second
	// maxWaiting is how many calls wait to be saved at most.
	maxWaiting = 4096
	// maxOpen is how many calls may be without an answer at a time.
	maxOpen = 4096
	// maxNames is of how many tabs the titles and addresses are remembered.
	maxNames = 200
	// maxSecrets is how many secrets of pages before are remembered.
	maxSecrets = 200
)

// NewRecorder begins to record. [Recorder.Close] ends it.
func NewRecorder(o Options) *Recorder {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Recorder{o: o, queue: make(chan *call, maxWaiting), done: make(chan struct{}), open: map[string]*call{},
		server: o.Server, uids: o.Uids}
	r.ctx, r.end = context.WithCancel(context.Background())
	go r.save() // ends with the queue; Close waits for it
	return r
}

// Client takes a document that the client sent. session tells clients apart that use the same ids.
func (r *Recorder) Client(session string, raw, tail []byte, size int) {
	if size > len(raw) {
		if id := anID.FindSubmatch(slices.Concat(raw[:min(len(raw), tailKept)], tail)); id != nil {
			r.begin(session, message{raw: raw, ID: id[1], Method: "tools/call"}, size)
		}
		return
	}
	for _, m := range messages(raw) {
		switch m.Method {
		case "tools/call", "tools/list", "initialize":
			if len(m.ID) > 0 {
				r.begin(session, m, len(m.raw))
			}
		case "notifications/cancelled":
			r.take(session, m.Params.RequestID, func(c *call) { c.err = "the client cancelled the call" })
		}
	}
}

// begin notes a request of the client.
func (r *Recorder) begin(session string, m message, size int) {
	c := &call{asked: bytes.Clone(m.raw), askedSize: int64(size), began: time.Now().UTC(),
		isToolsRequest: m.Method != "tools/call"}
	if !c.isToolsRequest {
		a, err := wire.ReadAnswer(wire.MCP, c.asked)
		c.before = r.look(true, err == nil && (reads(a) || len(aims(a)) > 0))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || len(r.open) >= maxOpen {
		r.o.Log.Warn("a call is not recorded: too many have no answer", "open", len(r.open))
		return
	}
	r.open[session+"\x00"+string(m.ID)] = c
}

// reading are words in the names of tools whose answer shows the page as it is at the call.
var reading = regexp.MustCompile(
	`(?i)snap|shot|state|html|content|read|find|observe|view|dom|elements|markdown|extract|inspect|page_?text|` +
		`(?:^|[^a-z])(?:get|list|query)`)

func reads(a *wire.Answer) bool {
	return a != nil && len(a.Calls) > 0 && reading.MatchString(a.Calls[0].Name)
}

// showsPage is what an answer has that lists a page, or is a picture of it.
var showsPage = regexp.MustCompile(`\[ref=|"image"|@e\d+ |` + observation.OfTree.String())

// Server takes a document that the server sent.
func (r *Recorder) Server(session string, raw, tail []byte, size int) {
	if size > len(raw) { // the id is at the beginning or at the end
		if ids := anID.FindAllSubmatch(slices.Concat(raw[:min(len(raw), tailKept)], tail), -1); ids != nil {
			r.take(session, ids[len(ids)-1][1], func(c *call) {
				c.answer, c.answerSize = bytes.Clone(raw), int64(size)
			})
		}
		return
	}
	list := messages(raw)
	if list == nil && len(bytes.TrimSpace(raw)) > 0 {
		r.mu.Lock()
		r.garbage++
		r.mu.Unlock()
	}
	for _, m := range list {
		if m.Method != "" || m.Result == nil && m.Error == nil {
			continue // of the server's own
		}
		r.take(session, m.ID, func(c *call) {
			c.answer, c.answerSize = bytes.Clone(m.raw), int64(len(m.raw))
		})
	}
}

// take ends the call with that id.
func (r *Recorder) take(session string, id json.RawMessage, how func(c *call)) {
	key := session + "\x00" + string(id)
	r.mu.Lock()
	c := r.open[key]
	delete(r.open, key)
	r.mu.Unlock()
	if c == nil {
		return
	}
	how(c)
	r.over(c)
}

// fail ends a call that gets no answer.
func (r *Recorder) fail(session string, id json.RawMessage, why string) {
	r.take(session, id, func(c *call) { c.err = why })
}

// withhold keeps these values out of all that is recorded from now on.
func (r *Recorder) withhold(secrets []redact.Secret) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range secrets {
		r.withheld = redact.Add(r.withheld, s)
	}
	r.withheld = r.withheld[max(0, len(r.withheld)-maxSecrets):]
}

// over hands a call to be saved.
func (r *Recorder) over(c *call) {
	c.ended = float64(time.Since(c.began).Microseconds()) / 1000
	if c.isToolsRequest {
		if !r.readAbout(c) {
			return
		}
	} else {
		r.mu.Lock()
		r.uids = r.uids || observation.OfTree.Match(c.answer)
		if bytes.Contains(c.answer, []byte("://")) {
			r.said = c.answer
		}
		r.mu.Unlock()
		c.after = r.look(false, showsPage.Match(c.answer))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c.server = r.server
	if r.garbage > 0 {
		c.lacks = append(c.lacks, "the server wrote "+text.Count(r.garbage, "line", "lines")+" that are no message")
		r.garbage = 0
	}
	if r.closed {
		return
	}
	select {
	case r.queue <- c:
	default:
		r.o.Log.Warn("a call is not recorded: too many wait to be saved")
	}
}

// readAbout reads what a server says of itself and of its tools; it reports whether that is to be recorded: a list of
// tools that was not recorded before.
func (r *Recorder) readAbout(c *call) bool {
	var about struct {
		Result struct {
			Server struct {
				Name string `json:"name"`
			} `json:"serverInfo"`
			Tools json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	if json.Unmarshal(c.answer, &about) != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if name := text.Start(text.Line(about.Result.Server.Name), 80); name != "" {
		r.server = name
	}
	sum := sha256.Sum256(about.Result.Tools)
	if len(about.Result.Tools) == 0 || sum == r.tools {
		return false
	}
	r.tools = sum
	return true
}

// look begins a capture of the pages, as a call comes or is answered; nil where none is watched or too many are under
// way. A call takes part in one that is under way, which began after the answer before; it has one of its own only
// where the page at the call matters. A look at what a call led to waits a moment, but where the answer shows the page.
func (r *Recorder) look(call, matters bool) *look {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.o.Watcher == nil || r.closed {
		return nil
	}
	if call {
		var under *look
		for _, l := range r.looking {
			if l.called = true; l.begun {
				under = l
			}
		}
		if under != nil || !matters {
			return under
		}
	}
	begun := 0
	for _, l := range r.looking {
		if l.begun {
			begun++
		}
	}
	if begun >= maxLooks {
		return nil
	}
	l := &look{done: make(chan struct{}), called: call, begun: matters, late: map[string]bool{}}
	r.looking = append(r.looking, l)
	said := r.said
	if r.uids {
		said = append([]byte("uid=0_0 "), said...)
	}
	asked := func() []byte { return said }
	r.looks.Go(func() {
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.looking = slices.DeleteFunc(r.looking, func(other *look) bool { return other == l })
			close(l.done)
		}()
		if !matters && !r.undisturbed(l) {
			return
		}
		var mu sync.Mutex
		r.o.Watcher.CapturePages(r.ctx, asked, func(p tap.Page) {
			mu.Lock()
			defer mu.Unlock()
			l.pages = slices.DeleteFunc(l.pages, func(before tap.Page) bool {
				return before.Tab == p.Tab && before.Gone == p.Gone
			})
			if p.Capture != nil || p.Err != nil {
				l.pages = append(l.pages, p)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			l.late[p.Tab] = l.called
		})
	})
	return l
}

// undisturbed waits whether a next call comes, and begins the look where none does.
func (r *Recorder) undisturbed(l *look) bool {
	wait := time.NewTimer(lookAfter)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-r.ctx.Done():
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l.begun = !l.called
	return l.begun
}

// seen are the pages of a look.
func (l *look) seen(ctx context.Context) []tap.Page {
	if l == nil {
		return nil
	}
	timer := time.NewTimer(lookWait)
	defer timer.Stop()
	select {
	case <-l.done:
		return l.pages
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// End records the calls that have no answer, and why they get none.
func (r *Recorder) End(why string) {
	r.mu.Lock()
	open := r.open
	r.open = map[string]*call{}
	r.mu.Unlock()
	var list []*call
	for _, c := range open {
		if !c.isToolsRequest {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *call) int { return a.began.Compare(b.began) })
	for _, c := range list {
		c.err = why
		r.over(c)
	}
}

// Close saves what was answered, which has ctx to end.
func (r *Recorder) Close(ctx context.Context) error {
	r.End("the recording ended before there was an answer")
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.mu.Unlock()
	var err error
	select {
	case <-r.done:
	case <-ctx.Done():
		err = fmt.Errorf("saving the last calls: %w", ctx.Err())
		r.end()
		<-r.done
	}
	r.end()
	r.looks.Wait()
	return err
}

// save saves the calls in the order of their ends.
func (r *Recorder) save() {
	defer close(r.done)
	var tools *call // that were listed before there is a session
	for c := range r.queue {
		if r.o.Keeper.Store == nil {
			if c.isToolsRequest {
				tools = c
				continue
			}
			var err error
			if r.o.Keeper.Store, err = r.o.Open(r.ctx); err != nil {
				r.o.Log.Error("a call was passed on, and there is no session for it", "server", c.server, "error", err)
				continue
			}
			if tools != nil {
				r.record(tools)
			}
		}
		r.record(c)
	}
}

// record saves one call.
func (r *Recorder) record(c *call) {
	e, n, err := r.keep(c)
	if err != nil {
		r.o.Log.Error("a call was passed on and could not be recorded", "server", c.server, "error", err)
		return
	}
	if r.o.Recorded != nil {
		r.o.Recorded(n, e)
	}
}

// keep makes the turn of a call.
func (r *Recorder) keep(c *call) (*tap.Exchange, int, error) {
	e := &tap.Exchange{Exchange: exchange.Exchange{Upstream: c.server, Method: "POST", URL: r.o.URL, Dialect: wire.MCP,
		Began: c.began, Ended: c.ended, Error: c.err, RequestBytes: c.answerSize, AnswerBytes: c.askedSize}}
	if c.answer != nil {
		e.FirstByte = c.ended
	}
	// What the server answers is what the model is given; what the client asks for is what the model answered.
	b := exchange.Bodies{Request: c.answer, Answer: c.asked, RequestMedia: "application/json",
		AnswerMedia: "application/json", Wire: true}
	lacks := c.lacks
	if c.answerSize > int64(len(c.answer)) {
		lacks = append(lacks, fmt.Sprintf("of the answer the first %d of %d bytes are kept", len(c.answer),
			c.answerSize))
	}
	if c.askedSize > int64(len(c.asked)) {
		lacks = append(lacks, fmt.Sprintf("of the call the first %d of %d bytes are kept", len(c.asked), c.askedSize))
	}
	asked, unread := e.Read(b)
	lacks = append(lacks, unread...)
	var page *tap.Page
	var seen []tap.Page
	if !c.isToolsRequest {
		before, after := c.before.seen(r.ctx), c.after.seen(r.ctx)
		known := before
		if r.last != nil {
			known = append(slices.Clone(before), *r.last)
		}
		seen = slices.Concat(before, after)
		for _, p := range seen {
			for _, s := range p.Secrets {
				r.secrets = redact.Add(r.secrets, s)
			}
		}
		page = r.pair(c, e, asked, before, after)
		for _, s := range tap.Typed(nil, e.Answer, r.listed, known) {
			r.secrets = redact.Add(r.secrets, s)
		}
		r.secrets = r.secrets[max(0, len(r.secrets)-maxSecrets):]
	} else {
		e.Pairing.Why = "a list of tools is about no page"
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), 10*time.Minute)
	defer cancel()
	r.mu.Lock()
	secrets := slices.Concat(r.secrets, r.withheld)
	r.mu.Unlock()
	keeper := r.o.Keeper
	rules, withheld, unsaid := r.o.Watcher.Withheld(seen)
	if rules != nil {
		keeper.Rules = rules
	}
	secrets, lacks = append(secrets, withheld...), append(lacks, unsaid...)
	n, err := keeper.Keep(ctx, e, b, page, lacks, secrets...)
	return e, n, err
}

// pair finds the page of a call. Where the answer shows a page, that one; else a call that is about an element has the
// page on which it was asked for, and any other the page that it led to.
func (r *Recorder) pair(c *call, e *tap.Exchange, asked *wire.Request, before, after []tap.Page) *tap.Page {
	var listed *observation.Text
	for _, s := range asked.Texts() {
		if t := observation.Read(s); t != nil && !t.Guessed {
			listed = t
		}
	}
	var page *tap.Page
	var found exchange.Pairing
	r.follow(after)
	then, thenFound := r.shown(c, asked, after)
	actions, shows := aims(e.Answer), listed != nil || len(asked.Images()) > 0
	if !shows && len(actions) == 0 {
		p, found := r.told(e.Answer, asked, after)
		if found.Why != "" || p != nil && (then == nil || p.Tab != then.Tab) {
			then, thenFound = p, found
		}
	}
	if shows {
		page, found = tap.Pair(asked, after)
		earlier, at := tap.Pair(asked, before)
		if earlier != nil && (page == nil || at.Score > found.Score) {
			page, found = earlier, at
		} else if page != nil && !page.Gone {
			found.Moment = turn.AfterAnswer
		}
		// What only says what has changed is too little to tell a page by.
		if page == nil && then != nil && listed != nil && listed.Changes() {
			page, found = then, thenFound
			found.Moment = turn.AfterAnswer
		}
	}
	switch {
	case page != nil || listed != nil || shows && len(actions) == 0:
	case len(actions) > 0: // also where the answer is a picture of too little to tell a page by
		unfound := found
		inTime := c.untilItsEnd(before)
		page, found = tap.PairShown(&wire.Request{Dialect: wire.MCP}, inTime, r.tab)
		of := func(p tap.Page) bool { return p.Tab == r.tab && !p.Gone }
		late := page != nil && !of(*page) && slices.ContainsFunc(before, of) && !slices.ContainsFunc(inTime, of)
		if late { // another tab has elements with the same numbers
			page, found = nil, exchange.Pairing{}
		}
		switch {
		case late || len(before) > 0 && len(inTime) == 0:
			found.Why = "the page was captured after the call was over"
		case r.o.Watcher.Watches() && page == nil && len(before) == 0:
			found.Why = "the call came before the page was captured"
		}
		moved := r.last != nil && !r.holds(page, actions) && (page == nil || page.URL != r.last.URL ||
			!failed(asked) && r.holds(r.last, actions)) // it was captured as the call had changed it
		if last := r.last; moved && (page == nil || page.Tab == last.Tab) {
			page = last
			found = exchange.Pairing{Paired: true, Score: tap.ShownScore, Moment: turn.BeforeRequest,
				Age: float64(c.began.Sub(last.Capture.TakenAt).Microseconds()) / 1000,
				Evidence: []exchange.Evidence{{Kind: "browser", Score: tap.ShownScore,
					What: "it is the page after the call before"}}}
		}
		if shows && !r.holds(page, actions) {
			page, found = nil, unfound
		}
	default:
		if page, found = then, thenFound; page != nil {
			found.Moment = turn.AfterAnswer
		} else if reads(e.Answer) { // it changes nothing
			if p, at := tap.PairShown(asked, c.untilItsEnd(before), r.tab); p != nil {
				page, found = p, at
			}
		}
	}
	if page == nil && len(before)+len(after) == 0 {
		switch {
		case r.o.Watcher.Watches():
			found.Why = "the next call came before the page was captured"
		case r.tab != "":
			found.Why = "the browser was closed before the page was captured"
		}
	}
	if found.Moment == turn.BeforeRequest && found.Age == 0 {
		found.Age = float64(c.began.Sub(page.Capture.TakenAt).Microseconds()) / 1000
	}
	e.Pairing = found
	if r.last = then; then == nil && found.Moment == turn.AfterAnswer {
		r.last = page
	}
	if listed != nil {
		if e.Answer != nil && len(e.Answer.Calls) > 0 {
			listed.AskedFor(e.Answer.Calls[0].Name, e.Answer.Calls[0].Arguments)
		}
		r.given = observation.Remember(r.given, listed)
		r.listed = observation.Known(r.given)
	}
	if page == nil {
		return nil
	}
	// Looks are shared, and each turn gives numbers of its own.
	own, capture := *page, *page.Capture
	capture.Nodes = slices.Clone(capture.Nodes)
	own.Capture, r.tab = &capture, own.Tab
	return &own
}

// failed reports whether a server says that a call failed.
func failed(asked *wire.Request) bool {
	return slices.ContainsFunc(asked.Messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p wire.Part) bool { return p.Failed })
	})
}

// aims are what a call wants done to elements.
func aims(a *wire.Answer) []wire.Action {
	if a == nil {
		return nil
	}
	return a.Actions(nil)
}

// untilItsEnd are those of pages that were captured before the call was over: of a quick one the capture may come too
// late, and is of what the call led to.
func (c *call) untilItsEnd(pages []tap.Page) []tap.Page {
	end := c.began.Add(time.Duration(c.ended * float64(time.Millisecond)))
	return slices.DeleteFunc(slices.Clone(pages), func(p tap.Page) bool {
		return p.Capture != nil && p.Capture.TakenAt.After(end)
	})
}

// follow turns to the tab that a call has brought to the front in the place of the one that the agent was in: one that
// lay behind it. A popup that comes to lie over it is new.
func (r *Recorder) follow(after []tap.Page) {
	behind := map[string]bool{}
	var front []string
	for _, p := range after {
		if p.Capture == nil || p.Gone {
			continue
		}
		if r.names == nil || len(r.names) > maxNames {
			r.names = map[string][]string{}
		}
		r.names[p.Tab] = []string{p.Capture.Title, p.Capture.URL}
		if behind[p.Tab] = p.Hidden; !p.Hidden {
			front = append(front, p.Tab)
		}
	}
	if was, known := r.behind[r.tab]; known && !was && behind[r.tab] && len(front) == 1 && r.behind[front[0]] {
		r.tab = front[0]
	}
	if len(behind) > 0 {
		r.behind = behind
	}
}

// told is the page of which a call that only reads says the words, the title or the address: it need not be the one
// that the browser has in front. Why is set where another tab had that title or address and was not captured now.
func (r *Recorder) told(a *wire.Answer, asked *wire.Request, pages []tap.Page) (*tap.Page, exchange.Pairing) {
	if !reads(a) {
		return nil, exchange.Pairing{}
	}
	said := strings.TrimSpace(strings.Join(asked.Texts(), "\n"))
	if len(text.Letters(said)) >= pageful {
		page, found := tap.Pair(asked, pages)
		found.Why = "" // it may be of another kind than a page's text
		return page, found
	}
	said = strings.TrimSpace(labelled.ReplaceAllString(said, ""))
	if !naming.MatchString(a.Calls[0].Name) || said == "" {
		return nil, exchange.Pairing{}
	}
	named := slices.DeleteFunc(slices.Clone(pages), func(p tap.Page) bool {
		return p.Capture == nil || p.Gone || said != p.Capture.URL && said != p.Capture.Title
	})
	if len(named) == 1 {
		return &named[0], exchange.Pairing{Paired: true, Score: tap.ShownScore, Evidence: []exchange.Evidence{
			{Kind: "title", Score: tap.ShownScore, What: "the answer is the title or the address of this page alone"}}}
	}
	for _, names := range r.names {
		if len(named) == 0 && slices.Contains(names, said) {
			return nil, exchange.Pairing{Why: "the answer is the title or the address of another tab"}
		}
	}
	return nil, exchange.Pairing{}
}

// pageful is from how many letters on an answer is a page's text, and not that of a part of it.
const pageful = 200

var (
	// naming are words in the names of tools that tell a page's title or address.
	naming = regexp.MustCompile(`(?i)title|url|address|location`)
	// labelled is what may stand before these.
	labelled = regexp.MustCompile(`^(?:[A-Za-z]+ ){0,3}[A-Za-z]+: `)
)

// shown is the page that the browser shows after a call.
func (r *Recorder) shown(c *call, asked *wire.Request, after []tap.Page) (*tap.Page, exchange.Pairing) {
	const late = "the next call came before the page was captured"
	if len(after) == 0 {
		page, found := tap.PairShown(asked, nil, r.tab)
		r.mu.Lock()
		defer r.mu.Unlock()
		if c.after != nil && c.after.called {
			found.Why = late
		}
		return page, found
	}
	inTime := slices.Clone(after)
	for i, p := range inTime {
		if c.after.late[p.Tab] && !p.Gone {
			inTime[i] = tap.Page{Tab: p.Tab, URL: p.URL, Err: errors.New(late)}
		}
	}
	page, found := tap.PairShown(asked, inTime, r.tab)
	if page == nil && slices.Contains(slices.Collect(maps.Values(c.after.late)), true) {
		found.Why = late
	}
	return page, found
}

// holds reports whether a page has the element of an action.
func (r *Recorder) holds(p *tap.Page, actions []wire.Action) bool {
	if p == nil || p.Capture == nil {
		return false
	}
	made := tie.New(p.Capture)
	var listed *observation.Text
	if r.listed != nil {
		listed = r.listed.Again()
		made.Tie(listed)
	}
	for _, a := range actions {
		if node, _ := made.Held(a.Ref); node >= 0 {
			return true
		}
		if listed != nil && slices.ContainsFunc(listed.Lines, func(l observation.Line) bool {
			return l.Node >= 0 && l.Ref == a.Ref && a.Ref != ""
		}) {
			return true
		}
	}
	return false
}

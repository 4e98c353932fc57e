package tap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/wire"
)

// program runs the code of an extension: its worker, its page in the background or at the side.
type program struct {
	ctx context.Context // ends when its browser is left
	in  *browser.Browser
	id  string
}

// eachProgram calls fn with each program of an extension that starts from now on, and with those that run. A nil
// watcher has none.
func (w *Watcher) eachProgram(fn func(p program)) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.look = func(p program) { w.keeping.Go(func() { fn(p) }) }
	for _, p := range w.programs {
		w.look(p)
	}
	w.programs = nil
}

// passing is a request to a model that a program sends, as Chrome tells of it.
type passing struct {
	*roundTrip
	id     network.RequestID
	from   *browser.Session
	answer chan http.Response // holds one at most
	end    chan error         // holds one at most
}

// The events of the protocol's network domain as far as they are used.
type (
	asksEvent struct {
		RequestID network.RequestID `json:"requestId"`
		Request   struct {
			URL     string          `json:"url"`
			Method  string          `json:"method"`
			Headers network.Headers `json:"headers"`
		} `json:"request"`
	}
	answersEvent struct {
		RequestID network.RequestID `json:"requestId"`
		Response  struct {
			URL     string          `json:"url"`
			Status  int             `json:"status"`
			Headers network.Headers `json:"headers"`
		} `json:"response"`
	}
	endsEvent struct { // also of one that fails
		RequestID network.RequestID `json:"requestId"`
		ErrorText string            `json:"errorText"`
		Canceled  bool              `json:"canceled"`
	}
)

// lookInside records what a program of an extension asks of models, until it ends or its browser is left. Chrome is
// only listened to.
func (t *Tap) lookInside(p program) {
	s, err := p.in.AttachProgram(p.ctx, p.id)
	if err != nil {
		t.opt.Log.Debug("looking into an extension", "error", err)
		return
	}
	open := map[network.RequestID]*passing{} // of the goroutine that reads from Chrome; nil for one that asks no model
	browser.OnEvent(s, "Network.requestWillBeSent", func(ev *asksEvent) {
		if _, again := open[ev.RequestID]; again { // it is redirected
			return
		}
		x := t.passes(s, ev)
		if open[ev.RequestID] = x; x != nil {
			go x.follow(p.ctx)
		}
	})
	browser.OnEvent(s, "Network.responseReceived", func(ev *answersEvent) {
		x, known := open[ev.RequestID]
		switch {
		case x != nil && len(x.answer) == 0:
			x.answer <- http.Response{StatusCode: ev.Response.Status, Header: headers(ev.Response.Headers)}
		case !known && asksModel(ev.Response.URL):
			t.opt.Log.Warn("an extension asked a model before it could be listened to: that request is not recorded")
		}
	})
	ended := func(id network.RequestID, err error) {
		if x := open[id]; x != nil {
			x.end <- err
		}
		delete(open, id)
	}
	browser.OnEvent(s, "Network.loadingFinished", func(ev *endsEvent) { ended(ev.RequestID, nil) })
	browser.OnEvent(s, "Network.loadingFailed", func(ev *endsEvent) {
		if ev.Canceled {
			ended(ev.RequestID, context.Canceled)
			return
		}
		ended(ev.RequestID, errors.New(ev.ErrorText))
	})
	if err := s.Call(p.ctx, network.Enable.Method, network.EnableParams{}, nil); err != nil {
		t.opt.Log.Debug("listening to an extension", "error", err)
	} else {
		t.opt.Log.Debug("an extension is listened to", "program", p.id)
	}
	select {
	case <-s.Gone():
	case <-p.ctx.Done():
		ctx, cancel := browser.Within(context.WithoutCancel(p.ctx), seeDeadline)
		defer cancel()
		if err := p.in.Leave(ctx, s); err != nil {
			t.opt.Log.Debug("leaving an extension", "error", err)
		}
	}
}

// passes begins the record of a request; nil for one that asks no model, or that comes through the tap itself.
func (t *Tap) passes(s *browser.Session, ev *asksEvent) *passing {
	target, err := url.Parse(ev.Request.URL)
	if err != nil || ev.Request.Method != http.MethodPost {
		return nil
	}
	dialect := wire.DialectOf(target.Path)
	_, _, ours := t.route(target.EscapedPath())
	if dialect == wire.Other || ours && address.IsLoopback(target.Hostname()) {
		return nil
	}
	upstream := target.Host
	for _, u := range t.upstreams {
		if u.URL.Host == target.Host {
			upstream = u.Name
		}
	}
	if !t.enter() {
		return nil
	}
	t.opt.Log.Debug("an extension asks a model", "upstream", upstream)
	return &passing{t.roundTrip(upstream, ev.Request.Method, dialect, target, headers(ev.Request.Headers)),
		ev.RequestID, s, make(chan http.Response, 1), make(chan error, 1)}
}

// asksModel reports whether an address is one that models are asked at.
func asksModel(at string) bool {
	u, err := url.Parse(at)
	return err == nil && wire.DialectOf(u.Path) != wire.Other
}

// headers are those that Chrome tells; several of one name stand in lines.
func headers(told network.Headers) http.Header {
	h := http.Header{}
	for name, value := range told {
		for line := range strings.SplitSeq(fmt.Sprint(value), "\n") {
			h.Add(name, line)
		}
	}
	return h
}

// Why nobody waits for the answer any more.
var (
	errEnded  = errors.New("the extension's program ended, or its browser")
	errClosed = errors.New("the tap ended before the answer did")
)

// follow waits for the end of the request and saves the turn.
func (x *passing) follow(ctx context.Context) {
	defer x.t.running.Done()
	over, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer x.t.hold(x, cancel)()
	x.see(ctx)
	asked, err := cdp.Call(ctx, x.from, network.GetRequestPostData, network.GetRequestPostDataParams{RequestID: x.id})
	if err != nil {
		x.lacks = append(x.lacks, "Chrome did not give the request's body: "+reason(err))
	}
	body := x.Request(io.NopCloser(bytes.NewReader(asked.PostData)))
	_, _ = io.Copy(io.Discard, body)
	if r, unread := wire.ReadRequest(x.e.Dialect, asked.PostData); err == nil && (unread != nil ||
		r.Model == "" && x.e.Dialect != wire.Gemini) {
		return // a path that ends like that of a model, and is of something else, such as a chat between people
	}
	var answer *http.Response
	for {
		select {
		case r := <-x.answer:
			x.e.FirstByte, answer = x.since(), &r
			continue
		case err = <-x.end:
		case <-x.from.Gone():
			err = errEnded
		case <-over.Done():
			err = errClosed
		}
		break
	}
	if len(x.answer) > 0 { // both came at once
		r := <-x.answer
		x.e.FirstByte, answer = x.since(), &r
	}
	if answer == nil {
		switch err {
		case nil:
			x.e.Error = "Chrome told of the answer's end, and of no answer"
		case errEnded, errClosed:
			x.e.Error = "no answer came: " + err.Error()
		default:
			x.Failed(err)
		}
		x.Complete()
		return
	}
	x.take(ctx, answer, err)
}

// take keeps an answer, which is over: whole where err is nil. Chrome gives its body with its encodings taken off.
func (x *passing) take(ctx context.Context, answer *http.Response, err error) {
	got, unread := cdp.Call(ctx, x.from, network.GetResponseBody, network.GetResponseBodyParams{RequestID: x.id})
	switch {
	case err == nil && unread != nil:
		x.lacks = append(x.lacks, "Chrome did not give the answer's body: "+reason(unread))
	case err == nil:
		err = io.EOF
	}
	answer.Header.Del("Content-Encoding")
	answer.ContentLength = -1
	answer.Body = io.NopCloser(&ending{bytes.NewReader(got.Body), err})
	x.Answered(answer)
	_, _ = io.Copy(io.Discard, answer.Body) // saves the turn at its end
	x.Complete()
}

// ending reads bytes, and then gives an error.
type ending struct {
	*bytes.Reader
	err error
}

func (r *ending) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) && r.err != nil {
		err = r.err
	}
	return n, err
}

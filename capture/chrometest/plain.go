package chrometest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	"github.com/refscope/refscope/capture/browser"
)

// Plain is a DevTools client of its own that knows nothing of Refscope: no world, no
// observer, no domain but what a test asks for. What a page is like without us is seen
// through it. It answers dialogs, or a page that opens one would never load. It is
// safe for concurrent use; calls wait for one another.
type Plain struct {
	mu   sync.Mutex
	conn chromedp.Transport
	last int64
}

// DialPlain connects to the browser a second time. The connection ends with the test.
func DialPlain(t testing.TB, b *browser.Browser) *Plain {
	t.Helper()
	conn, err := remote.DialContext(Context(t), b.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	p := &Plain{conn: conn}
	t.Cleanup(p.close)
	return p
}

// close ends the connection. Chrome's last frame is read meanwhile: where nobody does, the connection waits a second
// for it.
func (p *Plain) close() {
	var reading sync.WaitGroup
	if p.mu.TryLock() { // else a call reads, until the connection has ended
		defer p.mu.Unlock()
		reading.Go(func() {
			for p.conn.Read(context.Background(), &cdproto.Message{}) == nil {
			}
		})
	}
	_ = p.conn.Close() // the browser may be gone
	reading.Wait()
}

// Call sends a command to a session, "" for the browser's own, and decodes the answer
// into result, which may be nil.
func (p *Plain) Call(ctx context.Context, session, method string, params, result any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, err := p.send(ctx, session, method, params)
	if err != nil {
		return err
	}
	for {
		var msg cdproto.Message
		if err := p.conn.Read(ctx, &msg); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case string(msg.Method) == "Page.javascriptDialogOpening":
			if _, err := p.send(ctx, string(msg.SessionID), "Page.handleJavaScriptDialog",
				map[string]any{"accept": false}); err != nil {
				return err
			}
		case msg.ID != id:
			continue
		case msg.Error != nil:
			return fmt.Errorf("%s: %w", method, msg.Error)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(msg.Result, result)
		}
	}
}

func (p *Plain) send(ctx context.Context, session, method string, params any) (int64, error) {
	data, err := json.Marshal(params)
	if err != nil {
		return 0, fmt.Errorf("encoding %s: %w", method, err)
	}
	p.last++
	msg := cdproto.Message{ID: p.last, SessionID: target.SessionID(session), Method: cdproto.MethodType(method),
		Params: data}
	if err := p.conn.Write(ctx, &msg); err != nil {
		return 0, fmt.Errorf("%s: %w", method, err)
	}
	return p.last, nil
}

// Attach opens a session on a target, and receives its dialog events.
func (p *Plain) Attach(ctx context.Context, targetID string) (session string, err error) {
	var at struct {
		SessionID string `json:"sessionId"`
	}
	if err := p.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true},
		&at); err != nil {
		return "", err
	}
	return at.SessionID, p.Call(ctx, at.SessionID, "Page.enable", struct{}{}, nil)
}

// Eval evaluates an expression in the page's own world and decodes its value, which
// may come by a promise, into result.
func (p *Plain) Eval(ctx context.Context, session, expression string, result any) error {
	var res struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	err := p.Call(ctx, session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true,
		"awaitPromise": true}, &res)
	if err != nil {
		return err
	}
	if res.Exception != nil {
		return fmt.Errorf("%s %s", res.Exception.Text, res.Exception.Exception.Description)
	}
	if result == nil || len(res.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(res.Result.Value, result)
}

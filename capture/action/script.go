package action

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
)

// writeJS writes a value of the page as JSON text.
//
//go:embed js/write.js
var writeJS string

// Limits of what a script's value is written as (seed 17.7).
const (
	// MaxValue is the most bytes of JSON that a value may take; the rest is left out, and the
	// value is marked "truncated". Redaction can make it a little longer.
	MaxValue = 192 << 10
	// maxItems is how many entries of a Map or Set and keys of an object are written.
	maxItems = 50
	// MaxArray is how many items of an array are written, MaxNodes of a list of nodes.
	MaxArray, MaxNodes = 100, 20
	// MaxText is how many UTF-16 units of an element's text or attribute are written.
	MaxText = 500
	// MaxDepth is how deep objects are written.
	MaxDepth = 10
	// maxSpare is how many UTF-16 units more may come where texts are cut.
	maxSpare = 256 << 10
	// maxEntries is how many entries are written in all.
	maxEntries = 20_000
)

// Script is JavaScript that runs in the page's own world.
type Script struct {
	Source string
	// Function: the source is called, if it is a function, and its promise is awaited;
	// else it is an expression, or a program whose last value counts.
	Function bool
	// Await waits for the promise that an expression gives.
	Await bool
	// Plain writes what JSON can express as it is, and only the rest with its type. Raw
	// does so too and lifts the limits on numbers of items, but not MaxValue.
	Plain, Raw bool
	// Refs, where it is not nil, are elements by name: the function is called with a Map
	// of them. Those that are gone, or of another document than the frame's present one, are
	// not in it. Loader and UID are what they are found by.
	Refs map[string]collect.Identity
	// Single: it must be one expression. So must one with Refs.
	Single bool
}

// Value is the result of a script. Texts that were too long are {"\u0001":limit,"text":…}
// in it, up to 8,192 UTF-16 units longer than their limit; see js/write.js.
type Value struct {
	JSON   json.RawMessage
	Truthy bool
	// Promise: it is a promise that nobody waited for.
	Promise bool
}

// SyntaxError is a script that the browser cannot read. Nothing of it ran.
type SyntaxError struct {
	Text         string
	Line, Column int // from 1, in UTF-16 units
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("the script cannot be read: %s (line %d, column %d)", e.Text, e.Line, e.Column)
}

// EndlessError is a script that did not return in time. One that kept the page busy
// was ended; a promise may still be settled later.
type EndlessError struct {
	After   time.Duration
	Stopped bool // the script itself ran on and was ended
	Err     error
}

func (e *EndlessError) Error() string {
	if e.Stopped {
		return fmt.Sprintf("the script did not return within %d ms and was stopped", e.After.Milliseconds())
	}
	return fmt.Sprintf("the script's promise was not settled within %d ms", e.After.Milliseconds())
}

func (e *EndlessError) Unwrap() error { return e.Err }

// Ready is a script that the browser can read.
type Ready struct {
	Script
	program bool // statements, of which the last gives the value
}

// Compile looks for mistakes in a script, in a frame ("" for the main one). Nothing of
// it runs. Its error is a [*SyntaxError], or one of asking.
func (p *Page) Compile(ctx context.Context, frame string, s Script) (*Ready, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	before, source, after := s.argument()
	wrong, err := syntax(ctx, realm, before, source, after)
	if err != nil || wrong == nil {
		return &Ready{Script: s}, err
	}
	if s.Refs != nil || s.Single {
		return nil, wrong
	}
	for _, whole := range []bool{true, false} {
		before, after := "", ""
		if !whole {
			before, after = "async () => {", "\n}" // with await or return at the top
		}
		other, err := syntax(ctx, realm, before, s.Source, after)
		switch {
		case err != nil:
			return nil, err
		case other != nil:
			continue
		case whole || !strings.Contains(s.Source, "return"):
			return &Ready{s, true}, nil
		}
		s.Source, s.Function = before+s.Source+after, true
		return &Ready{Script: s}, nil
	}
	return nil, wrong
}

// Run runs a script in a frame ("" for the main one) and writes its value. Its errors
// are [*ThrownError], [*EndlessError] where the context's deadline came first, and
// [browser.ErrNavigated] where the document went away under it.
func (p *Page) Run(ctx context.Context, frame string, s *Ready) (*Value, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	var res *remote
	switch {
	case s.program:
		res, err = s.runProgram(ctx, realm)
	case s.Refs != nil:
		res, err = s.runWithRefs(ctx, realm)
	default:
		res, err = evaluate(ctx, realm, "("+s.invoke("")+")("+s.given()+", "+writeJS+", "+s.limits()+")", true)
	}
	if err != nil {
		return nil, err
	}
	return res.written()
}

// argument is the source as an argument, in the page's scope with no name of ours in
// it: the text before it, the source, the text after it.
func (s *Script) argument() (before, source, after string) {
	if !s.Function && s.Await {
		return "async () => (", s.source(), "\n)"
	}
	return "(", s.source(), "\n)"
}

func (s *Script) given() string {
	before, source, after := s.argument()
	return before + source + after
}

func (s *Script) source() string {
	return strings.TrimRight(strings.TrimSpace(s.Source), "; \t\r\n")
}

// invoke is a function of (what was given, writer, limits). It is asynchronous only
// where something may have to be waited for, as the page's timers notice.
func (s *Script) invoke(arg string) string {
	switch {
	case s.Function:
		return "async (f, write, o) => write(typeof f === 'function' ? await f(" + arg + ") : await f, o)"
	case s.Await:
		return "async (f, write, o) => write(await f(), o)"
	}
	return "(v, write, o) => write(v, o)"
}

// limits are the writer's options.
func (s *Script) limits() string {
	items, array, nodes, depth := maxItems, MaxArray, MaxNodes, MaxDepth
	if s.Raw {
		items, array, nodes, depth = maxEntries, maxEntries, MaxArray, 40
	}
	return fmt.Sprintf("{plain:%t,bytes:%d,items:%d,arrays:%d,nodes:%d,text:%d,depth:%d,spare:%d,entries:%d}",
		s.Plain || s.Raw, MaxValue, items, array, nodes, MaxText, depth, maxSpare, maxEntries)
}

// syntax is the syntax error of a source in its surroundings, nil for none.
func syntax(ctx context.Context, realm *browser.Realm, before, source, after string) (*SyntaxError, error) {
	var res struct {
		ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": before + source + after, "sourceURL": "", "persistScript": false}
	if err := realm.Session().Call(ctx, runtime.CompileScript.Method, params, &res); err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	d := res.ExceptionDetails
	if d == nil {
		return nil, nil
	}
	e := &SyntaxError{Text: d.Text, Line: int(d.LineNumber) + 1, Column: int(d.ColumnNumber) + 1}
	if d.Exception != nil {
		e.Text, _, _ = strings.Cut(d.Exception.Description, "\n")
	}
	if e.Line == 1 {
		e.Column = max(1, e.Column-len(before))
	}
	return e, nil
}

// remote is the browser's answer to an evaluation.
type remote struct {
	Result struct {
		Type     string                 `json:"type"`
		Value    json.RawMessage        `json:"value"`
		Number   string                 `json:"unserializableValue"`
		ObjectID runtime.RemoteObjectID `json:"objectId"`
	} `json:"result"`
	ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
}

// written is the value that js/write.js wrote.
func (r *remote) written() (*Value, error) {
	var text string
	var out struct {
		Truthy, Promise bool
		Value           json.RawMessage
	}
	if json.Unmarshal(r.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &out) != nil ||
		len(out.Value) == 0 {
		return nil, errors.New("the script's value could not be written: the page has replaced what is needed for it")
	}
	return &Value{JSON: out.Value, Truthy: out.Truthy, Promise: out.Promise}, nil
}

// evaluate runs an expression in the page's own world.
func evaluate(ctx context.Context, realm *browser.Realm, expression string, byValue bool) (*remote, error) {
	params := map[string]any{"expression": expression, "returnByValue": byValue, "awaitPromise": byValue,
		"userGesture": true}
	if !byValue {
		params["replMode"], params["awaitPromise"] = true, true // await at the top, constants that can be made again
	}
	if id := realm.PageWorld(); id != "" {
		params["uniqueContextId"] = id
	}
	return ran(ctx, realm, runtime.Evaluate.Method, params)
}

// runProgram runs statements and writes the last value.
func (s *Script) runProgram(ctx context.Context, realm *browser.Realm) (*remote, error) {
	res, err := evaluate(ctx, realm, s.Source, false)
	if err != nil {
		return nil, err
	}
	arg := map[string]any{}
	switch {
	case res.Result.ObjectID != "":
		arg["objectId"] = res.Result.ObjectID
		defer func() {
			_ = realm.Session().Post(context.WithoutCancel(ctx), runtime.ReleaseObject.Method,
				runtime.ReleaseObjectParams{ObjectID: res.Result.ObjectID})
		}()
	case res.Result.Number != "":
		arg["unserializableValue"] = res.Result.Number
	case len(res.Result.Value) > 0:
		arg["value"] = res.Result.Value
	}
	last := "v"
	switch {
	case s.Function: // such as one with a comment behind it
		last = "typeof v === 'function' ? await v() : await v"
	case s.Await:
		last = "await v"
	}
	return ran(ctx, realm, runtime.CallFunctionOn.Method, map[string]any{
		"functionDeclaration": "async function(v) { return (" + writeJS + ")(" + last + ", " + s.limits() + "); }",
		"arguments":           []any{arg}, "uniqueContextId": realm.PageWorld(), "returnByValue": true,
		"awaitPromise": true,
	})
}

// runWithRefs calls the function with a Map of elements, which the page's own world
// gets from the browser: nothing is left in the page.
func (s *Script) runWithRefs(ctx context.Context, realm *browser.Realm) (*remote, error) {
	const group = "refscope refs"
	defer func() {
		_ = realm.Session().Post(context.WithoutCancel(ctx), runtime.ReleaseObjectGroup.Method,
			runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	}()
	var all []string
	var uids []int
	known := map[int]bool{0: true}
	for _, name := range sortedKeys(s.Refs) {
		if id := s.Refs[name]; id.Loader == realm.Loader && !known[id.UID] {
			known[id.UID] = true
			all, uids = append(all, name), append(uids, id.UID)
		}
	}
	nodes, err := collect.Nodes(ctx, realm, uids)
	if err != nil {
		return nil, fmt.Errorf("giving the script its elements: %w", err)
	}
	handles := make([]runtime.RemoteObjectID, len(all))
	errs := make([]error, len(all))
	var work sync.WaitGroup
	slots := make(chan struct{}, 32)
	for i, node := range nodes {
		if node == 0 {
			continue // it is gone
		}
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			res, err := cdp.Call(ctx, realm.Session(), dom.ResolveNode, dom.ResolveNodeParams{
				BackendNodeID: cdp.BackendNodeID(node), ObjectGroup: group,
			})
			var reply *cdproto.Error
			switch {
			case err == nil && res.Object != nil:
				handles[i] = res.Object.ObjectID
			case err != nil && !errors.As(err, &reply): // the browser's own refusal: it is gone
				errs[i] = err
			}
		})
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("giving the script its elements: %w", err)
	}
	names, args := []string{}, []any{nil}
	for i, name := range all {
		if handles[i] != "" {
			names, args = append(names, name), append(args, map[string]any{"objectId": handles[i]})
		}
	}
	args[0] = map[string]any{"value": names}
	return ran(ctx, realm, runtime.CallFunctionOn.Method, map[string]any{
		"functionDeclaration": "function(names, ...elements) { const refs = new Map(); " +
			"for (let i = 0; i < names.length; i++) if (elements[i].isConnected) refs.set(names[i], elements[i]);\n" +
			"return (" + (&Script{Function: true}).invoke("o.refs") + ")(" + s.given() + ", " + writeJS + ", { ..." +
			s.limits() +
			", refs }); }",
		"arguments": args, "uniqueContextId": realm.PageWorld(), "returnByValue": true, "awaitPromise": true,
		"userGesture": true,
	})
}

// ran calls a method that runs a script. A script that is not back when the context
// ends is ended where it keeps the page busy.
func ran(ctx context.Context, realm *browser.Realm, method string, params any) (*remote, error) {
	began := time.Now()
	res := &remote{}
	err := realm.Session().Call(ctx, method, params, res)
	var reply *cdproto.Error
	switch {
	case errors.As(err, &reply) && lostContext(reply.Message):
		return nil, fmt.Errorf("running the script: %w (%s)", browser.ErrNavigated, reply.Message)
	case err != nil && ctx.Err() != nil:
		return nil, &EndlessError{After: time.Since(began), Stopped: stop(ctx, realm), Err: ctx.Err()}
	case err != nil:
		return nil, fmt.Errorf("running the script: %w", err)
	}
	if d := res.ExceptionDetails; d != nil {
		return nil, thrown(d)
	}
	return res, nil
}

// lostContext reports whether an error of the browser means that the document went
// away (seed 16.2).
func lostContext(message string) bool {
	for _, s := range []string{"Cannot find context", "context was destroyed", "navigated or closed",
		"Promise was collected", "uniqueContextId not found"} {
		if strings.Contains(message, s) {
			return true
		}
	}
	return false
}

// stop ends the script that keeps the page from answering, and reports whether there
// was one. It is not sent to a page that answers: it would end that page's next script.
func stop(ctx context.Context, realm *browser.Realm) bool {
	ctx = context.WithoutCancel(ctx)
	answers := func(limit time.Duration) bool {
		in, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		_, err := realm.Eval(in, "''")
		return err == nil || in.Err() == nil // any answer is one
	}
	if answers(300 * time.Millisecond) {
		return false
	}
	if err := realm.Session().Post(ctx, runtime.TerminateExecution.Method, struct{}{}); err != nil {
		return false
	}
	answers(3 * time.Second)
	return true
}

// thrown is an exception as an error.
func thrown(d *runtime.ExceptionDetails) error {
	text := d.Text
	if d.Exception != nil {
		text = d.Exception.Description
		if text == "" {
			text = string(d.Exception.Value)
		}
	}
	text, _, _ = strings.Cut(text, "\n    at ")
	return &ThrownError{text}
}

// ThrownError is an exception in a script that was run in the page's own world.
type ThrownError struct{ Text string }

func (e *ThrownError) Error() string { return "the script threw " + e.Text }

// Evaluate runs an expression in the page's own world of a frame ("" for the main one)
// and returns its value as JSON, nothing for undefined. A promise is awaited. It is for
// scripts of ours: what an agent sends is for [Page.Run], which bounds its value.
func (p *Page) Evaluate(ctx context.Context, frame, expression string) (json.RawMessage, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	res, err := evaluate(ctx, realm, expression, true)
	if err != nil {
		return nil, err
	}
	if res.Result.Number != "" {
		return json.Marshal(res.Result.Number)
	}
	return res.Result.Value, nil
}

// sortedKeys are a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

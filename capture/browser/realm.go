package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/snapshot"
)

// ErrNavigated is the error of calls on a [Realm] whose document is gone: the
// frame shows another one now, or was removed.
var ErrNavigated = errors.New("the frame went to another document")

// Realm is our isolated world of one document of one frame. It never moves on to
// the frame's next document: its calls then give [ErrNavigated]. So what two calls
// answer is about one document.
type Realm struct {
	Frame  string
	Loader string // of the document
	// Node is the document's own backendNodeId.
	Node int64
	// Elements is how many elements the document's own tree had when it was entered;
	// shadow trees and frames are not counted.
	Elements int
	session  *Session
	world    world
	handles  string // object group of what the realm holds in the page for a moment

	mu      sync.Mutex
	objects map[int64]runtime.RemoteObjectID // of nodes that a call was made with, in that group
}

// Enter finds our world of the frame's present document, or makes it.
func (s *Session) Enter(ctx context.Context, frame string) (*Realm, error) {
	w, err := s.world(ctx, frame)
	if err != nil {
		return nil, err
	}
	for again := false; ; again = true {
		// Frames of one session are read at the same time: each has a group of its own.
		r := &Realm{Frame: frame, session: s, world: w, handles: "refscope " + strconv.FormatInt(s.realms.Add(1), 10)}
		res, err := r.deep(ctx, w, "[document, document.getElementsByTagName('*').length]")
		switch {
		case errors.Is(err, ErrNavigated) && !again:
			if w, err = s.makeWorld(ctx, frame); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		}
		facts, err := res.nodes()
		if err == nil {
			r.Elements, err = res.number(1)
		}
		if err != nil || len(facts) != 2 {
			return nil, fmt.Errorf("entering frame %s: the browser did not describe its document: %w", frame,
				errors.Join(err, ErrNavigated))
		}
		r.Loader, r.Node = facts[0].Loader, facts[0].Node
		return r, nil
	}
}

// Known is [Session.Enter] without a question where the frame's present document was entered before: a world lives as
// long as its document. A document that has just gone is noticed by the first call, with [ErrNavigated]. Elements is
// what it was then. The realm is shared.
func (s *Session) Known(ctx context.Context, frame string) (*Realm, error) {
	if w, _ := s.worlds.of(frame); w.unique != "" {
		if r := s.worlds.realmOf(w.unique); r != nil {
			return r, nil
		}
	}
	r, err := s.Enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	s.worlds.keep(r)
	return r, nil
}

// Hold keeps a value with the realm's document, for all realms of it; Held gives it, nil for none.
func (r *Realm) Hold(v any) { r.session.worlds.hold(r.Frame, r.world, v) }

// Held is what [Realm.Hold] kept last with the realm's document.
func (r *Realm) Held() any {
	w := &r.session.worlds
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held[r.world.unique]
}

// Session is the session that the realm belongs to.
func (r *Realm) Session() *Session { return r.session }

// Eval evaluates an expression whose value is a string or undefined, like
// [Session.Eval].
func (r *Realm) Eval(ctx context.Context, expression string) (string, error) {
	return r.session.text(ctx, r.world, r.Frame, expression, false)
}

// Await evaluates an expression whose value is a promise of a string or of undefined, and waits for it.
func (r *Realm) Await(ctx context.Context, expression string) (string, error) {
	return r.session.text(ctx, r.world, r.Frame, expression, true)
}

// Post evaluates an expression without waiting for the page. What is asked of the page
// later is answered after it.
func (r *Realm) Post(ctx context.Context, expression string) {
	params := runtime.EvaluateParams{Expression: expression, UniqueContextID: r.world.unique}
	if r.world.unique == "" {
		params.ContextID = r.world.id
	}
	_ = r.session.Post(ctx, runtime.Evaluate.Method, params) // a page that is gone needs nothing
}

// NodeFacts are what the browser knows of a node beside what a script can see.
type NodeFacts struct {
	Node   int64  // backendNodeId, 0 where it is no node
	Loader string // of its document
	Frame  string // the frame that it shows, "" for none
	// ClosedRoot is the backendNodeId of its closed shadow root, 0 for none. The
	// browser's own roots, such as an input's, are closed ones too.
	ClosedRoot int64
	holds      bool // its tag is one that can show a frame
}

// Describe returns the facts of the nodes in the array that the expression returns, in
// its order. The nodes must differ from one another.
func (r *Realm) Describe(ctx context.Context, expression string) ([]NodeFacts, error) {
	res, err := r.deep(ctx, r.world, expression)
	if err != nil {
		return nil, err
	}
	facts, err := res.nodes()
	if err != nil {
		return nil, err
	}
	return facts, r.frames(ctx, facts)
}

// frames asks for the frames of the frame elements that were described without one. Chrome before 130 says them nowhere
// else.
func (r *Realm) frames(ctx context.Context, facts []NodeFacts) error {
	for i := range facts {
		f := &facts[i]
		if f.Frame != "" || !f.holds {
			continue
		}
		res, err := cdp.Call(ctx, r.session, dom.DescribeNode,
			dom.DescribeNodeParams{BackendNodeID: cdp.BackendNodeID(f.Node)})
		var reply *cdproto.Error
		switch {
		case err == nil && res.Node != nil:
			f.Frame = string(res.Node.FrameID)
		case err != nil && !errors.As(err, &reply): // a node that is gone shows none
			return err
		}
	}
	return nil
}

// DescribeInPage is [Realm.Describe] in the page's own world, where a script sees
// what the page hung on its nodes. It is refused as soon as it would change
// anything, and after a second: the error says so and holds no word of the page.
func (r *Realm) DescribeInPage(ctx context.Context, expression string) ([]NodeFacts, error) {
	_, main := r.session.worlds.of(r.Frame)
	if main.unique == "" {
		return nil, ErrNavigated
	}
	res, err := r.deep(ctx, main, expression)
	if err != nil {
		return nil, err
	}
	return res.nodes()
}

// Call resolves nodes by their backendNodeId into the world and calls the function
// with them; this is undefined. The function's answer must be a string. Nodes that
// are gone, or belong to another document, are null.
func (r *Realm) Call(ctx context.Context, function string, nodes []int64) (string, error) {
	args := make([]*runtime.CallArgument, len(nodes))
	var work sync.WaitGroup
	slots := make(chan struct{}, 32)
	errs := make([]error, len(nodes))
	for i, n := range nodes {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			if id, ok := r.object(n); ok {
				args[i] = &runtime.CallArgument{ObjectID: id}
				return
			}
			res, err := cdp.Call(ctx, r.session, dom.ResolveNode, dom.ResolveNodeParams{
				BackendNodeID: cdp.BackendNodeID(n), ExecutionContextID: r.world.id, ObjectGroup: r.handles,
			})
			args[i] = &runtime.CallArgument{Value: []byte("null")}
			var reply *cdproto.Error
			switch {
			case err == nil && res.Object != nil:
				args[i] = &runtime.CallArgument{ObjectID: res.Object.ObjectID}
				r.hold(n, res.Object.ObjectID)
			case err != nil && !errors.As(err, &reply):
				errs[i] = err
			}
		})
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	res, err := cdp.Call(ctx, r.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, Arguments: args, UniqueContextID: r.world.unique, ReturnByValue: new(true),
		Silent: new(true),
	})
	if err != nil {
		return "", r.session.lost(r.world, err)
	}
	if res.ExceptionDetails != nil {
		return "", scriptError(r.Frame, res.ExceptionDetails)
	}
	return textOf(r.Frame, res.Result)
}

// heldObjects bounds the objects that a realm holds for further calls.
const heldObjects = 64

// object is what an earlier call has resolved a node to.
func (r *Realm) object(node int64) (runtime.RemoteObjectID, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := r.objects[node]
	return id, ok
}

// hold keeps what a node was resolved to for further calls, until Release.
func (r *Realm) hold(node int64, id runtime.RemoteObjectID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.objects == nil {
		r.objects = map[int64]runtime.RemoteObjectID{}
	}
	if len(r.objects) < heldObjects {
		r.objects[node] = id
	}
}

// Listener is one event listener of a node, as the page added it.
type Listener struct {
	Type string
	Node int64 // backendNodeId
}

// Listeners lists the event listeners of all nodes of the document, in shadow
// trees of any kind and in frames of the same process too.
func (r *Realm) Listeners(ctx context.Context) ([]Listener, error) {
	// Asked of the document as our world sees it, Chrome 156 crashes some time later;
	// asked of the page's own object it does not.
	doc, err := cdp.Call(ctx, r.session, dom.ResolveNode,
		dom.ResolveNodeParams{BackendNodeID: cdp.BackendNodeID(r.Node),
			ObjectGroup: r.handles})
	if err != nil {
		return nil, r.session.lost(r.world, err)
	}
	if doc.Object == nil {
		return nil, ErrNavigated
	}
	depth, yes := int64(-1), true
	res, err := cdp.Call(ctx, r.session, domdebugger.GetEventListeners,
		domdebugger.GetEventListenersParams{ObjectID: doc.Object.ObjectID, Depth: &depth, Pierce: &yes})
	if err != nil {
		return nil, r.session.lost(r.world, err)
	}
	out := make([]Listener, 0, len(res.Listeners))
	for _, l := range res.Listeners {
		out = append(out, Listener{Type: l.Type, Node: int64(l.BackendNodeID)})
	}
	return out, nil
}

// Release frees all objects that calls of the realm still hold, also where the context has ended.
func (r *Realm) Release(ctx context.Context) {
	r.mu.Lock()
	r.objects = nil
	r.mu.Unlock()
	_ = r.session.Post(context.WithoutCancel(ctx), runtime.ReleaseObjectGroup.Method,
		runtime.ReleaseObjectGroupParams{ObjectGroup: r.handles})
}

// world is our world of the frame, known or made.
func (s *Session) world(ctx context.Context, frame string) (world, error) {
	if w, _ := s.worlds.of(frame); w.unique != "" {
		return w, nil
	}
	return s.makeWorld(ctx, frame)
}

func (s *Session) makeWorld(ctx context.Context, frame string) (world, error) {
	res, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: cdp.FrameID(frame),
		WorldName: worldName})
	if err != nil {
		return world{}, err
	}
	// The browser announces the world before it answers.
	if w, _ := s.worlds.of(frame); w.id == res.ExecutionContextID {
		return w, nil
	}
	return world{id: res.ExecutionContextID}, nil
}

// lost makes the error of a call whose world is gone ErrNavigated, and forgets the
// world.
func (s *Session) lost(w world, err error) error {
	var reply *cdproto.Error
	if errors.As(err, &reply) && (strings.Contains(reply.Message, "ontext") || strings.Contains(reply.Message,
		"navigated")) {
		if w.unique != "" {
			s.worlds.forget(w.unique)
		}
		return fmt.Errorf("%w (%s)", ErrNavigated, reply.Message)
	}
	return err
}

// deepAnswer is a value with its nodes described. The protocol's own types leave
// the nodes' facts raw.
type deepAnswer struct {
	ObjectID runtime.RemoteObjectID `json:"objectId"`
	Deep     struct {
		Type  string          `json:"type"`
		Value json.RawMessage `json:"value"`
	} `json:"deepSerializedValue"`
}

// deepEntry is one entry of a described array.
type deepEntry struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"` // deepNode where Type is node
}

// facts are those of an entry that is a node, zero of anything else.
func (e deepEntry) facts() (NodeFacts, error) {
	if e.Type != "node" {
		return NodeFacts{}, nil
	}
	var d struct {
		Node       int64  `json:"backendNodeId"`
		Loader     string `json:"loaderId"`
		Frame      string `json:"frameId"`
		Tag        string `json:"localName"`
		ShadowRoot *struct {
			Value struct {
				Node int64  `json:"backendNodeId"`
				Mode string `json:"mode"`
			} `json:"value"`
		} `json:"shadowRoot"`
	}
	if err := json.Unmarshal(e.Value, &d); err != nil {
		return NodeFacts{}, fmt.Errorf("decoding a node: %w", err)
	}
	f := NodeFacts{Node: d.Node, Loader: d.Loader, Frame: d.Frame,
		holds: snapshot.IsFrame(d.Tag) || d.Tag == "object" || d.Tag == "embed"}
	if root := d.ShadowRoot; root != nil && root.Value.Mode == "closed" {
		f.ClosedRoot = root.Value.Node
	}
	return f, nil
}

func (a *deepAnswer) entries() ([]deepEntry, error) {
	if a.Deep.Type != "array" {
		return nil, fmt.Errorf("the answer is a %q, not a list of nodes", a.Deep.Type)
	}
	var list []deepEntry
	if err := json.Unmarshal(a.Deep.Value, &list); err != nil {
		return nil, fmt.Errorf("decoding a list of nodes: %w", err)
	}
	return list, nil
}

func (a *deepAnswer) nodes() ([]NodeFacts, error) {
	list, err := a.entries()
	if err != nil {
		return nil, err
	}
	out := make([]NodeFacts, len(list))
	for i, e := range list {
		if out[i], err = e.facts(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// number is entry k, which is a whole number.
func (a *deepAnswer) number(k int) (int, error) {
	list, err := a.entries()
	if err != nil {
		return 0, err
	}
	var n int
	if k >= len(list) || list[k].Type != "number" || json.Unmarshal(list[k].Value, &n) != nil {
		return 0, fmt.Errorf("entry %d of the answer is not a whole number", k)
	}
	return n, nil
}

// inPagePatience is how long a question in the page's own world may take.
const inPagePatience = time.Second

// deep evaluates an expression and has the browser describe the array of nodes that
// it gives. In the page's own world it must not change anything.
func (r *Realm) deep(ctx context.Context, w world, expression string) (*deepAnswer, error) {
	params := map[string]any{
		"expression": expression, "silent": true, "objectGroup": r.handles,
		"serializationOptions": map[string]any{
			"serialization": "deep", "maxDepth": 1,
			"additionalParameters": map[string]any{"maxNodeDepth": 0, "includeShadowTree": "none"},
		},
	}
	if w.unique != "" {
		params["uniqueContextId"] = w.unique
	} else {
		params["contextId"] = w.id
	}
	if w != r.world {
		params["throwOnSideEffect"], params["timeout"] = true, inPagePatience.Milliseconds()
	}
	var res struct {
		Result           deepAnswer                `json:"result"`
		ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	// What is described here only reads.
	err := asked(func() error { return r.session.Call(ctx, runtime.Evaluate.Method, params, &res) })
	var reply *cdproto.Error
	switch {
	case errors.As(err, &reply) && w != r.world && strings.Contains(reply.Message, "terminated"):
		return nil, &BusyError{Within: inPagePatience}
	case err != nil:
		return nil, r.session.lost(w, err)
	case res.ExceptionDetails != nil && w != r.world:
		return nil, errors.New("a script of the page would have to run for it, which could change the page")
	case res.ExceptionDetails != nil:
		return nil, scriptError(r.Frame, res.ExceptionDetails)
	}
	if res.Result.ObjectID != "" {
		_ = r.session.Post(ctx, runtime.ReleaseObject.Method,
			runtime.ReleaseObjectParams{ObjectID: res.Result.ObjectID})
	}
	return &res.Result, nil
}

// Pages are the shadow roots among these nodes that the page made itself. The others
// are the browser's own, as in the documents that it shows images and JSON in; Chrome
// crashes where a script walks into them.
func (r *Realm) Pages(ctx context.Context, roots []int64) ([]int64, error) {
	kinds := make([]cdp.ShadowRootType, len(roots))
	errs := make([]error, len(roots))
	var work sync.WaitGroup
	slots := make(chan struct{}, 32)
	for i, n := range roots {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			res, err := cdp.Call(ctx, r.session, dom.DescribeNode,
				dom.DescribeNodeParams{BackendNodeID: cdp.BackendNodeID(n)})
			var reply *cdproto.Error
			switch {
			case err == nil && res.Node != nil:
				kinds[i] = res.Node.ShadowRootType
			case err != nil && !errors.As(err, &reply):
				errs[i] = err
			}
		})
	}
	work.Wait()
	var own []int64
	for i, n := range roots {
		if kinds[i] == cdp.ShadowRootTypeClosed || kinds[i] == cdp.ShadowRootTypeOpen {
			own = append(own, n)
		}
	}
	return own, errors.Join(errs...)
}

// Quad are the corners of a node's content box in its frame's viewport, CSS px: x and
// y of top left, top right, bottom right, bottom left, transforms included.
func (r *Realm) Quad(ctx context.Context, node int64) ([8]float64, error) {
	var q [8]float64
	res, err := cdp.Call(ctx, r.session, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: cdp.BackendNodeID(node)})
	if err != nil {
		return q, err
	}
	if res.Model == nil || len(res.Model.Content) != len(q) {
		return q, fmt.Errorf("node %d has no box", node)
	}
	copy(q[:], res.Model.Content)
	return q, nil
}

// PageWorld is the unique id of the page's own world of the frame, "" where it has not
// been announced.
func (r *Realm) PageWorld() string {
	_, main := r.session.worlds.of(r.Frame)
	return main.unique
}

// worlds knows the execution contexts of a session's frames, as the browser
// announces them: ours, and the page's own. It saves asking for the world before
// every evaluation. A context lives exactly as long as its document.
type worlds struct {
	mu   sync.Mutex
	page map[string]world // by frame
	// isolated are ours and those that other programs made, such as an agent's own, by frame, the oldest first. Ours
	// is the first with our name: where a script of ours touches another frame's window, Chrome 141 makes a second one.
	isolated map[string][]isolatedWorld
	realms   map[string]*Realm // that were entered, by the unique name of our world
	held     map[string]any    // see [Realm.Hold], by the same name
}

// realmOf is the realm that was entered in a world, nil for none.
func (w *worlds) realmOf(unique string) *Realm {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.realms[unique]
}

// hold keeps a value with a world that is still there.
func (w *worlds) hold(frame string, of world, v any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.there(frame, of) {
		return
	}
	if w.held == nil {
		w.held = map[string]any{}
	}
	w.held[of.unique] = v
}

// there reports whether a world is our present one of a frame; w is locked.
func (w *worlds) there(frame string, of world) bool { return of.unique != "" && w.our(frame) == of }

// keep remembers the realm of a world that is still there.
func (w *worlds) keep(r *Realm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.there(r.Frame, r.world) {
		return
	}
	if w.realms == nil {
		w.realms = map[string]*Realm{}
	}
	w.realms[r.world.unique] = r
}

// isolatedWorld is a world with the name that its maker gives it, "" for the page's own.
type isolatedWorld struct {
	world
	name string
}

// world is one execution context. The number alone may come again after a move to
// another renderer process; the unique name does not.
type world struct {
	id     runtime.ExecutionContextID
	unique string
}

func (w *worlds) listen(s *Session) {
	on(s, runtime.ExecutionContextCreated, func(ev runtime.EventExecutionContextCreated) {
		if ev.Context == nil {
			return
		}
		var aux struct {
			Frame   string `json:"frameId"`
			Default bool   `json:"isDefault"`
		}
		if json.Unmarshal(ev.Context.AuxData, &aux) != nil || aux.Frame == "" {
			return
		}
		w.add(aux.Frame, isolatedWorld{world{ev.Context.ID, ev.Context.UniqueID}, ev.Context.Name}, aux.Default)
	})
	on(s, runtime.ExecutionContextDestroyed, func(ev runtime.EventExecutionContextDestroyed) {
		w.forget(ev.ExecutionContextUniqueID)
	})
	on(s, runtime.ExecutionContextsCleared, func(runtime.EventExecutionContextsCleared) {
		w.mu.Lock()
		defer w.mu.Unlock()
		clear(w.realms)
		clear(w.held)
		clear(w.page)
		clear(w.isolated)
	})
}

// add notes a world that the browser announces, the page's own or an isolated one.
func (w *worlds) add(frame string, made isolatedWorld, page bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.page == nil {
		w.page, w.isolated = map[string]world{}, map[string][]isolatedWorld{}
	}
	switch {
	case page:
		w.page[frame] = made.world
	case made.name != "":
		w.isolated[frame] = append(w.isolated[frame], made)
	}
}

// of is our world of the frame and the page's own; zero if unknown.
func (w *worlds) of(frame string) (ours, page world) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.our(frame), w.page[frame]
}

// our is our world of a frame, zero if there is none; w is locked.
func (w *worlds) our(frame string) world {
	list := w.isolated[frame]
	if k := slices.IndexFunc(list, func(i isolatedWorld) bool { return i.name == worldName }); k >= 0 {
		return list[k].world
	}
	return world{}
}

// forget drops a world that is gone.
func (w *worlds) forget(unique string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.realms, unique)
	delete(w.held, unique)
	maps.DeleteFunc(w.page, func(_ string, known world) bool { return known.unique == unique })
	for frame, list := range w.isolated {
		w.isolated[frame] = slices.DeleteFunc(list, func(i isolatedWorld) bool { return i.unique == unique })
	}
}

// EvalBeside evaluates an expression whose value is a string in each isolated world of the realm's frame that another
// program made under a name with that prefix, such as an agent's, and returns the values. A world that is gone by now,
// or in which the expression throws, gives none. The expression must change nothing there.
func (r *Realm) EvalBeside(ctx context.Context, prefix, expression string) []string {
	w := &r.session.worlds
	w.mu.Lock()
	list := slices.Clone(w.isolated[r.Frame])
	w.mu.Unlock()
	var out []string
	for _, o := range list {
		if !strings.HasPrefix(o.name, prefix) {
			continue
		}
		if value, err := r.session.text(ctx, o.world, r.Frame, expression, false); err == nil {
			out = append(out, value)
		}
	}
	return out
}

// FramesBeside are the frames in which another program has an isolated world under a name with that prefix.
func (s *Session) FramesBeside(prefix string) []string {
	w := &s.worlds
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for frame, list := range w.isolated {
		if slices.ContainsFunc(list, func(o isolatedWorld) bool { return strings.HasPrefix(o.name, prefix) }) {
			out = append(out, frame)
		}
	}
	return out
}

// Eval evaluates an expression in our isolated world of a frame's present document
// and returns its value, which must be a string or undefined.
// The world and the observer in it are made where they are not there yet. The expression is evaluated once more where
// the document goes away or the browser loses the answer.
func (s *Session) Eval(ctx context.Context, frame string, expression string) (string, error) {
	return s.present(ctx, frame, expression, false)
}

// Await is [Session.Eval] of an expression whose value is a promise of a string or of undefined, which it waits for.
func (s *Session) Await(ctx context.Context, frame string, expression string) (string, error) {
	return s.present(ctx, frame, expression, true)
}

// present evaluates in the frame's present document, and in its next one where that has just gone.
func (s *Session) present(ctx context.Context, frame, expression string, await bool) (string, error) {
	w, err := s.world(ctx, frame)
	if err != nil {
		return "", err
	}
	text, err := s.text(ctx, w, frame, expression, await)
	if !errors.Is(err, ErrNavigated) {
		return text, err
	}
	if w, err = s.makeWorld(ctx, frame); err != nil {
		return "", err
	}
	return s.text(ctx, w, frame, expression, await)
}

// unobserved is what an evaluation throws in a world that has no observer yet: then it has done nothing.
const unobserved = "refscope: no observer"

// ifObserved begins an expression that is evaluated where the observer is. The browser would read the 14 KB of the
// observer with each expression otherwise, which takes it as long as the way there and back.
const ifObserved = "if (!globalThis.__refscope) throw '" + unobserved + "';\n"

// text evaluates in one world, which gets an observer where it has none.
func (s *Session) text(ctx context.Context, w world, frame, expression string, await bool) (string, error) {
	res, err := s.evaluate(ctx, w, ifObserved+expression, await)
	if err == nil && threw(res.ExceptionDetails, unobserved) {
		res, err = s.evaluate(ctx, w, observerJS+";\n"+expression, await)
	}
	if err != nil {
		return "", s.lost(w, err)
	}
	if res.ExceptionDetails != nil {
		return "", scriptError(frame, res.ExceptionDetails)
	}
	return textOf(frame, res.Result)
}

func (s *Session) evaluate(ctx context.Context, w world, expression string,
	await bool) (runtime.EvaluateResult, error) {
	yes := true
	params := runtime.EvaluateParams{
		Expression: expression, UniqueContextID: w.unique, ReturnByValue: &yes, AwaitPromise: &await, Silent: &yes,
	}
	if w.unique == "" {
		params.ContextID = w.id
	}
	return cdp.Call(ctx, s, runtime.Evaluate, params)
}

// threw reports whether a script ended with that text thrown.
func threw(d *runtime.ExceptionDetails, text string) bool {
	var thrown string
	return d != nil && d.Exception != nil && jsonv2.Unmarshal(d.Exception.Value, &thrown) == nil && thrown == text
}

func textOf(frame string, obj *runtime.RemoteObject) (string, error) {
	if obj == nil || obj.Type == runtime.RemoteObjectTypeUndefined {
		return "", nil
	}
	var text string
	if err := jsonv2.Unmarshal(obj.Value, &text); err != nil {
		return "", fmt.Errorf("evaluating in frame %s: the answer is not a string", frame)
	}
	return text, nil
}

func scriptError(frame string, d *runtime.ExceptionDetails) error {
	text := d.Text
	if d.Exception != nil {
		text, _, _ = strings.Cut(d.Exception.Description, "\n    at ")
	}
	return fmt.Errorf("script in frame %s: %s (line %d)", frame, text, d.LineNumber+1)
}

// FrameInfo is one frame of a session's tree.
type FrameInfo struct {
	ID, Parent, Loader, URL, Origin string
	// Name is the frame element's name attribute.
	Name string
	// Unreachable is the address that could not be loaded, "" where it was.
	Unreachable string
}

// Frames is [Session.FrameTree] of the tab's own session. Chrome cannot write down a
// tree that is more than about 150 frames deep ("CBOR: stack limit exceeded"); then
// the main frame is all that is listed, by its id alone, which is the tab's.
func (t *Tab) Frames(ctx context.Context) ([]FrameInfo, error) {
	tree, err := t.session.FrameTree(ctx)
	if reply, ok := errors.AsType[*cdproto.Error](err); ok && strings.Contains(reply.Message, "stack limit") {
		return []FrameInfo{{ID: string(t.id)}}, nil
	}
	return tree, err
}

// frameList is the frame tree as it was asked for last. An event that says that it is another one makes it unknown.
type frameList struct {
	mu    sync.Mutex
	tree  []FrameInfo
	count int // of such events
}

// listen has the events of a session make the list unknown.
func (l *frameList) listen(s *Session) {
	changed := func(jsonv2.Value) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tree = nil
		l.count++
	}
	for _, method := range []string{
		page.FrameAttached.Method, page.FrameDetached.Method, page.FrameNavigated.Method,
		page.NavigatedWithinDocument.Method, page.DocumentOpened.Method,
	} {
		s.On(method, changed)
	}
}

// KnownFrames is [Tab.Frames] without a question where no event has said that the tree is another one since it was
// asked for: a frame that a script has just added may be missing, and one that has just gone be there. Names are those
// of then.
func (t *Tab) KnownFrames(ctx context.Context) ([]FrameInfo, error) {
	l := &t.session.frames
	l.mu.Lock()
	known := l.tree
	l.mu.Unlock()
	if known != nil {
		return slices.Clone(known), nil
	}
	return t.FramesNow(ctx)
}

// FramesNow is [Tab.Frames], which [Tab.KnownFrames] then knows.
func (t *Tab) FramesNow(ctx context.Context) ([]FrameInfo, error) {
	l := &t.session.frames
	l.mu.Lock()
	count := l.count
	l.mu.Unlock()
	tree, err := t.Frames(ctx)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.count == count {
			l.tree = slices.Clone(tree)
		}
	}
	return tree, err
}

// FrameTree lists the frames of this session, parents before children. Frames in
// other processes are not among them: they have sessions of their own.
func (s *Session) FrameTree(ctx context.Context) ([]FrameInfo, error) {
	res, err := cdp.Call(ctx, s, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	var out []FrameInfo
	stack := []*page.FrameTree{res.FrameTree}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t == nil || t.Frame == nil {
			continue
		}
		f := t.Frame
		out = append(out, FrameInfo{
			ID: string(f.ID), Parent: string(f.ParentID), Loader: string(f.LoaderID), URL: f.URL,
			Origin: f.SecurityOrigin, Name: f.Name, Unreachable: f.UnreachableURL,
		})
		for i := len(t.ChildFrames) - 1; i >= 0; i-- {
			stack = append(stack, t.ChildFrames[i])
		}
	}
	return out, nil
}

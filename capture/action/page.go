package action

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// Page is a tab that is acted on. It is not safe for concurrent use: there is one
// mouse and one keyboard.
type Page struct {
	tab *browser.Tab
	// where the mouse was left, CSS px of the tab's viewport
	mouseX, mouseY float64
	// how far the part of the viewport that is shown lies from its left and upper edge, CSS px, where somebody has
	// pinched the page larger: Chrome takes the mouse's places from there
	panned   [2]float64
	known    *redact.Known // learns what is typed into fields that hold secrets
	prepared func(context.Context) error
}

// New acts on a tab.
func New(tab *browser.Tab) *Page { return &Page{tab: tab} }

// Remember has the secrets that are typed from now on remembered; nil ends that.
func (p *Page) Remember(k *redact.Known) { p.known = k }

// OnPrepared has f called once, when the next action has brought its element into view (and a click the mouse over
// it) and before it does anything else: what changed until then is no outcome of the action.
func (p *Page) OnPrepared(f func(context.Context) error) { p.prepared = f }

// nowPrepared calls what [Page.OnPrepared] was given.
func (p *Page) nowPrepared(ctx context.Context) error {
	f := p.prepared
	if p.prepared = nil; f == nil {
		return nil
	}
	return f(ctx)
}

// controlJS decides whether a field contains secrets; were are those that once were
// password fields.
//
//go:embed js/control.js
var controlJS string

// Typing prepares for a text that is about to be typed into an element: it is remembered
// where the element holds secrets. One that cannot be asked cannot be typed into either.
func (p *Page) Typing(ctx context.Context, el collect.Element, text string) {
	if why, holds := p.secretField(ctx, el, text); why != "" {
		p.known.Type(text, why)
		p.known.Type(holds+text, why) // it may be typed in pieces
	}
}

// TypesSecret reports whether a key that is about to be pressed puts a character into a field
// that holds a secret. What the field then holds is remembered.
func (p *Page) TypesSecret(ctx context.Context, c Combination) bool {
	if p.known == nil || c.held&(Control|Alt|Meta) != 0 || utf8.RuneCountInString(c.key.us.Text) != 1 ||
		c.key.us.Text < " " {
		return false
	}
	el, ok, err := p.Focused(ctx)
	if err != nil || !ok {
		return false
	}
	why, holds := p.secretField(ctx, el, c.key.us.Text)
	if why != "" {
		p.known.Grow(holds, holds+c.key.us.Text, why)
	}
	return why != ""
}

// control is the answer of js/control.js.
type control struct {
	redact.Control
	Was bool // a password
}

// secret is why the field holds a secret where it has that text, "" where it does not.
func (c *control) secret(text string) string {
	typed := c.Control
	typed.Value = text
	why := typed.Secret(redact.Standard())
	if why == "" && c.Was {
		why = "password"
	}
	return why
}

// secretField is why a field that text is typed into holds a secret, "" where it does not,
// and what it holds.
func (p *Page) secretField(ctx context.Context, el collect.Element, text string) (why, holds string) {
	var c control
	if p.known == nil || call(ctx, el, controlJS, nil, &c) != nil {
		return "", ""
	}
	return c.secret(text), c.Value
}

// Tab is the tab that is acted on.
func (p *Page) Tab() *browser.Tab { return p.tab }

// Frame is one frame of the page.
type Frame struct {
	ID, Parent string // Parent is "" for the main frame
	URL, Name  string
	Depth      int // 0 for the main frame
	// CrossOrigin: its origin is not the main frame's. OutOfProcess: it runs in a
	// process, and so in a protocol session, of its own.
	CrossOrigin, OutOfProcess bool

	session *browser.Session
}

// inherits reports whether a document has the origin of the one around it: it was written there, and the browser
// names no origin of its own for it.
func inherits(url string) bool { return url == "" || url == "about:srcdoc" || url == "about:blank" }

// Frames lists the frames of the page, the main frame first, parents before children.
func (p *Page) Frames(ctx context.Context) ([]Frame, error) { return p.frames(ctx, p.tab.Frames) }

// KnownFrames is Frames by [browser.Tab.KnownFrames].
func (p *Page) KnownFrames(ctx context.Context) ([]Frame, error) {
	return p.frames(ctx, p.tab.KnownFrames)
}

func (p *Page) frames(ctx context.Context, list func(context.Context) ([]browser.FrameInfo, error)) ([]Frame, error) {
	type tree struct {
		session *browser.Session
		infos   []browser.FrameInfo
	}
	main, err := list(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing the frames: %w", err)
	}
	trees := []tree{{p.tab.Session(), main}}
	ready, _ := p.tab.FrameSessions(ctx) // one that could not be set up cannot be acted in
	for _, s := range ready {
		if infos, err := s.FrameTree(ctx); err == nil {
			trees = append(trees, tree{s, infos})
		}
	}
	children := map[string][]Frame{}
	var root Frame
	for k, t := range trees {
		for i, f := range t.infos {
			fr := Frame{ID: f.ID, Parent: f.Parent, URL: f.URL, Name: f.Name, session: t.session, OutOfProcess: k > 0,
				CrossOrigin: len(main) > 0 && f.Origin != main[0].Origin && !inherits(f.URL)}
			if k == 0 && i == 0 {
				root = fr
				continue
			}
			children[fr.Parent] = append(children[fr.Parent], fr)
		}
	}
	var out []Frame
	stack := []Frame{root}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		out = append(out, f)
		below := children[f.ID]
		delete(children, f.ID)
		for i := len(below) - 1; i >= 0; i-- {
			below[i].Depth = f.Depth + 1
			stack = append(stack, below[i])
		}
	}
	return out, nil
}

// frame is the frame with that id.
func (p *Page) frame(ctx context.Context, id string) (Frame, error) {
	frames, err := p.Frames(ctx)
	if err != nil {
		return Frame{}, err
	}
	for _, f := range frames {
		if f.ID == id {
			return f, nil
		}
	}
	return Frame{}, &StaleError{What: "frame " + id}
}

// call runs a function of (node, options) on an element in our world and decodes its
// answer, which is JSON. A node that is gone is a [*StaleError].
func call(ctx context.Context, el collect.Element, function string, options, answer any) error {
	arg := "undefined"
	if options != nil {
		b, err := json.Marshal(options)
		if err != nil {
			return fmt.Errorf("encoding what is asked of the element: %w", err)
		}
		arg = string(b)
	}
	wrapped := "function(node) { if (!node || !node.isConnected) return ''; return JSON.stringify((" + function +
		")(node, " + arg + ") ?? null); }"
	text, err := el.Realm.Call(ctx, wrapped, []int64{el.Node})
	if err != nil {
		if errors.Is(err, browser.ErrNavigated) || errors.Is(err, browser.ErrDetached) {
			return &StaleError{What: "the element", Err: err}
		}
		return err
	}
	if text == "" {
		return &StaleError{What: "the element"}
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(text), answer); err != nil {
		return fmt.Errorf("reading what the page answered: %w", err)
	}
	return nil
}

// enclosing is one frame on the way from an element's frame up to the main frame: the
// element around it that shows it, and where its viewport lies in that element's frame.
type enclosing struct {
	owner collect.Element
	at    collect.Transform
}

// way climbs from a frame to the main frame. It is empty for the main frame.
func (p *Page) way(ctx context.Context, id string) ([]enclosing, error) {
	if id == "" || id == p.tab.ID() {
		return nil, nil
	}
	frames, err := p.KnownFrames(ctx)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]Frame, len(frames))
	for _, f := range frames {
		byID[f.ID] = f
	}
	var chain []Frame // innermost first
	for at := id; at != "" && at != p.tab.ID(); at = byID[at].Parent {
		f, ok := byID[at]
		if !ok {
			return nil, &StaleError{What: "frame " + at}
		}
		chain = append(chain, f)
	}
	out := make([]enclosing, len(chain))
	toRoot := collect.Unmoved() // from this frame to its local root
	for k := len(chain) - 1; k >= 0; k-- {
		f := chain[k]
		if out[k], err = p.enclose(ctx, byID[f.Parent], f, toRoot); err != nil {
			return nil, err
		}
		if toRoot = toRoot.Within(out[k].at); f.session != byID[f.Parent].session {
			toRoot = collect.Unmoved()
		}
	}
	return out, nil
}

// enclose finds the element of up that shows f, and where. toRoot is the transform from up
// to its local root (see [collect.FrameTransform]).
func (p *Page) enclose(ctx context.Context, up, f Frame, toRoot collect.Transform) (enclosing, error) {
	res, err := cdp.Call(ctx, up.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: cdp.FrameID(f.ID)})
	if err != nil {
		return enclosing{}, fmt.Errorf("finding the element of frame %s: %w", f.ID, err)
	}
	outer, err := up.session.Known(ctx, up.ID)
	if err != nil {
		return enclosing{}, fmt.Errorf("entering frame %s: %w", up.ID, err)
	}
	inner, err := f.session.Known(ctx, f.ID)
	if err != nil {
		return enclosing{}, fmt.Errorf("entering frame %s: %w", f.ID, err)
	}
	owner := collect.Element{Realm: outer, Node: int64(res.BackendNodeID)}
	at, err := collect.FrameTransform(ctx, owner, inner, toRoot)
	return enclosing{owner, at}, err
}

// enter is our world of a frame's present document.
func (p *Page) enter(ctx context.Context, id string) (*browser.Realm, error) {
	if id == "" {
		id = p.tab.ID()
	}
	f := Frame{ID: id, session: p.tab.Session()}
	if id != p.tab.ID() {
		var err error
		if f, err = p.frame(ctx, id); err != nil {
			return nil, err
		}
	}
	r, err := f.session.Known(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("entering frame %s: %w", id, err)
	}
	return r, nil
}

// quote is a text as a JavaScript string.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string can always be encoded
	// JSON allows these two in strings, and so does JavaScript since 2019; escaped they
	// are safe wherever the text is put.
	return strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(b))
}

// Enter is our world of the document that the frame shows now.
func (f Frame) Enter(ctx context.Context) (*browser.Realm, error) {
	return f.session.Known(ctx, f.ID)
}

// Bounds is the box of an element in CSS px of the tab's viewport, whatever frames are
// around it; [*NotReadyError] where it has no size.
func (p *Page) Bounds(ctx context.Context, el collect.Element) (snapshot.Box, error) {
	var b [4]float64
	if err := call(ctx, el,
		`(node) => { const r = node.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }`,
		nil, &b); err != nil {
		return snapshot.Box{}, err
	}
	if b[2] <= 0 || b[3] <= 0 {
		return snapshot.Box{}, &NotReadyError{Why: "it has no size"}
	}
	way, err := p.way(ctx, el.Realm.Frame)
	if err != nil {
		return snapshot.Box{}, err
	}
	return toTop(way).Box(snapshot.Box(b)), nil
}

// toTop is the transform from the innermost frame of the way to the tab's viewport.
func toTop(way []enclosing) collect.Transform {
	at := collect.Unmoved()
	for _, s := range way {
		at = s.at.Within(at)
	}
	return at
}

// secretFieldsJS reports whether the document has a field with a text in it, one that may be
// for a code, or a meta tag that may carry a token. It does not read the text.
//
//go:embed js/secretfields.js
var secretFieldsJS string

// HasSecretFields reports whether anything in the page, in any of its frames, may be a value that
// must not leave it. Only the collector can tell which values are secret; where this is false, it
// need not run.
func (p *Page) HasSecretFields(ctx context.Context) (bool, error) {
	frames, err := p.Frames(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range frames {
		answer, err := f.session.Eval(ctx, f.ID, secretFieldsJS)
		switch {
		case err != nil && gone(err):
			continue
		case err != nil:
			return false, fmt.Errorf("asking frame %s for its fields: %w", f.ID, err)
		case answer == "yes":
			return true, nil
		}
	}
	return false, nil
}

// Package virtual is BrowserX's DomTool as steps (B-9, B-10, B-12), on top of package domtool.
package virtual

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/domtool"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// Steps are BrowserX's DomTool as steps (B-9, B-10, B-12): package domtool does the work.
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(takeSnapshot, stepdef.StepDef{
			Name: "domtoolSnapshot", Summary: "the page as DomTool's tree of virtual nodes",
			Forms: []param.Form{
				{`true`, "from the cache where it is younger than 2 s and nothing has changed"},
				{`{"force":true}`, "a new one"}, {`{"ttl":10000}`,
					"from the cache where it is younger than that, in ms"},
				{`{"includeLayout":true,"viewportOnly":true,"maxNodes":300}`,
					"with boxes; only what is in view; at most so many nodes (1500)"},
			},
		}),
		stepdef.Define(click, stepdef.StepDef{
			Name: "domtoolClick", Summary: "click a virtual node",
			Forms: []param.Form{
				{`"nv_1a2b3c4d"`, "by its node_id; a ref or a selector that matches one element will do"},
				{`{"nodeId":"nv_1a2b3c4d","button":"right","doubleClick":true,"force":false,"timeout":2000}`,
					"with options; timeout in ms"},
			},
		}),
		stepdef.Define(typeText, stepdef.StepDef{
			Name: "domtoolType", Summary: "type into a virtual node",
			Forms: []param.Form{
				{`{"nodeId":"nv_1a2b3c4d","text":"Ada"}`, "key by key, after what is there"},
				{`{"nodeId":"nv_1a2b3c4d","text":"Ada","replace":true}`, "in its place"},
			},
		}),
		stepdef.Define(keypress, stepdef.StepDef{
			Name: "domtoolKeypress", Summary: "press a key, as DomTool does",
			Forms: []param.Form{
				{`"Enter"`, "where the focus is"},
				{`{"key":"Control+a","nodeId":"nv_1a2b3c4d"}`, "a virtual node gets the focus first"},
			},
		}),
		stepdef.Define(invalidate, stepdef.StepDef{
			Name: "domtoolInvalidate", Summary: "forget the cached DomTool snapshot",
			Forms: []param.Form{
				{`true`, "the next domtoolSnapshot reads the page"},
			},
		}),
	}
}

// actionParams are the shared parameters of the actions.
type actionParams struct {
	Force   bool    `json:"force,omitempty" what:"act also on what is hidden, disabled or covered"`
	Timeout float64 `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long to wait for the element; 5000"`
}

func (o *actionParams) options() domtool.Options {
	return domtool.Options{Timeout: stepdef.Milliseconds(o.Timeout), Force: o.Force}
}

// virtualPage is the output of domtoolSnapshot.
type virtualPage struct {
	Page    json.RawMessage `json:"page"`
	TakenAt int64           `json:"takenAt"` // ms since 1970
	Cached  bool            `json:"cached"`
	// What the seed's telemetry measures: ms, nodes in the payload, nodes left out, bytes.
	Took       float64 `json:"tookMs"`
	Nodes      int     `json:"nodes"`
	Visible    int     `json:"visible"`
	Actionable int     `json:"actionable"`
	Omitted    int     `json:"omitted,omitempty"`
	Truncated  bool    `json:"truncated,omitempty"`
	Bytes      int     `json:"bytes"`
}

type snapshotParams struct {
	_             struct{} `form:"true" want:"true or an object"`
	Force         bool     `json:"force,omitempty" what:"never from the cache"`
	TTL           float64  `json:"ttl,omitempty" over:"0" unit:"ms" what:"how old a cached one may be; 2000"`
	IncludeLayout bool     `json:"includeLayout,omitempty" what:"with boxes"`
	ViewportOnly  bool     `json:"viewportOnly,omitempty" what:"only what is in the viewport"`
	MaxNodes      int      `json:"maxNodes,omitempty" min:"0" what:"at most so many nodes; 1500"`
}

// CheckParams refuses a new one that may be old.
func (p *snapshotParams) CheckParams() error {
	if p.Force && p.TTL > 0 {
		return errors.New("force takes a new one, and ttl is for cached ones: leave one out")
	}
	return nil
}

func takeSnapshot(ctx context.Context, e *stepdef.Env, p *snapshotParams) (any, error) {
	o := domtool.SnapshotOptions{
		Force: p.Force, TTL: stepdef.Milliseconds(p.TTL),
		Dump: format.Options{Common: dump.Common{ViewportOnly: p.ViewportOnly, MaxNodes: p.MaxNodes}},
	}
	o.Dump.DomTool.IncludeLayout = p.IncludeLayout
	s, err := tool(e).Snapshot(ctx, o)
	if err != nil {
		return nil, err
	}
	if e.Writes != (session.PageWrites{}) {
		if _, err := e.Requested(ctx, format.DomTool); err != nil {
			return nil, err
		}
	}
	out := &virtualPage{
		TakenAt: s.TakenAt.UnixMilli(), Cached: s.Cached, Took: float64(s.Took.Microseconds()) / 1000,
		Nodes:   s.Meta.TotalNodes,
		Visible: s.Meta.VisibleNodes, Actionable: s.Meta.ActionableNodes, Omitted: s.Meta.OmittedNodes,
		Truncated: s.Document.Truncated, Bytes: len(s.Document.Text),
	}
	return out, json.Unmarshal([]byte(s.Document.Text), out)
}

type clickParams struct {
	_      struct{}     `next:"" required:"name the node_id of a domtoolSnapshot"`
	NodeID element.Text `json:"nodeId" finds:"selector" form:"string,number" what:"the node_id"`
	actionParams
	Button      string `json:"button,omitempty" choices:"left,middle,right" what:"mouse button; left"`
	DoubleClick bool   `json:"doubleClick,omitempty" what:"click twice"`
}

func click(ctx context.Context, e *stepdef.Env, p *clickParams) (any, error) {
	o := domtool.ClickOptions{Options: p.options(), Button: action.Button(p.Button), Count: 1}
	if p.DoubleClick {
		o.Count = 2
	}
	return resultOf(tool(e).Click(ctx, string(p.NodeID), o))
}

type typeParams struct {
	_      struct{}     `next:"" required:"name the node_id of a domtoolSnapshot"`
	NodeID element.Text `json:"nodeId" finds:"selector" what:"the node_id"`
	actionParams
	Text    *element.Text `json:"text,omitempty" required:"" secret:"" what:"what to type"`
	Replace bool          `json:"replace,omitempty" what:"in place of what is there"`
}

func typeText(ctx context.Context, e *stepdef.Env, p *typeParams) (any, error) {
	o := domtool.TypeOptions{Options: p.options(), Replace: p.Replace}
	return resultOf(tool(e).Type(ctx, string(p.NodeID), string(*p.Text), o))
}

type keypressParams struct {
	NodeID element.Text `json:"nodeId,omitempty" finds:"selector" what:"the node that gets the focus first"`
	actionParams
	Key string `json:"key" form:"string" secret:"character" what:"the key by its name, with modifiers and + before it"`
}

// CheckParams refuses keys that do not exist.
func (p *keypressParams) CheckParams() error {
	_, err := action.ParseKeys(p.Key)
	return err
}

func keypress(ctx context.Context, e *stepdef.Env, p *keypressParams) (any, error) {
	o := domtool.KeypressOptions{Options: p.options(), Target: string(p.NodeID)}
	return resultOf(tool(e).Keypress(ctx, p.Key, o))
}

func invalidate(_ context.Context, e *stepdef.Env, _ *stepdef.OnlyTrue) (any, error) {
	e.Elements.Invalidate()
	return map[string]bool{"invalidated": true}, nil
}

// resultOf keeps a nil result from becoming an output that is not nil.
func resultOf(r *domtool.Result, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// tool is DomTool over the command's elements.
func tool(e *stepdef.Env) *domtool.Tool {
	return domtool.New(e.Elements, domtool.Settings{Log: e.Log})
}

package step

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/domtool"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// domtoolKinds are BrowserX's DomTool as steps (B-9, B-10, B-12): package domtool does the work.
func domtoolKinds() []Kind {
	return []Kind{
		{Name: "domtoolSnapshot", Summary: "the page as DomTool's tree of virtual nodes", parse: parseDomtoolSnapshot, Forms: []Form{
			{`true`, "from the cache where it is younger than 2 s and nothing has changed"}, {`{"force":true}`, "a new one"},
			{`{"includeLayout":true,"viewportOnly":true,"maxNodes":300}`, "with boxes; only what is in view; at most so many nodes (1500)"},
		}},
		{Name: "domtoolClick", Summary: "click a virtual node", parse: parseDomtoolClick, Forms: []Form{
			{`"nv_1a2b3c4d"`, "by its node_id; a ref or a selector that matches one element will do"},
			{`{"nodeId":"nv_1a2b3c4d","button":"right","doubleClick":true,"force":false,"timeout":2000}`, "with options; timeout in ms"},
		}},
		{Name: "domtoolType", Summary: "type into a virtual node", parse: parseDomtoolType, Forms: []Form{
			{`{"nodeId":"nv_1a2b3c4d","text":"Ada"}`, "key by key, after what is there"}, {`{"nodeId":"nv_1a2b3c4d","text":"Ada","replace":true}`, "in its place"},
		}},
		{Name: "domtoolKeypress", Summary: "press a key, as DomTool does", parse: parseDomtoolKeypress, Forms: []Form{
			{`"Enter"`, "where the focus is"}, {`{"key":"Control+a","nodeId":"nv_1a2b3c4d"}`, "a virtual node gets the focus first"},
		}},
		{Name: "domtoolInvalidate", Summary: "forget the cached DomTool snapshot", parse: parseDomtoolInvalidate, Forms: []Form{
			{`true`, "the next domtoolSnapshot reads the page"},
		}},
	}
}

// domtoolOptions are what the actions share.
type domtoolOptions struct {
	NodeID  text    `json:"nodeId,omitempty"`
	Force   bool    `json:"force,omitempty"`
	Timeout float64 `json:"timeout,omitempty"` // ms; 5000 if 0
}

func (o *domtoolOptions) check(needed bool) error {
	switch {
	case needed && o.NodeID == "":
		return errors.New("nodeId is missing: name the node_id of a domtoolSnapshot")
	case o.Timeout < 0:
		return errors.New("timeout: want 0 ms or more")
	}
	return nil
}

func (o *domtoolOptions) options() domtool.Options {
	return domtool.Options{Timeout: ms(o.Timeout), Force: o.Force}
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

func parseDomtoolSnapshot(raw json.RawMessage) (Work, error) {
	var p struct {
		Force         bool `json:"force,omitempty"`
		IncludeLayout bool `json:"includeLayout,omitempty"`
		ViewportOnly  bool `json:"viewportOnly,omitempty"`
		MaxNodes      int  `json:"maxNodes,omitempty"`
	}
	if string(raw) != "true" {
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	}
	if p.MaxNodes < 0 {
		return nil, errors.New("maxNodes: want 1 or more")
	}
	o := domtool.SnapshotOptions{Force: p.Force, Dump: format.Options{Common: dump.Common{ViewportOnly: p.ViewportOnly, MaxNodes: p.MaxNodes}}}
	o.Dump.DomTool.IncludeLayout = p.IncludeLayout
	return func(ctx context.Context, r *Runner) (any, error) {
		s, err := r.domtool().Snapshot(ctx, o)
		if err != nil {
			return nil, err
		}
		out := &virtualPage{
			TakenAt: s.TakenAt.UnixMilli(), Cached: s.Cached, Took: float64(s.Took.Microseconds()) / 1000, Nodes: s.Meta.TotalNodes,
			Visible: s.Meta.VisibleNodes, Actionable: s.Meta.ActionableNodes, Omitted: s.Meta.OmittedNodes,
			Truncated: s.Document.Truncated, Bytes: len(s.Document.Text),
		}
		return out, json.Unmarshal([]byte(s.Document.Text), out)
	}, nil
}

func parseDomtoolClick(raw json.RawMessage) (Work, error) {
	var p struct {
		domtoolOptions
		Button      string `json:"button,omitempty"`
		DoubleClick bool   `json:"doubleClick,omitempty"`
	}
	if shape(raw) == "string" || shape(raw) == "number" {
		if err := json.Unmarshal(raw, &p.NodeID); err != nil {
			return nil, err
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if p.Button != "" && p.Button != "left" && p.Button != "middle" && p.Button != "right" {
		return nil, unknown("button", p.Button, []string{"left", "middle", "right"})
	}
	o := domtool.ClickOptions{Options: p.options(), Button: action.Button(p.Button), Count: 1}
	if p.DoubleClick {
		o.Count = 2
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		return resultOf(r.domtool().Click(ctx, string(p.NodeID), o))
	}, p.check(true)
}

func parseDomtoolType(raw json.RawMessage) (Work, error) {
	var p struct {
		domtoolOptions
		Text    *text `json:"text,omitempty"`
		Replace bool  `json:"replace,omitempty"`
	}
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if p.Text == nil {
		return nil, errors.New("text is missing")
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		o := domtool.TypeOptions{Options: p.options(), Replace: p.Replace}
		return resultOf(r.domtool().Type(ctx, string(p.NodeID), string(*p.Text), o))
	}, p.check(true)
}

func parseDomtoolKeypress(raw json.RawMessage) (Work, error) {
	var p struct {
		domtoolOptions
		Key string `json:"key"`
	}
	if shape(raw) == "string" {
		if err := decode(raw, &p.Key); err != nil {
			return nil, err
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if _, err := action.ParseKeys(p.Key); err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		o := domtool.KeypressOptions{Options: p.options(), Target: string(p.NodeID)}
		return resultOf(r.domtool().Keypress(ctx, p.Key, o))
	}, p.check(false)
}

func parseDomtoolInvalidate(raw json.RawMessage) (Work, error) {
	if string(raw) != "true" {
		return nil, errShape(raw, "true")
	}
	return func(_ context.Context, r *Runner) (any, error) {
		r.elements.Invalidate()
		return map[string]bool{"invalidated": true}, nil
	}, nil
}

// resultOf keeps a nil result from becoming an output that is not nil.
func resultOf(r *domtool.Result, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// domtool is DomTool over the run's elements.
func (r *Runner) domtool() *domtool.Tool {
	return domtool.New(r.elements, domtool.Settings{Log: r.opt.Log})
}

package output

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/text"
)

// SnapshotSteps are the steps that read the page as a tree of roles (C-7, C-8; seed 7).
func SnapshotSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(takeSnapshot, stepdef.StepDef{
			Name: "snapshot", Summary: "read the page as a tree of roles and names, with refs",
			Also: []string{"snap", "observe"},
			Forms: []param.Form{
				{`true`, "the main part of the page"},
				{`{"root":"body","detail":"interactive"}`,
					"root: body, role=NAME, a selector or a ref; detail: full, interactive or summary"},
				{`{"mode":"ai","maxDepth":50,"maxElements":2000,"includeText":true,"includeFrames":true,` +
					`"pierceShadow":true,"viewportOnly":true}`, "with limits; mode plain prints no refs"},
				{`{"inlineLimit":20000,"preserveRefs":true}`,
					"what is larger, in bytes, goes into a file; refs are always kept"},
				{`{"since":"s1"}`, "only if the page has changed since that snapshot"},
				{`{"format":"dddk"}`, "in another text format; compat:true spells it as its original does"},
			},
		}),
		stepdef.Define(searchSnapshot, stepdef.StepDef{
			Name: "snapshotSearch", Summary: "search the page's tree of roles and names",
			Forms: []param.Form{
				{`{"text":"submit"}`, "a part of name or value; exact:true is the whole name"},
				{`{"pattern":"^Sign (in|up)$","role":"button","limit":5}`,
					"a regular expression, without case; context is how many ancestors are included"},
				{`{"near":{"x":400,"y":300,"radius":100}}`, "what has its middle near a point, CSS px"},
			},
		}),
	}
}

type snapshotParams struct {
	_             struct{}     `form:"true" want:"true or an object"`
	Root          element.Text `json:"root,omitempty" finds:"selector" what:"body, role=NAME, a selector or a ref"`
	Detail        string       `json:"detail,omitempty" choices:"full,interactive,summary" what:"how much of the page"`
	Mode          string       `json:"mode,omitempty" choices:"ai,plain" what:"plain prints no refs"`
	MaxDepth      *int         `json:"maxDepth,omitempty" min:"1" what:"levels of the tree"`
	MaxElements   *int         `json:"maxElements,omitempty" min:"1" what:"elements"`
	IncludeText   *bool        `json:"includeText,omitempty" what:"with texts"`
	IncludeFrames *bool        `json:"includeFrames,omitempty" what:"with frames"`
	PierceShadow  *bool        `json:"pierceShadow,omitempty" what:"with shadow trees"`
	ViewportOnly  bool         `json:"viewportOnly,omitempty" what:"only what is in the viewport"`

	InlineLimit *int `json:"inlineLimit,omitempty" min:"1" unit:"bytes" what:"what is larger goes into a file"`

	PreserveRefs *bool      `json:"preserveRefs,omitempty" what:"refs are always kept"`
	Since        string     `json:"since,omitempty" what:"a snapshot such as s1: only if the page has changed since"`
	Format       formatName `json:"format,omitempty" what:"another text format"`
	Compat       bool       `json:"compat,omitempty" what:"spelled as the format's original does"`
}

// formatName is the name of a text format.
type formatName string

// Choices lists the formats.
func (formatName) Choices() []string {
	var names []string
	for _, f := range format.Names() {
		names = append(names, string(f))
	}
	return names
}

var snapshotID = regexp.MustCompile(`^s([1-9][0-9]{0,8})$`)

// CheckParams refuses options that another format has.
func (p *snapshotParams) CheckParams() error {
	if p.Since != "" && !snapshotID.MatchString(p.Since) {
		return fmt.Errorf("since: %q is not a snapshot: write it as s1", p.Since)
	}
	if p.Format != "" && p.Format != formatName(format.Aria) &&
		(p.Root != "" || p.Detail != "" || p.Mode != "" || p.MaxDepth != nil ||
			p.IncludeText != nil || p.IncludeFrames != nil || p.PierceShadow != nil) {
		return errors.New("root, detail, mode, maxDepth, includeText, includeFrames and pierceShadow belong to the " +
			"format aria")
	}
	return nil
}

// options are the dump's options. Root is resolved later.
func (p *snapshotParams) options() format.Options {
	o := format.Options{Common: dump.Common{Compat: p.Compat, ViewportOnly: p.ViewportOnly}}
	if p.MaxElements != nil {
		o.MaxNodes = *p.MaxElements
	}
	a := &o.Aria
	a.Detail, a.Mode, a.AutoScope = aria.Detail(p.Detail), p.Mode, p.Root == ""
	a.IncludeText, a.IncludeFrames, a.PierceShadow = p.IncludeText, p.IncludeFrames, p.PierceShadow
	if p.MaxDepth != nil {
		a.MaxDepth = *p.MaxDepth
	}
	return o
}

// snapshotOutput is the output of a snapshot step (seed 7.5, 7.6 and 11.1).
type snapshotOutput struct {
	SnapshotID string `json:"snapshotId"`
	// YAML is the text of the format aria, Text that of another one; neither where it is
	// in a file.
	YAML   string `json:"yaml,omitempty"`
	Format string `json:"format,omitempty"`
	Text   string `json:"text,omitempty"`
	// Refs are the refs that the text prints and where the elements are, as CSS paths.
	// With many of them, and where text and refs together are larger than the inline
	// limit, they are in a file.
	Refs            map[string]string `json:"refs,omitempty"`
	RefCount        int               `json:"refCount,omitempty"`
	SnapshotSize    int               `json:"snapshotSize"` // bytes of the text
	Truncated       bool              `json:"truncated,omitempty"`
	TruncatedInline bool              `json:"truncatedInline,omitempty"`
	Artifacts       *artifacts        `json:"artifacts,omitempty"`
	Message         string            `json:"message,omitempty"`
}

// artifacts are paths of files.
type artifacts struct {
	Snapshot string `json:"snapshot,omitempty"`
	Refs     string `json:"refs,omitempty"`
}

func takeSnapshot(ctx context.Context, e *stepdef.Env, p *snapshotParams) (any, error) {
	if p.PreserveRefs != nil && !*p.PreserveRefs {
		e.Warn("refs are the session's and stay as they are")
	}
	var el *element.Found
	if at := string(p.Root); !plainRoot(at) {
		list, err := e.All(ctx, at)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, &action.NotFoundError{What: fmt.Sprintf("element that matches %q", at)}
		}
		el = &element.Found{Element: list[0]}
	}
	name := format.Aria
	if p.Format != "" {
		name = dump.Format(p.Format)
	}
	v, err := e.Requested(ctx, name)
	if err != nil {
		return nil, err
	}
	hash := aria.Hash(v.Capture)
	if p.Since != "" {
		n, _ := strconv.Atoi(p.Since[1:]) // it is a number: check
		was, ok := e.Elements.Ledger().SnapshotHash(n)
		if same := aria.Since(v.Capture, p.Since, was); ok && same != nil {
			return same, nil
		}
		if !ok {
			e.Warn("there is no snapshot %s in this session, so this is a whole one", p.Since)
		}
	}
	o := p.options()
	if o.Aria.Root, err = root(ctx, v, string(p.Root), el); err != nil {
		return nil, err
	}
	n, err := e.Elements.Snapshot(hash)
	if err != nil {
		return nil, err
	}
	o.Aria.LinkURLs = true // seed 7.1
	e.Elements.Writes(&o.Aria)
	if p.ViewportOnly && !p.Compat {
		o.Aria.Before = e.Shown(ctx, v.Capture)
	}
	d, err := format.Render(v.Capture, name, o)
	if err != nil {
		return nil, err
	}
	if name == format.DomTool {
		e.Elements.Showed(v.Capture)
	}
	return deliver(e, v, d, p, "s"+strconv.Itoa(n))
}

// deliver puts a document into the answer, or into files where it is large.
func deliver(e *stepdef.Env, v *stepdef.View, d *dump.Document, p *snapshotParams, id string) (*snapshotOutput, error) {
	limit := aria.InlineBytes
	if p.InlineLimit != nil {
		limit = *p.InlineLimit
	}
	how := aria.Deliver(d, limit)
	out := &snapshotOutput{SnapshotID: id, SnapshotSize: how.Bytes, Truncated: d.Truncated, RefCount: len(how.Refs)}
	refs := map[string]string{}
	byRef := make(map[int]*snapshot.Node, len(how.Refs))
	for i := range v.Capture.Nodes {
		if n := &v.Capture.Nodes[i]; n.Ref > 0 {
			byRef[n.Ref] = n
		}
	}
	for _, ref := range how.Refs {
		selector := ""
		if n := byRef[ref]; n != nil {
			selector = v.Selector(n)
		}
		refs[e.Elements.Spell(ref)] = selector
	}
	ext := ".txt"
	if d.Format == format.Aria {
		ext = ".yaml"
	} else {
		out.Format = string(d.Format)
	}
	if how.TextToFile {
		name, err := e.Files.Write(e.Alias, "snapshot", ext, []byte(d.Text))
		if err != nil {
			return nil, err
		}
		out.TruncatedInline, out.Message, out.Artifacts = true, how.Message, &artifacts{Snapshot: e.Files.Named(name)}
	} else if d.Format == format.Aria {
		out.YAML = d.Text
	} else {
		out.Text = d.Text
	}
	switch {
	case len(refs) == 0:
	case !how.RefsToFile:
		out.Refs = refs
	default:
		b, err := json.MarshalIndent(refs, "", " ")
		if err != nil {
			return nil, fmt.Errorf("writing the refs: %w", err)
		}
		name, err := e.Files.Write(e.Alias, "refs", ".json", append(b, '\n'))
		if err != nil {
			return nil, err
		}
		if out.Artifacts == nil {
			out.Artifacts = &artifacts{}
		}
		out.Artifacts.Refs = e.Files.Named(name)
	}
	return out, nil
}

type searchParams struct {
	Text    string `json:"text,omitempty" finds:"words" what:"a part of name or value"`
	Pattern string `json:"pattern,omitempty" what:"a regular expression, without case"`
	Role    string `json:"role,omitempty" finds:"role" what:"the role"`
	Exact   bool   `json:"exact,omitempty" what:"text is the whole name"`
	stepdef.Limit
	Context *int  `json:"context,omitempty" what:"how many ancestors are given"`
	Near    *near `json:"near,omitempty" what:"what has its middle near a point: x, y, radius"`
}

// near is a circle in the viewport, CSS px.
type near struct {
	X      *float64 `json:"x"`
	Y      *float64 `json:"y"`
	Radius float64  `json:"radius,omitempty" min:"0" unit:"CSS px" what:"50"`
}

// CheckParams refuses a circle without a middle.
func (n *near) CheckParams() error {
	if n.X == nil || n.Y == nil {
		return errors.New("x and y are both needed")
	}
	return nil
}

// CheckParams refuses a search for nothing.
func (p *searchParams) CheckParams() error {
	if p.Text == "" && p.Pattern == "" && p.Role == "" && p.Near == nil {
		return errors.New("name what to look for: text, pattern, role or near")
	}
	if _, err := regexp.Compile(p.Pattern); err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	return nil
}

func (p *searchParams) query() find.Query {
	q := find.Query{Text: p.Text, Pattern: p.Pattern, Role: p.Role, Exact: p.Exact, Limit: -1}
	if p.Context != nil {
		if q.Context = *p.Context; q.Context == 0 {
			q.Context = -1
		}
	}
	if p.Near != nil {
		q.Near = &find.Near{X: *p.Near.X, Y: *p.Near.Y, Radius: p.Near.Radius}
	}
	return q
}

// match is one result of a search.
type match struct {
	Path     []string     `json:"path"`
	Role     string       `json:"role"`
	Name     string       `json:"name"`
	Ref      string       `json:"ref,omitempty"`
	Value    string       `json:"value,omitempty"`
	Box      stepdef.Rect `json:"box"`
	Distance *float64     `json:"distance,omitempty"`
}

// searchOutput is the output of snapshotSearch (seed 11.2).
type searchOutput struct {
	Matches          []match       `json:"matches"`
	MatchCount       int           `json:"matchCount"`
	SearchedElements int           `json:"searchedElements"`
	Criteria         *searchParams `json:"criteria"`
}

func searchSnapshot(ctx context.Context, e *stepdef.Env, p *searchParams) (any, error) {
	v, err := e.Read(ctx, nil)
	if err != nil {
		return nil, err
	}
	a, err := find.Search(v.Capture, p.query())
	if err != nil {
		return nil, err
	}
	out := &searchOutput{Matches: []match{}, SearchedElements: a.SearchedElements, Criteria: p}
	if v.Frame > 0 {
		out.SearchedElements = 0
		for i := range v.Capture.Nodes {
			if n := &v.Capture.Nodes[i]; n.Verdict.Kept() && v.In(n) {
				out.SearchedElements++
			}
		}
	}
	budget := stepdef.NewBudget()
	for _, m := range a.Matches {
		if !v.In(v.Tree.Node(m.Node)) {
			continue
		}
		if out.MatchCount++; len(out.Matches) < p.Or(find.Limit) {
			out.Matches = append(out.Matches, match{m.Path, m.Role, budget.Take(text.Start(m.Name, 1000)),
				e.Elements.Spell(m.Ref), budget.Take(text.Start(m.Value, 1000)), stepdef.RectOf(m.Box), m.Distance})
		}
	}
	return out, nil
}

// root is the node that a snapshot begins at, nil where the format chooses: "body",
// "role=navigation", a selector or a ref.
func root(ctx context.Context, v *stepdef.View, root string, el *element.Found) (*int, error) {
	role, byRole := strings.CutPrefix(root, "role=")
	switch {
	case el != nil:
		n, err := v.NodeOf(ctx, el.Element)
		if err != nil {
			return nil, err
		}
		return &n.I, nil
	case v.Frame == 0 && (root == "" || root == "body" || byRole):
		i, err := aria.Root(v.Capture, root)
		if err != nil {
			return nil, &action.NotFoundError{What: fmt.Sprintf("%q", root)}
		}
		return i, nil
	}
	for k := range v.Capture.Nodes {
		n := &v.Capture.Nodes[k]
		if n.Frame != v.Frame && !(byRole && v.In(n)) {
			continue
		}
		if byRole && n.Role == role && n.Verdict.Rendered() || !byRole &&
			(root == "" && n.Tag == "html" || n.Tag == "body" || n.Tag == "frameset") {
			return &n.I, nil
		}
	}
	return nil, &action.NotFoundError{What: fmt.Sprintf("%q in the frame", root)}
}

// plain reports whether a root needs no element of the page.
func plainRoot(root string) bool {
	return root == "" || root == "body" || strings.HasPrefix(root, "role=")
}

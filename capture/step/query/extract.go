package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
)

// ContentSteps are the steps that take content out of the page (seed 11.6 and 11.7).
func ContentSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(extract, stepdef.StepDef{Name: "extract", Summary: "read a table or a list", Forms: []param.Form{
			{`"#prices"`, "what the selector or ref matches decides: table or list"},
			{`{"selector":"ul","type":"list","limit":20}`, "type table or list; limit is 100"},
		}}),
		stepdef.Define(getDom, stepdef.StepDef{
			Name: "getDom", Summary: "the markup of the page or of an element, redacted",
			Also: []string{"html", "content", "gethtml"},
			Forms: []param.Form{
				{`true`, "of the whole page"},
				{`"#main"`, "of the first element that the selector or ref matches"},
				{`{"selector":"#main","outer":false}`, "only what is inside it"},
			},
		}),
	}
}

type extractParams struct {
	stepdef.Element
	Type string `json:"type,omitempty" choices:"table,list" what:"what it is read as"`
	stepdef.Limit
}

// tableOutput and listOutput are what extract gives (seed 11.6). Truncated: there are
// more than the limit, or texts were cut.
type tableOutput struct {
	Type      string     `json:"type"` // table
	Headers   []string   `json:"headers"`
	Rows      [][]string `json:"rows"`
	RowCount  int        `json:"rowCount"` // of rows that are given
	TotalRows int        `json:"totalRows,omitempty"`
	Truncated bool       `json:"truncated,omitempty"`
}

type listOutput struct {
	Type       string   `json:"type"` // list
	Items      []string `json:"items"`
	ItemCount  int      `json:"itemCount"` // of items that are given
	TotalItems int      `json:"totalItems,omitempty"`
	Truncated  bool     `json:"truncated,omitempty"`
}

func extract(ctx context.Context, e *stepdef.Env, p *extractParams) (any, error) {
	f, err := e.Present(ctx, p.To())
	if err != nil {
		return nil, err
	}
	v, err := e.Read(ctx, nil)
	if err != nil {
		return nil, err
	}
	n, err := v.NodeOf(ctx, f.Element)
	if err != nil {
		return nil, err
	}
	return extractFrom(v, n, p.Type, p.Or(100))
}

func isTable(n *snapshot.Node) bool { return n.Tag == "table" }
func isList(n *snapshot.Node) bool {
	return n.Tag == "ul" || n.Tag == "ol" || n.Attr("role") == "list"
}
func isRow(n *snapshot.Node) bool  { return n.Tag == "tr" || n.Attr("role") == "row" }
func isItem(n *snapshot.Node) bool { return n.Tag == "li" || n.Attr("role") == "listitem" }

// first is the first node of a subtree, itself included, that is of a kind; nil for none.
func first(v *stepdef.View, top *snapshot.Node, is func(*snapshot.Node) bool) *snapshot.Node {
	for i := range within(v, top) {
		if is(i) {
			return i
		}
	}
	return nil
}

// within are the nodes of a subtree in document order, the top first.
func within(v *stepdef.View, top *snapshot.Node) func(yield func(*snapshot.Node) bool) {
	return func(yield func(*snapshot.Node) bool) {
		stack := []*snapshot.Node{top}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(n) {
				return
			}
			at := len(stack)
			for c := range v.Tree.Children(n.I) {
				stack = append(stack, c)
			}
			slices.Reverse(stack[at:])
		}
	}
}

// extractFrom determines what the element is, in the seed's order, and reads it.
func extractFrom(v *stepdef.View, n *snapshot.Node, kind string, limit int) (any, error) {
	table, list := first(v, n, isTable), first(v, n, isList)
	switch {
	case kind == "table":
		if table == nil {
			table = n
		}
	case kind == "list":
		table = nil
		if list == nil {
			list = n
		}
	case isTable(n):
	case isList(n):
		table = nil
	case table != nil:
	case list != nil:
	case first(v, n, isRow) != nil:
		table = n
	case first(v, n, isItem) != nil:
		list = n
	default:
		return nil, fmt.Errorf("<%s> holds neither a table nor a list: say which with type, or name another element",
			n.Tag)
	}
	if table != nil {
		return tableOf(v, table, limit), nil
	}
	return listOf(v, list, limit), nil
}

func visibleText(v *stepdef.View, n *snapshot.Node) string {
	// Cells and items are read as a person reads them: blocks are apart. A script cannot.
	return strings.Join(strings.Fields(v.Tree.Gather(n, snapshot.Gather{All: true, Controls: true, NoAlt: true,
		MaxBytes: stepdef.MaxRead, Skip: func(c *snapshot.Node) bool {
			return c.Verdict == snapshot.VerdictSkippedTag
		}})), " ")
}

// tableOf reads the rows of a table, not those of tables inside it. Headers are the rows
// of thead, else the first row.
func tableOf(v *stepdef.View, top *snapshot.Node, limit int) *tableOutput {
	type row struct {
		cells []string
		head  bool
	}
	out := &tableOutput{Type: "table", Headers: []string{}, Rows: [][]string{}}
	budget := stepdef.NewBudget()
	var rows []row
	var walk func(n *snapshot.Node, head bool, depth int)
	cells := func(n *snapshot.Node) []string {
		var out []string
		for c := range v.Tree.Children(n.I) {
			switch {
			case c.Tag == "td", c.Tag == "th", slices.Contains([]string{"cell", "gridcell",
				"columnheader", "rowheader"},
				c.Attr("role")):
				out = append(out, budget.Take(visibleText(v, c)))
			}
		}
		return out
	}
	walk = func(n *snapshot.Node, head bool, depth int) {
		if depth > 1000 {
			return
		}
		for c := range v.Tree.Children(n.I) {
			switch {
			case isRow(c):
				if len(rows) <= limit+1 {
					rows = append(rows, row{cells(c), head})
				} else {
					rows = append(rows, row{head: head})
				}
			case isTable(c):
			default:
				walk(c, head || c.Tag == "thead", depth+1)
			}
		}
	}
	if isRow(top) {
		rows = append(rows, row{cells: cells(top)})
	}
	walk(top, false, 0)
	body := rows
	if i := slices.IndexFunc(rows, func(r row) bool { return r.head }); i >= 0 {
		// Of several rows of headers the last names the columns.
		body = nil
		for _, r := range rows {
			if r.head {
				out.Headers = r.cells
			} else {
				body = append(body, r)
			}
		}
	} else if len(rows) > 0 {
		out.Headers, body = rows[0].cells, rows[1:]
	}
	for _, r := range body[:min(limit, len(body))] {
		out.Rows = append(out.Rows, r.cells)
	}
	if out.RowCount = len(out.Rows); len(body) > out.RowCount {
		out.TotalRows, out.Truncated = len(body), true
	}
	out.Truncated = out.Truncated || budget.Cut
	return out
}

// listOf reads the items right in a list.
func listOf(v *stepdef.View, top *snapshot.Node, limit int) *listOutput {
	out := &listOutput{Type: "list", Items: []string{}}
	budget := stepdef.NewBudget()
	total := 0
	for c := range v.Tree.Children(top.I) {
		if !isItem(c) {
			continue
		}
		if total++; total <= limit {
			out.Items = append(out.Items, budget.Take(visibleText(v, c)))
		}
	}
	if total == 0 { // items somewhere below, as in a list that was requested by type
		for n := range within(v, top) {
			if n != top && isItem(n) {
				if total++; total <= limit {
					out.Items = append(out.Items, budget.Take(visibleText(v, n)))
				}
			}
		}
	}
	if out.ItemCount = len(out.Items); total > out.ItemCount {
		out.TotalItems, out.Truncated = total, true
	}
	out.Truncated = out.Truncated || budget.Cut
	return out
}

type getDomParams struct {
	_        struct{}     `want:"true, a selector or an object"`
	Whole    bool         `json:"-" form:"true"`
	Selector string       `json:"selector,omitempty" finds:"selector" form:"string" what:"a CSS selector, or a ref"`
	Ref      element.Text `json:"ref,omitempty" finds:"ref" what:"a ref of a snapshot, in any spelling"`
	Outer    *bool        `json:"outer,omitempty" what:"false: only what is inside the element"`
}

func (p *getDomParams) element() *stepdef.Element {
	if p.Whole {
		return &stepdef.Element{Selector: ":root"}
	}
	return &stepdef.Element{Selector: p.Selector, Ref: p.Ref}
}

// CheckParams refuses what names no element, or two.
func (p *getDomParams) CheckParams() error { return p.element().CheckParams() }

// domOutput is the output of getDom (seed 11.7).
type domOutput struct {
	HTML     string `json:"html"`
	TagName  string `json:"tagName"`
	Selector string `json:"selector,omitempty"`
	Length   int    `json:"length"` // characters of html
	// Truncated: there is more than a million characters.
	Truncated bool `json:"truncated,omitempty"`
}

func getDom(ctx context.Context, e *stepdef.Env, p *getDomParams) (any, error) {
	t := p.element().To()
	f, err := e.Present(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &domOutput{Selector: t.String()}
	if t.Selector == ":root" {
		out.Selector = ""
	}
	v, err := e.Read(ctx, func(ctx context.Context, res *collect.Result) error {
		var err error
		out.HTML, out.Truncated, err = res.Markup(ctx, f.Element, p.Outer != nil && !*p.Outer, stepdef.MaxOutput)
		return err
	})
	if err != nil {
		return nil, err
	}
	n, err := v.NodeOf(ctx, f.Element)
	if err != nil {
		return nil, err
	}
	out.TagName, out.Length = n.Tag, utf8.RuneCountInString(out.HTML)
	return out, nil
}

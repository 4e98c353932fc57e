package collect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// Rules are what a site's profile and the caller add to the walk. The zero value adds
// nothing; the built-in rules against secrets always apply.
type Rules struct {
	// Drop are CSS selectors of elements that are left out with all they hold.
	Drop []string
	// Places are where rules stand, by rule: "shop.example.md, line 3".
	Places map[string]string
	// Filter is a JavaScript expression of el; elements for which it is false are
	// left out with all they hold. It runs in the isolated world.
	Filter string
	// Site is the domain of the profile that the rules are of, "" for none.
	Site string
	// Redact are CSS selectors of elements whose content stays in the page.
	Redact []string
	// Patterns are regular expressions of texts that are removed wherever they
	// occur; see [redact.CheckPattern].
	Patterns []string
}

// Secrets are values of password, code and card fields by node index. They are for
// the answer of the one who requested them and nowhere else: they print as a count,
// and encoding them is an error.
type Secrets map[int]string

// String is how many there are.
func (s Secrets) String() string { return fmt.Sprintf("[%d values withheld]", len(s)) }

// GoString is the same: a debug print is no way out.
func (s Secrets) GoString() string { return s.String() }

// Format is the same for every verb.
func (s Secrets) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// LogValue is the same in logs.
func (s Secrets) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON refuses.
func (s Secrets) MarshalJSON() ([]byte, error) { return nil, errSecrets }

// MarshalText refuses.
func (s Secrets) MarshalText() ([]byte, error) { return nil, errSecrets }

var errSecrets = fmt.Errorf("values of secret fields are never written")

// Reveal is a copy of the capture with the values in their nodes, for the answer of
// the one who asked with AllowSecrets. The capture itself stays redacted.
func (s Secrets) Reveal(c *snapshot.Capture) *snapshot.Capture {
	out := *c
	out.Nodes = slices.Clone(c.Nodes)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		if v, ok := s[n.I]; ok {
			n.Value = v
			n.Redacted = slices.DeleteFunc(slices.Clone(n.Redacted), func(f string) bool { return f == "value" })
		}
	}
	return &out
}

// redact applies the profile's patterns to the texts of a frame's answer, before
// anything else sees them. Tags, roles and other words of ours are left alone.
func (c *columns) redact(red *redact.Redactor) {
	d := &c.Doc
	for _, s := range []*string{&d.URL, &d.Title, &d.Lang} {
		*s = red.CleanAddress(*s)
	}
	added := make([]string, len(d.Events))
	for k := range d.Events {
		added[k] = d.Events[k].Text
	}
	for k, s := range red.CleanSplit(added) {
		d.Events[k].Text = red.CleanAddress(s)
	}
	for k, s := range c.Allowed {
		c.Allowed[k].value = red.With().CleanCustom(s.value) // the secret itself
	}
	if !red.Custom() {
		return
	}
	moved := map[int]int{}
	slot := func(p *int) {
		to, ok := moved[*p]
		if !ok {
			to = *p
			s := c.str(*p)
			if t := red.CleanEncoded(red.CleanCustom(s)); t != s {
				for _, m := range red.Find(s) {
					if m.Rule == redact.ProfileRule {
						c.Profiled = append(c.Profiled, s[m.Start:m.End])
					}
				}
				to = len(c.Strings)
				c.Strings = append(c.Strings, t)
				c.Cleaned = append(c.Cleaned, to)
			}
			moved[*p] = to
		}
		*p = to
	}
	c.redactSplit(red)
	n := len(c.Parent)
	lists(c.Attrs, n, func(_ int, e []int) {
		for j := 0; j+1 < len(e); j += 2 {
			if !redact.IsWordAttribute(c.str(e[j]), c.str(e[j+1])) {
				slot(&e[j+1])
			}
		}
	})
	lists(c.Runs, n, func(_ int, e []int) {
		for j := 0; j < len(e); j += 2 {
			slot(&e[j])
		}
	})
	rows(c.Names, 3, n, func(_ int, r []int) { slot(&r[0]) })
	rows(c.Desc, 2, n, func(_ int, r []int) { slot(&r[0]) })
	rows(c.Values, 2, n, func(_ int, r []int) { slot(&r[0]) })
}

// redactSplit takes secrets out that the page shows in several texts, such as those of elements around some letters.
func (c *columns) redactSplit(red *redact.Redactor) {
	n := len(c.Parent)
	depth, end := make([]int, n), make([]int, n) // end: the element after all that is in it
	for k := range n {
		end[k] = k + 1
		if up := c.Parent[k]; up >= 0 {
			depth[k] = depth[up] + 1
		}
	}
	for k := n - 1; k >= 0; k-- {
		if up := c.Parent[k]; up >= 0 {
			end[up] = max(end[up], end[k])
		}
	}
	type piece struct {
		text          *int
		before, depth int // the element that it is before, and how deep it lies
	}
	var pieces []piece
	lists(c.Runs, n, func(k int, e []int) {
		for j := 0; j+1 < len(e); j += 2 {
			p := piece{&e[j], end[k], depth[k]}
			if e[j+1] >= 0 {
				p.before = e[j+1]
			}
			pieces = append(pieces, p)
		}
	})
	slices.SortStableFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.before, b.before), cmp.Compare(b.depth, a.depth))
	})
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = c.str(*p.text)
	}
	for i, t := range red.CleanSplit(texts) {
		if t != texts[i] {
			*pieces[i].text = len(c.Strings)
			c.Cleaned = append(c.Cleaned, len(c.Strings))
			c.Strings = append(c.Strings, t)
		}
	}
}

// markRedacted lists on each node what was taken out of it: "value", "text", "name",
// "description", "attr:href" and the like, and "element" where the profile withholds
// all of it.
func markRedacted(cols *columns, nodes []snapshot.Node) {
	n := len(nodes)
	mark := func(k int, field string) {
		if !slices.Contains(nodes[k].Redacted, field) {
			nodes[k].Redacted = append(nodes[k].Redacted, field)
		}
	}
	for _, k := range cols.Withheld {
		if k >= 0 && k < n {
			mark(k, "element")
		}
	}
	if len(cols.Cleaned) == 0 {
		return
	}
	cleaned := make([]bool, len(cols.Strings))
	for _, s := range cols.Cleaned {
		if s >= 0 && s < len(cleaned) {
			cleaned[s] = true
		}
	}
	is := func(s int) bool { return s >= 0 && s < len(cleaned) && cleaned[s] }
	one := func(field string) func(int, []int) {
		return func(k int, r []int) {
			if is(r[0]) {
				mark(k, field)
			}
		}
	}
	rows(cols.Values, 2, n, one("value"))
	lists(cols.Runs, n, func(k int, e []int) {
		for j := 0; j+1 < len(e); j += 2 {
			if is(e[j]) {
				mark(k, "text")
			}
		}
	})
	rows(cols.Names, 3, n, one("name"))
	rows(cols.Desc, 2, n, one("description"))
	lists(cols.Attrs, n, func(k int, e []int) {
		for j := 0; j+1 < len(e); j += 2 {
			if is(e[j+1]) {
				mark(k, "attr:"+cols.str(e[j]))
			}
		}
	})
}

// leaveOut takes out what filters dropped in the page, each by the rule that did.
func leaveOut(c *snapshot.Capture, parts []*part, places map[string]string) {
	by := map[int]string{}
	for _, p := range parts {
		rows(p.cols.FilteredBy, 2, len(p.ids), func(k int, r []int) { by[p.ids[k]] = p.cols.str(r[0]) })
	}
	c.LeaveOut(by, func(n, root *snapshot.Node, rule string) {
		n.FilteredBy, n.Evidence = rule, "left out by the profile's filter "+rule
		if rule == "filter" {
			n.FilteredBy, n.Evidence = "", "left out by the filter expression"
		} else if at := places[rule]; at != "" {
			n.Evidence += " (" + at + ")"
		}
		if root != n {
			n.Evidence += " on " + describe(root)
		}
	})
}

// secrets are the values that AllowSecrets lets through, by node index.
func (r *reader) secrets() Secrets {
	var out Secrets
	for _, p := range r.parts {
		for _, a := range p.cols.Allowed {
			if a.at >= 0 && a.at < len(p.ids) {
				if out == nil {
					out = Secrets{}
				}
				out[p.ids[a.at]] = a.value
			}
		}
	}
	return out
}

// Why is the reason that the value of a node is withheld for, "" where none is given.
func (res *Result) Why(i int) string {
	n := res.Capture.Node(i)
	if n == nil || !redact.IsMark(n.Value) {
		return ""
	}
	if marks := redact.Marks([]byte(n.Value)); len(marks) > 0 && marks[0].Why != "withheld" {
		return marks[0].Why
	}
	return ""
}

// allowed is one value that AllowSecrets lets through: [element, value].
type allowed struct {
	at    int
	value string
}

// UnmarshalJSON reads the two entries.
func (a *allowed) UnmarshalJSON(data []byte) error {
	fields := []any{&a.at, &a.value}
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("an allowed value: %w", err)
	}
	return nil
}

// Seal removes secrets from texts beside the elements, such as console lines: what
// looks like a secret, the profile's patterns, and what the page's own password
// fields hold. It asks the page, so it must come before Release; where the page does
// not answer, only the first two are done.
func (res *Result) Seal(ctx context.Context, texts []string) []string {
	out := make([]string, len(texts))
	for k, s := range texts {
		out[k] = res.redactor.CleanAddress(s)
	}
	return res.seal(ctx, out, false)
}

// SealCleaned is [Result.Seal] for texts that the built-in rules were applied to already, such as addresses of
// requests: there may be thousands.
func (res *Result) SealCleaned(ctx context.Context, texts []string) []string {
	out := make([]string, len(texts))
	for k, s := range texts {
		out[k] = res.redactor.CleanEncoded(res.redactor.CleanCustom(s))
	}
	return res.seal(ctx, out, true)
}

// seal removes what the page's own password fields hold; cleaned: and nothing else.
func (res *Result) seal(ctx context.Context, out []string, cleaned bool) []string {
	return sealBy(ctx, res.sealers, "seal", out, cleaned)
}

// sealBy asks frames, by a function of their registry, to take what they withhold out of texts.
func sealBy(ctx context.Context, sealers []source, function string, out []string, cleaned bool) []string {
	for _, src := range sealers {
		arg, err := json.Marshal(out)
		if err != nil {
			continue
		}
		answer, err := src.session.Eval(ctx, src.frame, fmt.Sprintf(
			"globalThis.__refscope.%s ? globalThis.__refscope.%[1]s(%s, %t) : '[]'", function, arg, cleaned))
		var sealed []string
		if err == nil && json.Unmarshal([]byte(answer), &sealed) == nil && len(sealed) == len(out) {
			out = sealed
		}
	}
	return out
}

// sealAcross takes what one frame withholds out of the texts of all others, and of the addresses of frames: a field may
// be in a frame, and the page around it repeat what it holds.
func (r *reader) sealAcross(ctx context.Context) {
	sealers := r.sealers()
	if len(r.c.Frames) < 2 || len(sealers) == 0 {
		return
	}
	var texts []string
	sealed := map[string]string{}
	r.eachText(func(s string) string {
		if _, ok := sealed[s]; !ok {
			sealed[s] = s
			texts = append(texts, s)
		}
		return s
	})
	for i, s := range sealBy(ctx, sealers, "seal", texts, true) {
		sealed[texts[i]] = s
	}
	r.eachText(func(s string) string { return sealed[s] })
}

// sealJoined takes what frames withhold out of stretches that follow each other, where a page has split it.
func (r *reader) sealJoined(ctx context.Context, all []stretch) {
	sealers := r.sealers()
	if len(sealers) == 0 {
		return
	}
	texts := textsOf(r.c, all)
	for i, s := range sealBy(ctx, sealers, "sealParts", texts, true) {
		if s != texts[i] {
			all[i].put(r.c, s)
		}
	}
}

// boxWritten notes the whole box as the place of a text that is withheld and that a style sheet writes in part: nobody
// knows where in it that part is drawn.
func (r *reader) boxWritten() {
	for i := range r.c.Nodes {
		n := &r.c.Nodes[i]
		if n.Generated != [2]int{} && n.InViewport && slices.Contains(n.Redacted, "text") {
			n.TextRects = append(n.TextRects, n.VisibleBox())
		}
	}
}

// eachText changes the texts of the page in a capture, but for words of HTML, and notes which are redacted.
func (r *reader) eachText(change func(string) string) {
	c := r.c
	c.URL, c.Title = change(c.URL), change(c.Title)
	for k := range c.Frames {
		f := &c.Frames[k]
		if url := change(f.URL); url != f.URL && f.URL != "" {
			f.URL, f.Why = url, strings.ReplaceAll(f.Why, f.URL, url)
		}
	}
	for _, p := range r.parts {
		for k := range p.cols.Doc.Events {
			e := &p.cols.Doc.Events[k]
			e.Text = change(e.Text)
		}
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		put := func(s, field string) string {
			t := change(s)
			if t != s && !slices.Contains(n.Redacted, field) {
				n.Redacted = append(n.Redacted, field)
			}
			return t
		}
		n.Text, n.Name = put(n.Text, "text"), put(n.Name, "name")
		n.Description, n.Value = put(n.Description, "description"), put(n.Value, "value")
		for k := range n.Runs {
			n.Runs[k].Text = put(n.Runs[k].Text, "text")
		}
		for name, s := range n.Attrs {
			if !redact.IsWordAttribute(name, s) {
				n.Attrs[name] = put(s, "attr:"+name)
			}
		}
	}
}

// rule puts the rules of a profile and a caller into the request.
func (q *request) rule(rules Rules) {
	q.Rules, q.Names = redact.Rules(redact.AtCapture), redact.Names()
	q.Drop, q.Redact, q.Filter = rules.Drop, rules.Redact, rules.Filter
}

// checkFilter lets the isolated world parse the filter expression separately, so that
// a mistake in it is distinguished from one of ours.
func checkFilter(ctx context.Context, tab *browser.Tab, expr string) error {
	if expr == "" {
		return nil
	}
	tree, err := tab.Frames(ctx)
	if err != nil || len(tree) == 0 {
		return err // the walk has a better error
	}
	if _, err := tab.Session().Eval(ctx, tree[0].ID, "void ("+predicate(expr)+"); ''"); err != nil {
		return fmt.Errorf("filter %q is not a JavaScript expression of el: %w", expr, err)
	}
	return nil
}

// inside is the reader of a frame: it withholds the whole document where the profile
// withholds the frame element, and knows what the frames around leave to be seen.
func (r *reader) inside(j *childFrame) *reader {
	q := r.request
	if slices.Contains(j.up.cols.Withheld, j.k) {
		q.Redact = append(slices.Clone(q.Redact), ":root")
	}
	q.View, q.Over = r.visibleArea(j)
	q.Width, q.Height = 0, 0 // the frame knows its own
	in := *r
	in.request, in.script = q, collectScripts(q)
	return &in
}

// cleanFrames cleans what is known of frames from outside them, and notes the filters that could not be used. The
// address of a frame is content of its element, and withheld with it.
func (r *reader) cleanFrames() {
	seen := map[string]bool{}
	for k := range r.c.Frames {
		f := &r.c.Frames[k]
		if f.URL != "" && f.Owner >= 0 && f.Owner < len(r.c.Nodes) &&
			slices.Contains(r.c.Nodes[f.Owner].Redacted, "element") {
			mark := redact.Mark(redact.ProfileRule)
			f.URL, f.Why = mark, strings.ReplaceAll(f.Why, f.URL, mark)
		}
		f.URL, f.Why = r.redactor.Clean(f.URL), r.redactor.Clean(f.Why)
		if p := r.byFrame[k]; p != nil {
			for _, why := range p.cols.Broken {
				if !seen[why] {
					seen[why] = true
					r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "filter", Frame: k, Why: why})
				}
			}
		}
	}
	for k := range r.c.Failed {
		r.c.Failed[k].Why = r.redactor.Clean(r.c.Failed[k].Why)
	}
}

// sealers are the frames that must be asked about texts from beside the elements.
func (r *reader) sealers() []source {
	var out []source
	for _, p := range r.parts {
		if p.cols.Learnt {
			out = append(out, r.sources[p.frame])
		}
	}
	return out
}

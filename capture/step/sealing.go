package step

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/redact"
)

// What a script gives is an answer like any other (B-11): the values of the page's
// fields of passwords, codes and cards, what the site's profile withholds, and what
// looks like a secret do not leave in it. Which fields those are, the collector says. A
// script that wants to, can still get a secret past this by writing it otherwise, in
// base64 for one: an agent is a program of its user's, and what is kept in is what would
// leave by mistake.

// guard knows what must not leave the page, at one moment.
type guard struct {
	res      *collect.Result // nil where the page has nothing that must be kept in
	redactor *redact.Redactor
	secrets  []secret // the longest first
}

// secret is the value of a field, and what is put in its place.
type secret struct{ value, put string }

// guard reads the page for what must not leave it. It must be released.
func (r *Runner) guard(ctx context.Context) (*guard, error) {
	o := r.opt.Collect
	if err := r.profileRules(ctx, &o.Rules); err != nil {
		return nil, err
	}
	g := &guard{}
	var err error
	if g.redactor, err = r.shapes(o.Rules.Patterns); err != nil {
		return nil, fmt.Errorf("redaction rules: %w", err)
	}
	if len(o.Rules.Redact) == 0 {
		holds, err := r.page.HasSecretFields(ctx)
		if err != nil {
			return nil, fmt.Errorf("looking for fields that hold secrets: %w", err)
		}
		if !holds {
			return g, nil
		}
	}
	o.AllowSecrets = true
	if g.res, err = collect.Read(ctx, r.page.Tab(), o); err != nil {
		return nil, fmt.Errorf("looking for fields that hold secrets: %w", err)
	}
	g.learn()
	return g, nil
}

// shapes are the rules for what looks like a secret. Those without a profile's patterns
// are read once: there is a dozen of expressions.
func (r *Runner) shapes(patterns []string) (*redact.Redactor, error) {
	if len(patterns) > 0 {
		return redact.New(patterns...)
	}
	return r.redactor, nil
}

// profileRules adds what the profile of the tab's site withholds.
func (r *Runner) profileRules(ctx context.Context, rules *collect.Rules) error {
	if r.opt.Profiles == nil {
		return nil
	}
	at, err := r.page.Tab().Info(ctx)
	if err != nil {
		return fmt.Errorf("the tab's address, for its profile: %w", err)
	}
	file, err := r.opt.Profiles.Lookup(at.URL)
	switch {
	case errors.Is(err, profiles.ErrNotFound), errors.Is(err, profiles.ErrNoDomain):
		return nil
	case err != nil:
		return err
	}
	p, _ := profiles.Parse(file.Text)
	selectors, patterns := p.Redactions()
	rules.Redact = append(slices.Clone(rules.Redact), selectors...)
	rules.Patterns = append(slices.Clone(rules.Patterns), patterns...)
	return nil
}

// learn takes over the withheld values. Boxes for one character each, one after the
// other, are one code.
func (g *guard) learn() {
	var indices []int
	for i := range g.res.Secrets {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	digits := ""
	for k, i := range indices {
		v := strings.TrimSpace(g.res.Secrets[i])
		put := "[redacted]"
		if n := g.res.Capture.Node(i); n != nil && strings.HasPrefix(n.Value, "[redacted") {
			put = n.Value
		}
		if len([]rune(v)) == 1 {
			digits += v
			if k+1 < len(indices) {
				continue
			}
		}
		g.add(digits, "[redacted: one-time code]")
		digits = ""
		g.add(v, put)
	}
	slices.SortStableFunc(g.secrets, func(a, b secret) int { return len(b.value) - len(a.value) })
}

func (g *guard) add(value, put string) {
	if len([]rune(value)) >= 3 {
		g.secrets = append(g.secrets, secret{value, put})
	}
}

// release lets go of what the guard holds in the page.
func (g *guard) release(ctx context.Context) {
	if g != nil && g.res != nil {
		g.res.Release(context.WithoutCancel(ctx))
	}
}

// seal takes out of texts what must not leave. A text that is a field's value goes
// whole; within others only values that look chosen are replaced, as the collector does:
// to replace common words everywhere would tell more than it hides.
func (g *guard) seal(ctx context.Context, texts []string) []string {
	out := slices.Clone(texts)
	for i, s := range out {
		for _, sec := range g.secrets {
			switch {
			case strings.TrimSpace(s) == sec.value:
				s = sec.put
			case chosen(sec.value):
				s = strings.ReplaceAll(s, sec.value, sec.put)
			}
		}
		out[i] = s
	}
	if g.res != nil {
		return g.res.Seal(ctx, out)
	}
	for i, s := range out {
		out[i] = g.redactor.Clean(s)
	}
	return out
}

// chosen reports whether a value looks like one that somebody chose: six characters or
// more, of two kinds.
func chosen(s string) bool {
	var small, capital, digit, other int
	for _, c := range s {
		switch {
		case unicode.IsLower(c):
			small = 1
		case unicode.IsUpper(c):
			capital = 1
		case unicode.IsDigit(c):
			digit = 1
		default:
			other = 1
		}
	}
	return len([]rune(s)) >= 6 && small+capital+digit+other >= 2
}

// errWithheld is the error of an answer that nobody could look through.
var errWithheld = errors.New("the answer was withheld, because the page could not be read for what must not leave it")

// sealed takes out of texts what must not leave the page now, and what must not have
// left it before the script ran, where before is not nil.
func (r *Runner) sealed(ctx context.Context, before *guard, texts []string) ([]string, error) {
	after, err := r.guard(ctx)
	if err != nil && ctx.Err() == nil {
		after, err = r.guard(ctx) // the page may just have gone to another document
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errWithheld, err)
	}
	defer after.release(ctx)
	if before != nil {
		texts = before.seal(ctx, texts)
	}
	return after.seal(ctx, texts), nil
}

// sealText is one text without what must not leave.
func (r *Runner) sealText(ctx context.Context, s string) string {
	out, err := r.sealed(ctx, nil, []string{s})
	if err != nil {
		return "[withheld]"
	}
	return out[0]
}

// tell is a script's value as it may leave, with the cuts of long texts made. What was
// taken out is a warning of the step.
func (r *Runner) tell(ctx context.Context, before *guard, v *action.Value) (json.RawMessage, error) {
	spans := leaves(v.JSON)
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = s.text
	}
	if len(texts) == 0 {
		return v.JSON, nil
	}
	clean, err := r.sealed(ctx, before, texts)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	taken := map[string]int{}
	at := 0
	for i, s := range spans {
		text := clean[i]
		changed := text != s.text
		if changed {
			taken[markOf(text)]++
		}
		if s.limit >= 0 {
			text = shorten(text, s.limit)
		} else if !changed {
			continue // byte for byte as it was written
		}
		out.Write(v.JSON[at:s.from])
		b, err := quoted(text)
		if err != nil {
			return nil, err
		}
		out.Write(b)
		at = s.to
	}
	out.Write(v.JSON[at:])
	r.tookOut(taken)
	return out.Bytes(), nil
}

// tookOut warns of what was taken out.
func (r *Runner) tookOut(taken map[string]int) {
	var words []string
	for _, mark := range slices.Sorted(func(yield func(string) bool) {
		for m := range taken {
			if !yield(m) {
				return
			}
		}
	}) {
		words = append(words, fmt.Sprintf("%s %d×", mark, taken[mark]))
	}
	if len(words) > 0 {
		r.warn("taken out of the answer: %s", strings.Join(words, ", "))
	}
}

// markOf is the first mark in a text.
func markOf(s string) string {
	_, rest, ok := strings.Cut(s, "[redacted")
	if !ok {
		return "[redacted]"
	}
	kind, _, ok := strings.Cut(rest, "]")
	if !ok || len(kind) > 40 {
		return "[redacted]"
	}
	return "[redacted" + kind + "]"
}

// leaf is a text or number in a value, at byte offsets of its JSON.
type leaf struct {
	from, to int
	text     string
	limit    int // UTF-16 units that may stay; -1 where it was not cut
}

// cutMark begins a text that js/write.js could not write whole.
const cutMark = `{"\u0001":`

// leaves lists the texts, keys and numbers of JSON without white space, in order.
func leaves(raw []byte) []leaf {
	var out []leaf
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '{' && bytes.HasPrefix(raw[i:], []byte(cutMark)):
			if l, ok := cutLeaf(raw, i); ok {
				out = append(out, l)
				i = l.to
				continue
			}
			i++
		case c == '"':
			end := stringEnd(raw, i)
			var s string
			if json.Unmarshal(raw[i:end], &s) == nil && s != "" && !ours(raw, i, end, s) {
				out = append(out, leaf{i, end, s, -1})
			}
			i = end
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(raw) && strings.IndexByte("0123456789.eE+-", raw[end]) >= 0 {
				end++
			}
			if end-i >= 3 {
				out = append(out, leaf{i, end, string(raw[i:end]), -1})
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// ours reports whether a text is a word of js/write.js and not of the page.
func ours(raw []byte, from, to int, s string) bool {
	switch {
	case to < len(raw) && raw[to] == ':':
		switch s {
		case "type", "value", "length", "size", "truncated", "timestamp", "depth", "tagName", "id", "className", "attributes", "textContent", "isConnected", "childElementCount",
			"op", "ok", "completed", "steps", "results", "failedAt", "error":
			return true
		}
	case bytes.HasSuffix(raw[:from], []byte(`"type":`)), bytes.HasSuffix(raw[:from], []byte(`"op":`)):
		switch s {
		case "string", "number", "boolean", "undefined", "null", "object", "array", "function", "symbol", "bigint", "Date", "Map", "Set", "RegExp", "Error", "Promise",
			"Element", "Node", "NodeList", "HTMLCollection", "Document", "Window", "TypedArray", "circular", "unreadable",
			"fill", "click", "type", "check", "select", "waitFor", "sleep", "return":
			return true
		}
	}
	return false
}

// cutLeaf reads {"\u0001":limit,"text":"…"}.
func cutLeaf(raw []byte, at int) (leaf, bool) {
	i := at + len(cutMark)
	digits, rest, ok := bytes.Cut(raw[i:min(len(raw), i+30)], []byte(`,"text":`))
	if !ok || len(rest) == 0 || rest[0] != '"' {
		return leaf{}, false
	}
	limit, err := strconv.Atoi(string(digits))
	if err != nil || limit < 0 {
		return leaf{}, false
	}
	from := i + len(digits) + len(`,"text":`)
	end := stringEnd(raw, from)
	var s string
	if json.Unmarshal(raw[from:end], &s) != nil || end >= len(raw) || raw[end] != '}' {
		return leaf{}, false
	}
	return leaf{at, end + 1, s, limit}, true
}

// stringEnd is the offset behind the JSON string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// shorten keeps the first units UTF-16 units of a text, whole characters, and says that there was more.
func shorten(s string, units int) string {
	u := utf16.Encode([]rune(s))
	if len(u) <= units {
		return s
	}
	if units > 0 && u[units-1] >= 0xd800 && u[units-1] <= 0xdbff {
		units--
	}
	return string(utf16.Decode(u[:units])) + "…"
}

// quoted is a text as JSON, with < > & as they are.
func quoted(s string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

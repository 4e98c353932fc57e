package markup_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// htmlElement is one element of a page, as an HTML parser or a capture has it. Its kids are
// elements and texts, *element and string.
type htmlElement struct {
	tag   string
	attrs map[string]string
	kids  []any
}

// parseHTML reads a text with an independent parser and answers with its html element.
func parseHTML(t testing.TB, text string) *htmlElement {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	for c := doc.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return readElement(c)
		}
	}
	t.Fatal("no html element")
	return nil
}

func readElement(n *html.Node) *htmlElement {
	e := &htmlElement{tag: n.Data, attrs: map[string]string{}}
	for _, a := range n.Attr {
		e.attrs[a.Key] = a.Val
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.ElementNode:
			e.kids = append(e.kids, readElement(c))
		case html.TextNode:
			e.text(c.Data)
		}
	}
	return e
}

// text adds a text, to the one before where there is one.
func (e *htmlElement) text(s string) {
	if k := len(e.kids) - 1; k >= 0 {
		if before, ok := e.kids[k].(string); ok {
			e.kids[k] = before + s
			return
		}
	}
	e.kids = append(e.kids, s)
}

func (e *htmlElement) walk(fn func(*htmlElement)) {
	fn(e)
	for _, k := range e.kids {
		if k, ok := k.(*htmlElement); ok {
			k.walk(fn)
		}
	}
}

// under finds the first element of that tag.
func (e *htmlElement) under(tag string) (found *htmlElement) {
	e.walk(func(x *htmlElement) {
		if x.tag == tag && found == nil {
			found = x
		}
	})
	return found
}

// tidy collapses white space as a page does, but not in pre and textarea, and takes
// texts of nothing else out.
func (e *htmlElement) tidy(keep bool) {
	keep = keep || e.tag == "pre" || e.tag == "textarea"
	var kids []any
	for _, k := range e.kids {
		switch k := k.(type) {
		case *htmlElement:
			k.tidy(keep)
			kids = append(kids, k)
		case string:
			if !keep {
				k = strings.Trim(asciiSpace.ReplaceAllString(k, " "), " ")
			}
			if k != "" {
				kids = append(kids, k)
			}
		}
	}
	e.kids = kids
}

var asciiSpace = regexp.MustCompile(`[ \t\n\r\f]+`)

// expand puts back what the uses of patterns stand for.
func (e *htmlElement) expand(t testing.TB) {
	patterns := map[string]*htmlElement{}
	left := map[string]int{}
	var find func(e *htmlElement)
	find = func(e *htmlElement) {
		e.kids = slices.DeleteFunc(e.kids, func(k any) bool {
			x, ok := k.(*htmlElement)
			if !ok {
				return false
			}
			if id := x.attrs["id"]; x.tag == "template" && id != "" {
				require.Nil(t, patterns[id])
				patterns[id] = x
				n, err := strconv.Atoi(x.attrs["count"])
				require.NoError(t, err)
				left[id] = n
				return true
			}
			find(x)
			return false
		})
	}
	find(e)
	var put func(e *htmlElement)
	put = func(e *htmlElement) {
		for i, k := range e.kids {
			x, ok := k.(*htmlElement)
			if !ok {
				continue
			}
			name := x.tag
			if x.tag == "template" {
				name = x.attrs["use"]
			}
			p := patterns[name]
			if p == nil {
				require.NotEqual(t, "template", x.tag)
				put(x)
				continue
			}
			left[name]--
			require.Empty(t, x.kids)
			e.kids[i] = fill(t, p, x)
		}
	}
	put(e)
	for id, n := range left {
		require.Zero(t, n, "uses of %s", id)
	}
}

// fill is the one element of a pattern with the values of a use.
func fill(t testing.TB, pattern, use *htmlElement) *htmlElement {
	slot := regexp.MustCompile(`\{\{(id|v)(\d*)\}\}`)
	ids := strings.Fields(use.attrs["ids"])
	used := 0
	value := func(s string) string {
		return slot.ReplaceAllStringFunc(s, func(m string) string {
			used++
			g := slot.FindStringSubmatch(m)
			if g[1] == "v" {
				v, ok := use.attrs[g[1]+g[2]]
				require.True(t, ok, "%s of %v", m, use.attrs)
				return v
			}
			n := 1
			if g[2] != "" {
				n, _ = strconv.Atoi(g[2])
			}
			require.LessOrEqual(t, n, len(ids))
			return ids[n-1]
		})
	}
	var copyOf func(e *htmlElement) *htmlElement
	copyOf = func(e *htmlElement) *htmlElement {
		c := &htmlElement{tag: e.tag, attrs: map[string]string{}}
		for k, v := range e.attrs {
			c.attrs[k] = value(v)
		}
		for _, k := range e.kids {
			if x, ok := k.(*htmlElement); ok {
				c.kids = append(c.kids, copyOf(x))
			} else {
				c.text(value(k.(string)))
			}
		}
		return c
	}
	var out *htmlElement
	for _, k := range pattern.kids {
		if x, ok := k.(*htmlElement); ok {
			require.Nil(t, out, "a pattern is one element")
			out = copyOf(x)
		} else {
			require.Empty(t, strings.TrimSpace(k.(string)))
		}
	}
	require.NotNil(t, out)
	given := len(ids)
	for k := range use.attrs {
		if k == "v" || len(k) > 1 && k[0] == 'v' {
			given++
		}
	}
	require.Equal(t, given, used, "every value has its place")
	return out
}

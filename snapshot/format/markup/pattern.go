package markup

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Repeated patterns of full: equal markup with other words in it is written once. The
// patterns are chosen from the largest to the smallest, so that a card is one pattern
// and not three.

const (
	patternUses = 3   // occurrences that make a pattern
	patternMin  = 2   // elements of one, at least
	patternMax  = 200 // and at most
)

// pattern is markup that occurs more than once.
type pattern struct {
	name  string // t1, t2 …
	count int
	body  *htmlNode
	inert bool // its uses are where only a template is allowed: in tables and option lists
}

// use is an occurrence of a pattern.
type use struct {
	of         *pattern
	ids        []slot // numbers, in order
	values     []slot
	unnumbered []*snapshot.Node // kept elements without a number
}

// slot is one place of a pattern where occurrences may differ.
type slot struct {
	text string
	n    *snapshot.Node
	id   bool
}

// slot is the name of slot i of count: v where it is the only one, else v1, v2 ….
func (p *pattern) slot(prefix string, i, count int) string {
	if count == 1 {
		return prefix
	}
	return prefix + strconv.Itoa(i+1)
}

// patterns finds the patterns in body, in the order of their first uses, and makes
// their occurrences uses.
func patterns(body *htmlNode) []*pattern {
	s := shaper{ids: map[string]int32{}}
	for _, k := range body.kids {
		if k.el != nil {
			s.shape(k.el)
		}
	}
	var order []int32
	for id, hs := range s.of {
		if len(hs) >= patternUses {
			order = append(order, int32(id))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(s.of[b][0].size, s.of[a][0].size) })
	for _, id := range order {
		free := slices.DeleteFunc(s.of[id], func(h *htmlNode) bool { return h.covered })
		if len(free) >= patternUses {
			adopt(free)
		}
	}
	var ps []*pattern
	nameInOrder(body, &ps)
	return ps
}

// nameInOrder names the patterns in the order of their first uses.
func nameInOrder(h *htmlNode, ps *[]*pattern) {
	if h.use != nil {
		if p := h.use.of; p.name == "" {
			*ps = append(*ps, p)
			p.name = "t" + strconv.Itoa(len(*ps))
		}
		return
	}
	for _, k := range h.kids {
		if k.el != nil {
			nameInOrder(k.el, ps)
		}
	}
}

// shaper gives elements of equal markup the same number.
type shaper struct {
	ids map[string]int32
	of  [][]*htmlNode // by shape: those of a size that can be a pattern
	key []byte
}

func (s *shaper) shape(h *htmlNode) {
	for _, k := range h.kids {
		if k.el != nil {
			s.shape(k.el)
		}
	}
	b := append(s.key[:0], h.name...)
	for i := range h.attrs {
		b = append(b, ' ')
		b = append(b, h.attrs[i].name...)
		if h.attrs[i].bare {
			b = append(b, '!')
		}
	}
	b = append(b, '>')
	for _, k := range h.kids {
		if k.el == nil {
			b = append(b, 't')
		} else {
			b = append(strconv.AppendInt(b, int64(k.el.shape), 10), ',')
		}
	}
	s.key = b
	id, known := s.ids[string(b)]
	if !known {
		id = int32(len(s.of))
		s.ids[string(b)] = id
		s.of = append(s.of, nil)
	}
	h.shape = id
	if h.size >= patternMin && h.size <= patternMax && h.n != nil {
		s.of[id] = append(s.of[id], h)
	}
}

// adopt makes the elements, which have one shape, uses of a pattern where that saves a
// fifth of their length.
func adopt(hs []*htmlNode) {
	all := make([][]slot, len(hs))
	for i, h := range hs {
		all[i] = slots(h, nil)
	}
	varies := make([]bool, len(all[0]))
	ids, values := 0, 0
	for k := range varies {
		first := all[0][k]
		varies[k] = first.id || strings.Contains(first.text, "{{")
		for i := 1; i < len(all) && !varies[k]; i++ {
			varies[k] = all[i][k].text != first.text
		}
		switch {
		case first.id:
			ids++
		case varies[k]:
			values++
		}
	}
	plain, short := 0, len(`<template id="t10" count="100"></template>`)+length(hs[0])
	for i := range all {
		plain += length(hs[i])
		short += len("<t10></t10>")
		for k, v := range all[i] {
			switch {
			case v.id:
				short += len(v.text) + 1
			case varies[k]:
				short += len(v.text) + len(` v10=""`)
			}
		}
	}
	if short > plain-plain/5 {
		return
	}
	p := &pattern{count: len(hs)}
	switch hs[0].name {
	case "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "colgroup", "col", "option", "optgroup":
		p.inert = true
	}
	at, id, value := 0, 0, 0
	p.body = p.blank(hs[0], func(s string) string {
		k := at
		at++
		switch {
		case all[0][k].id:
			id++
			return "{{" + p.slot("id", id-1, ids) + "}}"
		case varies[k]:
			value++
			return "{{" + p.slot("v", value-1, values) + "}}"
		}
		return s
	})
	for i, h := range hs {
		h.use = &use{of: p}
		for k, v := range all[i] {
			switch {
			case v.id:
				h.use.ids = append(h.use.ids, v)
			case varies[k]:
				h.use.values = append(h.use.values, v)
			}
		}
		cover(h, h.use)
	}
}

// slots are the places of an element's markup that may differ: the values of attributes
// and the texts, its own before those of what is inside.
func slots(h *htmlNode, to []slot) []slot {
	for i := range h.attrs {
		if a := &h.attrs[i]; !a.bare {
			to = append(to, slot{a.value, h.n, a.number})
		}
	}
	for _, k := range h.kids {
		if k.el != nil {
			to = slots(k.el, to)
		} else {
			to = append(to, slot{text: k.text, n: h.n})
		}
	}
	return to
}

// blank is a copy of the element with other texts, requested in the order of slots.
func (p *pattern) blank(h *htmlNode, text func(string) string) *htmlNode {
	c := &htmlNode{name: h.name, block: h.block, multi: h.multi, keep: h.keep, size: h.size}
	for _, a := range h.attrs {
		if !a.bare {
			a.value = text(a.value)
		}
		c.attrs = append(c.attrs, a)
	}
	for _, k := range h.kids {
		if k.el != nil {
			c.kids = append(c.kids, htmlKid{el: p.blank(k.el, text)})
		} else {
			c.kids = append(c.kids, htmlKid{text: text(k.text)})
		}
	}
	return c
}

// cover marks what is inside a use as part of it.
func cover(h *htmlNode, u *use) {
	h.covered = true
	if h.n.Verdict.Kept() && h.n.Ref == 0 {
		u.unnumbered = append(u.unnumbered, h.n)
	}
	for _, k := range h.kids {
		if k.el != nil {
			cover(k.el, u)
		}
	}
}

// length is about how many bytes the element's markup has.
func length(h *htmlNode) int {
	l := 2*len(h.name) + len("<></>")
	for i := range h.attrs {
		l += len(h.attrs[i].name) + len(h.attrs[i].value) + len(` =""`)
	}
	for _, k := range h.kids {
		if k.el != nil {
			l += length(k.el)
		} else {
			l += len(k.text)
		}
	}
	return l
}

package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// words are roles as people call them, where they do not call them by the role.
var words = map[string]string{
	"textbox": "text field", "searchbox": "search field", "spinbutton": "number field", "combobox": "combo box",
	"listbox": "list", "radio": "radio button", "menuitem": "menu item", "menuitemcheckbox": "menu item",
	"menuitemradio": "menu item", "treeitem": "tree item", "img": "picture", "image": "picture", "a": "link",
	"generic": "element", "div": "element", "span": "element", "li": "element", "td": "element", "svg": "picture",
	"iframe": "frame", "labeltext": "label",
}

// word is what an element is called by its role.
func word(role string) string {
	if w, ok := words[strings.ToLower(role)]; ok {
		return w
	}
	return strings.ToLower(role)
}

// act is what one does with an element of a role.
func act(role string) string {
	switch role {
	case "textbox", "searchbox", "spinbutton":
		return "click into"
	}
	return "click"
}

// folded is a text by which two instructions are compared: case, punctuation and spaces do not tell them apart. Of
// signs alone, such as ×, it is the signs.
func folded(s string) string { return cmp.Or(text.Letters(s), strings.TrimSpace(s)) }

// key is what an instruction by role has of an element.
func key(e *Element) string { return word(e.Role) + "\x00" + folded(e.Name) }

// phrase gives the elements that are targets, or may be negatives, their instructions. One that fits anything else in
// the picture is none: what is covered or cut off counts, as some of it may be seen.
func (l *labeler) phrase(list []Element) {
	byKey, byIcon := map[string][]int{}, map[string]int{}
	for i := range list {
		e := &list[i]
		if e.Status == Outside {
			continue
		}
		byKey[key(e)] = append(byKey[key(e)], i)
		if e.Kind == "icon" {
			byIcon[folded(e.Name)]++
		}
	}
	byText := l.texts(list)
	order := map[int]int{}
	for k, ref := range l.scene.Reading() {
		order[ref] = k
	}
	for _, alike := range byKey {
		slices.SortStableFunc(alike, func(a, b int) int { return order[list[a].Ref] - order[list[b].Ref] })
	}
	for i := range list {
		e := &list[i]
		if !e.Operable || e.Status == Outside || e.Status == Redacted {
			continue
		}
		if folded(e.Name) == "" {
			e.Lacks = "no-name"
			continue
		}
		alike := byKey[key(e)]
		for _, form := range l.forms() {
			var instruction string
			switch {
			case form == ByRole && len(alike) == 1:
				instruction = fmt.Sprintf("%s the %s “%s”", act(e.Role), word(e.Role), e.Name)
			case form == ByText && e.shown == folded(e.Name) && byText[folded(e.Name)] == 1:
				instruction = fmt.Sprintf("%s “%s”", act(e.Role), e.Name)
			case form == ByIcon && e.Kind == "icon" && byIcon[folded(e.Name)] == 1:
				instruction = fmt.Sprintf("click the icon “%s”", e.Name)
			case form == ByPosition:
				instruction = l.byPosition(list, i, alike)
			}
			if instruction != "" {
				e.Phrases = append(e.Phrases, Phrase{form, instruction})
			}
		}
		if len(e.Phrases) == 0 {
			e.Lacks = "ambiguous"
		}
	}
}

func (l *labeler) forms() []Form {
	if len(l.o.Forms) == 0 {
		return []Form{ByRole}
	}
	return l.o.Forms
}

// texts counts in how many places of the picture each folded text is that an element has as its name, in elements of
// any kind: a heading of the words of a button makes them ambiguous.
func (l *labeler) texts(list []Element) map[string]int {
	out := map[string]int{}
	if !slices.Contains(l.forms(), ByText) {
		return out
	}
	own := map[int]bool{}
	for i := range list {
		if e := &list[i]; e.Status != Outside {
			own[e.Node] = true
			out[folded(e.Name)]++
		}
	}
	for p := range l.c.Nodes {
		n := &l.c.Nodes[p]
		if own[n.I] || !n.InViewport || !n.Verdict.Rendered() || n.Verdict == snapshot.VerdictInsideAtomic {
			continue
		}
		if t := folded(clean(n.Text)); t != "" {
			out[t]++
		}
	}
	return out
}

// byPosition asks for an element by its place: in the picture where it is the only one of its kind and name, else in
// the reading order of those, where all can be seen.
func (l *labeler) byPosition(list []Element, i int, alike []int) string {
	e := &list[i]
	if len(alike) == 1 {
		return fmt.Sprintf("%s the %s “%s” %s", act(e.Role), word(e.Role), e.Name, l.region(e))
	}
	at := slices.Index(alike, i)
	for _, k := range alike {
		if s := list[k].Status; s != Visible && s != OffCenter {
			return ""
		}
	}
	return fmt.Sprintf("%s the %s of the %d %s “%s”, in reading order", act(e.Role), ordinal(at+1), len(alike),
		plural(word(e.Role)), e.Name)
}

// region is in which ninth of the picture an element is.
func (l *labeler) region(e *Element) string {
	third := func(at, size int) int { return min(2, 3*at/max(1, size)) }
	size := l.picture.Max
	col, row := third(e.Box[0]+e.Box[2]/2, size.X), third(e.Box[1]+e.Box[3]/2, size.Y)
	rows, cols := [3]string{"at the top", "in the middle", "at the bottom"}, [3]string{" left", "", " right"}
	return rows[row] + cols[col] + " of the picture"
}

// ordinal is 1st, 2nd, 3rd, 4th …
func ordinal(n int) string {
	ending := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(n) + ending
}

// plural is a word for several.
func plural(word string) string {
	for _, ending := range []string{"x", "ch", "s"} {
		if strings.HasSuffix(word, ending) {
			return word + "es"
		}
	}
	return word + "s"
}

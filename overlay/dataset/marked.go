package dataset

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/text"
)

// markedPictures are the manifests of the marked pictures that a set names, read once.
type markedPictures struct {
	fsys  fs.FS
	known map[string]*overlay.Manifest // nil for one that cannot be read
}

// manifest is the one with that path in the set, nil where it cannot be read.
func (m *markedPictures) manifest(name string) *overlay.Manifest {
	if of, read := m.known[name]; read {
		return of
	}
	if m.known == nil {
		m.known = map[string]*overlay.Manifest{}
	}
	m.known[name] = nil
	if !fs.ValidPath(name) {
		return nil
	}
	data, err := readFile(m.fsys, name)
	of := &overlay.Manifest{}
	if err == nil && json.Unmarshal(data, of) == nil {
		m.known[name] = of
	}
	return m.known[name]
}

// sameBox is how much of their union the box of an example and that of the mark that answers it share at least.
const sameBox = 0.5

// wrong is what is wrong with the answer of an example for marked pictures, "" for nothing: it is the number of a mark,
// or none where the picture has no such number; that mark lies where the box of the example does, it is of the element
// that the example comes from, and the question does not ask for another mark. size is that of the example's picture.
func (m *markedPictures) wrong(r *row, size [2]int) string {
	answer := text.Quote(text.Cut(text.Line(r.Answer), 40))
	number, err := strconv.Atoi(r.Answer)
	none := r.Answer == "none"
	switch {
	case !none && (err != nil || number < 1):
		return "its answer " + answer + " is not a number of a mark, and not none"
	case r.Manifest == "":
		return ""
	}
	of := m.manifest(r.Manifest)
	if of == nil {
		return "its manifest " + text.Quote(text.Cut(text.Line(r.Manifest), 200)) + " cannot be read"
	}
	var fits []*overlay.ManifestMark // what the question asks for
	for k := range of.Marks {
		if asks(r.Question, &of.Marks[k]) {
			fits = append(fits, &of.Marks[k])
		}
	}
	other := func(is *overlay.ManifestMark) bool { return len(fits) > 0 && !slices.Contains(fits, is) }
	asked := text.Quote(text.Cut(text.Line(quoted(r.Question)), 40))
	if none {
		if len(fits) == 1 && fits[0].Ref != r.Source.Ref && fits[0].Number > 0 && fits[0].Status == overlay.Drawn &&
			len(fits[0].Cut) == 0 {
			return fmt.Sprintf("its answer is none, and its question asks for %s, which has the number %d", asked,
				fits[0].Number)
		}
		if i := indexOf(of, r.Source.Ref); i >= 0 && other(&of.Marks[i]) {
			return "its question asks for " + asked + ", and its source is another element"
		}
		return ""
	}
	box, boxed := numbers(r.Box, 4)
	for i := range of.Marks {
		k := &of.Marks[i]
		if k.Number != number && (k.Number != 0 || k.Ref != number) {
			continue
		}
		name := text.Quote(text.Cut(text.Line(k.Name), 40))
		if other(k) {
			return fmt.Sprintf("its answer %s marks %s, and its question asks for %s", answer, name, asked)
		}
		if r.Source.Ref > 0 && k.Ref != r.Source.Ref {
			return fmt.Sprintf("its answer %s marks %s, and its source is another element", answer, name)
		}
		if !boxed || len(of.Images) != 1 || of.Images[0].Width == 0 || size[0] == 0 {
			return ""
		}
		by := float64(size[0]) / float64(of.Images[0].Width)
		at := Box{k.Box[0] * by, k.Box[1] * by, k.Box[2] * by, k.Box[3] * by}
		if overlap(Box(box), at) < sameBox {
			return fmt.Sprintf("its answer %s marks %s, and its box is %s", answer, at, Box(box))
		}
		return ""
	}
	return "its answer " + answer + " is no mark of its picture"
}

// indexOf is where a manifest has a ref, -1 for nowhere.
func indexOf(of *overlay.Manifest, ref int) int {
	return slices.IndexFunc(of.Marks, func(k overlay.ManifestMark) bool { return k.Ref == ref })
}

// asks reports whether a question asks for a mark, as those of this package do: by its name, and what it is called by
// its role where they say that.
func asks(question string, m *overlay.ManifestMark) bool {
	name := quoted(question)
	if name == "" || !named(m, name) {
		return false
	}
	before, _, _ := strings.Cut(question, "“")
	act := strings.TrimSpace(before[strings.LastIndex(before, ":")+
		1:]) // click, click the button, click the 2nd of the 3 links
	is := word(m.Role)
	return !strings.Contains(act, " the ") || strings.HasSuffix(act, " the icon") || strings.HasSuffix(act, " "+is) ||
		strings.HasSuffix(act, " "+plural(is))
}

// quoted is the name that a question has in quotation marks, as those of this package have, "" for none.
func quoted(question string) string {
	_, rest, _ := strings.Cut(question, "“")
	end := strings.LastIndex(rest, "”")
	return rest[:max(0, end)]
}

// named reports whether a mark has a name; long ones are cut in manifests.
func named(m *overlay.ManifestMark, name string) bool {
	is, cut := strings.CutSuffix(m.Name, "…")
	return folded(is) == folded(name) || cut && strings.HasPrefix(folded(name), folded(is))
}

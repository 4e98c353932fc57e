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
// that mark lies where the box of the example does, and the question does not ask for another mark by its name. size is
// that of the example's picture.
func (m *markedPictures) wrong(r *row, size [2]int) string {
	answer := text.Quote(text.Cut(text.Line(r.Answer), 40))
	number, err := strconv.Atoi(r.Answer)
	switch {
	case r.Answer == "none":
		return ""
	case err != nil || number < 1:
		return "its answer " + answer + " is not a number of a mark, and not none"
	case r.Manifest == "":
		return ""
	}
	of := m.manifest(r.Manifest)
	if of == nil {
		return "its manifest " + text.Quote(text.Cut(text.Line(r.Manifest), 200)) + " cannot be read"
	}
	box, boxed := numbers(r.Box, 4)
	for _, k := range of.Marks {
		if k.Number != number && (k.Number != 0 || k.Ref != number) {
			continue
		}
		if name := quoted(r.Question); name != "" && !named(&k, name) &&
			slices.ContainsFunc(of.Marks, func(o overlay.ManifestMark) bool { return named(&o, name) }) {
			return fmt.Sprintf("its answer %s marks %s, and its question asks for %s", answer,
				text.Quote(text.Cut(text.Line(k.Name), 40)), text.Quote(text.Cut(text.Line(name), 40)))
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

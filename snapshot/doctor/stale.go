package doctor

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

const (
	// present is how alike the page as it is now a picture is at least that is of now.
	present = 0.9
	// leastGone is how many elements of a text are gone at least before it is called stale, and goneShare their share
	// of those that are known.
	leastGone = 2
	goneShare = 0.05
	// changedMuch is how alike two pictures are at most between which a page has become another.
	changedMuch = 0.5
)

// findStale finds a text of the page that is older than the picture beside it, and changes to a text that the request
// does not hold any more.
func (e *examination) findStale() {
	if e.known == nil || e.dialect == wire.MCP && len(e.texts) == 0 { // a call comes after the text that it rests on
		return
	}
	e.findBase()
	s := e.newestPicture()
	if s == nil || s.img == nil || s.blank || e.r.found(PictureStale) {
		return
	}
	if e.page != nil {
		gone := e.gone()
		if s.Place != nil && s.Place.Score >= present && len(gone) >= leastGone &&
			float64(len(gone)) >= goneShare*float64(len(e.known.Lines)) {
			e.add(TextStale, audit.Error, nil, cmp.Or(gone[0].Section, e.known.Section), fmt.Sprintf(
				"The picture is of the page as it is, and the text is not: %s that it lists %s gone.",
				text.Count(len(gone), "element", "elements"), isAre(len(gone))), "the first one is "+described(gone[0]))
		}
		return
	}
	// Without the page: the text of an earlier turn once more, and a picture of something else.
	b, t := e.earlier, e.text()
	if b == nil || b.text == nil || len(b.img) == 0 || *b.picture == s.sum ||
		t.Message < e.newest || t.Turn >= e.rec.N {
		return
	}
	before, err := likeness.Decode(b.img)
	if err != nil || !viewLike(before, s.img) || likeness.Of(before, s.img) > changedMuch {
		return
	}
	e.add(TextStale, audit.Error, nil, t.Section,
		fmt.Sprintf("The text is the one of turn %d, and the picture has changed since.", t.Turn),
		fmt.Sprintf("%.0f %% of the two pictures are alike", likeness.Of(before, s.img)*100))
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// gone are the lines of what is known whose elements are not on the page any more.
func (e *examination) gone() []observation.Line {
	return slices.DeleteFunc(slices.Clone(e.known.Lines), func(l observation.Line) bool { return !l.Gone })
}

// findBase finds elements that changes speak of and that no text of the request explains.
func (e *examination) findBase() {
	n, first := 0, ""
	for i := range e.known.Lines {
		if l := &e.known.Lines[i]; l.Unexplained() {
			if n++; n == 1 {
				first = l.Ref
			}
		}
	}
	if n == 0 {
		return
	}
	e.add(TextBase, audit.Warning, nil, e.known.Section, fmt.Sprintf(
		"%s said to be unchanged, and no text of the request says what %s.",
		text.Count(n, "element is", "elements are"),
		map[bool]string{true: "it is", false: "they are"}[n == 1]), "the first one is "+short(first))
}

package doctor

import (
	"crypto/sha256"
	"fmt"
	"image"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// shown is a picture with what it takes to judge it.
type shown struct {
	Picture
	section wire.Section
	index   int         // in Report.Sections
	nth     int         // among the pictures of its section
	img     image.Image // nil where it cannot be read, or is of the past
	blank   bool
	called  bool   // it answers a call of a tool
	zoomed  bool   // it shows a part of the screen that the model asked for
	data    []byte // as it was sent
}

// picture reads a picture of a request.
func (e *examination) picture(s wire.Section, p wire.Part) shown {
	out := shown{section: s, index: len(e.r.Sections)}
	for _, other := range e.shown {
		if other.index == out.index {
			out.nth++
		}
	}
	out.URL = text.Start(text.Line(p.URL), 200)
	out.sum, out.data = sha256.Sum256(p.Data), p.Data
	out.called, out.zoomed = p.ID+p.Name != "", e.asked.Zooms(p)
	if len(p.Data) == 0 {
		return out
	}
	img, err := likeness.Decode(p.Data)
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	size := img.Bounds().Size()
	out.Width, out.Height = size.X, size.Y
	out.SeenWidth, out.SeenHeight, out.Tokens = e.d.o.Fit(e.model, p.Detail, size.X, size.Y)
	if s.Message >= e.newest {
		out.img, out.blank = img, likeness.Blank(img)
	}
	return out
}

// newestPicture is the last picture of the newest messages, nil for none.
func (e *examination) newestPicture() *shown {
	for i := len(e.shown) - 1; i >= 0; i-- {
		if e.shown[i].section.Message >= e.newest {
			return &e.shown[i]
		}
	}
	return nil
}

// screen is the picture that the coordinates of the answer are of: the last one of the newest messages. A zoom is none,
// and where the request declares a screen, the picture of it is the last one that shows the whole, however old; its
// place is that where the page still looks so. nil for none.
func (e *examination) screen() *shown {
	s := e.newestPicture()
	if s != nil && !s.zoomed || s == nil && e.asked.Display == [2]int{} {
		return s
	}
	for i := range slices.Backward(e.shown) {
		if s = &e.shown[i]; s.zoomed || s.Width == 0 {
			continue
		}
		if img, err := likeness.Decode(s.data); err == nil && s.Place == nil {
			if own, at := e.locate(img); own != nil && at.Score >= alike && !at.Scrolled {
				e.placed(s, at)
			}
		}
		return s
	}
	return nil
}

// locate finds a picture on that of the page, which is nil where the turn has none.
func (e *examination) locate(img image.Image) (own image.Image, at likeness.Place) {
	if e.page == nil || len(e.rec.Picture) == 0 {
		return nil, at
	}
	own, err := likeness.Decode(e.rec.Picture)
	if err != nil {
		return nil, at
	}
	return own, likeness.Locate(own, img, e.rec.Capture.Viewport.Scale, likeness.MarkedIn(e.rec.Capture))
}

// placed notes where on the page a picture lies.
func (e *examination) placed(s *shown, at likeness.Place) {
	s.Place = &at
	e.r.Sections[s.index].Images[s.nth].Place = &at
}

// alike is how alike the page's picture a picture of it is at least.
const alike = 0.6

// another is how alike the page's picture a picture of the page is at least, marks and changes included:
// what is less alike shows something else.
const another = 0.3

// viewLike reports whether a picture has the shape of a picture of the view, with scroll bars or without.
// One of another shape may be a photograph or a crop.
func viewLike(page, img image.Image) bool {
	p, i := page.Bounds().Size(), img.Bounds().Size()
	r := float64(i.X) / float64(i.Y) * float64(p.Y) / float64(p.X)
	return math.Abs(r-1) < 0.04
}

func (e *examination) findPictures() {
	e.findPlaceholders()
	e.findMissing()
	e.findTwice()
	s := e.newestPicture()
	if s == nil || s.img == nil || s.blank {
		return
	}
	own, at := e.locate(s.img)
	if s.zoomed { // of a part, as it was asked for
		if own != nil && at.Score >= alike {
			e.placed(s, at)
		}
		return
	}
	stale := e.sameAsBefore(s)
	if own != nil {
		if turn, score := e.olderPage(s.img, at.Score); turn > 0 && !stale {
			stale = true
			other := "the page has changed since"
			if t := e.text(); t != nil && t.Message >= e.newest {
				other = "the text is of the page as it is now"
			}
			e.add(PictureStale, audit.Error, nil, s.section.Name,
				fmt.Sprintf("The picture is that of turn %d, and %s.", turn, other),
				fmt.Sprintf("%.0f %% alike the page of turn %d, %.0f %% alike this one", score*100,
					turn, at.Score*100))
		}
		if at.Score < another && !stale && !e.r.found(PictureMissing) && viewLike(own, s.img) &&
			!likeness.Blank(own) {
			e.add(PictureStale, audit.Error, nil, s.section.Name,
				"The picture shows another page than the one that was open, or the page as it no longer was.",
				fmt.Sprintf("%d x %d px, %.0f %% alike the page", s.Width, s.Height, at.Score*100))
		}
		if at.Scrolled && !stale {
			e.add(PictureStale, audit.Warning, nil, s.section.Name,
				fmt.Sprintf("The page was scrolled by %.0f CSS px after the picture was taken.",
					-at.Y/e.rec.Capture.Viewport.Scale),
				fmt.Sprintf("%.0f %% of what both show is alike", at.Score*100))
		}
		if at.Score >= alike && !stale {
			e.placed(s, at)
		}
	}
	if s.Place != nil {
		e.findScale(s)
	}
}

// placeholder is what loggers, frameworks and people write where a picture was.
func placeholder() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^\s*(?:[\[<(]+\s*(?:(?:tool |image |picture |screenshot |media |binary |base64 )*` +
		`(?:content|image|images|picture|screenshot|media|data)(?: data| content| url)?)(?:[ :,_-]*(?:was |has been |` +
		`is )?(?:omitted|removed|redacted|truncated|stripped|elided|placeholder|not shown|too ` +
		`large)[^\]>)\n]{0,80})?\s*/?[\]>)]+|_{2}REDACTED_{2}|data:image/[a-z+.-]+;base64,[A-Za-z0-9+/=…. ]{0,}|` +
		`(?:iVBORw0KGgo|/9j/4AAQ)[A-Za-z0-9+/=…. ]{20,})\s*$`)
}

// leastPicture is the shorter side in px of a picture that shows something.
const leastPicture = 16

// answers reports whether a section is of the newest messages and answers the model: a person's, or a tool's.
func (e *examination) answers(s wire.Section) bool {
	return s.Message >= e.newest && !slices.Contains([]string{"assistant", "system", "developer", "tools"}, s.Role)
}

func (e *examination) findPlaceholders() {
	marks := placeholder()
	for _, s := range e.sections {
		if !e.answers(s) {
			continue
		}
		for _, p := range s.Parts {
			if p.Kind != wire.Text && p.Kind != wire.Result {
				continue
			}
			if at := marks.FindStringIndex(p.Text); at != nil && len(e.picturesOf(s)) == 0 {
				e.add(PicturePlaceholder, audit.Error, nil, s.Name, "A text is in the place of a picture.",
					strings.TrimSpace(p.Text[at[0]:at[1]]))
			}
		}
	}
	for _, s := range e.shown {
		switch {
		case s.section.Message < e.newest || s.URL != "":
		case s.Problem != "":
			e.add(PicturePlaceholder, audit.Error, nil, s.section.Name, "The picture cannot be read.", s.Problem)
		case s.Width == 0:
			e.add(PicturePlaceholder, audit.Error, nil, s.section.Name, "The picture has no bytes.", "")
		case min(s.Width, s.Height) < leastPicture || s.blank:
			e.add(PicturePlaceholder, audit.Error, nil, s.section.Name, "The picture shows nothing.",
				fmt.Sprintf("%d x %d px of one colour", s.Width, s.Height))
		}
	}
}

func (e *examination) picturesOf(section wire.Section) []shown {
	var out []shown
	for _, s := range e.shown {
		if s.section.Message == section.Message {
			out = append(out, s)
		}
	}
	return out
}

// findMissing finds a picture that the request speaks of, or that a tool was to give, and that is
// not there.
func (e *examination) findMissing() {
	if e.newestPicture() != nil || e.r.found(PicturePlaceholder) {
		return
	}
	mention := regexp.MustCompile(
		`(?i)\b(?:screenshot|picture|image)\b[^.\n]{0,30}\b(?:attached|below|above|follows|following|` +
			`provided|of the current page)\b|\b(?:attached|see the|current|following|look at the|this is the|here is ` +
			`the|in the)\s+(?:page's |marked |annotated )?(?:screenshot|picture)\b`)
	names := map[string]string{} // of calls, by id
	for _, m := range slices.Concat([]wire.Message{{Parts: e.d.called}}, e.asked.Messages) {
		for _, p := range m.Parts {
			if p.Kind == wire.Call {
				names[p.ID] = p.Name
				if strings.Contains(string(p.Arguments), `"screenshot"`) {
					names[p.ID] = "screenshot"
				}
			}
		}
	}
	for _, s := range e.sections {
		if !e.answers(s) {
			continue
		}
		for _, p := range s.Parts {
			called := strings.ToLower(names[p.ID] + p.Name)
			switch {
			case p.Kind == wire.Result && !p.Failed && strings.Contains(called, "screenshot"):
				e.add(PictureMissing, audit.Error, nil, s.Name,
					"A tool was asked for a screenshot, and its result has no picture.",
					text.StartBytes(p.Text, 200))
				return
			case p.Kind == wire.Text:
				words := p.Text
				if t := observation.Read(words); t != nil { // words of the page speak of other pictures
					words = before(words, t)
				}
				if at := mention.FindStringIndex(words); at != nil {
					e.add(PictureMissing, audit.Error, nil, s.Name, "The request mentions a picture and has none.",
						words[at[0]:at[1]])
					return
				}
			}
		}
	}
	if b := e.earlier; b != nil && b.picture != nil && e.text() != nil && e.text().Message >= e.newest &&
		!e.asked.Continues() {
		lacks := "has none"
		for _, s := range e.shown {
			if s.sum == *b.picture && s.called {
				return // the model asks for pictures, and this time for a text
			} else if s.sum == *b.picture {
				lacks = "has no newer one"
			}
		}
		e.add(PictureMissing, audit.Warning, nil, e.text().Section,
			fmt.Sprintf("The request of turn %d has a picture of the page, and this one %s.", b.turn, lacks), "")
	}
}

// before is what comes before the first listed element of a text.
func before(s string, t *observation.Text) string {
	lines := strings.SplitAfter(s, "\n")
	if len(t.Lines) == 0 { // changes that only take out
		return ""
	}
	return strings.Join(lines[:min(len(lines), max(0, t.Lines[0].First-1))], "")
}

func (r *Report) found(rule string) bool {
	for _, f := range r.Findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

func (e *examination) findTwice() {
	first := map[[32]byte]string{}
	for _, s := range e.shown {
		if s.Width == 0 {
			continue
		}
		if where, ok := first[s.sum]; ok {
			severity := audit.Note
			if s.section.Message >= e.newest {
				severity = audit.Warning
			}
			e.add(PictureTwice, severity, nil, s.section.Name, "The request holds this picture already, in "+where+".",
				fmt.Sprintf("%d x %d px, %d tokens", s.Width, s.Height, s.Tokens))
			continue
		}
		first[s.sum] = s.section.Name
	}
}

// sameAsBefore finds the picture of the request before beside a text of another page.
func (e *examination) sameAsBefore(s *shown) bool {
	b, t := e.earlier, e.text()
	if b == nil || b.picture == nil || *b.picture != s.sum || b.text == nil || t == nil || t.Message < e.newest {
		return false
	}
	was := map[string]bool{}
	for _, l := range b.text.Lines {
		was[text.Letters(l.Name)] = true
	}
	same := 0
	for _, l := range t.Lines {
		if was[text.Letters(l.Name)] {
			same++
		}
	}
	if share := float64(same) / float64(max(len(t.Lines), len(b.text.Lines))); share < 0.7 {
		e.add(PictureStale, audit.Error, nil, s.section.Name,
			fmt.Sprintf("The picture is the one of turn %d, and the text has changed since.", b.turn),
			fmt.Sprintf("%d of %d lines of the text were there at turn %d", same, len(t.Lines), b.turn))
		return true
	}
	return false
}

// olderPage is the earlier turn whose page the picture is clearly more like than the page that it
// is sent with; 0 for none.
func (e *examination) olderPage(img image.Image, now float64) (turn int, score float64) {
	const clearly = 0.1
	if now >= 0.95 {
		return 0, 0
	}
	for i := len(e.d.pages) - 1; i >= 0; i-- {
		old, err := likeness.Decode(e.d.pages[i].picture)
		if err != nil {
			continue
		}
		if likeness.Of(old, img) < 0.9 {
			continue
		}
		if s := likeness.Locate(old, img, e.rec.Capture.Viewport.Scale, likeness.Marked{}).Score; s >= 0.9 &&
			s-now >= clearly && s > score {
			turn, score = e.d.pages[i].turn, s
		}
	}
	return turn, score
}

// within is how much a size may differ before it counts: rounding, and a scroll bar.
const within = 0.015

// patched reports whether a declared screen is a picture's size in whole patches of Qwen2.5's processor, which resizes
// a picture to these.
func patched(declared [2]int, s *shown) bool {
	const patch = 28 // px
	near := func(a, b int) bool { return a%patch == 0 && a-b < patch && b-a < patch }
	return near(declared[0], s.Width) && near(declared[1], s.Height)
}

// findScale judges the size of a picture whose place on the page is known.
func (e *examination) findScale(s *shown) {
	v, at := e.rec.Capture.Viewport, *s.Place
	// One px of the picture in CSS px.
	cssX, cssY := 1/(at.ScaleX*v.Scale), 1/(at.ScaleY*v.Scale)
	if at.Cropped {
		e.add(PictureCropped, audit.Warning, nil, s.section.Name,
			fmt.Sprintf("The picture shows %.0f x %.0f CSS px at %.0f, %.0f of a view of %.0f x %.0f.",
				at.Width/v.Scale,
				at.Height/v.Scale, at.X/v.Scale, at.Y/v.Scale, v.Width, v.Height),
			fmt.Sprintf("%.0f %% alike there", at.Score*100))
	}
	off := func(a float64) bool { return math.Abs(a-1) > within }
	declared := e.asked.Display
	points := false
	if e.answer != nil {
		for _, a := range e.answer.Actions(e.asked) {
			points = points || a.Point != nil && !a.Thousandths
		}
	}
	severity, cost := audit.Note, ""
	if points && declared == [2]int{} {
		severity, cost = audit.Warning, " The answer has coordinates in its px."
	}
	switch {
	case declared != [2]int{} && !patched(declared, s) && (off(float64(declared[0])/float64(s.Width)) ||
		off(float64(declared[1])/float64(s.Height))):
		e.add(PictureScaled, audit.Warning, nil, s.section.Name,
			fmt.Sprintf("The request declares a screen of %d x %d px, and the picture has %d x %d.",
				declared[0], declared[1],
				s.Width, s.Height), "")
	case declared == [2]int{} && (off(cssX) || off(cssY)):
		e.add(PictureScaled, severity, nil, s.section.Name,
			fmt.Sprintf("The picture has %d x %d px for %.0f x %.0f CSS px of the page.%s", s.Width,
				s.Height, at.Width/v.Scale,
				at.Height/v.Scale, cost), fmt.Sprintf("one px of it is %.3g x %.3g CSS px", cssX, cssY))
	case off(at.ScaleX / at.ScaleY):
		e.add(PictureScaled, audit.Warning, nil, s.section.Name,
			"The picture is stretched more one way than the other.",
			fmt.Sprintf("%.3g times across and %.3g times down", at.ScaleX, at.ScaleY))
	case s.SeenWidth > 0 && (off(float64(s.SeenWidth)/float64(s.Width)) ||
		off(float64(s.SeenHeight)/float64(s.Height))):
		e.add(PictureScaled, severity, nil, s.section.Name,
			fmt.Sprintf("The vendor makes %d x %d px of the picture's %d x %d.%s", s.SeenWidth, s.SeenHeight,
				s.Width, s.Height, cost),
			"by the published rules of "+short(e.model))
	}
}

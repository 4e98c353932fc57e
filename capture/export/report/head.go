package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"time"

	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Lengths in characters at which a card cuts; the turn has the whole.
const (
	cardTitle = 120
	cardURL   = 160
)

// lookMax is how many turns the head names.
const lookMax = 12

// card is what the timeline and the story show of a turn, and what the head counts: it is kept when the turn is
// written. What the head alone needs is filled by [turnView.summary].
type card struct {
	N                  int
	Action, Title, URL string
	Badges             []badge
	Did, Place         string // the turn in a few words: what was done, and on which page
	Step               tone   // how it went

	Picture       string
	Width, Height int // of what the card shows of it, image px
	Change        string
	Asked         bool   // a model was asked
	Trouble, Then string // why it could not work; what happened next

	errors         int    // error messages of the page
	failed         int    // steps that failed
	unanswered     string // why the request to the model was not answered as it should be
	redacted       int
	torn, restless bool
	damaged        bool
}

// hasPage reports whether the address of a turn is that of a page: of a request without one it is its vendor's.
func hasPage(s turn.Summary) bool {
	return !s.Pageless() || s.Meta.Viewport.Width > 0 && !doctor.Asks(s.Parts)
}

// summary is the card of a turn, whole, for the head.
func (v *turnView) summary() card {
	c := v.card
	c.Title, c.URL, c.damaged = text.Cut(v.Title, cardTitle), text.Cut(v.URL, cardURL), len(v.Damage) > 0
	c.Then = v.Next.Words
	if v.Next.failed {
		c.Then = "The tool said: " + v.Next.Tool
	}
	if q := v.Request; q != nil {
		c.Asked = true
		for _, a := range q.Aims {
			if a.Trouble != "" && c.Trouble == "" {
				c.Trouble = a.Trouble
			}
		}
	}
	if s := v.Stage; s != nil && s.Picture != "" {
		c.Picture, c.Width, c.Height = s.Picture, s.Width, min(s.Height, s.Width*9/16)
	}
	switch d := v.Changes; {
	case d == nil, d.Navigated, d.Empty:
	default:
		c.Change = text.Capital(d.Words)
	}
	return c
}

// headView is the part before the turns.
type headView struct {
	Policy string
	Style  template.CSS

	Name   string
	Facts  []fact
	Tiles  []tile
	Words  []string
	Notes  []note
	Damage []string
	Left   string // what the limit left out
	Cards  []card
	// Story are the turns as steps, where a model was asked at one of them; they are the cards.
	Story []card
	// Look are the turns with something to look at, the first [lookMax] of them.
	Look     []card
	LookMore string
}

// tile is one figure of the head.
type tile struct {
	Tone   tone
	Figure string
	Text   string
}

func (b *builder) head() *headView {
	h := &headView{Name: text.Line(b.options.Name), Cards: b.cards, Damage: allPrintable(b.summary.Damage)}
	if h.Name == "" {
		h.Name = "session"
	}
	for _, a := range b.annotations[0] {
		h.Notes = append(h.Notes, noteOf(a))
	}
	b.facts(h)
	b.tiles(h)
	if n := len(b.left); n > 0 {
		h.Left = fmt.Sprintf("This report shows %s. %s are not in it: %d to %d.",
			text.Count(len(b.shown), "turn", "turns"),
			text.Capital(text.Count(n, "further one", "further ones")), b.left[0], b.left[n-1])
		if n == 1 {
			h.Left = fmt.Sprintf("This report shows %s. One more is not in it: turn %d.",
				text.Count(len(b.shown), "turn", "turns"),
				b.left[0])
		}
	}
	return h
}

// facts are when and with what the turns were taken.
func (b *builder) facts(h *headView) {
	var first, last time.Time
	seen := map[string]bool{}
	several := map[string][]string{}
	add := func(key, value string) {
		if value != "" && !seen[key+value] {
			seen[key+value] = true
			several[key] = append(several[key], value)
		}
	}
	for _, n := range b.shown {
		s, ok := b.summaries[n]
		if !ok {
			continue
		}
		if first.IsZero() {
			first = s.Time
		}
		last = s.Time
		add("Browser", text.Line(s.Meta.Chrome))
		if v := s.Meta.Viewport; v.Width > 0 {
			add("Viewport", fmt.Sprintf("%g × %g CSS px", v.Width, v.Height))
		}
		add("Taken by", text.Line(s.Meta.Tool))
		if hasPage(s) {
			add("Sites", site(s.URL))
		}
	}
	put := func(name, value string) { h.Facts = append(h.Facts, fact{name, value}) }
	if !first.IsZero() {
		put("First turn", moment(first))
		put("Last turn", moment(last))
		put("Duration", span(last.Sub(first)))
	}
	for _, key := range []string{"Sites", "Browser", "Viewport", "Taken by"} {
		switch list := several[key]; {
		case len(list) > 3:
			put(key, fmt.Sprintf("%s and %d more", list[0], len(list)-1))
		case len(list) > 0:
			all := list[0]
			for _, v := range list[1:] {
				all += ", " + v
			}
			put(key, all)
		}
	}
}

// site is the host of an address, as text.
func site(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return text.Line(u.Host)
}

// span is a duration in words.
func span(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%s h %d min", text.Thousands(int(d.Hours())), int(d.Minutes())%60)
}

// tiles count the turns that deserve a look, and describe why.
func (b *builder) tiles(h *headView) {
	var damaged, failing, failed, refused, missed, either, restless, torn, redacted, moved int
	pages := map[string]bool{}
	if slices.ContainsFunc(b.cards, func(c card) bool { return c.Asked }) {
		h.Story = b.cards
	}
	for i := range b.cards {
		c := &b.cards[i]
		for _, w := range []struct {
			on bool
			n  *int
		}{
			{c.damaged, &damaged}, {c.errors > 0, &failing}, {c.failed > 0, &failed}, {c.unanswered != "", &refused},
			{c.Step == bad, &missed},
			{c.errors > 0 || c.failed > 0 || c.unanswered != "" || c.Step == bad, &either},
			{c.restless, &restless}, {c.torn, &torn},
		} {
			if w.on {
				*w.n++
			}
		}
		redacted += c.redacted
		if s, known := b.summaries[c.N]; c.URL != "" && !pages[c.URL] && (!known || hasPage(s)) {
			pages[c.URL] = true
			moved++
		}
	}
	for _, c := range b.cards {
		var worth []badge
		if c.Step == bad {
			worth = append(worth, badge{bad, "went wrong"})
		}
		for _, f := range c.Badges {
			if f.Tone == bad || f.Tone == warn {
				worth = append(worth, f)
			}
		}
		if len(worth) > 0 {
			h.Look = append(h.Look, card{N: c.N, Badges: worth})
		}
	}
	if n := len(h.Look) - lookMax; n > 0 {
		h.Look, h.LookMore = h.Look[:lookMax], fmt.Sprintf("And %s more in the timeline.",
			text.Count(n, "turn", "turns"))
	}
	put := func(n int, t tone, one, more string) {
		noun := more
		if n == 1 {
			noun = one
		}
		if n == 0 && t != plain {
			t = good
		}
		h.Tiles = append(h.Tiles, tile{t, text.Thousands(n), noun})
	}
	put(len(b.cards), plain, "turn", "turns")
	put(either, bad, "turn with errors", "turns with errors")
	put(restless+torn, warn, "turn not at rest", "turns not at rest")
	put(damaged, bad, "damaged turn", "damaged turns")
	put(redacted, plain, "value withheld", "values withheld")

	say := func(format string, args ...any) { h.Words = append(h.Words, fmt.Sprintf(format, args...)) }
	who := "The session shows"
	if h.Story != nil {
		who = "The agent looked at"
	}
	say("%s %s in %s.", who, text.Count(moved, "address", "addresses"), text.Count(len(b.cards), "turn", "turns"))
	if failed > 0 {
		say("Steps failed in %s.", text.Count(failed, "turn", "turns"))
	}
	if missed > 0 {
		say("What the model wanted went wrong in %s.", text.Count(missed, "turn", "turns"))
	}
	if refused > 0 {
		say("The model gave no whole answer in %s.", text.Count(refused, "turn", "turns"))
	}
	if failing > 0 {
		say("The pages reported errors in %s.", text.Count(failing, "turn", "turns"))
	} else if moved > 0 {
		say("No page reported an error.")
	}
	if restless > 0 {
		say("In %s the page was still changing when it was read.", text.Count(restless, "turn", "turns"))
	}
	if torn > 0 {
		say("In %s picture and text may not show the same moment.", text.Count(torn, "turn", "turns"))
	}
	if damaged > 0 {
		say("Of %s something cannot be read any more.", text.Count(damaged, "turn", "turns"))
	}
	if redacted > 0 {
		say("%s withheld for being secret, before anything was kept.",
			text.Capital(text.Count(redacted, "value was", "values were")))
	}
}

//go:embed report.css
var styleText string

//go:embed report.js
var scriptText string

//go:embed report.tmpl
var markup string

// page writes the parts of the file.
type page struct{ t *template.Template }

func newPage() (*page, error) {
	t, err := template.New("report").Funcs(template.FuncMap{"bytes": sizeWords, "num": text.Thousands,
		"dict": dict}).Parse(markup)
	if err != nil {
		return nil, fmt.Errorf("report: its template: %w", err)
	}
	return &page{t}, nil
}

// dict passes several values to a template: key, value, key, value.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, errors.New("dict: a key without a value")
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}

// policy is the content security policy: nothing but data: pictures, this style sheet
// and this script.
func policy() string {
	return "default-src 'none'; img-src data:; style-src " + SourceHash(styleText) + "; script-src " +
		SourceHash(scriptText) +
		"; base-uri 'none'; form-action 'none'"
}

// SourceHash is the source expression that allows one inline style or script in a content
// security policy (CSP Level 3, 2.3.1).
func SourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p *page) head(w io.Writer, h *headView) error {
	h.Policy, h.Style = policy(), template.CSS(styleText)
	if err := p.t.ExecuteTemplate(w, "head", h); err != nil {
		return fmt.Errorf("report: its head: %w", err)
	}
	return nil
}

func (p *page) turn(w io.Writer, v *turnView) error { return p.t.ExecuteTemplate(w, "turn", v) }

func (p *page) foot(w io.Writer) error {
	if err := p.t.ExecuteTemplate(w, "foot", template.JS(scriptText)); err != nil {
		return fmt.Errorf("report: its end: %w", err)
	}
	return nil
}

// picture writes the definition of a picture: base64, digits and hexadecimal only. It
// is not for the template, which would look at every byte of it again.
func (p *page) picture(w io.Writer, st *stage, format codec.Format, data []byte) error {
	if _, err := fmt.Fprintf(w,
		`<svg class="defs" width="0" height="0" aria-hidden="true"><defs><image id="p-%s" width="%d" height="%d" `+
			`href="data:%s;base64,`,
		st.Picture, st.Width, st.Height, format); err != nil {
		return err
	}
	enc := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := enc.Write(data); err != nil {
		return err
	}
	if err := enc.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\"/></defs></svg>\n")
	return err
}

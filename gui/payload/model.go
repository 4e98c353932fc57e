// Package payload is the side Payload: what a model receives of the turn, byte by byte.
package payload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// Model is the state of the payload pane.
type Model struct {
	Choice core.PayloadChoice
	// N and Asked are the turn and the choice that were requested last; Built is the
	// result, nil for none yet.
	N     int
	Asked core.PayloadChoice
	Built *core.Built
	// Problem is why it could not be made.
	Problem *core.Problem
	// Section is the chosen section, from 1; 0 for none.
	Section int
	// Pretty shows indented JSON in place of the bytes, Text the text of the page in a request.
	Pretty, Text bool
	// Request is the report by which the sections of a stored request were made, nil without one.
	Request *doctor.Report
	// Counted is the report by which the parts of Built were counted.
	Counted *doctor.Report
}

// payload asks for the chosen payload of the shown turn where the pane is in view and
// has another one.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Side != Side || s.Current == nil {
		return s, nil
	}
	if c := fitting(s, Of(s).Choice); c != Of(s).Choice {
		edit(&s).Choice = c
	}
	p, r := Of(s), requestOf(s, Of(s).Choice)
	same := p.N == s.Current.N && p.Asked == p.Choice
	if same && p.Request == r {
		return s, nil
	}
	model := edit(&s)
	model.Asked, model.Request = p.Choice, r
	if !same { // else the sections come later
		model.N, model.Built, model.Problem, model.Section = s.Current.N, nil, nil, 0
	}
	if p.Choice.Stored == 0 && !s.Paged() {
		return s, nil
	}
	return s, []core.Effect{Build{s.Current, p.Choice, r}}
}

// fitting is a choice that the shown turn has. A turn with stored payloads begins with
// the first of them, for that is what was really sent.
func fitting(s core.State, c core.PayloadChoice) core.PayloadChoice {
	if c.Stored > len(s.Current.Payloads) {
		c.Stored = 0
	}
	if c == (core.PayloadChoice{}) && len(s.Current.Payloads) > 0 {
		return core.PayloadChoice{Stored: 1}
	}
	if c.Stored == 0 && !slices.Contains(s.Dialects, c.Dialect) && len(s.Dialects) > 0 {
		c.Dialect = s.Dialects[0]
	}
	if !hasModes(c) {
		c.Mode = ""
	}
	return c
}

// hasModes reports whether the dialect of a choice has modes.
func hasModes(c core.PayloadChoice) bool { return c.Stored == 0 && c.Dialect == "agent-interact" }

// modes are the modes of agent-interact (row S-20), its default first.
func modes() []string { return []string{"semantic", "skeleton", "hybrid", "full"} }

// choose changes the choice.
func choose(s core.State, c core.PayloadChoice) (core.State, []core.Effect) {
	edit(&s).Choice = c
	s.Side = Side
	return fill(s)
}

// step goes to the next payload of the list, stored ones first, or to the one
// before.
func step(s core.State, by int) (core.State, []core.Effect) {
	all := choices(s)
	if len(all) == 0 {
		return s, nil
	}
	i := slices.IndexFunc(all, func(c core.PayloadChoice) bool {
		return c.Stored == Of(s).Choice.Stored && c.Dialect == Of(s).Choice.Dialect
	})
	if i < 0 && by < 0 {
		i = 0
	}
	return choose(s, all[((i+by)%len(all)+len(all))%len(all)])
}

// choices are the stored payloads of the shown turn, then the dialects with the
// mode and model that are chosen.
func choices(s core.State) []core.PayloadChoice {
	var out []core.PayloadChoice
	if s.Current != nil {
		for i := range s.Current.Payloads {
			out = append(out, core.PayloadChoice{Stored: i + 1})
		}
	}
	for _, d := range s.Dialects {
		out = append(out, core.PayloadChoice{Dialect: d, Mode: Of(s).Choice.Mode, Model: Of(s).Choice.Model})
	}
	return out
}

func built(s core.State, m Ready) core.State {
	if s.Current == nil || Of(s).N != m.Asked.Turn.N || Of(s).Choice != m.Asked.Choice ||
		Of(s).Request != m.Asked.Request {
		return s
	}
	model := edit(&s)
	model.Built, model.Problem, model.Counted = m.Built, m.Problem, m.Asked.Request
	if m.Built != nil && m.Built.Pretty == nil {
		edit(&s).Pretty = false
	}
	return s
}

// CanSave reports whether the pane shows a body.
func CanSave(s core.State) bool { return s.Side == Side && Of(s).Built != nil }

// Row is one section in the pane.
type Row struct {
	Name, Bytes, Chars, Tokens, How string
	// Share is its part of the body's bytes, 0 to 1.
	Share    float64
	Selected bool
}

// VM is what the payload pane shows. Compare with [VM.Equal].
type VM struct {
	Dialect, Mode, Model string
	CanMode, CanModel    bool
	// Facts are about the whole body.
	Facts []core.StatusItem
	// SHA256 is whole, for a click that copies it.
	SHA256 string
	Rows   []Row
	// Chosen is the section that is chosen, with how its tokens were counted.
	Chosen []core.StatusItem
	// Mark describes what the text below is: the bytes, or a picture of them.
	Mark     []core.StatusItem
	Pretty   bool
	CanPrint bool // the body can be indented
	Text     bool // the text of the page in the request
	CanText  bool
	CanSave  bool
	Body     core.DumpVM
	// built identifies a body.
	built *core.Built
	about string // what the last column of the sections is
}

// ViewOf is what the payload pane shows.
func ViewOf(s core.State) VM {
	p := Of(s)
	c := p.Choice
	v := VM{Dialect: title(s, c), CanMode: hasModes(c), CanModel: c.Stored == 0, Pretty: p.Pretty, built: p.Built}
	v.Mode = "mode " + core.OrNone(c.Mode, modes()[0])
	v.Model = core.OrNone(text.Cut(text.Line(c.Model), 28), "no model")
	b := p.Built
	switch {
	case s.Current == nil:
		v.Body.Empty = s.EmptySentence("What a model would receive appears here after the first capture.")
		return v
	case c.Stored == 0 && !s.Paged():
		v.Body.Empty = "No page belongs to this turn, so there is no payload of one."
		return v
	case p.Problem != nil:
		v.Body.Empty = p.Problem.Sentence
		return v
	case b == nil:
		v.Body.Empty = "Building the payload…"
		return v
	}
	v.CanSave, v.CanPrint, v.SHA256 = true, b.Pretty != nil, b.SHA256
	tokens, counting := 0, counts(s)
	for i, x := range b.Sections {
		row := Row{Name: text.Cut(text.Line(x.Name), 24), Bytes: text.Thousands(x.End - x.Start),
			Chars: text.Thousands(x.Chars), How: text.Cut(text.Line(x.TokensHow), 80), Selected: p.Section == i+1}
		if x.Tokens > 0 && !counting {
			row.Tokens = text.Thousands(x.Tokens)
		}
		if len(b.Body) > 0 {
			row.Share = float64(x.End-x.Start) / float64(len(b.Body))
		}
		tokens += x.Tokens
		v.Rows = append(v.Rows, row)
	}
	how := "tokens: "
	if v.about = "Counted by"; p.Request != nil {
		how, v.about = "", "Role and notes"
	}
	if i := p.Section - 1; i >= 0 && i < len(v.Rows) {
		v.Chosen = []core.StatusItem{{Text: v.Rows[i].Name, Tone: core.ToneNormal}, {Text: how + v.Rows[i].How,
			Tone: core.ToneMuted}}
	}
	v.Facts = append(v.Facts, core.StatusItem{Text: text.Thousands(len(b.Body)) + " bytes", Tone: core.ToneNormal},
		core.StatusItem{Text: text.Thousands(b.Chars) + " characters", Tone: core.ToneMuted})
	if p.Request != nil {
		v.Facts = append(v.Facts, requestFacts(p.Request)...)
	} else if counting {
		v.Facts = append(v.Facts, core.StatusItem{Text: "counting tokens…", Tone: core.ToneMuted})
	} else if tokens > 0 {
		v.Facts = append(v.Facts, core.StatusItem{Text: "about " + text.Thousands(tokens) + " tokens",
			Tone: core.ToneMuted})
	}
	if n := len(b.Redacted); n > 0 {
		v.Facts = append(v.Facts, core.StatusItem{Text: text.Count(n, "redacted span", "redacted spans") +
			reasons(b.Redacted), Tone: core.ToneWarn})
	}
	for _, t := range b.Trimmed {
		v.Facts = append(v.Facts, core.StatusItem{Text: "Trimmed: " + text.Cut(text.Line(t), 80), Tone: core.ToneWarn})
	}
	v.Mark = []core.StatusItem{{Text: "Exact bytes", Tone: core.ToneGood},
		{Text: fmt.Sprintf("in lines of %d characters", core.BodyColumns), Tone: core.ToneMuted}}
	v.Body = core.DumpVM{Version: 1, Doc: b.Exact, Tones: b.ExactTones, Selected: p.Section}
	if p.Pretty && b.Pretty != nil {
		v.Mark = []core.StatusItem{{Text: "Formatted, not the exact bytes", Tone: core.ToneWarn},
			{Text: "formatted", Tone: core.ToneMuted}}
		v.Body.Doc, v.Body.Tones, v.Body.Version = b.Pretty, nil, 2
	}
	if v.CanText = canText(s); textInView(s) {
		v.Text = true
		v.Body, v.Mark = textBody(s)
	}
	if len(b.Body) == 0 {
		v.Body.Empty = "The body has no bytes."
	}
	v.Body = find.Lit(s, v.Body)
	return v
}

// counts reports whether the request in view is still being counted: until then its parts are not known, and a picture
// would be counted as if it were words.
func counts(s core.State) bool {
	r := sentrequest.Of(s)
	return r.Asked && r.Turn == s.Current && r.Stored > 0 && r.Stored == Of(s).Choice.Stored ||
		Of(s).Counted != Of(s).Request
}

// reasons lists, once each, why parts of a body were withheld.
func reasons(list []redact.Span) string {
	var why []string
	for _, r := range list {
		if w := text.Cut(text.Line(r.Why), 24); w != "" && !slices.Contains(why, w) {
			why = append(why, w)
		}
	}
	if len(why) == 0 {
		return ""
	}
	return ": " + text.Cut(text.Line(strings.Join(why, ", ")), 60)
}

// title names a choice for a button or a menu.
func title(s core.State, c core.PayloadChoice) string {
	if c.Stored > 0 && s.Current != nil && c.Stored <= len(s.Current.Payloads) {
		return core.StoredTitle(s.Current.Payloads[c.Stored-1])
	}
	return core.OrNone(c.Dialect, "no dialect")
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return v.Dialect == o.Dialect && v.Mode == o.Mode && v.Model == o.Model && v.CanMode == o.CanMode &&
		v.CanModel == o.CanModel && v.built == o.built && v.Pretty == o.Pretty && v.Text == o.Text &&
		v.CanText == o.CanText &&
		v.Body == o.Body && slices.Equal(v.Rows, o.Rows) && slices.Equal(v.Facts, o.Facts)
}

// copyBody puts the body in view on the clipboard, as it is.
func copyBody(s core.State) (core.State, []core.Effect) {
	if !CanSave(s) {
		return s, nil
	}
	b := Of(s).Built
	s.Notice = &core.Notice{Tone: core.ToneGood, Text: "Copied " + text.Thousands(len(b.Body)) +
		" bytes of the payload.", Source: core.TaskExport}
	return s, []core.Effect{core.CopyText{Text: string(b.Body)}}
}

func commands(core.State) []core.Command {
	const m = "Payload"
	derived := func(s core.State) bool { return s.Current != nil && Of(s).Choice.Stored == 0 }
	drop := func(id, title, key string, which menu, on func(core.State) bool) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Key: key,
			Msg:     core.Send(core.Wanted(dropDown{which})),
			Enabled: func(s core.State) bool { return s.Side == Side && s.Current != nil && on(s) }}
	}
	list := []core.Command{
		{ID: "payload.next", Title: "Next payload", Menu: m, Key: "]", Enabled: core.Shown, Msg: core.Send(stepped(1))},
		{ID: "payload.previous", Title: "Previous payload", Menu: m, Key: "[", Enabled: core.Shown,
			Msg: core.Send(stepped(-1))},
		drop(CmdDialects, "Choose the payload…", "Ctrl+Shift+D", menuDialect, core.Shown),
		drop(cmdModes, "Choose the mode…", "Ctrl+Shift+M", menuMode, func(s core.State) bool {
			return hasModes(Of(s).Choice)
		}),
		drop(CmdModels, "Choose the model…", "Ctrl+Shift+L", menuModel, derived),
		{ID: CmdPretty, Title: "Format JSON", Menu: m, Key: "P", Gap: true,
			Enabled: func(s core.State) bool { return CanSave(s) && Of(s).Built.Pretty != nil },
			Checked: func(s core.State) bool { return Of(s).Pretty }, Msg: core.Send(prettyToggled())},
		{ID: CmdText, Title: "Show the page's text in the request", Menu: m, Enabled: canText,
			Checked: textInView, Msg: core.Send(textToggled())},
		{ID: CmdPayloadCopy, Title: "Copy the exact bytes", Menu: m, Key: "Ctrl+Shift+C", Enabled: CanSave,
			Msg: core.Send(copied())},
	}
	return list
}

// Room is the side of what a model receives.
func Room() core.Room {
	return core.Room{Name: "payload", Commands: commands, AfterUpdate: fill,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			p := Of(s)
			*edit(&s) = Model{Choice: core.PayloadChoice{Dialect: p.Choice.Dialect, Mode: p.Choice.Mode,
				Model: p.Choice.Model}, Pretty: p.Pretty, Text: p.Text}
			return s, nil
		},
		Side: &core.SideRow{Side: Side, Title: "Payload", Command: CmdPayload, Does: "what a model receives", Key: "Y",
			Place: 4, Whole: true, Badges: badges, AfterUpdate: fill,
			Text: func(s core.State) (*dump.Document, *core.LineTones) {
				b := Of(s).Built
				switch {
				case b == nil:
					return nil, nil
				case textInView(s):
					return sentrequest.Of(s).Sent.Doc, nil
				case Of(s).Pretty && b.Pretty != nil:
					return b.Pretty, nil
				}
				return b.Exact, b.ExactTones
			}}}
}

// Side is what a model receives.
const Side core.Side = "payload"

// Chosen changes which payload is in view.
func Chosen(choice core.PayloadChoice) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return choose(s, choice) })
}

// stepped goes By payloads on in the list of them.
func stepped(by int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return step(s, by) })
}

// SectionPicked chooses a section of the payload, from 1; 0 chooses none.
func SectionPicked(section int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Section = section
		return s, nil
	})
}

// prettyToggled changes between the bytes and indented JSON.
func prettyToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		m := edit(&s)
		m.Pretty, m.Text = !m.Pretty, false
		return s, nil
	})
}

// copied copies the body in view.
func copied() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return copyBody(s) })
}

// Ready answers [Build].
type Ready struct {
	Asked   Build
	Built   *core.Built
	Problem *core.Problem
}

func (m Ready) Apply(s core.State) (core.State, []core.Effect) { return built(s, m), nil }

// Build makes what a model receives for the turn.
type Build struct {
	Turn    *core.Turn
	Choice  core.PayloadChoice
	Request *doctor.Report // by which a stored request is divided, nil where it is not there
}

// dropDown opens a menu of the payload pane.
type dropDown struct{ Menu menu }

// menu is a choice of the payload pane.
type menu string

const (
	menuDialect menu = "dialect"
	menuMode    menu = "mode"
	menuModel   menu = "model"
)

// badges count the payloads that are stored with the turn in view.
func badges(s core.State) []core.StatusItem {
	if s.Current == nil {
		return nil
	}
	return core.Badge(len(s.Current.Payloads), core.ToneGood)
}

const CmdPayload = "side.payload"

const CmdPretty = "payload.pretty"

const CmdPayloadCopy = "payload.copy"

// CmdPayloadSave saves the exact bytes; package export has it.
const CmdPayloadSave = "payload.save"

const CmdDialects = "payload.dialects"

const cmdModes = "payload.modes"

const CmdModels = "payload.models"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

// PayloadPane is the state of the payload pane.
type PayloadPane struct {
	Choice PayloadChoice
	// N and Asked are the turn and the choice that were asked for last; Built is what
	// came of it, nil for none yet.
	N     int
	Asked PayloadChoice
	Built *Built
	// Problem is why it could not be made.
	Problem *Problem
	// Section is the chosen section, from 1; 0 for none.
	Section int
	// Pretty shows indented JSON in place of the bytes.
	Pretty bool
}

// payload asks for the chosen payload of the shown turn where the pane is in view and
// has another one.
func (s State) payload() (State, []Effect) {
	if s.Side != SidePayload || s.Shown == nil {
		return s, nil
	}
	s.Payload.Choice = s.fitting(s.Payload.Choice)
	p := s.Payload
	if p.N == s.Shown.N && p.Asked == p.Choice {
		return s, nil
	}
	s.Payload.Asked = p.Choice
	s.Payload.N, s.Payload.Built, s.Payload.Problem, s.Payload.Section = s.Shown.N, nil, nil, 0
	return s, []Effect{BuildPayload{s.Shown, s.Payload.Choice}}
}

// fitting is a choice that the shown turn has. A turn with stored payloads begins with
// the first of them, for that is what was really sent.
func (s State) fitting(c PayloadChoice) PayloadChoice {
	if c.Stored > len(s.Shown.Stored) {
		c.Stored = 0
	}
	if c == (PayloadChoice{}) && len(s.Shown.Stored) > 0 {
		return PayloadChoice{Stored: 1}
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
func hasModes(c PayloadChoice) bool { return c.Stored == 0 && c.Dialect == "agent-interact" }

// PayloadModes are the modes of agent-interact (row S-20), its default first.
func PayloadModes() []string { return []string{"semantic", "skeleton", "hybrid", "full"} }

// choosePayload changes the choice.
func (s State) choosePayload(c PayloadChoice) (State, []Effect) {
	s.Payload.Choice = c
	s.Side = SidePayload
	return s.payload()
}

// stepPayload goes to the next payload of the list, stored ones first, or to the one
// before.
func (s State) stepPayload(by int) (State, []Effect) {
	all := s.PayloadChoices()
	if len(all) == 0 {
		return s, nil
	}
	i := slices.IndexFunc(all, func(c PayloadChoice) bool {
		return c.Stored == s.Payload.Choice.Stored && c.Dialect == s.Payload.Choice.Dialect
	})
	if i < 0 && by < 0 {
		i = 0
	}
	return s.choosePayload(all[((i+by)%len(all)+len(all))%len(all)])
}

// PayloadChoices are the stored payloads of the shown turn, then the dialects with the
// mode and model that are chosen.
func (s State) PayloadChoices() []PayloadChoice {
	var out []PayloadChoice
	if s.Shown != nil {
		for i := range s.Shown.Stored {
			out = append(out, PayloadChoice{Stored: i + 1})
		}
	}
	for _, d := range s.Dialects {
		out = append(out, PayloadChoice{Dialect: d, Mode: s.Payload.Choice.Mode, Model: s.Payload.Choice.Model})
	}
	return out
}

func (s State) payloadBuilt(m PayloadBuilt) State {
	if s.Shown == nil || s.Payload.N != m.N || s.Payload.Choice != m.Choice {
		return s
	}
	s.Payload.Built, s.Payload.Problem = m.Built, m.Problem
	if m.Built != nil && m.Built.Pretty == nil {
		s.Payload.Pretty = false
	}
	return s
}

// canPayload: the pane shows a body.
func canPayload(s State) bool { return s.Side == SidePayload && s.Payload.Built != nil }

// PayloadRow is one section in the pane.
type PayloadRow struct {
	Name, Bytes, Chars, Tokens, How string
	// Share is its part of the body's bytes, 0 to 1.
	Share    float64
	Selected bool
}

// PayloadVM is what the payload pane shows. Compare with [PayloadVM.Equal].
type PayloadVM struct {
	Dialect, Mode, Model string
	CanMode, CanModel    bool
	// Facts are about the whole body.
	Facts []StatusItem
	// SHA256 is whole, for a click that copies it.
	SHA256 string
	Rows   []PayloadRow
	// Chosen is the section that is chosen, with how its tokens were counted.
	Chosen []StatusItem
	// Mark says what the text below is: the bytes, or a picture of them.
	Mark     []StatusItem
	Pretty   bool
	CanPrint bool // the body can be indented
	CanSave  bool
	Body     DumpVM
	// built tells two bodies apart.
	built *Built
}

// PayloadView is what the payload pane shows.
func (s State) PayloadView() PayloadVM {
	p := s.Payload
	c := p.Choice
	v := PayloadVM{Dialect: s.PayloadTitle(c), CanMode: hasModes(c), CanModel: c.Stored == 0, Pretty: p.Pretty, built: p.Built}
	v.Mode = "mode " + orNone(c.Mode, PayloadModes()[0])
	v.Model = orNone(Plain(c.Model, 28), "no model")
	b := p.Built
	switch {
	case s.Shown == nil:
		v.Body.Empty = s.emptySentence("What a model would receive appears here after the first capture.")
		return v
	case p.Problem != nil:
		v.Body.Empty = p.Problem.Sentence
		return v
	case b == nil:
		v.Body.Empty = "Building the payload…"
		return v
	}
	v.CanSave, v.CanPrint, v.SHA256 = true, b.Pretty != nil, b.SHA256
	tokens := 0
	for i, x := range b.Sections {
		row := PayloadRow{Name: Plain(x.Name, 24), Bytes: Thousands(x.End - x.Start), Chars: Thousands(x.Chars), How: Plain(x.How, 80), Selected: p.Section == i+1}
		if x.Tokens > 0 {
			row.Tokens = Thousands(x.Tokens)
		}
		if len(b.Body) > 0 {
			row.Share = float64(x.End-x.Start) / float64(len(b.Body))
		}
		tokens += x.Tokens
		v.Rows = append(v.Rows, row)
	}
	if i := p.Section - 1; i >= 0 && i < len(v.Rows) {
		v.Chosen = []StatusItem{{v.Rows[i].Name, ToneNormal}, {"tokens: " + v.Rows[i].How, ToneMuted}}
	}
	v.Facts = append(v.Facts, StatusItem{Thousands(len(b.Body)) + " bytes", ToneNormal}, StatusItem{Thousands(b.Chars) + " characters", ToneMuted})
	if tokens > 0 {
		v.Facts = append(v.Facts, StatusItem{"about " + Thousands(tokens) + " tokens", ToneMuted})
	}
	if n := len(b.Redacted); n > 0 {
		v.Facts = append(v.Facts, StatusItem{Plural(n, "redacted span", "redacted spans") + reasons(b.Redacted), ToneWarn})
	}
	for _, t := range b.Trimmed {
		v.Facts = append(v.Facts, StatusItem{"trimmed: " + Plain(t, 80), ToneWarn})
	}
	v.Mark = []StatusItem{{"exact bytes", ToneGood}, {fmt.Sprintf("in lines of %d characters", bodyColumns), ToneMuted}}
	v.Body = DumpVM{Version: 1, Doc: b.Exact, Tones: b.ExactTones, Selected: p.Section}
	if p.Pretty && b.Pretty != nil {
		v.Mark = []StatusItem{{"PRETTY, not the exact bytes", ToneWarn}, {"indented for reading", ToneMuted}}
		v.Body.Doc, v.Body.Tones, v.Body.Version = b.Pretty, nil, 2
	}
	if len(b.Body) == 0 {
		v.Body.Empty = "The body has no bytes."
	}
	v.Body = s.lit(v.Body)
	return v
}

// reasons lists, once each, why parts of a body were withheld.
func reasons(list []Redaction) string {
	var why []string
	for _, r := range list {
		if w := Plain(r.Why, 24); w != "" && !slices.Contains(why, w) {
			why = append(why, w)
		}
	}
	if len(why) == 0 {
		return ""
	}
	return ": " + Plain(strings.Join(why, ", "), 60)
}

// PayloadTitle names a choice for a button or a menu.
func (s State) PayloadTitle(c PayloadChoice) string {
	if c.Stored > 0 && s.Shown != nil && c.Stored <= len(s.Shown.Stored) {
		return s.Shown.Stored[c.Stored-1].title()
	}
	return orNone(c.Dialect, "no dialect")
}

// Equal reports whether both show the same.
func (v PayloadVM) Equal(o PayloadVM) bool {
	return v.Dialect == o.Dialect && v.Mode == o.Mode && v.Model == o.Model && v.CanMode == o.CanMode && v.CanModel == o.CanModel &&
		v.built == o.built && v.Pretty == o.Pretty && v.Body == o.Body && slices.Equal(v.Rows, o.Rows) && slices.Equal(v.Facts, o.Facts)
}

// copyPayload puts the body in view on the clipboard, as it is.
func (s State) copyPayload() (State, []Effect) {
	if !canPayload(s) {
		return s, nil
	}
	b := s.Payload.Built
	s.Notice = &Notice{Tone: ToneGood, Text: "Copied " + Thousands(len(b.Body)) + " bytes of the payload.", Source: TaskExport}
	return s, []Effect{CopyText{string(b.Body)}}
}

func payloadCommands(State) []Command {
	const m = "Payload"
	derived := func(s State) bool { return s.Shown != nil && s.Payload.Choice.Stored == 0 }
	drop := func(id, title, key string, which PayloadMenu, on func(State) bool) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Msg: send(Wanted{DropDown{which}}),
			Enabled: func(s State) bool { return s.Side == SidePayload && s.Shown != nil && on(s) }}
	}
	list := []Command{
		{ID: "payload.next", Title: "Next payload", Menu: m, Key: "]", Enabled: shown, Msg: send(PayloadStepped{1})},
		{ID: "payload.previous", Title: "Previous payload", Menu: m, Key: "[", Enabled: shown, Msg: send(PayloadStepped{-1})},
		drop(CmdDialects, "Choose the payload…", "Ctrl+Shift+D", MenuDialect, shown),
		drop(CmdModes, "Choose the mode…", "Ctrl+Shift+M", MenuMode, func(s State) bool { return hasModes(s.Payload.Choice) }),
		drop(CmdModels, "Choose the model…", "Ctrl+Shift+L", MenuModel, derived),
		{ID: CmdPretty, Title: "Pretty in place of exact bytes", Menu: m, Key: "P", Gap: true,
			Enabled: func(s State) bool { return canPayload(s) && s.Payload.Built.Pretty != nil },
			Checked: func(s State) bool { return s.Payload.Pretty }, Msg: send(PrettyToggled{})},
		{ID: CmdPayloadCopy, Title: "Copy the exact bytes", Menu: m, Key: "Ctrl+Shift+C", Enabled: canPayload, Msg: send(PayloadCopied{})},
	}
	return list
}

// payloadRoom is the side of what a model receives.
func payloadRoom() Room {
	return Room{Name: "payload", Commands: payloadCommands,
		Left: func(s State) (State, []Effect) {
			p := s.Payload
			s.Payload = PayloadPane{Choice: PayloadChoice{Dialect: p.Choice.Dialect, Mode: p.Choice.Mode, Model: p.Choice.Model}, Pretty: p.Pretty}
			return s, nil
		},
		Side: &SideRow{Side: SidePayload, Title: "Payload", Command: CmdPayload, Does: "What a model receives", Key: "Y", Place: 3, Whole: true, Tag: State.payloadTag, Fill: State.payload,
			Text: func(s State) (*dump.Document, *LineTones) {
				b := s.Payload.Built
				switch {
				case b == nil:
					return nil, nil
				case s.Payload.Pretty && b.Pretty != nil:
					return b.Pretty, nil
				}
				return b.Exact, b.ExactTones
			}}}
}

// SidePayload is what a model receives.
const SidePayload Side = "payload"

// PayloadChosen changes which payload is in view.
type PayloadChosen struct{ Choice PayloadChoice }

func (m PayloadChosen) Apply(s State) (State, []Effect) { return s.choosePayload(m.Choice) }

// PayloadStepped goes By payloads on in the list of them.
type PayloadStepped struct{ By int }

func (m PayloadStepped) Apply(s State) (State, []Effect) { return s.stepPayload(m.By) }

// SectionPicked chooses a section of the payload, from 1; 0 chooses none.
type SectionPicked struct{ Section int }

func (m SectionPicked) Apply(s State) (State, []Effect) {
	s.Payload.Section = m.Section
	return s, nil
}

// PrettyToggled changes between the bytes and indented JSON.
type PrettyToggled struct{}

func (PrettyToggled) Apply(s State) (State, []Effect) {
	s.Payload.Pretty = !s.Payload.Pretty
	return s, nil
}

// PayloadCopied copies the body in view.
type PayloadCopied struct{}

func (PayloadCopied) Apply(s State) (State, []Effect) { return s.copyPayload() }

// PayloadBuilt answers [BuildPayload].
type PayloadBuilt struct {
	N       int
	Choice  PayloadChoice
	Built   *Built
	Problem *Problem
}

func (m PayloadBuilt) Apply(s State) (State, []Effect) { return s.payloadBuilt(m), nil }

// BuildPayload makes what a model receives for the turn.
type BuildPayload struct {
	Turn   *Turn
	Choice PayloadChoice
}

// DropDown opens a menu of the payload pane.
type DropDown struct{ Menu PayloadMenu }

// PayloadMenu is a choice of the payload pane.
type PayloadMenu string

const (
	MenuDialect PayloadMenu = "dialect"
	MenuMode    PayloadMenu = "mode"
	MenuModel   PayloadMenu = "model"
)

func (s State) payloadTag() string {
	if s.Shown != nil && len(s.Shown.Stored) > 0 {
		return fmt.Sprintf("● %d", len(s.Shown.Stored))
	}
	return ""
}

const CmdPayload = "side.payload"

const CmdPretty = "payload.pretty"

const CmdPayloadCopy = "payload.copy"

const CmdDialects = "payload.dialects"

const CmdModes = "payload.modes"

const CmdModels = "payload.models"

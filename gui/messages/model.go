// Package messages is the room Messages: the request that is stored with the turn in view, and its answer, as a person
// reads a conversation.
//
// What comes in is the turn, and the report of its request (package request); what goes out are rows of one list: who
// speaks, what is said, calls of tools and their results, pictures at the size at which the vendor's model sees them,
// and a text of the page as one line that opens as it was sent. What repeats from the request before is one line that
// unfolds; the tools and the parameters are choices beside the conversation. The bytes of a message are one click away.
//
// What must hold: nothing is read on the window's goroutine, thousands of lines scroll because each is a row of its
// own, and every text is shown harmless. Start with [of] and [viewOf]; [rows] makes the list.
package messages

import (
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/sentrequest"
	sent "github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/likeness"
	vendor "github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Side is the conversation.
const Side core.Side = "messages"

// cmdMessages shows it, cmdCurl copies the request as a command.
const (
	cmdMessages = "side.messages"
	cmdCurl     = "messages.curl"
)

// show is what of the request is in view.
type show int

const (
	showTalk show = iota
	showTools
	showParameters
)

func shows() []string { return []string{"Conversation", "Tools", "Parameters"} }

// model is the conversation of one turn. What its pointers point to is immutable.
type model struct {
	// Turn and Report are what was asked about last.
	Turn   *core.Turn
	Report *doctor.Report
	// Talk is nil until it is there; Why is why it cannot be.
	Talk *conversation.Conversation
	Why  string
	Show show
	// Unfolded: what repeats is in view. Open are the parts that are shown whole, by message and part.
	Unfolded bool
	Open     map[place]bool
	Rows     *core.Rows
	Pictures *core.Pictures
	// Whole is the picture that lies over the window, by its name.
	Whole string
}

// place is a part of a message, or a tool by Part alone where Message is [inTools].
type place struct{ Message, Part int }

const inTools = -1

// read reads the conversation of a turn. [read.talked] answers.
type read struct {
	Turn   *core.Turn
	Report *doctor.Report
}

// Pause implements [core.LatestWork]: who leafs through turns waits for none of them.
func (read) Pause() time.Duration { return 30 * time.Millisecond }

// Do implements [core.Work].
func (e read) Do(_ context.Context, w *core.Worker) core.Msg {
	asked, answer := sentrequest.Payloads(e.Turn)
	talk, err := conversation.Read(*asked, answer, e.Report, w.Counter.Count)
	if err != nil {
		return e.talked(nil, nil, core.ProblemOf(err).Sentence)
	}
	return e.talked(talk, pictures(talk), "")
}

// talked answers [read]: talk is nil where it cannot be read, and why says the reason.
func (e read) talked(talk *conversation.Conversation, pictures *core.Pictures, why string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if o := of(s); o.Turn != e.Turn || o.Report != e.Report {
			return s, nil
		}
		m := edit(&s)
		m.Talk, m.Pictures, m.Why = talk, pictures, why
		relist(m)
		return s, nil
	})
}

// pictures decodes the pictures of a conversation, by their names.
func pictures(talk *conversation.Conversation) *core.Pictures {
	out := &core.Pictures{ByName: map[string]image.Image{}}
	for i, m := range talk.Messages {
		for k, p := range m.Parts {
			if p.Kind != wire.Image {
				continue
			}
			img, err := likeness.Decode(p.Data)
			if err != nil {
				img = nil // what cannot be read is named in words
			}
			out.ByName[pictureName(place{i, k})] = img
		}
	}
	return out
}

func pictureName(at place) string { return fmt.Sprintf("message %d, part %d", at.Message+1, at.Part+1) }

// relist makes the rows again.
func relist(m *model) {
	if m.Talk != nil {
		m.Rows = core.NewRows(rows(m))
	}
}

// fill asks for the conversation of the turn in view: at once, and again when the report of its request is there.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Side != Side || s.Current == nil {
		return s, nil
	}
	var report *doctor.Report
	if r := sentrequest.Of(s); r.Turn == s.Current {
		report = r.Report
	}
	o := of(s)
	if o.Turn == s.Current && o.Report == report {
		return s, nil
	}
	m := edit(&s)
	if o.Turn != s.Current {
		*m = model{Show: o.Show, Unfolded: o.Unfolded}
	}
	m.Turn, m.Report = s.Current, report
	if asked, _ := sentrequest.Payloads(s.Current); asked == nil {
		return s, nil
	}
	return s, []core.Effect{read{s.Current, report}}
}

// viewOf is what the side shows.
func viewOf(s core.State) core.TableVM {
	m := of(s)
	v := core.TableVM{Choice: int(m.Show), List: s.List()}
	v.List.Numbers = nil // what was sent stays as it was sent
	asked, _ := sentrequest.Payloads(s.Current)
	switch {
	case s.Current == nil:
		v.List.Empty = s.EmptySentence("What a model was sent and answered appears here after the first turn.")
		return v
	case asked == nil:
		v.List.Empty = "No request to a model is stored with this turn. Turns that the tap records have one: Tools, " +
			"Record an agent's requests."
		return v
	case m.Turn == s.Current && m.Why != "":
		v.List.Empty = m.Why
		return v
	case m.Turn != s.Current || m.Talk == nil:
		v.List.Empty = "Reading the conversation…"
		return v
	}
	v.Facts, v.List.Rows, v.List.Pictures = facts(m.Talk), m.Rows, m.Pictures
	v.List.Selected, v.List.Hover = 0, 0
	return v
}

// facts are about the whole conversation: how much of it there is, what the vendor counted, what came from its cache.
func facts(c *conversation.Conversation) []core.StatusItem {
	var out []core.StatusItem
	if n := len(c.Tools); n > 0 {
		out = append(out, core.StatusItem{Text: text.Count(n, "tool", "tools"), Tone: core.ToneMuted})
	}
	switch u := c.Usage; {
	case u.Input > 0:
		out = append(out, core.StatusItem{Text: text.Count(u.Input, "token in", "tokens in"), Tone: core.ToneMuted})
		if u.CacheRead > 0 {
			out = append(out, core.StatusItem{Text: text.Thousands(u.CacheRead) + " from the cache",
				Tone: core.ToneGood})
		}
	case c.Tokens > 0:
		out = append(out, core.StatusItem{Text: "about " + text.Count(c.Tokens, "token in", "tokens in"),
			Tone: core.ToneMuted})
	}
	if c.Usage.Cost > 0 {
		out = append(out, core.StatusItem{Text: core.Dollars(c.Usage.Cost), Tone: core.ToneMuted})
	}
	return out
}

// What a person does.
type (
	// opened shows a part whole, or shortens it again.
	opened struct{ At place }
	// bytesAsked shows the bytes of a message, marked, on the side Payload.
	bytesAsked struct {
		Answer bool
		At     int // byte
	}
	// pageAsked shows the text of the page as it was sent.
	pageAsked struct{}
	// copied copies the texts and calls of a message, by its place.
	copied struct{ Message int }
	// curlAsked copies the request as a command.
	curlAsked struct{}
)

// chosen shows another part of the request.
func chosen(show show) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Show = show
		relist(edit(&s))
		return s, nil
	})
}

// unfolded shows what repeats, or folds it again.
func unfolded() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		m := edit(&s)
		m.Unfolded = !m.Unfolded
		relist(m)
		return s, nil
	})
}

// Apply implements [core.Msg].
func (o opened) Apply(s core.State) (core.State, []core.Effect) {
	m := edit(&s)
	m.Open = maps.Clone(m.Open)
	if m.Open == nil {
		m.Open = map[place]bool{}
	}
	m.Open[o.At] = !m.Open[o.At]
	relist(m)
	return s, nil
}

// Apply implements [core.Msg].
func (m bytesAsked) Apply(s core.State) (core.State, []core.Effect) {
	asked, answer := sentrequest.Payloads(s.Current)
	want := asked
	if m.Answer {
		want = answer
	}
	if want == nil {
		return s, nil
	}
	at := slices.IndexFunc(s.Current.Payloads, func(p turn.Payload) bool { return &p.Bytes[0] == &want.Bytes[0] })
	s, effects := core.Update(s, payload.Chosen(core.PayloadChoice{Stored: at + 1}))
	if m.Answer || of(s).Report == nil {
		return s, effects
	}
	section := 0
	sections := slices.Clone(of(s).Report.Sections)
	slices.SortStableFunc(sections, func(a, b doctor.Section) int { return a.Bytes[0] - b.Bytes[0] })
	for i, x := range sections {
		if x.Bytes[0] <= m.At && m.At < x.Bytes[1] {
			section = i + 1
		}
	}
	s, more := core.Update(s, payload.SectionPicked(section))
	return s, append(effects, more...)
}

// Dialog shows a picture whole.
const Dialog core.Dialog = "message picture"

// pictureOpened lays a picture over the window; "" puts it away.
func pictureOpened(name string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if im, _ := of(s).Pictures.Of(name); im == nil {
			return s, nil
		}
		edit(&s).Whole = name
		s.Dialog = Dialog
		return s, nil
	})
}

// Apply implements [core.Msg].
func (pageAsked) Apply(s core.State) (core.State, []core.Effect) {
	return core.Update(s, sent.SentChosen{})
}

// Apply implements [core.Msg].
func (m copied) Apply(s core.State) (core.State, []core.Effect) {
	talk := of(s).Talk
	if talk == nil || m.Message >= len(talk.Messages) {
		return s, nil
	}
	var parts []string
	for _, p := range talk.Messages[m.Message].Parts {
		switch p.Kind {
		case wire.Image:
		case wire.Call:
			parts = append(parts, call(&p, true))
		default:
			parts = append(parts, p.Text)
		}
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Source: core.TaskExport, Text: "Copied the message."}
	return s, []core.Effect{core.CopyText{Text: strings.Join(parts, "\n\n")}}
}

// Apply implements [core.Msg].
func (curlAsked) Apply(s core.State) (core.State, []core.Effect) {
	asked, _ := sentrequest.Payloads(s.Current)
	if asked == nil {
		return s, nil
	}
	const file = "request.json"
	command, err := vendor.Curl(asked.Dialect, asked.Model, asked.Bytes, file)
	if err != nil {
		s.Complain(core.TaskExport, core.ProblemOf(err))
		return s, nil
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Source: core.TaskExport,
		Text: "Copied the request as a curl command, with a variable in the place of the key."}
	if len(asked.Bytes) > vendor.MaxCurlBody {
		s.Notice.Hint = "It reads " + file + ": save the exact bytes under that name."
		s.Notice.Command = payload.CmdPayload
	}
	return s, []core.Effect{core.CopyText{Text: command}}
}

func hasTalk(s core.State) bool { asked, _ := sentrequest.Payloads(s.Current); return asked != nil }

func commands(core.State) []core.Command {
	const m = "Payload"
	return []core.Command{
		{ID: "messages.unfold", Title: "Show messages that repeat", Menu: m, Gap: true, Enabled: hasTalk,
			Checked: func(s core.State) bool { return of(s).Unfolded }, Msg: core.Send(unfolded())},
		{ID: cmdCurl, Title: "Copy the request as curl", Menu: m,
			Enabled: func(s core.State) bool { return sentrequest.ToModel(s.Current) }, Msg: core.Send(curlAsked{})},
	}
}

// badges count the messages of the request.
func badges(s core.State) []core.StatusItem {
	r := sentrequest.Of(s)
	if r.Report == nil || r.Turn != s.Current {
		return nil
	}
	n, last := 0, ""
	for _, x := range r.Report.Sections {
		if name := conversation.MessageOf(x.Name); x.Role != "tools" && name != last {
			n, last = n+1, name
		}
	}
	return core.Badge(n, core.ToneMuted)
}

// Room is the conversation.
func Room() core.Room {
	return core.Room{Name: "messages", Commands: commands, AfterUpdate: fill,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			*edit(&s) = model{Show: of(s).Show}
			return s, nil
		},
		Side: &core.SideRow{Side: Side, Title: "Messages", Command: cmdMessages,
			Does: "what a model was sent and answered",
			Key:  "Q", Place: 2, Whole: true, Badges: badges, AfterUpdate: fill,
			Text: func(s core.State) (*dump.Document, *core.LineTones) { return of(s).Rows.Text() }}}
}

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }

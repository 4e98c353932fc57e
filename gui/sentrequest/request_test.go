package sentrequest_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// engine examines one record.
type engine struct {
	core.Engine
	rec *turn.Record
}

func (e engine) Examine(context.Context, int) (*doctor.Report, *conversation.Story, error) {
	r, err := files.NewDoctor(nil).Examine(e.rec)
	return r, conversation.StoryOf(e.rec, r), err
}

func (e engine) Stories(_ context.Context, _ []int, each func(*conversation.Story)) error {
	_, story, err := e.Examine(context.Background(), e.rec.N)
	each(story)
	return err
}

func (engine) Load(context.Context, int) (*core.Recorded, error) {
	return nil, errors.New("no other turn")
}

// run does the effects of a message that are work, and what comes of them.
func run(t *testing.T, e core.Engine, s core.State, msgs ...core.Msg) core.State {
	t.Helper()
	for _, m := range msgs {
		next, effects := apptest.Step(s, m)
		s = next
		for _, effect := range effects {
			switch work := effect.(type) {
			case sentrequest.Examine, payload.Build, findings.RunAudit:
				w := coretest.Worker(e)
				w.Dispatch = func(m core.Msg) { s = run(t, e, s, m) }
				if answer := work.(core.Work).Do(t.Context(), w); answer != nil {
					s = run(t, e, s, answer)
				}
			}
		}
	}
	return s
}

// tapped is a turn as the tap records it: a request with the page as text, and an answer that
// clicks a number.
func tapped(t *testing.T, clicked string) (engine, core.Captured) {
	t.Helper()
	c := coretest.Checkout()
	turn.NewLedger().Assign("A", 9, c)
	doc, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
		map[string]any{"role": "system", "content": "You operate a browser."},
		map[string]any{"role": "user", "content": "The page:\n" + doc.Text}}})
	require.NoError(t, err)
	answer, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{
		"role": "assistant", "tool_calls": []any{map[string]any{"id": "1", "type": "function", "function": map[string]any{
			"name": "browser_click", "arguments": `{"element":"it","ref":"` + clicked + `"}`}}}}}}})
	require.NoError(t, err)
	rec := &turn.Record{N: 9, Capture: c, Picture: coretest.Picture(c), Payloads: []turn.Payload{
		{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: body, Wire: true},
		{Dialect: wire.OpenAIChat, Way: turn.Answer, Bytes: answer, Wire: true}}}
	shown := &core.Recorded{Record: turn.Record{N: 9, Capture: c, Picture: rec.Picture, Payloads: []turn.Payload{
		{Dialect: wire.OpenAIChat, Way: "request", Bytes: body, Wire: true},
		{Dialect: wire.OpenAIChat, Way: "answer", Bytes: answer, Wire: true}}}}
	ready, err := shown.Ready()
	require.NoError(t, err)
	return engine{rec: rec}, core.Captured{Turn: ready}
}

// refOf is the number of a control, as an aria snapshot spells it.
func refOf(t *testing.T, c core.Captured, name string) (int, string) {
	t.Helper()
	for _, n := range c.Turn.Capture.Nodes {
		if n.Name == name && n.Ref > 0 {
			doc, err := format.Render(c.Turn.Capture, format.Aria, format.Options{})
			require.NoError(t, err)
			_, rest, ok := strings.Cut(doc.Text, `"`+name+`" [ref=`)
			require.True(t, ok, doc.Text)
			ref, _, _ := strings.Cut(rest, "]")
			return n.Ref, ref
		}
	}
	t.Fatalf("no %s", name)
	return 0, ""
}

func TestTheRequestOfATurn(t *testing.T) {
	_, draft := tapped(t, "e1")
	number, spelled := refOf(t, draft, "Reject")
	e, shown := tapped(t, spelled)
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.SideChosen(payload.Side))
	shown.Task = s.StartTask(core.TaskCapture, "Capturing")
	s = run(t, e, s, shown, payload.Chosen(core.PayloadChoice{Stored: 1}))
	r := sentrequest.Of(s)
	require.NotNil(t, r.Report)
	require.Equal(t, 1, r.Stored)

	// Payload: the request section by section.
	v := payload.ViewOf(s)
	var names, about []string
	for _, row := range v.Rows {
		names, about = append(names, row.Name), append(about, row.How)
	}
	require.Equal(t, []string{"messages[0]", "messages[1]"}, names)
	require.Contains(t, about[1], "user · aria snapshot")
	require.True(t, v.CanText)

	// The page's text: a click on the picture finds the line, and the other way round.
	s = run(t, e, s, core.CommandChosen{ID: payload.CmdText})
	v = payload.ViewOf(s)
	require.True(t, v.Text)
	s = run(t, e, s, core.Picked{Ref: number, Source: core.PanePicture})
	v = payload.ViewOf(s)
	require.Equal(t, number, v.Body.Selected)
	found := ""
	for _, l := range v.Body.Doc.Lines {
		if l.Ref == number {
			found += v.Body.Doc.Text[l.Start:l.End]
			s = run(t, e, s, core.NodePicked{Node: l.Node, Source: core.PaneDump})
		}
	}
	require.Contains(t, found, `"Reject"`)
	require.Equal(t, number, s.Selected.Ref)
	s = run(t, e, s, core.CommandChosen{ID: payload.CmdPretty})
	require.False(t, payload.ViewOf(s).Text, "bytes and text take each other's place")

	// The picture: where the answer means.
	p := picture.ViewOf(s).Points
	require.NotNil(t, p)
	require.Equal(t, "click s1e11", p.Points[0].Label)
	n := s.Current.Capture.ByRef(number)
	require.InDelta(t, n.Occlusion.Click[0], p.Points[0].X, 1)

	// The answer alone has no sections of its own.
	s = run(t, e, s, payload.Chosen(core.PayloadChoice{Stored: 2}))
	require.Len(t, payload.ViewOf(s).Rows, 1)
	require.False(t, payload.ViewOf(s).CanText)
}

// TestWhatWasNotTold: what a person sees and the model was not told is on the picture, among the findings with what would
// have told it, and in the details; the switch over the picture takes the hatch away.
func TestWhatWasNotTold(t *testing.T) {
	_, draft := tapped(t, "e1")
	_, spelled := refOf(t, draft, "Reject")
	e, shown := tapped(t, spelled)
	whole := string(e.rec.Payloads[0].Bytes)
	e.rec.Payloads[0].Bytes = []byte(street.ReplaceAllString(whole, "")) // so the text lacks a field
	require.NotEqual(t, whole, string(e.rec.Payloads[0].Bytes))
	shown.Turn.Payloads[0].Bytes = e.rec.Payloads[0].Bytes
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.SideChosen(findings.Side))
	shown.Task = s.StartTask(core.TaskCapture, "Capturing")
	s = run(t, e, s, shown)
	got := sentrequest.Of(s).Audit
	require.NotNil(t, got)
	require.Positive(t, got.Missed)
	require.Equal(t, got.Missed, picture.Tools(s).NotTold)
	require.True(t, picture.Tools(s).Untold)
	s = run(t, e, s, core.CommandChosen{ID: "boxes.untold"})
	require.False(t, picture.Tools(s).Untold)

	words := findings.ViewOf(s).List.Rows.Doc.Text
	require.Contains(t, words, "The model was told "+got.Percent()+" of what a person sees")
	for _, r := range findings.ViewOf(s).List.Rows.List {
		if strings.HasPrefix(r.Title, "The model was told") {
			s = run(t, e, s, r.Do)
		}
	}
	require.Contains(t, findings.ViewOf(s).List.Rows.Doc.Text, "not told")
	require.Contains(t, findings.ViewOf(s).List.Rows.Doc.Text, "Told by dddk")
}

// TestLinesThatListNothing: a line that lists no element of its own is about the one that it lies in, so a click on an
// address selects its link.
func TestLinesThatListNothing(t *testing.T) {
	e, shown := tapped(t, "e1")
	whole := string(e.rec.Payloads[0].Bytes)
	link := regexp.MustCompile(`( *)- link \\"Products\\" \[ref=(\w+)\][^\\]*\\n`)
	require.Regexp(t, link, whole)
	e.rec.Payloads[0].Bytes = []byte(link.ReplaceAllString(whole, `$0$1  - /url: /here\n$1  - text: new\n`))
	shown.Turn.Payloads[0].Bytes = e.rec.Payloads[0].Bytes
	s := apptest.Captured(t)
	shown.Task = s.StartTask(core.TaskCapture, "Capturing")
	s = run(t, e, s, shown)
	d := sentrequest.Of(s).Sent.Doc
	said := map[string]string{}
	for _, l := range d.Lines {
		if n := shown.Turn.Capture.Node(l.Node); n != nil {
			said[strings.TrimSpace(d.Text[l.Start:l.End])] = n.Name
		}
	}
	require.Equal(t, "Products", said["- /url: /here"])
	require.Equal(t, "Products", said["- text: new"])
	require.Equal(t, -1, d.Lines[0].Node, "what lies in nothing is about no element")
}

// street finds the line of a field in a text within JSON.
var street = regexp.MustCompile(`\\n *- textbox \\"Street\\"[^\\]*\\"\\"`)

func TestTheDoctorsFindingsAreCards(t *testing.T) {
	e, shown := tapped(t, "e999")
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.SideChosen(findings.Side))
	shown.Task = s.StartTask(core.TaskCapture, "Capturing")
	s = run(t, e, s, shown)
	rows := findings.ViewOf(s).List.Rows
	require.NotNil(t, rows)
	require.Contains(t, rows.Doc.Text, "The answer names an element that the request did not hold")
	require.Equal(t, "1 error", findings.ViewOf(s).Counts[0].Text)
	require.Nil(t, picture.ViewOf(s).Points)
}

func TestATurnWithoutARequestIsNotAskedAbout(t *testing.T) {
	s := apptest.Captured(t)
	shown := core.Captured{Turn: apptest.TurnOf(2), Task: s.StartTask(core.TaskCapture, "Capturing")}
	s, effects := apptest.Step(s, shown)
	for _, e := range effects {
		_, asks := e.(sentrequest.Examine)
		require.False(t, asks)
	}
	require.Same(t, s.Current, sentrequest.Of(s).Turn)
}

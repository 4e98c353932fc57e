package steps

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// What a page asks while someone acts on it: its alert, confirm and prompt are shown in the window and answered there,
// and a file input is given a file that the person picks.

// DialogPage shows a dialog of the page, see [Model.Act].
const DialogPage core.Dialog = "page"

// PageDialog is a dialog that a page has opened and waits for.
type PageDialog struct {
	Type    string // alert, confirm, prompt, beforeunload
	Message string
	Prompt  string // the text that a prompt offers
}

// Title says what the page does.
func (d *PageDialog) Title() string {
	switch d.Type {
	case "confirm":
		return "The page asks for a yes or no"
	case "prompt":
		return "The page asks for a text"
	case "beforeunload":
		return "The page asks whether to leave it"
	}
	return "The page says"
}

// pageAnswered answers the page's dialog; Text is for a prompt.
type pageAnswered struct {
	Accept bool
	Text   string
}

// Apply implements [core.Msg].
func (m pageAnswered) Apply(s core.State) (core.State, []core.Effect) {
	d := Of(s).Act.Page
	if d == nil {
		return s, nil
	}
	edit(&s).Act.Page = nil
	s.CloseDialog(DialogPage)
	step := fmt.Sprintf(`{"dialog":{"accept":%t}}`, m.Accept)
	if m.Accept && d.Type == "prompt" {
		step = fmt.Sprintf(`{"dialog":{"accept":true,"promptText":%s}}`, JsonText(m.Text))
	}
	return RunText(s, step, false, false)
}

// asks shows the dialog of the page that steps have opened.
func asks(s core.State, d *PageDialog) core.State {
	if d != nil {
		edit(&s).Act.Page, s.Dialog = d, DialogPage
	}
	return s
}

// AskFile asks for a file that is given to the file input with that number.
type AskFile struct{ Ref int }

// FilePicked gives a file input a file.
type FilePicked struct {
	Ref  int
	Path string // absolute
}

// Apply implements [core.Msg].
func (m FilePicked) Apply(s core.State) (core.State, []core.Effect) {
	if why := cannotAct(s); why != nil {
		s.Notice = why
		return s, nil
	}
	if s.Current.Capture.ByRef(m.Ref) == nil || m.Path == "" {
		return s, nil
	}
	s, effects := RunText(s, fmt.Sprintf(`{"upload":{"ref":%s,"files":[%s]}}`, spelled(m.Ref), JsonText(m.Path)),
		false, false)
	for i, e := range effects {
		if run, ok := e.(RunSteps); ok {
			run.File = m.Path
			effects[i] = run
		}
	}
	return s, effects
}

// said is the message of a dialog, line by line as the page has it.
func (d *PageDialog) said() string {
	var lines []string
	for line := range strings.Lines(d.Message) {
		lines = append(lines, text.Line(line))
	}
	return text.Cut(strings.Join(lines, "\n"), 1000)
}

package changes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog asks which turn the one in view is compared with.
const Dialog core.Dialog = "base"

// Commands of the comparison with another turn.
const (
	cmdBase       = "compare.turns"
	cmdBaseBefore = "compare.before"
)

// baseOpened opens the dialog.
func baseOpened() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog = Dialog
		return s, nil
	})
}

// basePicked compares with that turn, with the side in view.
type basePicked struct{ Base core.Base }

// Apply implements [core.Msg].
func (m basePicked) Apply(s core.State) (core.State, []core.Effect) {
	s.CloseDialog(Dialog)
	s, effects := core.BaseChosen(m).Apply(s)
	s, more := s.ChooseSide(Side)
	return s, append(effects, more...)
}

// BaseRow is a turn to compare with.
type BaseRow struct {
	Base  core.Base
	Title string
	On    bool
}

// baseRows are the turns that fit what was typed: by number, action or page, and SESSION#N of another session.
func baseRows(s core.State, typed string) []BaseRow {
	typed = strings.TrimSpace(typed)
	var rows []BaseRow
	if s.Current == nil {
		return nil
	}
	if session, number, ok := strings.Cut(typed, "#"); ok && strings.TrimSpace(session) != "" {
		if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil && n > 0 {
			b := core.Base{Session: strings.TrimSpace(session), N: n}
			rows = append(rows, BaseRow{b, text.Capital(b.String()), b == s.Base})
		}
		return rows
	}
	if typed == "" {
		rows = append(rows, BaseRow{Title: "The turn before each", On: s.Base.N == 0})
	}
	f := timeline.ParseTurnFilter(typed)
	_, err := strconv.Atoi(typed)
	fits := func(r core.TurnRow) bool {
		if err == nil { // a number means a turn, and no port of an address
			return strings.HasPrefix(strconv.Itoa(r.N), typed)
		}
		return f.Match(r, s.Session.Remarks[r.N], nil)
	}
	for _, r := range s.Session.Turns {
		title := fmt.Sprintf("%d · %s", r.N, text.Cut(text.Line(timeline.Title(r)), 80))
		if r.N == s.Current.N || !fits(r) {
			continue
		}
		b := core.Base{N: r.N}
		rows = append(rows, BaseRow{b, title, b == s.Base})
	}
	return rows
}

func commands(core.State) []core.Command {
	return []core.Command{
		{ID: cmdBase, Title: "Compare with another turn…", Menu: "Turn", Key: "Shift+D", Gap: true,
			Enabled: func(s core.State) bool { return s.Current != nil },
			Checked: func(s core.State) bool { return s.Base.N > 0 }, Msg: core.Send(baseOpened())},
		{ID: cmdBaseBefore, Title: "Compare with the turn before", Menu: "Turn",
			Enabled: func(s core.State) bool { return s.Base.N > 0 }, Msg: core.Send(basePicked{})},
	}
}

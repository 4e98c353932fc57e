package findings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
)

// audited is the report of the shown turn, made as the shell makes it.
func audited(t *testing.T, e core.Effect) findings.Audited {
	t.Helper()
	m := e.(findings.RunAudit).Do(t.Context(), coretest.Worker(nil)).(findings.Audited)
	require.Nil(t, m.Problem)
	return m
}

// rowNamed is the first row with these words.
func rowNamed(t *testing.T, s core.State, words string) core.Row {
	t.Helper()
	rows := findings.ViewOf(s).List.Rows
	require.NotNil(t, rows)
	for i := range rows.List {
		if strings.Contains(rows.List[i].Words(), words) {
			return rows.List[i]
		}
	}
	t.Fatalf("no row has %q: %s", words, rows.Doc.Text)
	return core.Row{}
}

func secretFinding() audit.Finding {
	return audit.Finding{Rule: audit.Secret, Severity: audit.Error, Sentence: "The text of [2] holds a key",
		Evidence: "AKIA…, 20 characters\u202e", Node: 2, Ref: 2, Others: []int{3}, Action: "Take it off the page."}
}

// TestFindingsAhead: the tab has its badge before anybody opens the side, which then shows what is
// there at once and compares it with the turn before.
func TestFindingsAhead(t *testing.T) {
	s := apptest.Changed(t)
	fresh := apptest.Later(2)
	s.Current = fresh
	s.Docs = nil
	s, effects := core.Update(s, core.NoticeClosed{})
	require.Zero(t, apptest.Last[findings.AuditAhead](effects), "the text comes first")
	s, effects = core.Update(s, core.Rendered{Turn: fresh.N, Doc: core.Doc{Format: s.Format}})
	ahead := apptest.Last[findings.AuditAhead](effects)
	require.Equal(t, findings.RunAudit{Turn: fresh}, ahead.RunAudit)
	_, again := core.Update(s, core.NoticeClosed{})
	require.Zero(t, apptest.Last[findings.AuditAhead](again), "it is asked for once")
	answer := audited(t, ahead.RunAudit)
	answer.Report.Warnings = 7
	s, _ = apptest.Step(s, answer)
	require.Contains(t, coretest.SideText(s, findings.Side), "Findings 7")
	s, effects = apptest.Step(s, core.SideChosen(findings.Side))
	require.NotNil(t, findings.ViewOf(s).List.Rows)
	full := apptest.Last[findings.RunAudit](effects)
	require.Equal(t, 1, full.From)
	late := findings.Audited{Asked: findings.RunAudit{Turn: fresh}, Report: answer.Report}
	s, _ = apptest.Step(s,
		findings.Audited{Asked: findings.RunAudit{Turn: fresh, From: 1}, Report: answer.Report}, late)
	require.Equal(t, 1, findings.Of(s).From)
}

func TestFindingsAreCards(t *testing.T) {
	s, effects := apptest.Step(apptest.Blank(), core.SideChosen(findings.Side))
	require.Empty(t, effects)
	require.Contains(t, findings.ViewOf(s).List.Empty, "What could mislead an agent")

	s, effects = apptest.Step(apptest.Captured(t), core.SideChosen(findings.Side))
	require.Equal(t, "Auditing the page…", findings.ViewOf(s).List.Empty)
	require.Equal(t, "Findings", coretest.SideText(s, findings.Side))
	answer := audited(t, effects[0])
	answer.Report.Findings = slices.Insert(answer.Report.Findings, 0, secretFinding())
	answer.Report.Errors++
	s, _ = apptest.Step(s, answer)
	require.Empty(t, findings.ViewOf(s).List.Empty)
	require.Contains(t, coretest.SideText(s, findings.Side), "Findings 1")
	require.Equal(t, core.StatusItem{Text: "1 error", Tone: core.ToneBad}, findings.ViewOf(s).Counts[0])

	card := rowNamed(t, s, "A secret is readable")
	require.Equal(t, core.RowCard, card.Kind)
	require.Equal(t, core.ToneBad, card.Tone)
	require.Contains(t, card.Body, "The text of [2] holds a key.")
	require.NotContains(t, card.Body, "\u202e")
	require.Equal(t, []core.RowChip{{Ref: 2, Text: "button “Buy”", Msg: core.PickOf(2, 2)},
		{Ref: 3, Msg: core.PickOf(3, 3)}}, card.Chips)
	require.Equal(t, core.RowCard, findings.ViewOf(s).List.Rows.List[0].Kind, "errors come first")

	// Why opens the card: what the rule is for, and what to do.
	require.NotContains(t, card.Body, "Take it off the page.")
	s, _ = apptest.Step(s, card.Do)
	card = rowNamed(t, s, "A secret is readable")
	require.Contains(t, card.Body, "What to do: Take it off the page.")
	require.Equal(t, "Less", card.Action)
	s, _ = apptest.Step(s, card.Do)
	require.Equal(t, "Why", rowNamed(t, s, "A secret is readable").Action)

	// A chip selects the element.
	s, _ = apptest.Step(s, card.Chips[1].Msg)
	require.Equal(t, 3, s.Selected.Ref)
	require.Equal(t, 3, findings.ViewOf(s).List.Selected)

	// The bar that finds looks through the cards.
	doc, _ := s.TextInView()
	require.Contains(t, doc.Text, "holds a key")

	// The same turn is not audited twice; another question asks again, and an answer to
	// the first one comes too late.
	_, effects = apptest.Step(s, core.SideChosen(findings.Side))
	require.Empty(t, effects)
	s, effects = apptest.Step(s, findings.PersonalToggled())
	require.True(t, effects[0].(findings.RunAudit).Personal)
	late, _ := apptest.Step(s, answer)
	require.Nil(t, findings.Of(late).Report)
	s, _ = apptest.Step(s, findings.Audited{Asked: findings.RunAudit{Turn: s.Current, Personal: true},
		Problem: &core.Problem{Sentence: "It cannot be audited."}})
	require.Equal(t, "It cannot be audited.", findings.ViewOf(s).List.Empty)
}

// TestFindingsOfOneRuleAreOneCard: a hundred small targets do not bury the one error.
func TestFindingsOfOneRuleAreOneCard(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.SideChosen(findings.Side))
	answer := audited(t, effects[0])
	answer.Report = &audit.Report{Tally: audit.Tally{Warnings: 3, Notes: 100}}
	for range 100 {
		answer.Report.Findings = append(answer.Report.Findings, audit.Finding{Rule: audit.SmallTarget,
			Severity: audit.Note, Sentence: "[2] is 8 by 8 px", Node: 2, Ref: 2})
	}
	for node := 1; node < 4; node++ {
		answer.Report.Findings = append(answer.Report.Findings, audit.Finding{Rule: audit.UnnamedControl,
			Severity: audit.Warning, Sentence: fmt.Sprintf("[%d] has no name", node), Node: node, Ref: node})
	}
	s, _ = apptest.Step(s, answer)
	require.Len(t, findings.ViewOf(s).List.Rows.List, 1, "notes are counted and not listed at first")
	card := findings.ViewOf(s).List.Rows.List[0]
	require.Contains(t, card.Title, "· 3")
	require.Len(t, card.Chips, 3)
	s, _ = apptest.Step(s, card.Do)
	require.Len(t, findings.ViewOf(s).List.Rows.List, 4)
	each := findings.ViewOf(s).List.Rows.List[2]
	require.Equal(t, "[2] has no name", each.Title)
	require.Equal(t, core.PickOf(2, 2), each.Pick)

	s, _ = apptest.Step(s, findings.Filtered{Filter: findings.All})
	require.Len(t, findings.ViewOf(s).List.Rows.List, 5)
	require.Contains(t, findings.ViewOf(s).List.Rows.List[4].Title, "· 100")
	s, _ = apptest.Step(s, findings.Filtered{Filter: findings.ErrorsOnly})
	require.Equal(t, "No errors", findings.ViewOf(s).List.Rows.List[0].Title)
	require.Equal(t, "3 warnings", findings.ViewOf(s).Counts[1].Text, "what is not listed is counted")
}

func TestFindingsSayWhatIsNew(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.SideChosen(findings.Side))
	answer := audited(t, effects[0])
	answer.Asked.From = 3
	warning := audit.Finding{Rule: audit.UnnamedControl, Severity: audit.Warning, Sentence: "[2] has no name", Node: 2, Ref: 2}
	answer.Report.Findings = []audit.Finding{warning}
	answer.Changes = &audit.Changes{Appeared: []audit.Finding{warning,
		{Severity: audit.Note, Sentence: "[1] is small", Node: 1, Ref: 1}}}
	s, _ = apptest.Step(s, answer)
	rows := findings.ViewOf(s).List.Rows.List
	require.Equal(t, core.RowCard, rows[0].Kind, "a warning is not pushed out of view by what is new")
	require.Equal(t, "Since turn 3: 1 finding appeared, 0 gone", rows[1].Title, "notes are not listed here either")
	require.Equal(t, "+ [2] has no name", rows[2].Words())
	require.Equal(t, core.PickOf(2, 2), rows[2].Pick)
	s, _ = apptest.Step(s, findings.Filtered{Filter: findings.All})
	require.Equal(t, "Since turn 3: 2 findings appeared, 0 gone", findings.ViewOf(s).List.Rows.List[1].Title)
	answer.Changes = &audit.Changes{}
	s, _ = apptest.Step(s, answer)
	require.NotContains(t, findings.ViewOf(s).List.Rows.Doc.Text, "Since turn")
}

// TestTheSideIsCards opens the side with Fyne's test driver and chooses by click.
func TestTheSideIsCards(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.SideChosen(findings.Side))
	answer := audited(t, effects[0])
	answer.Report.Findings = slices.Insert(answer.Report.Findings, 0, secretFinding())
	s, _ = apptest.Step(s, answer)
	test.NewTempApp(t)
	var sent []core.Msg
	v := findings.New(&parts.Window{Send: func(m core.Msg) { sent = append(sent, m) }})
	w := test.NewTempWindow(t, v.Object())
	w.Resize(fyne.NewSize(520, 700))
	v.Show(s)
	v.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	v.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []core.Msg{core.PickOf(2, 2)}, sent)
}

func TestCostsOnThePicture(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: picture.CmdCosts})
	require.Equal(t, []core.Effect{picture.MapCosts{Turn: s.Current, Format: "dddk"}}, effects)
	require.Same(t, s.Current.Pyramid, picture.ViewOf(s).Picture, "not there yet")
	s, effects = apptest.Step(s, core.FormatChosen{Format: "semantic"})
	require.Contains(t, effects, core.Effect(picture.MapCosts{Turn: s.Current, Format: "semantic"}))
	late, _ := apptest.Step(s, picture.CostsMapped{Asked: picture.MapCosts{Turn: s.Current, Format: "dddk"}, Picture: apptest.TurnOf(2).Pyramid})
	require.Nil(t, picture.Of(late).Costs.Picture, "of another format")
	other := apptest.TurnOf(2).Pyramid
	s, _ = apptest.Step(s, picture.CostsMapped{Asked: picture.MapCosts{Turn: s.Current, Format: "semantic"}, Picture: other, Tokens: 1234})
	require.Same(t, other, picture.ViewOf(s).Picture)
	require.Nil(t, picture.ViewOf(s).Scene)
	require.Contains(t, picture.ViewOf(s).Badge, "1,234 tokens")
	bad, _ := apptest.Step(s, core.FormatChosen{Format: "dddk"}, picture.CostsMapped{Asked: picture.MapCosts{Turn: s.Current, Format: "dddk"},
		Problem: &core.Problem{Sentence: "No."}})
	require.False(t, picture.Of(bad).Costs.On)
	s, _ = apptest.Step(s, picture.CostsToggled())
	require.Same(t, s.Current.Pyramid, picture.ViewOf(s).Picture)
}

func TestFindingsOnTheTimeline(t *testing.T) {
	s := apptest.Captured(t)
	n := core.CountFindings(&audit.Changes{Appeared: []audit.Finding{{Severity: audit.Error}, {Severity: audit.Note}},
		Gone: []audit.Finding{{Severity: audit.Warning}}})
	require.Equal(t, core.FindingChange{Appeared: 1, Gone: 1}, n)
	other, _ := apptest.Step(s, core.FindingsCompared{Session: s.Session.Opened + 1, N: 1, FindingChange: n})
	require.Zero(t, other.Session.Turns[0].Findings, "of a session that was left")
	s, _ = apptest.Step(s, core.FindingsCompared{Session: s.Session.Opened, N: 1, FindingChange: n})
	require.Contains(t, s.Session.Turns[0].Flags(core.Remarks{}).Text, "+1 finding · –1 finding")
	require.True(t, s.Session.Turns[0].Changed())
}

// TestTheOverlayIsToldFirst: what covers the page stands above all findings, with what to press
// and the controls that it covers.
func TestTheOverlayIsToldFirst(t *testing.T) {
	s := apptest.Captured(t)
	press := 2
	s.Current.Capture.Page.Overlays = []snapshot.Overlay{{Node: 3, Kind: "cookie_banner", Share: 0.36, Press: &press}}
	s, effects := apptest.Step(s, core.SideChosen(findings.Side))
	s, _ = apptest.Step(s, audited(t, effects[0]))
	v := findings.ViewOf(s)
	card := v.List.Rows.List[0]
	require.Equal(t, core.StatusItem{Text: "1 overlay", Tone: core.ToneWarn}, v.Counts[3], "its card is counted too")
	require.Equal(t, "Cookie banner covers 36 % of the view and 1 control.", card.Title)
	require.Equal(t, "Press 2 button “Buy” first.", card.Body)
	require.Equal(t, core.PickOf(3, 3), card.Chips[1].Msg)
}

// TestATurnWithoutAPageHasNoCoverage: a table of formats in which each cell is none says nothing.
func TestATurnWithoutAPageHasNoCoverage(t *testing.T) {
	s := apptest.Captured(t)
	s, effects := apptest.Step(s, core.SideChosen(findings.Side))
	told := audited(t, effects[0])
	heads := func(list ...audit.Coverage) (out []string) {
		report := *told.Report
		report.Coverage = list
		told.Report = &report
		s, _ := apptest.Step(s, told)
		for _, r := range findings.ViewOf(s).List.Rows.List {
			out = append(out, r.Title)
		}
		return out
	}
	require.Contains(t, heads(audit.Coverage{Format: "dddk"}, audit.Coverage{Format: "aria",
		Page: audit.Share{Seen: 2}}), "Coverage by format")
	require.NotContains(t, heads(audit.Coverage{Format: "dddk"}, audit.Coverage{Format: "aria"}), "Coverage by format")
}

// TestNoFindingIsGoneWithoutAPage: where one of two turns has no page, nothing is known of what appeared or went away.
func TestNoFindingIsGoneWithoutAPage(t *testing.T) {
	with, without := apptest.TurnOf(1), core.NewTurn(2, "request", &snapshot.Capture{}, nil, nil)
	for _, e := range []findings.RunAudit{{Turn: without, From: 1, Known: with},
		{Turn: with, From: 2, Known: without}} {
		w := coretest.Worker(nil)
		said := []core.Msg{}
		w.Dispatch = func(m core.Msg) { said = append(said, m) }
		said = append(said, e.Do(t.Context(), w))
		for _, m := range said {
			if a, ok := m.(findings.Audited); ok {
				require.Nil(t, a.Changes)
				require.NotNil(t, a.Report)
			}
		}
	}
}

package findings_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/snapshot/audit"
)

// audited is the report of the shown turn, made as the shell makes it.
func audited(t *testing.T, e core.Effect) findings.Audited {
	t.Helper()
	run := e.(findings.RunAudit)
	r, err := audit.Run(run.Turn.Capture, audit.Options{Personal: run.Personal, PerRule: -1})
	require.NoError(t, err)
	return findings.Audited{Turn: run.Turn, Personal: run.Personal, Report: r}
}

func TestAuditSide(t *testing.T) {
	s, effects := apptest.Step(apptest.Blank(), core.SideChosen{Side: findings.Side})
	require.Empty(t, effects)
	require.Contains(t, findings.Text(s).Empty, "What could mislead an agent")

	s, effects = apptest.Step(apptest.Captured(t), core.SideChosen{Side: findings.Side})
	require.Equal(t, "Auditing the page…", findings.Text(s).Empty)
	require.Equal(t, "Findings", s.SideText(findings.Side))
	answer := audited(t, effects[0])
	answer.Report.Findings = append(answer.Report.Findings, audit.Finding{Rule: audit.Secret, Severity: audit.Error,
		Sentence: "The text of [2] holds a key", Evidence: "AKIA…, 20 characters\u202e", Node: 2, Ref: 2, Action: "Take it off the page."})
	answer.Report.Errors++
	s, _ = apptest.Step(s, answer)
	text := findings.Text(s)
	require.Empty(t, text.Empty)
	require.Contains(t, text.Doc.Text, "What a person sees in the window, and a format has:")
	require.Contains(t, text.Doc.Text, "ERROR  A secret is readable  (secret)")
	require.NotContains(t, text.Doc.Text, "\u202e")
	require.Contains(t, s.SideText(findings.Side), "Findings 1")

	// The line of a finding is the line of its element.
	for i, l := range text.Doc.Lines {
		if strings.Contains(text.Doc.Text[l.Start:l.End], "holds a key") {
			require.Equal(t, 2, l.Node)
			require.Equal(t, 2, l.Ref)
			require.Equal(t, core.ToneBad, text.Tones.Of(i-1), "its heading")
		}
	}

	// A severity that is not listed is still counted.
	s, _ = apptest.Step(s, findings.AuditShown{Hide: findings.Severities{Errors: true}})
	require.NotContains(t, findings.Text(s).Doc.Text, "holds a key")
	require.Contains(t, findings.Text(s).Doc.Text, "1 error")

	// The same turn is not audited twice; another question asks again, and an answer to
	// the first one comes too late.
	_, effects = apptest.Step(s, core.SideChosen{Side: findings.Side})
	require.Empty(t, effects)
	s, effects = apptest.Step(s, findings.PersonalToggled{})
	require.True(t, effects[0].(findings.RunAudit).Personal)
	late, _ := apptest.Step(s, answer)
	require.Nil(t, findings.Of(late).Report)
	s, _ = apptest.Step(s, findings.Audited{Turn: s.Shown, Personal: true, Problem: &core.Problem{Sentence: "It cannot be audited."}})
	require.Equal(t, "It cannot be audited.", findings.Text(s).Empty)
}

func TestAuditSaysWhatIsNew(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.SideChosen{Side: findings.Side})
	answer := audited(t, effects[0])
	answer.From = 3
	answer.Changes = &audit.Changes{Appeared: []audit.Finding{{Severity: audit.Warning, Sentence: "[2] has no name", Node: 2, Ref: 2}}}
	s, _ = apptest.Step(s, answer)
	require.Contains(t, findings.Text(s).Doc.Text, "since turn 3: 1 finding appeared, 0 gone\n+ warning: [2] has no name")
	answer.Changes = &audit.Changes{}
	s, _ = apptest.Step(s, answer)
	require.Contains(t, findings.Text(s).Doc.Text, "the same findings as in turn 3")
}

func TestCostsOnThePicture(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: picture.CmdCosts})
	require.Equal(t, []core.Effect{picture.MapCosts{Turn: s.Shown, Format: "dddk"}}, effects)
	require.Same(t, s.Shown.Pyramid, picture.ViewOf(s).Picture, "not there yet")
	s, effects = apptest.Step(s, core.FormatChosen{Format: "semantic"})
	require.Contains(t, effects, core.Effect(picture.MapCosts{Turn: s.Shown, Format: "semantic"}))
	late, _ := apptest.Step(s, picture.CostsMapped{Turn: s.Shown, Format: "dddk", Picture: apptest.TurnOf(2).Pyramid})
	require.Nil(t, picture.Of(late).Costs.Picture, "of another format")
	other := apptest.TurnOf(2).Pyramid
	s, _ = apptest.Step(s, picture.CostsMapped{Turn: s.Shown, Format: "semantic", Picture: other, Tokens: 1234})
	require.Same(t, other, picture.ViewOf(s).Picture)
	require.Nil(t, picture.ViewOf(s).Scene)
	require.Contains(t, picture.ViewOf(s).Badge, "1,234 tokens")
	bad, _ := apptest.Step(s, core.FormatChosen{Format: "dddk"}, picture.CostsMapped{Turn: s.Shown, Format: "dddk", Problem: &core.Problem{Sentence: "No."}})
	require.False(t, picture.Of(bad).Costs.On)
	s, _ = apptest.Step(s, picture.CostsToggled{})
	require.Same(t, s.Shown.Pyramid, picture.ViewOf(s).Picture)
}

func TestShareInWords(t *testing.T) {
	require.Equal(t, "none there", findings.CoverShare(audit.Share{}))
	require.Equal(t, "all 12", findings.CoverShare(audit.Share{Seen: 12, Has: 12}))
	require.Equal(t, "98.2 % of 1,204", findings.CoverShare(audit.Share{Seen: 1204, Has: 1182}))
}

func TestFindingsOnTheTimeline(t *testing.T) {
	s := apptest.Captured(t)
	n := core.CountFindings(&audit.Changes{Appeared: []audit.Finding{{Severity: audit.Error}, {Severity: audit.Note}}, Gone: []audit.Finding{{Severity: audit.Warning}}})
	require.Equal(t, core.FindingChange{Appeared: 1, Gone: 1}, n)
	other, _ := apptest.Step(s, core.FindingsCompared{Session: s.Session.Opened + 1, N: 1, FindingChange: n})
	require.Zero(t, other.Session.Turns[0].Findings, "of a session that was left")
	s, _ = apptest.Step(s, core.FindingsCompared{Session: s.Session.Opened, N: 1, FindingChange: n})
	require.Contains(t, s.Session.Turns[0].Flags(core.Remarks{}).Text, "+1 finding · −1 finding")
	require.True(t, s.Session.Turns[0].Changed())
}

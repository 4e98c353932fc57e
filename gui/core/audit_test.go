package core

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/audit"
)

// audited is the report of the shown turn, made as the shell makes it.
func audited(t *testing.T, e Effect) Audited {
	t.Helper()
	run := e.(RunAudit)
	r, err := audit.Run(run.Turn.Capture, audit.Options{Personal: run.Personal, PerRule: -1})
	require.NoError(t, err)
	return Audited{Turn: run.Turn, Personal: run.Personal, Report: r}
}

func TestAuditSide(t *testing.T) {
	s, effects := step(blank(), SideChosen{SideAudit})
	require.Empty(t, effects)
	require.Contains(t, s.AuditText().Empty, "What could mislead an agent")

	s, effects = step(captured(t), SideChosen{SideAudit})
	require.Equal(t, "Auditing the page…", s.AuditText().Empty)
	require.Equal(t, "", s.auditTag())
	answer := audited(t, effects[0])
	answer.Report.Findings = append(answer.Report.Findings, audit.Finding{Rule: audit.Secret, Severity: audit.Error,
		Sentence: "The text of [2] holds a key", Evidence: "AKIA…, 20 characters\u202e", Node: 2, Ref: 2, Action: "Take it off the page."})
	answer.Report.Errors++
	s, _ = step(s, answer)
	text := s.AuditText()
	require.Empty(t, text.Empty)
	require.Contains(t, text.Doc.Text, "What a person sees in the window, and a format has:")
	require.Contains(t, text.Doc.Text, "ERROR  A secret is readable  (secret)")
	require.NotContains(t, text.Doc.Text, "\u202e")
	require.Contains(t, s.auditTag(), "1 error")

	// The line of a finding is the line of its element.
	for i, l := range text.Doc.Lines {
		if strings.Contains(text.Doc.Text[l.Start:l.End], "holds a key") {
			require.Equal(t, 2, l.Node)
			require.Equal(t, 2, l.Ref)
			require.Equal(t, ToneBad, text.Tones.Of(i-1), "its heading")
		}
	}

	// A severity that is not listed is still counted.
	s, _ = step(s, AuditShown{AuditHide{Errors: true}})
	require.NotContains(t, s.AuditText().Doc.Text, "holds a key")
	require.Contains(t, s.AuditText().Doc.Text, "1 error")

	// The same turn is not audited twice; another question asks again, and an answer to
	// the first one comes too late.
	_, effects = step(s, SideChosen{SideAudit})
	require.Empty(t, effects)
	s, effects = step(s, PersonalToggled{})
	require.True(t, effects[0].(RunAudit).Personal)
	late, _ := step(s, answer)
	require.Nil(t, late.Audit.Report)
	s, _ = step(s, Audited{Turn: s.Shown, Personal: true, Problem: &Problem{Sentence: "It cannot be audited."}})
	require.Equal(t, "It cannot be audited.", s.AuditText().Empty)
}

func TestAuditSaysWhatIsNew(t *testing.T) {
	s, effects := step(captured(t), SideChosen{SideAudit})
	answer := audited(t, effects[0])
	answer.From = 3
	answer.Changes = &audit.Changes{Appeared: []audit.Finding{{Severity: audit.Warning, Sentence: "[2] has no name", Node: 2, Ref: 2}}}
	s, _ = step(s, answer)
	require.Contains(t, s.AuditText().Doc.Text, "since turn 3: 1 finding appeared, 0 gone\n+ warning: [2] has no name")
	answer.Changes = &audit.Changes{}
	s, _ = step(s, answer)
	require.Contains(t, s.AuditText().Doc.Text, "the same findings as in turn 3")
}

func TestCostsOnThePicture(t *testing.T) {
	s, effects := step(captured(t), CommandChosen{CmdCosts})
	require.Equal(t, []Effect{MapCosts{s.Shown, "dddk"}}, effects)
	require.Same(t, s.Shown.Pyramid, s.Shot().Picture, "not there yet")
	s, effects = step(s, FormatChosen{"semantic"})
	require.Contains(t, effects, Effect(MapCosts{s.Shown, "semantic"}))
	late, _ := step(s, CostsMapped{Turn: s.Shown, Format: "dddk", Picture: turnOf(2).Pyramid})
	require.Nil(t, late.Costs.Picture, "of another format")
	other := turnOf(2).Pyramid
	s, _ = step(s, CostsMapped{Turn: s.Shown, Format: "semantic", Picture: other, Tokens: 1234})
	require.Same(t, other, s.Shot().Picture)
	require.Nil(t, s.Shot().Scene)
	require.Contains(t, s.Shot().Badge, "1,234 tokens")
	bad, _ := step(s, FormatChosen{"dddk"}, CostsMapped{Turn: s.Shown, Format: "dddk", Problem: &Problem{Sentence: "No."}})
	require.False(t, bad.Costs.On)
	s, _ = step(s, CostsToggled{})
	require.Same(t, s.Shown.Pyramid, s.Shot().Picture)
}

func TestShareInWords(t *testing.T) {
	require.Equal(t, "none there", coverShare(audit.Share{}))
	require.Equal(t, "all 12", coverShare(audit.Share{Seen: 12, Has: 12}))
	require.Equal(t, "98.2 % of 1,204", coverShare(audit.Share{Seen: 1204, Has: 1182}))
}

func TestFindingsOnTheTimeline(t *testing.T) {
	s := captured(t)
	n := CountFindings(&audit.Changes{Appeared: []audit.Finding{{Severity: audit.Error}, {Severity: audit.Note}}, Gone: []audit.Finding{{Severity: audit.Warning}}})
	require.Equal(t, FindingChange{1, 1}, n)
	other, _ := step(s, FindingsCompared{Session: s.Session.Opened + 1, N: 1, FindingChange: n})
	require.Zero(t, other.Session.Turns[0].Findings, "of a session that was left")
	s, _ = step(s, FindingsCompared{Session: s.Session.Opened, N: 1, FindingChange: n})
	require.Contains(t, s.Session.Turns[0].Flags(Remarks{}).Text, "+1 finding · −1 finding")
	require.True(t, s.Session.Turns[0].changed())
}

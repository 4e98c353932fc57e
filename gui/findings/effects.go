package findings

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
)

// Run does what [RunAudit] asks: it judges a turn and says what is new since the turn before,
// which load reads where it is not known.
func Run(ctx context.Context, e RunAudit, log *slog.Logger, load func(ctx context.Context, n int) (*snapshot.Capture, error)) Audited {
	m := Audited{Turn: e.Turn, Personal: e.Personal}
	o := audit.Options{Personal: e.Personal, PerRule: -1, Texts: auditTexts(e.Turn)}
	var err error
	if m.Report, err = audit.Run(e.Turn.Capture, o); err != nil {
		err = fmt.Errorf("turn %d cannot be audited: %w", e.Turn.N, err)
		log.Error("problem", "with", "audit", "error", err)
		m.Problem = core.ProblemOf(err)
		return m
	}
	if e.From == 0 {
		return m
	}
	var before *snapshot.Capture
	if e.Known != nil && e.Known.N == e.From {
		before = e.Known.Capture
	} else if before, err = load(ctx, e.From); err != nil {
		log.Debug("no audit of the turn before", "turn", e.From, "error", err)
		return m
	}
	if old, err := audit.Run(before, audit.Options{Personal: e.Personal, PerRule: -1}); err == nil {
		m.Changes, m.From = audit.Diff(old, m.Report), e.From
	}
	return m
}

// auditTexts are the stored payloads, which are searched for secrets too.
func auditTexts(t *core.Turn) []audit.Text {
	var list []audit.Text
	for i, p := range t.Stored {
		list = append(list, audit.Text{Name: fmt.Sprintf("%s %s %d", p.Dialect, p.Way, i+1), Text: string(p.Bytes)})
	}
	return list
}

// maxFindings is how many elements a page may have for its findings to be compared for
// the list of turns; the side has no such limit.
const maxFindings = 20_000

// Compare compares the findings of two turns of one page for the list of turns; nil where
// there is nothing to say, as after going to another page.
func Compare(ctx context.Context, session, n int, before, after *snapshot.Capture, log *slog.Logger) core.Msg {
	if ctx.Err() != nil || before.URL != after.URL || len(after.Nodes) > maxFindings {
		return nil
	}
	var reports [2]*audit.Report
	for i, c := range []*snapshot.Capture{before, after} {
		var err error
		if reports[i], err = audit.Run(c, audit.Options{PerRule: -1}); err != nil {
			log.Debug("no findings", "turn", n, "error", err)
			return nil
		}
	}
	return core.FindingsCompared{Session: session, N: n, FindingChange: core.CountFindings(audit.Diff(reports[0], reports[1]))}
}

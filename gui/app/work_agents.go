package app

import (
	"context"
	"time"

	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
)

// agentsEvery is how often the page for agents is brought up to date while it is open.
const agentsEvery = time.Second

// agentsWork starts the work of the page for agents.
func (r *runner) agentsWork(e core.Effect) bool {
	switch e := e.(type) {
	case connect.ListAgents:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			if e.Later {
				select {
				case <-time.After(agentsEvery):
				case <-ctx.Done():
					return nil
				}
			}
			m := r.agents(ctx, nil)
			m.Poll = e.Poll
			return m
		})
	case connect.ServeAgents:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			return r.agents(ctx, r.engine.ServeAgents(ctx, e.On))
		})
	case connect.StopAgent:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			return r.agents(ctx, r.engine.StopAgent(ctx, e.ID))
		})
	default:
		return false
	}
	return true
}

// agents is what the page shows now, with what went wrong before.
func (r *runner) agents(ctx context.Context, before error) connect.Changed {
	m, err := r.engine.Agents(ctx)
	if before != nil {
		err = before
	}
	m.Problem = r.problem("agents", err)
	return m
}

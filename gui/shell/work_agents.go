package shell

import (
	"context"
	"time"

	"github.com/refscope/refscope/gui/state"
)

// agentsEvery is how often the page for agents is brought up to date while it is open.
const agentsEvery = time.Second

// agentsWork starts the work of the page for agents.
func (r *runner) agentsWork(e state.Effect) bool {
	switch e := e.(type) {
	case state.ListAgents:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
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
	case state.ServeAgents:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
			return r.agents(ctx, r.engine.ServeAgents(ctx, e.On))
		})
	case state.StopAgent:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
			return r.agents(ctx, r.engine.StopAgent(ctx, e.ID))
		})
	default:
		return false
	}
	return true
}

// agents is what the page shows now, with what went wrong before.
func (r *runner) agents(ctx context.Context, before error) state.ConnectChanged {
	m, err := r.engine.Agents(ctx)
	if before != nil {
		err = before
	}
	m.Problem = r.problem("agents", err)
	return m
}

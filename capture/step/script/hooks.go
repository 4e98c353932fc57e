package script

import (
	"context"
	"fmt"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// Hooks are functions in the page that run around an action (C-12).
type Hooks struct {
	ReadyWhen   string `json:"readyWhen,omitempty" what:"wait for this before the action"`
	SettledWhen string `json:"settledWhen,omitempty" what:"wait for this after the action"`
	Observe     string `json:"observe,omitempty" what:"and answer with what this gives"`
}

// Run runs readyWhen, the action, settledWhen and observe.
func (h *Hooks) Run(ctx context.Context, e *stepdef.Env, act stepdef.Action) (output, observation any, err error) {
	if h.ReadyWhen != "" {
		p, err := until(ctx, e, h.ReadyWhen, pollEvery, 0, true)
		if err != nil {
			return nil, nil, fmt.Errorf("readyWhen: %w", err)
		}
		if !p.Resolved {
			why, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			return nil, nil, fmt.Errorf("readyWhen never became true (last: %s): %w", lastSeen(why, e, p), ctx.Err())
		}
	}
	if output, err = act(ctx, e); err != nil {
		return nil, nil, err
	}
	if h.SettledWhen != "" {
		// A quarter of the step's time is left for observe.
		limit := 30 * time.Second
		if end, ok := ctx.Deadline(); ok {
			limit = time.Until(end) * 3 / 4
		}
		p, err := until(ctx, e, h.SettledWhen, pollEvery, limit, true)
		switch {
		case err != nil:
			e.Warn("settledWhen did not become true within %d ms: %v", p.Elapsed.Milliseconds(),
				PlainError(ctx, e, err))
		case !p.Resolved:
			e.Warn("settledWhen did not become true within %d ms (last: %s)", p.Elapsed.Milliseconds(),
				lastSeen(ctx, e, p))
		}
	}
	if h.Observe != "" {
		// What JSON can express is returned as it is, the rest with its type.
		s := action.Script{Source: h.Observe, Function: functionLike.MatchString(h.Observe), Await: true, Plain: true}
		if observation, err = value(ctx, e, s); err != nil {
			return nil, nil, fmt.Errorf("observe: %w", err)
		}
	}
	return output, observation, nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/tabs"
)

// errNoBroker: the command is run in this process.
var errNoBroker = errors.New("no broker")

// withoutBroker is what a command that runs alone cannot do.
const withoutBroker = "the device that a tab is shown as, its open dialogs and its console lines end with this command"

// byBroker hands the command to the broker, which is started where a step needs a tab.
// Its error is errNoBroker where the command is to be run in this process.
func (a *app) byBroker(ctx context.Context, c *step.Command, s *settings) (outcome, error) {
	if a.noBroker {
		if c.NeedsTab() {
			a.remark("--no-broker: %s", withoutBroker)
		}
		return outcome{}, errNoBroker
	}
	b, err := a.connectBroker(ctx, c.NeedsTab())
	if err != nil {
		if c.NeedsTab() {
			a.remark("the command runs without a broker: %v; %s", err, withoutBroker)
		}
		return outcome{}, errNoBroker
	}
	defer b.Close()
	body, err := json.Marshal(s)
	if err != nil {
		return outcome{}, fmt.Errorf("writing the command for the broker: %w", err)
	}
	reply, err := b.Run(ctx, body)
	if errors.Is(err, broker.ErrLost) {
		err = fmt.Errorf("%w: which of the steps were done is not known: the next command starts a new one, so send a snapshot step first", err)
	}
	if err != nil {
		return outcome{}, &step.Error{Type: step.TypeConnection, Err: err}
	}
	var done outcome
	if err := json.Unmarshal(reply, &done); err != nil {
		return outcome{}, fmt.Errorf("reading the broker's answer: %w", err)
	}
	return done, nil
}

// connectBroker comes to the broker, and starts it where that is wanted. One of another
// build is not used unless it can be replaced.
func (a *app) connectBroker(ctx context.Context, start bool) (*broker.Client, error) {
	me, program, err := build()
	if err != nil {
		return nil, err
	}
	if start {
		return broker.Connect(ctx, a.home, me, program, "--home", a.home, "browser", "serve")
	}
	b, err := broker.Dial(ctx, a.home)
	if err == nil && !b.Hello.Same(me) {
		_ = b.Close()
		return nil, errNoBroker
	}
	return b, err
}

// build tells this program from others, and where it is.
func build() (broker.Build, string, error) {
	program, err := os.Executable()
	if err != nil {
		return broker.Build{}, "", fmt.Errorf("finding this program: %w", err)
	}
	st, err := os.Stat(program)
	if err != nil {
		return broker.Build{}, "", fmt.Errorf("finding this program: %w", err)
	}
	return broker.Build{Version: version, Built: st.ModTime().UTC()}, program, nil
}

// serveBroker is the broker: "refscopectl browser serve", which no person calls. It logs
// to its standard error, the file HOME/broker.log.
func (a *app) serveBroker(ctx context.Context) error {
	me, _, err := build()
	if err != nil {
		return err
	}
	h := tabs.NewHost(tabs.Options{Home: a.home, Keep: true, Tool: "refscopectl " + version})
	s := &broker.Server{
		Home: a.home, Build: me, Log: a.log(), Holds: h.Holds, Lost: h.Lost(),
		Handle: func(ctx context.Context, body []byte) ([]byte, error) {
			var s settings
			if err := json.Unmarshal(body, &s); err != nil {
				return nil, fmt.Errorf("reading the command: %w", err)
			}
			c, err := step.Parse(s.Input)
			var done outcome
			if err == nil {
				done, err = a.execute(ctx, h.With(s.host(a.home)), c, &s)
			}
			if err != nil {
				done = outcome{Body: errorBody(err)}
			}
			return json.Marshal(done)
		},
	}
	why, err := s.Serve(ctx)
	if errors.Is(err, broker.ErrRunning) {
		return nil // the other one answers
	}
	if cerr := h.Close(); cerr != nil {
		a.log().Debug("leaving the browsers", "error", cerr)
	}
	if err == nil {
		a.log().Warn("the broker has ended", "because", why)
	}
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/redact"
)

// Settings are a run's settings from its command line and environment. They go to
// the broker with it.
type Settings struct {
	tabs.Choice
	Input []byte `json:"input"`
	Files string `json:"files"`
	Dir   string `json:"dir"` // relative paths are of it
	// Roots are the folders of --files.
	Roots   []string           `json:"roots,omitempty"`
	Timeout time.Duration      `json:"timeout"`
	Writes  session.PageWrites `json:"writes"`
	Trace   bool               `json:"trace,omitempty"`
}

// Settings are those of this command; input is what it was given to run.
func (a *App) Settings(input []byte) (Settings, error) {
	if err := a.OneBrowser(); err != nil {
		return Settings{}, err
	}
	files, err := broker.Files(a.Home)
	if err != nil {
		return Settings{}, fmt.Errorf("the folder for pictures and snapshots: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return Settings{}, fmt.Errorf("the working folder: %w", err)
	}
	flags, err := a.BrowserFlags()
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Choice: a.Choice,
		Input:  input, Files: files, Dir: dir, Timeout: a.Timeout, Writes: a.Writes, Trace: a.Recorder != nil,
	}
	s.Flags = flags
	for _, root := range a.Files {
		if root, err = OpenedFolder(root); err != nil {
			return Settings{}, err
		}
		s.Roots = append(s.Roots, root)
	}
	if s.Profile != "" { // the broker has a working folder of its own
		if s.Profile, err = filepath.Abs(s.Profile); err != nil {
			return s, err
		}
	}
	if s.Chrome == "" {
		s.Chrome = browser.FromEnvironment() // the broker has the one of its own start
	}
	return s, nil
}

// OpenedFolder is a folder of --files as the broker finds it.
func OpenedFolder(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", Usagef("--files %s: %v: name a folder that is there", name, export.Cause(err))
	case !info.IsDir():
		return "", Usagef("--files %s: it is a file: name its folder", name)
	}
	return filepath.Abs(name)
}

// Host are the browsers and tabs of the process that runs the steps.
func (s *Settings) Host(home string) tabs.Options {
	return tabs.Options{Choice: s.Choice, Home: home, Tool: Tool()}
}

// HostBeside is [settings.host] for another process than the broker.
func (s *Settings) HostBeside(a *App) tabs.Options {
	o := s.Host(a.Home)
	o.Shared, o.Hand = a.BrokerSecrets, a.tellBroker
	return o
}

// BrokerSecrets is what the sessions of the broker have met, by their names: none where no broker runs.
// A broker of another build that cannot be asked is remarked on.
func (a *App) BrokerSecrets(ctx context.Context) map[string]redact.Kept {
	b, err := broker.Dial(ctx, a.Home)
	if err != nil {
		return nil
	}
	defer b.Close()
	kept, err := b.Secrets(ctx)
	if err != nil {
		a.Remark("what was typed in the tabs of run is not known here, and is shown where a page shows it: %v", err)
	}
	return kept
}

// tellBroker gives the broker what was typed in sessions of this process, by their names. It starts one where that is
// allowed: whoever reads the tabs by another command must know it.
func (a *App) tellBroker(ctx context.Context, kept map[string]redact.Kept) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	b, err := a.ConnectBroker(ctx, !a.NoBroker)
	if err == nil {
		defer b.Close()
		err = b.Learn(ctx, kept)
	}
	if err != nil {
		a.Log().Debug("what was typed could not be sent to the broker", "error", err)
	}
}

// ConnectBroker connects to the broker, and starts it where that is wanted. One of another
// build is not used unless it can be replaced.
func (a *App) ConnectBroker(ctx context.Context, start bool) (*broker.Client, error) {
	me, program, err := Build()
	if err != nil {
		return nil, err
	}
	if start {
		return broker.Connect(ctx, a.Home, me, program, "--home", a.Home, "browser", "serve")
	}
	b, err := broker.Dial(ctx, a.Home)
	if err == nil && !b.Hello.Same(me) {
		_ = b.Close()
		return nil, ErrNoBroker
	}
	return b, err
}

// Build identifies this program and where it is.
func Build() (broker.Build, string, error) {
	program, err := os.Executable()
	if err != nil {
		return broker.Build{}, "", fmt.Errorf("finding this program: %w", err)
	}
	st, err := os.Stat(program)
	if err != nil {
		return broker.Build{}, "", fmt.Errorf("finding this program: %w", err)
	}
	return broker.Build{Version: Version, Built: st.ModTime().UTC()}, program, nil
}

// ErrNoBroker: the command is run in this process.
var ErrNoBroker = errors.New("no broker")

// Package settings is the dialog with what a person sets once: colours and size, the Chrome that is started, the size
// of its pages and how long one may load, where sessions live, and the keys of the vendors' APIs.
//
// Colours and size change at once; what concerns Chrome holds from the next start on and gives way to a flag. A key
// goes to the system's keyring and nowhere else: no state, file or log holds it. Start with [Room] and [viewOf].
package settings

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog is the dialog of the settings.
const Dialog core.Dialog = "settings"

// CmdSettings opens it.
const CmdSettings = "settings"

// Facts are what is found on this system.
type Facts struct {
	// Chrome is the program that is started where none is named, "" where there is none.
	Chrome string
	// Home is the folder of all sessions.
	Home string
	Keys []Key
}

// Key is a vendor and where its key comes from, From "" where there is none.
type Key struct{ Vendor, From string }

// Engine knows the system.
type Engine interface {
	// Facts looks at the system.
	Facts(ctx context.Context) (Facts, error)
	// StoreKey puts a vendor's key into the keyring, or takes it out where key is "".
	StoreKey(ctx context.Context, vendor, key string) error
}

// model is the state of the dialog.
type model struct {
	Facts *Facts // nil until they are known
	// Said is what came of the last change, Bad: it failed.
	Said string
	Bad  bool
}

// secret is a key on its way to the keyring. Printed it says nothing.
type secret struct{ value func() string }

// newSecret holds a key.
func newSecret(key string) secret { return secret{func() string { return key }} }

type (
	// startupTyped sets what holds from the next start on, as it was typed.
	startupTyped struct{ Chrome, Page, Wait string }
	// keyTyped stores a vendor's key, or removes it where Remove is set.
	keyTyped struct {
		Vendor string
		Key    secret
		Remove bool
	}
	look     struct{}
	storeKey keyTyped
)

// opened opens the dialog.
func opened() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog = Dialog
		*edit(&s) = model{Facts: of(s).Facts}
		return s, []core.Effect{look{}}
	})
}

// Do implements [core.Work].
func (look) Do(ctx context.Context, w *core.Worker) core.Msg {
	f, err := core.EngineOf[Engine](w).Facts(ctx)
	return found(f, w.Problem("settings", err))
}

func found(facts Facts, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		read := facts
		edit(&s).Facts = &read
		if problem != nil {
			edit(&s).Said, edit(&s).Bad = problem.Sentence, true
		}
		return s, nil
	})
}

// Apply implements [core.Msg].
func (m startupTyped) Apply(s core.State) (core.State, []core.Effect) {
	now, problem := m.read()
	model := edit(&s)
	switch {
	case problem != "":
		model.Said, model.Bad = problem, true
	case now != s.Startup:
		s.Startup = now
		model.Said, model.Bad = "Saved. It holds from the next start of the window on.", false
	default:
		model.Said, model.Bad = "", false
	}
	return s, nil
}

// read reads what was typed, or returns what is wrong with it.
func (m startupTyped) read() (core.Startup, string) {
	out := core.Startup{Chrome: strings.TrimSpace(m.Chrome)}
	if page := strings.ToLower(strings.ReplaceAll(m.Page, " ", "")); page != "" {
		w, h, ok := strings.Cut(strings.ReplaceAll(page, "×", "x"), "x")
		var err1, err2 error
		out.Width, err1 = strconv.Atoi(w)
		out.Height, err2 = strconv.Atoi(h)
		if !ok || err1 != nil || err2 != nil || !out.Sized() {
			return out, "The size of pages is WIDTHxHEIGHT in CSS px, such as 1280x720."
		}
	}
	if wait := strings.TrimSpace(m.Wait); wait != "" {
		var err error
		if out.Wait, err = strconv.Atoi(wait); err != nil || out.Wait < 1 || out.Wait > core.MaxWait {
			return out, fmt.Sprintf("The time that a page may load is a number of seconds, from 1 to %d.", core.MaxWait)
		}
	}
	return out, ""
}

// Apply implements [core.Msg].
func (m keyTyped) Apply(s core.State) (core.State, []core.Effect) {
	if m.Vendor == "" {
		return s, nil
	}
	edit(&s).Said, edit(&s).Bad = "Asking the keyring…", false
	return s, []core.Effect{storeKey(m)}
}

// Do implements [core.Work].
func (e storeKey) Do(ctx context.Context, w *core.Worker) core.Msg {
	key := ""
	if !e.Remove && e.Key.value != nil {
		if key = strings.TrimSpace(e.Key.value()); key == "" {
			return stored(e.Vendor, false, &core.Problem{Sentence: "Type or paste the key first."})
		}
	}
	return stored(e.Vendor, e.Remove, w.Problem("key", core.EngineOf[Engine](w).StoreKey(ctx, e.Vendor, key)))
}

func stored(vendor string, remove bool, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		model.Said, model.Bad = "The key of "+vendor+" is in the keyring.", false
		switch {
		case problem != nil:
			model.Said, model.Bad = strings.TrimSpace(problem.Sentence+" "+problem.Hint), true
			return s, nil
		case remove:
			model.Said = "The key of " + vendor + " is no longer in the keyring."
		}
		return s, []core.Effect{look{}}
	})
}

// viewModel is what the dialog shows.
type viewModel struct {
	Look  core.Look
	Scale float64
	// Startup is what is set; Chrome, Page and Wait are what holds where nothing is.
	Startup            core.Startup
	Chrome, Page, Wait string
	Home               string
	Keys               []core.StatusItem
	Said               string
	Bad                bool
}

// viewOf is what the dialog shows.
func viewOf(s core.State) viewModel {
	m := of(s)
	v := viewModel{Look: s.Look, Scale: s.Scale, Startup: s.Startup, Chrome: "looking…",
		Page: fmt.Sprintf("%dx%d", core.DefaultWidth, core.DefaultHeight), Wait: strconv.Itoa(core.DefaultWait),
		Home: "looking…", Said: m.Said, Bad: m.Bad}
	if m.Facts == nil {
		return v
	}
	v.Chrome, v.Home = "none found: name its program", text.Cut(text.Line(m.Facts.Home), 200)
	if m.Facts.Chrome != "" {
		v.Chrome = text.Cut(text.Line(m.Facts.Chrome), 120) + ", found automatically"
	}
	for _, k := range m.Facts.Keys {
		item := core.StatusItem{Text: k.Vendor + ": none", Tone: core.ToneMuted}
		if k.From != "" {
			item = core.StatusItem{Text: k.Vendor + ": " + k.From, Tone: core.ToneGood}
		}
		v.Keys = append(v.Keys, item)
	}
	return v
}

// Room is the dialog of the settings.
func Room() core.Room {
	return core.Room{Name: "settings", Commands: func(core.State) []core.Command {
		return []core.Command{{ID: CmdSettings, Title: "Settings…", Menu: "Edit", Key: "Ctrl+,", Gap: true,
			Enabled: core.Always, Checked: func(s core.State) bool { return s.Dialog == Dialog },
			Msg: core.Send(opened())}}
	}}
}

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }

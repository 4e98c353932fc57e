package app

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/refscope/refscope/gui/core"
)

// shortcut reads a key of the command table. plain is set for keys without Ctrl
// and Alt, which Fyne does not treat as shortcuts: they arrive as typed keys.
func shortcut(key string) (s *desktop.CustomShortcut, plain bool, err error) {
	s = &desktop.CustomShortcut{}
	rest := key
	for {
		mod, more, ok := strings.Cut(rest, "+")
		if !ok || more == "" { // the last part, or the plus key itself
			break
		}
		switch mod {
		case "Ctrl":
			s.Modifier |= fyne.KeyModifierShortcutDefault // Cmd on a Mac
		case "Alt":
			s.Modifier |= fyne.KeyModifierAlt
		case "Shift":
			s.Modifier |= fyne.KeyModifierShift
		default:
			return nil, false, fmt.Errorf("key %q: unknown modifier %q", key, mod)
		}
		rest = more
	}
	switch {
	case rest == "Left" || rest == "Right" || rest == "Up" || rest == "Down":
		s.KeyName = fyne.KeyName(rest)
	case rest == "Enter":
		s.KeyName = fyne.KeyReturn
	case len(rest) == 1 && rest[0] > ' ' && rest[0] < 0x7f:
		s.KeyName = fyne.KeyName(strings.ToUpper(rest))
	case len(rest) >= 2 && rest[0] == 'F' && strings.Trim(rest[1:], "0123456789") == "":
		s.KeyName = fyne.KeyName(rest)
	default:
		return nil, false, fmt.Errorf("key %q: unknown key %q", key, rest)
	}
	return s, s.Modifier == 0 || s.Modifier == fyne.KeyModifierShift, nil // Fyne treats Shift alone as typing
}

// longPress is how long a key has to be down to count as held: then its command ends
// when it comes up, while a shorter press leaves it switched.
const longPress = 350 * time.Millisecond

// keymap finds commands by what was typed.
type keymap struct {
	commands []core.Command
	run      func(id string)
	now      func() time.Time
	digit    func(rune) bool      // takes a digit that begins the number of a mark; nil takes none
	menu     func(letter rune)    // drops a menu down, by how its title begins; 0 the first
	down     map[string]time.Time // keys of Hold commands that are down, since when
}

func newKeymap(list []core.Command, run func(id string)) *keymap {
	return &keymap{commands: list, run: run, now: time.Now, down: map[string]time.Time{}}
}

// held follows the keys of commands that last while a key is down.
func (k *keymap) held(name fyne.KeyName, down bool) {
	for _, c := range k.commands {
		if !c.Hold || c.Key != string(name) {
			continue
		}
		since, was := k.down[c.Key]
		switch {
		case down && !was:
			k.down[c.Key] = k.now()
			k.run(c.ID)
		case !down && was:
			delete(k.down, c.Key)
			if k.now().Sub(since) >= longPress {
				k.run(c.ID)
			}
		}
	}
}

// typedRune runs the command of a printable key. It is called only while no text
// is being typed.
func (k *keymap) typedRune(r rune) {
	if k.digit != nil && k.digit(r) {
		return
	}
	if unicode.IsUpper(r) {
		for _, c := range k.commands {
			if c.Key == "Shift+"+string(r) {
				k.run(c.ID)
				return
			}
		}
	}
	for _, c := range k.commands {
		if len([]rune(c.Key)) == 1 && strings.EqualFold(c.Key, string(r)) {
			if _, down := k.down[c.Key]; !c.Hold || !down { // its going down ran it already
				k.run(c.ID)
			}
			return
		}
	}
}

// typedKey runs the command of a function key; esc is what Esc does.
func (k *keymap) typedKey(e *fyne.KeyEvent, esc func()) {
	if e.Name == fyne.KeyEscape {
		esc()
		return
	}
	if len(e.Name) < 2 || e.Name[0] != 'F' {
		return
	}
	name := string(e.Name)
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers() == fyne.KeyModifierShift {
		name = "Shift+" + name
	}
	if name == "F10" && k.menu != nil {
		k.menu(0)
		return
	}
	for _, c := range k.commands {
		if c.Key == name {
			k.run(c.ID)
			return
		}
	}
}

// typedShortcut runs the command of a shortcut that a focused pane had no use
// for. The main menu comes first on a real window, so this is for the others.
func (k *keymap) typedShortcut(sc fyne.Shortcut) {
	if c, ok := sc.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierAlt && len(c.KeyName) == 1 &&
		k.menu != nil {
		k.menu(rune(c.KeyName[0]))
		return
	}
	for _, c := range k.commands {
		if c.Key == "" {
			continue
		}
		if s, plain, err := shortcut(c.Key); err == nil && !plain && s.ShortcutName() == sc.ShortcutName() {
			k.run(c.ID)
			return
		}
	}
}

package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// key is what the protocol wants to know of one key. The values are those of the UI
// Events specification (KeyboardEvent.key and .code) and the legacy keyCode.
type key struct {
	key, code string
	number    int64  // windowsVirtualKeyCode
	text      string // what it types, "" for none
	location  int64  // 1 left, 2 right
	shift     bool   // typed with Shift on a US keyboard
}

// named are the keys that have a name instead of a character.
func named() map[string]key {
	m := map[string]key{
		"Enter": {"Enter", "Enter", 13, "\r", 0, false}, "Tab": {"Tab", "Tab", 9, "", 0, false},
		"Escape": {"Escape", "Escape", 27, "", 0, false}, "Backspace": {"Backspace", "Backspace", 8, "", 0, false},
		"Delete": {"Delete", "Delete", 46, "", 0, false}, "Insert": {"Insert", "Insert", 45, "", 0, false},
		"Space": {" ", "Space", 32, " ", 0, false}, "Home": {"Home", "Home", 36, "", 0, false}, "End": {"End", "End", 35, "", 0, false},
		"PageUp": {"PageUp", "PageUp", 33, "", 0, false}, "PageDown": {"PageDown", "PageDown", 34, "", 0, false},
		"ArrowLeft": {"ArrowLeft", "ArrowLeft", 37, "", 0, false}, "ArrowUp": {"ArrowUp", "ArrowUp", 38, "", 0, false},
		"ArrowRight": {"ArrowRight", "ArrowRight", 39, "", 0, false}, "ArrowDown": {"ArrowDown", "ArrowDown", 40, "", 0, false},
		"CapsLock": {"CapsLock", "CapsLock", 20, "", 0, false}, "NumLock": {"NumLock", "NumLock", 144, "", 0, false},
		"ScrollLock": {"ScrollLock", "ScrollLock", 145, "", 0, false}, "Pause": {"Pause", "Pause", 19, "", 0, false},
		"PrintScreen": {"PrintScreen", "PrintScreen", 44, "", 0, false}, "ContextMenu": {"ContextMenu", "ContextMenu", 93, "", 0, false},
		"Shift": {"Shift", "ShiftLeft", 16, "", 1, false}, "Control": {"Control", "ControlLeft", 17, "", 1, false},
		"Alt": {"Alt", "AltLeft", 18, "", 1, false}, "Meta": {"Meta", "MetaLeft", 91, "", 1, false},
	}
	for n := int64(1); n <= 24; n++ {
		name := fmt.Sprintf("F%d", n)
		m[name] = key{name, name, 111 + n, "", 0, false}
	}
	return m
}

// aliases are other spellings of names, in small letters.
func aliases() map[string]string {
	return map[string]string{
		"ctrl": "Control", "cmd": "Meta", "command": "Meta", "option": "Alt", "esc": "Escape", "return": "Enter", "del": "Delete",
		"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown", "spacebar": "Space", "pgup": "PageUp", "pgdn": "PageDown",
	}
}

// punctuation is what the keys beside letters and digits type on a US keyboard: the
// character, with Shift, the code, and the legacy number.
var punctuation = [...]struct {
	plain, shifted, code string
	number               int64
}{
	{"-", "_", "Minus", 189}, {"=", "+", "Equal", 187}, {"[", "{", "BracketLeft", 219}, {"]", "}", "BracketRight", 221}, {`\`, "|", "Backslash", 220},
	{";", ":", "Semicolon", 186}, {"'", `"`, "Quote", 222}, {",", "<", "Comma", 188}, {".", ">", "Period", 190}, {"/", "?", "Slash", 191}, {"`", "~", "Backquote", 192},
}

// shiftedDigits are what 0 to 9 type with Shift on a US keyboard.
const shiftedDigits = ")!@#$%^&*("

// keyOf is the key that types a character, or that has the name; false where no
// keyboard has it.
func keyOf(name string) (key, bool) {
	if k, ok := named()[name]; ok {
		return k, true
	}
	if utf8.RuneCountInString(name) == 1 {
		r, _ := utf8.DecodeRuneInString(name)
		return keyOfRune(r)
	}
	low := strings.ToLower(name)
	if full, ok := aliases()[low]; ok {
		return named()[full], true
	}
	for n, k := range named() {
		if strings.ToLower(n) == low {
			return k, true
		}
	}
	return key{}, false
}

func keyOfRune(r rune) (key, bool) {
	s := string(r)
	switch {
	case r >= 'a' && r <= 'z':
		return key{s, "Key" + strings.ToUpper(s), int64(r - 'a' + 'A'), s, 0, false}, true
	case r >= 'A' && r <= 'Z':
		return key{s, "Key" + s, int64(r), s, 0, true}, true
	case r >= '0' && r <= '9':
		return key{s, "Digit" + s, int64(r), s, 0, false}, true
	case r == ' ':
		return named()["Space"], true
	case r == '\n' || r == '\r':
		return named()["Enter"], true
	case r == '\t':
		return named()["Tab"], true
	}
	if i := strings.IndexRune(shiftedDigits, r); i >= 0 {
		return key{s, fmt.Sprintf("Digit%d", i), int64('0' + i), s, 0, true}, true
	}
	for _, p := range punctuation {
		if p.plain == s || p.shifted == s {
			return key{s, p.code, p.number, s, 0, p.shifted == s}, true
		}
	}
	return key{}, false
}

// Combination is a key with the modifiers that are held: "Control+Shift+k".
type Combination struct {
	key  key
	held Modifier
}

// KeyError: a key that no keyboard has.
type KeyError struct {
	Name string
	// Nearest is the name that was probably meant, "" where none is like it.
	Nearest string
}

func (e *KeyError) Error() string {
	s := fmt.Sprintf("there is no key %q", e.Name)
	if e.Nearest != "" {
		s += fmt.Sprintf(": did you mean %s?", e.Nearest)
	}
	return s
}

// ParseKeys reads a key or a combination. A plus sign that is the key itself stands at
// the end: "+", "Control++".
func ParseKeys(s string) (Combination, error) {
	var c Combination
	parts := strings.Split(s, "+")
	if s == "+" || strings.HasSuffix(s, "++") {
		parts = parts[:len(parts)-1]
		parts[len(parts)-1] = "+"
	}
	for i, name := range parts {
		if name == "" || name != " " && strings.TrimSpace(name) == "" {
			return c, &KeyError{Name: s}
		}
		k, ok := keyOf(name)
		if !ok {
			return c, &KeyError{Name: name, Nearest: nearestKey(name)}
		}
		if i == len(parts)-1 {
			c.key = k
			break
		}
		m, ok := modifierOf(k.key)
		if !ok {
			return c, fmt.Errorf("%s in %q is no modifier: only Control, Alt, Meta and Shift can be held", name, s)
		}
		c.held |= m
	}
	if c.key.shift {
		c.held |= Shift
	}
	return c, nil
}

func modifierOf(name string) (Modifier, bool) {
	switch name {
	case "Alt":
		return Alt, true
	case "Control":
		return Control, true
	case "Meta":
		return Meta, true
	case "Shift":
		return Shift, true
	}
	return 0, false
}

// nearestKey is the key name that is most like it.
func nearestKey(name string) string {
	var names []string
	for n := range named() {
		names = append(names, n)
	}
	slices.Sort(names)
	return Nearest(name, names)
}

// Press presses and releases a key, with its modifiers around it. The element that has
// the focus gets it, in whatever frame.
func (p *Page) Press(ctx context.Context, c Combination) error {
	var held Modifier
	order := []struct {
		m    Modifier
		name string
	}{{Control, "Control"}, {Alt, "Alt"}, {Meta, "Meta"}, {Shift, "Shift"}}
	for _, o := range order {
		if c.held&o.m != 0 {
			held |= o.m
			if err := p.key(ctx, input.DispatchKeyEventTypeRawKeyDown, named()[o.name], held, ""); err != nil {
				return err
			}
		}
	}
	text := c.key.text
	if held&(Control|Alt|Meta) != 0 {
		text = "" // a shortcut types nothing
	}
	down := input.DispatchKeyEventTypeKeyDown
	if text == "" {
		down = input.DispatchKeyEventTypeRawKeyDown
	}
	if err := p.key(ctx, down, c.key, held, text); err != nil {
		return err
	}
	if err := p.key(ctx, input.DispatchKeyEventTypeKeyUp, c.key, held, ""); err != nil {
		return err
	}
	for _, o := range slices.Backward(order) {
		if c.held&o.m != 0 {
			held &^= o.m
			if err := p.key(ctx, input.DispatchKeyEventTypeKeyUp, named()[o.name], held, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// editing are the shortcuts that the browser itself turns into editing commands only
// where a real keyboard event brought them: they are named beside the key.
func editing(k key, held Modifier) []string {
	if held&^Shift != Control && held&^Shift != Meta {
		return nil
	}
	switch strings.ToLower(k.key) {
	case "a":
		return []string{"selectAll"}
	case "c":
		return []string{"copy"}
	case "x":
		return []string{"cut"}
	case "v":
		return []string{"paste"}
	case "z":
		if held&Shift != 0 {
			return []string{"redo"}
		}
		return []string{"undo"}
	case "y":
		return []string{"redo"}
	}
	return nil
}

func (p *Page) key(ctx context.Context, what input.DispatchKeyEventType, k key, held Modifier, text string) error {
	params := input.DispatchKeyEventParams{
		Type: what, Modifiers: int64(held), Key: k.key, Code: k.code, WindowsVirtualKeyCode: k.number, NativeVirtualKeyCode: k.number,
		Location: k.location, Text: text, UnmodifiedText: text,
	}
	if what != input.DispatchKeyEventTypeKeyUp {
		params.Commands = editing(k, held)
	}
	if _, err := cdp.Call(ctx, p.tab.Session(), input.DispatchKeyEvent, params); err != nil {
		return fmt.Errorf("pressing %s: %w", k.key, err)
	}
	return nil
}

// Type types a text key by key into what has the focus, with a pause between keys.
// What no key of a US keyboard types is put in as a whole character, as an input
// method would.
func (p *Page) Type(ctx context.Context, text string, pause time.Duration) error {
	for i, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if i > 0 && pause > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if k, ok := keyOfRune(r); ok {
			c := Combination{key: k}
			if k.shift {
				c.held = Shift
			}
			if err := p.Press(ctx, c); err != nil {
				return err
			}
			continue
		}
		if err := p.insert(ctx, string(r)); err != nil {
			return err
		}
	}
	return nil
}

// insert puts a text in at the caret at once, over what is selected.
func (p *Page) insert(ctx context.Context, text string) error {
	if _, err := cdp.Call(ctx, p.tab.Session(), input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		return fmt.Errorf("putting the text in: %w", err)
	}
	return nil
}

package whatif

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// slider and field are Fyne's, but Esc in them calls leave.
type (
	slider struct {
		widget.Slider
		name  string
		leave func()
	}
	field struct{ parts.Entry }
)

// AccessibilityLabel implements fyne.Accessible.
func (s *slider) AccessibilityLabel() string { return s.name }

// AccessibilityRole implements fyne.Accessible.
func (s *slider) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// TypedKey implements fyne.Focusable.
func (s *slider) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		s.leave()
		return
	}
	s.Slider.TypedKey(e)
}

// AcceptsTab: Tab moves to the next control.
func (f *field) AcceptsTab() bool { return false }

// control is one row of the form.
type control struct {
	option Option
	slide  *slider
	check  *parts.Check
	value  *parts.Facts
	row    fyne.CanvasObject
}

// show gives the control the value of a setup.
func (c *control) show(w Setup) {
	if c.check != nil {
		if on := *c.option.Check(&w); c.check.Checked != on {
			c.check.SetChecked(on)
		}
		return
	}
	n := *c.option.Number(&w)
	tone := core.ToneNormal
	if n == 0 {
		tone = core.ToneMuted
	}
	c.value.Set([]core.StatusItem{{Text: c.option.Word(n), Tone: tone}})
	for i, step := range c.option.Steps {
		if step == n && int(c.slide.Value) != i {
			c.slide.SetValue(float64(i))
		}
	}
}

// labelled is a row of the form: a label of one width, what it is for, and room for a
// value.
func labelled(text string, o, value fyne.CanvasObject) fyne.CanvasObject {
	label := parts.NewFacts(false, 0)
	label.Set([]core.StatusItem{{Text: text, Tone: core.ToneMuted}})
	return container.New(formRow{}, label, o, value)
}

// formRow lays a label, a control and a value out in columns.
type formRow struct{}

const (
	labelWide = 132
	valueWide = 128
)

func (formRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var h float32
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	return fyne.NewSize(labelWide+valueWide+80, h)
}

func (formRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	end := size.Width
	if value := objects[2]; value.Visible() {
		end -= valueWide
		h := value.MinSize().Height
		value.Move(fyne.NewPos(end+10, (size.Height-h)/2))
		value.Resize(fyne.NewSize(valueWide-10, h))
	}
	h := objects[0].MinSize().Height
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(labelWide, h))
	objects[1].Move(fyne.NewPos(labelWide, 0))
	objects[1].Resize(fyne.NewSize(end-labelWide, size.Height))
}

// trackTheme is the theme in use with the grounds of fields in the colour of their edge: a slider
// has no edge of its own and cannot be seen else.
type trackTheme struct{}

func (trackTheme) now() fyne.Theme { return fyne.CurrentApp().Settings().Theme() }

// Color implements fyne.Theme.
func (t trackTheme) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if n == theme.ColorNameInputBackground {
		n = theme.ColorNameInputBorder
	}
	return t.now().Color(n, v)
}

// Font implements fyne.Theme.
func (t trackTheme) Font(s fyne.TextStyle) fyne.Resource { return t.now().Font(s) }

// Icon implements fyne.Theme.
func (t trackTheme) Icon(n fyne.ThemeIconName) fyne.Resource { return t.now().Icon(n) }

// Size implements fyne.Theme.
func (t trackTheme) Size(n fyne.ThemeSizeName) float32 { return t.now().Size(n) }

package parts

import (
	"slices"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
)

// Choice is one line of a [DropDown].
type Choice struct {
	Title string
	// On: it is chosen. Dot: it is highlighted, as the format that was sent.
	On, Dot bool
	// Gap asks for a line above it.
	Gap bool
	Msg core.Msg // compared with ==, so it is of a type of its own and no [core.Does]
}

// DropDown is a [Chip] with choices that drop down from it: each choice is a command too.
type DropDown struct {
	Chip
	choices []Choice
	send    func(core.Msg)
}

// NewDropDown makes one without choices.
func NewDropDown(send func(core.Msg)) *DropDown {
	d := &DropDown{Chip: Chip{style: drop}, send: send}
	d.tapped = d.Open
	d.ExtendBaseWidget(d)
	d.stop = stop{of: d, press: d.Open}
	return d
}

// Set shows another title and choices, and reports whether its width may be another. dot puts a
// dot in front.
func (d *DropDown) Set(title string, dot bool, choices []Choice) bool {
	title += downSign
	if dot {
		title = dotSign + title
	}
	if d.text == title && slices.Equal(d.choices, choices) {
		return false
	}
	moved := d.text != title
	d.text, d.choices = title, choices
	d.Refresh()
	return moved
}

// Title is the word, without its signs.
func (d *DropDown) Title() string {
	plain, _, _ := signs(d.text)
	return plain
}

// Choices are the lines that drop down.
func (d *DropDown) Choices() []Choice { return d.choices }

// Open drops the choices down.
func (d *DropDown) Open() {
	c := fyne.CurrentApp().Driver().CanvasForObject(d)
	if c == nil || len(d.choices) == 0 {
		return
	}
	menu := fyne.NewMenu("")
	for _, choice := range d.choices {
		if choice.Gap {
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
		}
		item := fyne.NewMenuItem(choice.Title, func() { d.send(choice.Msg) })
		item.Checked = choice.On
		if choice.Dot {
			item.Icon = fynetheme.NewColoredResource(fynetheme.RadioButtonFillIcon(), fynetheme.ColorNameSuccess)
		}
		menu.Items = append(menu.Items, item)
	}
	widget.ShowPopUpMenuAtRelativePosition(menu, c, fyne.NewPos(0, d.Size().Height+2), d)
}

package overlay

import "image/color"

// Palette chooses the colours of boxes, plates and lines. Digits are white and
// halos are white in all of them.
type Palette string

const (
	// PaletteBlack draws every mark black. Where it was tried, one black did better
	// with models than several colours (arXiv 2401.13919), so it is the default.
	PaletteBlack Palette = ""
	// PaletteRole draws marks in the colour of their role, for people. Each colour
	// has a contrast of 4.5 or more with white (WCAG 1.4.3).
	PaletteRole Palette = "role"
)

// Style is the name of the look with this palette: each palette is a style of its
// own in the manifest. A palette that there is not is black.
func (p Palette) Style() string {
	if p == PaletteRole {
		return Style + "-role"
	}
	return Style
}

// colors are the colours of a palette with a word for the roles of each, in the
// order of the key.
type colors []struct {
	word  string
	color color.RGBA
}

// Groups of roles, as indices in the colours of PaletteRole.
const (
	groupLink = iota
	groupButton
	groupField
	groupChoice
	groupMenu
	groupHeading
	groupImage
	groupOther
)

// colors of PaletteRole: som.md 4.4, with their measured contrasts with white.
func (p Palette) colors() colors {
	if p != PaletteRole {
		return colors{{"", color.RGBA{0, 0, 0, 255}}}
	}
	return colors{
		groupLink:    {"link", color.RGBA{0x0b, 0x57, 0xd0, 255}},        // 6.4
		groupButton:  {"button", color.RGBA{0xb0, 0x00, 0x20, 255}},      // 7.3
		groupField:   {"field", color.RGBA{0x14, 0x6c, 0x2e, 255}},       // 6.5
		groupChoice:  {"choice", color.RGBA{0x6a, 0x1b, 0x9a, 255}},      // 9.4
		groupMenu:    {"menu or tab", color.RGBA{0x00, 0x62, 0x6b, 255}}, // 7.1
		groupHeading: {"heading", color.RGBA{0x8a, 0x3b, 0x00, 255}},     // 7.8
		groupImage:   {"image", color.RGBA{0xad, 0x14, 0x57, 255}},       // 7.0
		groupOther:   {"other", color.RGBA{0x37, 0x47, 0x4f, 255}},       // 9.7
	}
}

// color is the colour of a mark of that group.
func (p Palette) color(group int) color.RGBA {
	if p != PaletteRole {
		return color.RGBA{A: 255}
	}
	return p.colors()[group].color
}

// group is the group that a role belongs to (WAI-ARIA 1.2 roles), or a tag where
// an element has none.
func group(role string) int {
	switch role {
	case "link":
		return groupLink
	case "button":
		return groupButton
	case "textbox", "searchbox", "spinbutton", "combobox", "slider":
		return groupField
	case "checkbox", "radio", "switch", "option", "listbox", "menuitemcheckbox", "menuitemradio":
		return groupChoice
	case "menu", "menubar", "menuitem", "tab", "tablist", "tree", "treeitem":
		return groupMenu
	case "heading":
		return groupHeading
	case "img", "image", "figure", "graphics-document", "graphics-symbol":
		return groupImage
	}
	return groupOther
}

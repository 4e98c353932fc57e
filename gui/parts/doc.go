// Package parts holds the small widgets and layouts that the panes of the window are
// made of: chips (switches, tabs, flat buttons), rows of coloured facts, a layout that
// flows like words, grounds and hairlines that follow the theme.
//
// They know view-model types of package core and colours of package theme, and
// nothing of any one pane. Sizes are in Fyne units.
package parts

// Package whatif is the side What-if of the window: the settings of a text format as
// sliders, switches and fields, and below them the lines of the turn in view that come
// and go with them (row N-6).
//
// It shows a [core.WhatIfVM] and sends messages. The controls are made from the table
// [core.WhatIfOptions]; those that the chosen format does not know are hidden.
package whatif

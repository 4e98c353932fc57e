package markup

import (
	"strconv"

	"github.com/refscope/refscope/snapshot/dump"
)

// The hybrid format: the text of hybrid mode, which is a picture and a skeleton (seed
// "DOM extraction architecture" 8 and 13). The skeleton is that of skeleton.go, byte
// for byte, after one line that says where the picture goes and what its numbers mean:
//
//	<!-- picture of the visible part, 1280x720 CSS px, goes before this text (agent-interact: field screenshot); mark 12 is id="12" -->
//
// The picture itself is no part of the document: who sends the text sends the picture
// beside it (package payload).
//
// The limits hold for both together, and the first line is never cut. Compat: no such line, so exactly the skeleton.

// RenderHybrid renders the text of hybrid mode.
func RenderHybrid(p *dump.Page, o dump.Common) *dump.Builder {
	w := newSkeleton(p, o)
	if !o.Compat {
		w.line = append(w.line, "<!-- picture of the visible part, "...)
		w.line = strconv.AppendInt(w.line, int64(dump.Px(w.Capture.Viewport.Width)), 10)
		w.line = strconv.AppendInt(append(w.line, 'x'), int64(dump.Px(w.Capture.Viewport.Height)), 10)
		w.line = append(w.line, ` CSS px, goes before this text (agent-interact: field screenshot); mark 12 is id="12" -->`...)
		w.take(nil, 0, dump.LineWhole)
		w.Rules.Head = 1
	}
	w.write()
	return w.Builder
}

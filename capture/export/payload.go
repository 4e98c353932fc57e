package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/payload"
)

// Payload builds what a model would receive for a turn. Of the input, the caller
// gives the capture, the clean picture and the choices; the marked picture, in the
// model view without covered marks, its legend and the model's image rule are made
// here. A turn without a picture gives a payload without one.
//
// The picture has the size at which Input.Model looks at it with Input.Detail. Where a
// vendor's body is requested and no model is named, or one that is unknown, it has
// one that every model takes as it is; in other dialects without a model it stays as
// it was captured.
func Payload(dialect string, in payload.Input) (*payload.Payload, error) {
	if len(in.Picture) > 0 && payload.WantsPicture(dialect, in) {
		if err := mark(dialect, &in); err != nil {
			return nil, fmt.Errorf("payload of turn %d: %w", in.Turn, err)
		}
	}
	return payload.Build(dialect, in)
}

// mark adds the marked picture and its legend to the input.
func mark(dialect string, in *payload.Input) error {
	clean, err := codec.DecodePNG(in.Picture)
	if err != nil {
		return err
	}
	look := Look{Options: overlay.Options{View: overlay.ViewModel}}
	if in.Numbers != nil {
		look.Options.Label = in.Numbers
		look.Options.Untold = func(ref int) bool { return in.Numbers(ref) == "" }
	}
	known := false
	if in.Model != "" || vendor(dialect) {
		look.Model, known = vision.Lookup(in.Model)
		look.Detail = vision.Detail(in.Detail)
	}
	if known && look.Model.Word("") != "" && !look.Model.Takes(look.Detail) {
		return fmt.Errorf("image detail %q is not one of %s: choose from %v or auto", in.Detail, in.Model,
			look.Model.Details())
	}
	p, err := NewPicture(clean, in.Capture, look)
	if err != nil {
		return err
	}
	in.Marked, in.MarkedType, in.Legend = p.Data, string(p.Format), p.Scene.Legend()
	if look.Model.Row == "" {
		return nil
	}
	size := p.Scene.Size()
	in.ImageRule = payload.ImageRule{Width: size.X, Height: size.Y}
	if known { // else the order and the detail are the dialect's own
		in.ImageRule.Model = look.Model.Row
		in.ImageRule.First = look.Model.ImageFirst
		in.ImageRule.Tokens, in.ImageRule.How = p.Tokens.Tokens, p.Tokens.How
		in.ImageRule.Detail = look.Model.Word(look.Detail)
	}
	return nil
}

// vendor reports whether a dialect is a model vendor's own.
func vendor(dialect string) bool {
	return strings.HasPrefix(dialect, "openai-") || slices.Contains([]string{"anthropic", "gemini", "qwen"}, dialect)
}

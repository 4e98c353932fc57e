package vision

import (
	"fmt"
	"image"
)

// crops is the rule of Gemini 2: a picture with both sides up to 384 px costs one
// tile; a larger one is cut into squares of two thirds of its shorter side, each
// scaled to 768 px. A picture over 1152 px in its shorter side is thus shrunk, and
// Fit does that before; a smaller one is not enlarged here, since the marks would
// be drawn at a size at which nobody sends them.
type crops struct{}

const (
	cropOnce = 384
	cropSide = 768
	cropCost = 258
)

func (crops) fit(size image.Point, _ Detail) image.Point {
	const most = cropSide * 3 / 2
	if short := min(size.X, size.Y); short > most {
		return scaled(size, most, short)
	}
	return size
}

func (crops) padded(size image.Point, _ Detail) image.Point { return size }

func (crops) tokens(size image.Point, _ Detail) Estimate {
	if max(size.X, size.Y) <= cropOnce {
		return Estimate{cropCost, fmt.Sprintf("estimate: one tile of %d", cropCost)}
	}
	n := patches(size, max(1, min(size.X, size.Y)*2/3))
	return Estimate{n * cropCost, fmt.Sprintf("estimate: %d tiles times %d", n, cropCost)}
}

// allotment is the rule of Gemini 3 and later: the media resolution is the number
// of tokens at most, whatever the size. To what size a picture is resampled is not
// published, so it stays as it is.
type allotment map[Detail]int

func (allotment) fit(size image.Point, _ Detail) image.Point { return size }

func (allotment) padded(size image.Point, _ Detail) image.Point { return size }

func (r allotment) tokens(_ image.Point, d Detail) Estimate {
	return Estimate{r[d], fmt.Sprintf("estimate: the most at media resolution %s", d)}
}

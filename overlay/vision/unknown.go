package vision

import "image"

// unknown is the row for names that are not in the table.
func unknown() Model {
	var every strictest
	for _, m := range table() {
		if m.Vendor != alibaba { // whose multiples are for its own models alone
			every = append(every, m)
		}
	}
	return Model{
		Name: "unknown", Row: "unknown", Rule: "fits every model of the table but Qwen's multiples, and every limit",
		AsOf: openAIDate, Source: "the other rows", rule: every,
		limits: Limits{
			Side: 8000, Many: 20, ManySide: 2000, Patches: 30000, Aspect: 200, ImageBytes: 10 << 20, RequestBytes: 20 << 20, Images: 100,
			Types: []string{"image/png", "image/jpeg", "image/webp"},
		},
	}
}

// strictest shrinks a picture until every model of the list takes it as it is, at
// that detail or, where it does not take that, at its own.
type strictest []Model

func (every strictest) fit(size image.Point, d Detail) image.Point {
	for changed := true; changed; {
		changed = false
		for _, m := range every {
			if to := m.Fit(size, d); to != size {
				size, changed = to, true
			}
		}
	}
	return size
}

func (strictest) padded(size image.Point, _ Detail) image.Point { return size }

func (strictest) tokens(image.Point, Detail) Estimate {
	return Estimate{How: "not estimated: " + howUnknown}
}

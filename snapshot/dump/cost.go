package dump

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// What the modes of the seed "DOM extraction architecture" cost on the page at hand
// (S-23). The seed prints a table of typical sizes; this one is measured.

// CostPer1K is the seed's price in US dollars for 1,000 tokens, with which its table
// and [Cost.Dollars] are made.
const CostPer1K = 0.01

// Cost is what one format costs on one page.
type Cost struct {
	Format     Format `json:"format"`
	Bytes      int    `json:"bytes"`      // UTF-8
	Characters int    `json:"characters"` // runes
	Units16    int    `json:"units16"`    // UTF-16 units, the length that JavaScript tells
	// Estimated are tokens by the seed's rule, characters / 4 rounded up.
	Estimated int `json:"estimatedTokens"`
	// Counted are tokens by the given counter, 0 without one.
	Counted int `json:"countedTokens,omitempty"`
	// Dollars is the price of the counted tokens at [CostPer1K], of the estimated ones
	// where there are none.
	Dollars float64 `json:"dollars"`
	// Picture: a picture goes with the text. Its tokens depend on the model and are not
	// in the figures.
	Picture bool `json:"picture,omitempty"`
	// Share is Characters over those of full, 1 for full itself.
	Share float64 `json:"share"`
}

// Costs measures the modes semantic, skeleton, hybrid and full of the capture, in this
// order, with these options. count gives the tokens of a text and may be nil. The error
// is that of [Render].
func Costs(c *snapshot.Capture, o Options, count func(text string) int) ([]Cost, error) {
	modes := [...]Format{Semantic, Skeleton, Hybrid, Full}
	costs := make([]Cost, 0, len(modes))
	for _, f := range modes {
		d, err := Render(c, f, o)
		if err != nil {
			return nil, fmt.Errorf("measuring the modes: %w", err)
		}
		k := Cost{Format: f, Bytes: len(d.Text), Characters: utf8.RuneCountInString(d.Text), Picture: f == Hybrid}
		for _, r := range d.Text {
			k.Units16 += utf16.RuneLen(r)
		}
		k.Estimated = EstimateTokens(k.Characters)
		tokens := k.Estimated
		if count != nil {
			k.Counted = count(d.Text)
			tokens = k.Counted
		}
		k.Dollars = float64(tokens) * CostPer1K / 1_000
		costs = append(costs, k)
	}
	if whole := costs[len(costs)-1].Characters; whole > 0 {
		for i := range costs {
			costs[i].Share = float64(costs[i].Characters) / float64(whole)
		}
	}
	return costs, nil
}

// EstimateTokens is the seed's estimate for a text of that many characters: a quarter,
// rounded up.
func EstimateTokens(characters int) int { return (characters + 3) / 4 }

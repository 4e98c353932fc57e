package inspect

import (
	"cmp"
	"image"

	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokenmap"
	"github.com/refscope/refscope/snapshot/tokens"
)

// FormatCost is what one format of a page costs.
type FormatCost struct {
	Format string `json:"format"` // the format's name
	tokens.Size
	Tokens int `json:"tokens"` // o200k_base, counted
	// Picture is the cost of the picture beside the text by the model's own arithmetic, 0 for formats without one.
	Picture   int            `json:"pictureTokens,omitempty"`
	Cost      float64        `json:"cost"`      // of text and picture, in the currency of --price
	Estimates map[string]int `json:"estimates"` // by the agents' rules of thumb
	Omitted   int            `json:"omitted"`   // elements, or parts of them, that it leaves out
	Truncated bool           `json:"truncated"` // the text was cut at its limit
}

// Costs are what a page costs: the answer of refscopectl tokens.
type Costs struct {
	Formats []FormatCost `json:"formats"`
	*tokenmap.Map
	Lost  *tokenmap.Lost `json:"lost"`
	Price float64        `json:"price"` // of 1,000,000 tokens
	Model string         `json:"model"` // that pictures are counted for
}

// CostOptions are what is asked about the costs of a page.
type CostOptions struct {
	format.Options             // of all formats
	Format         dump.Format // that is taken apart
	Price          float64     // of 1,000,000 tokens
	Model          string      // by whose arithmetic pictures are counted
	Counter        *tokens.Counter
}

// CostsOf measures every format of a page, those that need a query where one is given, and takes one of them apart.
func CostsOf(c *snapshot.Capture, o CostOptions) (*Costs, error) {
	out := &Costs{Price: o.Price, Model: o.Model}
	rules, _ := vision.Lookup(o.Model)
	names := format.Plain()
	if o.Query != "" {
		names = format.Names()
	}
	page := format.NewPage(c)
	for _, name := range names {
		d, err := page.Render(name, o.Options)
		if err != nil {
			return nil, err
		}
		k := FormatCost{
			Format: string(name), Size: tokens.Measure(d.Text), Tokens: o.Counter.Count(d.Text),
			Estimates: map[string]int{},
			Omitted:   len(d.Omitted), Truncated: d.Truncated,
		}
		for _, m := range tokens.Estimates() {
			k.Estimates[m.Name] = m.Count(d.Text)
		}
		if name == format.Hybrid {
			k.Picture = rules.Tokens(pictureSize(c), "").Tokens
		}
		k.Cost = float64(k.Tokens+k.Picture) * o.Price / 1e6
		out.Formats = append(out.Formats, k)
	}
	d, err := page.Render(o.Format, o.Options)
	if err != nil {
		return nil, err
	}
	out.Map = tokenmap.Build(c, d, o.Counter)
	whole := d
	if o.Format != format.Filtered { // that format is nothing but what a query finds
		if whole, err = page.Render(o.Format, tokenmap.Unlimited(o.Options)); err != nil {
			return nil, err
		}
	}
	out.Lost = tokenmap.Compare(c, d, whole, o.Counter)
	return out, nil
}

// pictureSize is the size in px that the picture of a capture has.
func pictureSize(c *snapshot.Capture) image.Point {
	scale := cmp.Or(c.Viewport.Scale, 1)
	return image.Pt(int(c.Viewport.Width*scale+0.5), int(c.Viewport.Height*scale+0.5))
}

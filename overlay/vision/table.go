package vision

import "fmt"

const (
	openAI    = "OpenAI"
	anthropic = "Anthropic"
	google    = "Google"
	alibaba   = "Alibaba"

	howUnknown = "the model's rules are not known"
)

// Where the rows were read, and the dates of those copies.
const (
	openAIPage    = "https://developers.openai.com/api/docs/guides/images-vision"
	openAIDate    = "2026-09"
	anthropicPage = "https://platform.claude.com/docs/en/build-with-claude/vision-coordinates"
	anthropicDate = "2026-09"
	googlePage    = "https://ai.google.dev/gemini-api/docs/media-resolution"
	googleTiles   = "https://ai.google.dev/gemini-api/docs/image-understanding"
	googleDate    = "2026-09-23"
	qwen25Page    = "https://huggingface.co/Qwen/Qwen2.5-VL-3B-Instruct-AWQ/blob/main/preprocessor_config.json"
	qwen3Page     = "https://huggingface.co/cdreetz/Qwen3-VL-8B-Instruct/blob/main/preprocessor_config.json"
	uiTARSPage    = "https://github.com/bytedance/UI-TARS/blob/main/README_coordinates.md"
	qwenDate      = "2026-11"
)

// table is every row but the unknown model, by vendor.
func table() []Model {
	return append(append(openAIRows(), anthropicRows()...), append(googleRows(), alibabaRows()...)...)
}

// openAIRows are of OpenAI. Its examples put the text before the picture; it advises
// nothing.
//
// Two things in them are not the page's own. The budget of the small models is 1536
// in the copies of the page; quotes of it from September and October 2026 have 6144
// with the same 2048 px. What fits the smaller fits both, so it is used. And the
// factor of gpt-5.2 and later, 1.2, comes from such quotes, as it is missing in the
// copies.
func openAIRows() []Model {
	limits := Limits{Patches: 30000, RequestBytes: 512 << 20}
	row := func(name, text string, r rule, details []Detail, prefixes ...string) Model {
		return Model{
			Name: name, Row: name, Vendor: openAI, Rule: text, AsOf: openAIDate, Source: openAIPage,
			prefixes: append(prefixes, name), details: details, limits: limits, rule: r,
		}
	}
	const (
		byTiles = "fits 2048 px, then 768 px in the shorter side; tiles of 512 px"
		small   = "patches of 32 px: high up to 1536 patches or 2048 px"
		middle  = "patches of 32 px: high up to 2500 patches or 2048 px, original up to 10000 or 6000 px"
		large   = "patches of 32 px: high up to 2500 patches or 2048 px, original as it is"
	)
	little := func(percent int) grid { return grid{percent: percent, high: reach{1536, 2048}} }
	medium := grid{percent: 120, high: reach{2500, 2048}, original: reach{10000, 6000}}
	whole := grid{percent: 120, high: reach{2500, 2048}, original: reach{side: 65535}}
	highLow := []Detail{High, Low}
	return []Model{
		row("gpt-4o", byTiles, tiles{85, 170}, highLow, "chatgpt-4o", "gpt-4.1", "gpt-4.5"),
		row("gpt-4o-mini", byTiles, tiles{2833, 5667}, highLow),
		row("o3", byTiles, tiles{75, 150}, highLow, "o1"),
		row("computer-use-preview", byTiles, tiles{65, 129}, highLow),
		row("gpt-5", byTiles, tiles{70, 140}, highLow),
		row("gpt-5-mini", small, little(162), highLow, "gpt-4.1-mini", "gpt-5.4-mini",
			"gpt-5-codex-mini", "gpt-5.1-codex-mini"),
		row("gpt-5-nano", small, little(246), highLow, "gpt-4.1-nano", "gpt-5.4-nano"),
		row("o4-mini", small, little(172), highLow),
		row("gpt-5.2", small, little(120), highLow, "gpt-5.3-codex"),
		row("gpt-5.4", middle, medium, []Detail{High, Original, Low}),
		row("gpt-5.5", middle, medium, []Detail{Original, High, Low}),
		row("gpt-5.6", large, whole, []Detail{Original, High, Low}, "gpt-6"),
	}
}

// anthropicRows are of Anthropic: 4.7 and later are the high tier, all others the
// standard one. The limit of 100 pictures is that of models with 200k tokens of
// context; the others take 600.
func anthropicRows() []Model {
	row := func(name, text string, r squares, prefixes ...string) Model {
		return Model{
			Name: name, Row: name, Vendor: anthropic, Rule: text, AsOf: anthropicDate, Source: anthropicPage,
			ImageFirst: true,
			prefixes:   append(prefixes, name), rule: r,
			limits: Limits{Side: 8000, ImageBytes: 10 << 20, RequestBytes: 32 << 20},
		}
	}
	return []Model{
		row("claude-standard", "fits 1568 px and 1568 squares of 28 px; padded to whole squares", squares{1568, 1568},
			"claude-3", "claude-opus-4", "claude-sonnet-4", "claude-haiku-4"),
		row("claude-high", "fits 2576 px and 4784 squares of 28 px; padded to whole squares", squares{2576, 4784},
			"claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-haiku-5",
			"claude-fable-5", "claude-mythos-5"),
	}
}

// googleRows are of Google. The picture is before the text in the page on
// generateContent, which is what the payload sends; the limit of a request is that
// of the image page; the page on files has 100 MB.
func googleRows() []Model {
	limits := Limits{RequestBytes: 20 << 20}
	return []Model{
		{
			Name: "gemini-2", Row: "gemini-2", Vendor: google, AsOf: googleDate, Source: googleTiles, ImageFirst: true,
			Rule:     "one tile up to 384 px, else squares of two thirds of the shorter side, each scaled to 768 px",
			prefixes: []string{"gemini-2."}, limits: limits, rule: crops{},
		},
		{
			Name: "gemini-3", Row: "gemini-3", Vendor: google, AsOf: googleDate, Source: googlePage, ImageFirst: true,
			Rule:     "a budget of tokens by media resolution, whatever the size",
			prefixes: []string{"gemini-3", "gemini-3.", "gemini-4", "gemini-4."}, limits: limits,
			details: []Detail{High, Low, Medium, UltraHigh},
			rule:    allotment{Low: 280, Medium: 560, High: 1120, UltraHigh: 2240},
		},
	}
}

// alibabaRows are of Alibaba: the figures are those of the models' published
// processors, the cap of the hosted service is from third parties. UI-TARS-1.5 is ByteDance's training of Qwen2.5-VL;
// people serve it themselves, with the processor of its guide.
func alibabaRows() []Model {
	row := func(name, source string, r multiples, prefixes ...string) Model {
		return Model{
			Name: name, Row: name, Vendor: alibaba, AsOf: qwenDate, Source: source, ImageFirst: true,
			Rule: fmt.Sprintf("sides to multiples of %d px; %d px in all at least, at most %d squares (low) or %d px "+
				"(high)",
				r.side, r.least, hostedSquares, r.most),
			prefixes: append(prefixes, name), details: []Detail{Low, High}, rule: r,
			limits: Limits{Aspect: 200},
		}
	}
	tars := row("ui-tars-1.5", uiTARSPage, multiples{28, 78400, 12845056})
	tars.details = []Detail{High, Low}
	return []Model{
		tars,
		row("qwen2.5-vl", qwen25Page, multiples{28, 3136, 12845056}, "qwen2-vl", "qwen-vl"),
		row("qwen3-vl", qwen3Page, multiples{32, 65536, 16777216}),
	}
}

package payload

import (
	"fmt"
	"slices"
	"strings"
)

// The vendors' bodies (P-2). Each vendor documents an order of text and picture; models
// answer differently to another one, so the order is part of the dialect, and of the
// model's row where there is one (Input.ImageRule):
//
//	openai-chat       text parts, then the picture as a data URL with its detail
//	openai-responses  instructions; input_text parts, then input_image with its detail
//	anthropic         the picture as bare base64, then text; system beside the messages
//	gemini            the picture as bare base64, then text; the model stands in the URL
//	                  (models/MODEL:generateContent), and the detail is mediaResolution
//	qwen              chat completions as hosted Qwen takes them: the picture first, no detail
//
// Text parts are the task, the dump, the legend of the marks; after a picture they go the
// other way round, so that the legend follows it and the task comes last. Sources: the
// vendors' own type definitions, which the tests hold the bodies to (testdata/schema).

// parts are the pieces of one user message: picture and text in the vendor's
// order. text and image write one part each.
func parts(p page, in Input, imageFirst bool, text func(section, s string), image func()) []func() {
	if in.ImageRule.Model != "" {
		imageFirst = in.ImageRule.First
	}
	var texts, img []func()
	add := func(section, s string) {
		if s != "" {
			texts = append(texts, func() { text(section, s) })
		}
	}
	if p.image != nil {
		img = append(img, image)
	}
	if imageFirst {
		add("legend", p.legend)
		add("dump", p.dump)
		add("query", in.Query)
		return append(img, texts...)
	}
	add("query", in.Query)
	add("dump", p.dump)
	add("legend", p.legend)
	return append(texts, img...)
}

// detailOf is the vendor's word for how closely to look, standard where none was chosen.
func detailOf(in Input, standard string, words ...string) (string, error) {
	if in.Detail == "" {
		return standard, nil
	}
	if !slices.Contains(words, in.Detail) {
		return "", fmt.Errorf("image detail %q is none of %s", in.Detail, strings.Join(words, ", "))
	}
	return in.Detail, nil
}

// dataURL is what stands before a picture's base64 in a data URL.
func (p *picture) dataURL() string { return "data:" + p.media + ";base64," }

// openAIChat is a body for chat completions.
func openAIChat(b *body, in Input) error {
	detail, err := detailOf(in, "high", "low", "high", "original", "auto")
	if err != nil {
		return err
	}
	return chat(b, in, false, detail)
}

// qwen is the same shape as hosted Qwen models take it.
func qwen(b *body, in Input) error { return chat(b, in, true, "") }

func chat(b *body, in Input, imageFirst bool, detail string) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	b.raw(`{"model":`).text("model", in.Model).raw(`,"messages":[{"role":"system","content":`).text("system",
		p.system).raw("},")
	if err := b.history(in.History, "system", "user", "assistant"); err != nil {
		return err
	}
	b.raw(`{"role":"user","content":`).list(parts(p, in, imageFirst,
		func(section, s string) { b.raw(`{"type":"text","text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"type":"image_url","image_url":{"url":`).image(p.image.dataURL(), p.image)
			b.optional("detail", detail).raw("}}")
		})...).raw("}]}")
	return nil
}

// openAIResponses is a body for the responses endpoint. Its standard detail is original:
// no resizing, what the vendor advises for reading screens. Items may leave their type
// out, but not every reader of the vendor's own can then tell what they are.
func openAIResponses(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	detail, err := detailOf(in, "original", "low", "high", "original", "auto")
	if err != nil {
		return err
	}
	b.raw(`{"model":`).text("model", in.Model).raw(`,"instructions":`).text("system", p.system).raw(`,"input":[`)
	if err := b.historyOf(`"type":"message",`, in.History, "system", "user", "assistant"); err != nil {
		return err
	}
	b.raw(`{"type":"message","role":"user","content":`).list(parts(p, in, false,
		func(section, s string) { b.raw(`{"type":"input_text","text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"type":"input_image","image_url":`).image(p.image.dataURL(), p.image)
			b.raw(`,"detail":`).str(detail).raw("}")
		})...).raw("}]}")
	return nil
}

// anthropic is a body for the messages endpoint. It has no word for detail.
func anthropic(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	max := in.MaxTokens
	if max <= 0 {
		max = 4096
	}
	b.raw(`{"model":`).text("model", in.Model).raw(`,"max_tokens":`).number(max).raw(`,"system":`).text("system",
		p.system).raw(`,"messages":[`)
	if err := b.history(in.History, "user", "assistant"); err != nil {
		return err
	}
	b.raw(`{"role":"user","content":`).list(parts(p, in, true,
		func(section, s string) { b.raw(`{"type":"text","text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"type":"image","source":{"type":"base64","media_type":`).str(p.image.media).raw(`,"data":`).image("",
				p.image).raw("}}")
		})...).raw("}]}")
	return nil
}

// gemini is a body for generateContent. Detail auto leaves the choice to the model;
// ultra_high can be said of a part only, the others of the whole request.
func gemini(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	detail, err := detailOf(in, "high", "low", "medium", "high", "ultra_high", "auto")
	if err != nil {
		return err
	}
	resolution := "MEDIA_RESOLUTION_" + strings.ToUpper(detail)
	b.raw(`{"systemInstruction":{"parts":[{"text":`).text("system", p.system).raw(`}]},"contents":[`)
	for _, m := range in.History {
		role, ok := map[string]string{"user": "user", "assistant": "model"}[m.Role]
		if !ok {
			return errRole(m, "user", "assistant")
		}
		b.raw(`{"role":"`+role+`","parts":[{"text":`).text("history", m.Content).raw("}]},")
	}
	b.raw(`{"role":"user","parts":`).list(parts(p, in, true,
		func(section, s string) { b.raw(`{"text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"inlineData":{"mimeType":`).str(p.image.media).raw(`,"data":`).image("", p.image).raw("}")
			if detail == "ultra_high" {
				b.raw(`,"mediaResolution":{"level":`).str(resolution).raw("}")
			}
			b.raw("}")
		})...).raw("}]")
	if p.image != nil && detail != "ultra_high" && detail != "auto" {
		b.raw(`,"generationConfig":{"mediaResolution":`).str(resolution).raw("}")
	}
	b.raw("}")
	return nil
}

// history writes earlier messages, each followed by a comma.
func (b *body) history(ms []Message, roles ...string) error { return b.historyOf("", ms, roles...) }

// historyOf is history with members of each message's own before its role.
func (b *body) historyOf(members string, ms []Message, roles ...string) error {
	for _, m := range ms {
		if !slices.Contains(roles, m.Role) {
			return errRole(m, roles...)
		}
		b.raw("{"+members+`"role":"`+m.Role+`","content":`).text("history", m.Content).raw("},")
	}
	return nil
}

func errRole(m Message, roles ...string) error {
	return fmt.Errorf("history: role %q is none of %s", m.Role, strings.Join(roles, ", "))
}

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
//	gemini            the picture as bare base64, then text; the model is in the URL
//	                  (models/MODEL:generateContent), and the detail is mediaResolution
//	qwen              chat completions as hosted Qwen takes them: the picture first, no detail
//
// Text parts are the task, the dump, the legend of the marks; after a picture they go the
// other way round, so that the legend follows it and the task comes last. Sources: the
// vendors' own type definitions, which the tests hold the bodies to (testdata/schema).

// parts writes the pieces of one user message: picture and text in the vendor's order. text
// and image write one part each.
func parts(p page, in Input, imageFirst bool, text func(section, s string), image func()) {
	if in.ImageRule.Model != "" {
		imageFirst = in.ImageRule.First
	}
	texts := []struct{ section, s string }{{"query", in.Query}, {"dump", p.dump}, {"legend", p.legend}}
	if imageFirst {
		slices.Reverse(texts)
		if p.image != nil {
			image()
		}
	}
	for _, t := range texts {
		if t.s != "" {
			text(t.section, t.s)
		}
	}
	if !imageFirst && p.image != nil {
		image()
	}
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

// dataURL is the prefix of a picture's base64 in a data URL.
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
	b.Open("", '{')
	b.text("model", "model", in.Model)
	b.Open("messages", '[')
	b.message("", "system", "system", p.system)
	if err := b.history("", in.History, "system", "user", "assistant"); err != nil {
		return err
	}
	b.Open("", '{').String("role", "user").Open("content", '[')
	parts(p, in, imageFirst, b.textPart("text"), func() {
		b.Open("", '{').String("type", "image_url").Open("image_url", '{')
		b.image("url", p.image.dataURL(), p.image)
		b.Optional("detail", detail).Close("}}")
	})
	b.Close("]}]}")
	return nil
}

// openAIResponses is a body for the responses endpoint. Its standard detail is original:
// no resizing, what the vendor advises for reading screens. Items may leave their type
// out, but not every reader of the vendor's own then knows what they are.
func openAIResponses(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	detail, err := detailOf(in, "original", "low", "high", "original", "auto")
	if err != nil {
		return err
	}
	b.Open("", '{')
	b.text("model", "model", in.Model)
	b.text("instructions", "system", p.system)
	b.Open("input", '[')
	if err := b.history("message", in.History, "system", "user", "assistant"); err != nil {
		return err
	}
	b.Open("", '{').String("type", "message").String("role", "user").Open("content", '[')
	parts(p, in, false, b.textPart("input_text"), func() {
		b.Open("", '{').String("type", "input_image")
		b.image("image_url", p.image.dataURL(), p.image)
		b.String("detail", detail).Close("}")
	})
	b.Close("]}]}")
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
	b.Open("", '{')
	b.text("model", "model", in.Model)
	b.Int("max_tokens", max)
	b.text("system", "system", p.system)
	b.Open("messages", '[')
	if err := b.history("", in.History, "user", "assistant"); err != nil {
		return err
	}
	b.Open("", '{').String("role", "user").Open("content", '[')
	parts(p, in, true, b.textPart("text"), func() {
		b.Open("", '{').String("type", "image").Open("source", '{').String("type", "base64")
		b.String("media_type", p.image.media)
		b.image("data", "", p.image)
		b.Close("}}")
	})
	b.Close("]}]}")
	return nil
}

// gemini is a body for generateContent. Detail auto leaves the choice to the model;
// ultra_high can be set on a part only, the others on the whole request.
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
	b.Open("", '{').Open("systemInstruction", '{').Open("parts", '[').Open("", '{')
	b.text("text", "system", p.system)
	b.Close("}]}").Open("contents", '[')
	for _, m := range in.History {
		role, ok := map[string]string{"user": "user", "assistant": "model"}[m.Role]
		if !ok {
			return errRole(m, "user", "assistant")
		}
		b.Open("", '{').String("role", role).Open("parts", '[').Open("", '{')
		b.text("text", "history", m.Content)
		b.Close("}]}")
	}
	b.Open("", '{').String("role", "user").Open("parts", '[')
	parts(p, in, true, b.textPart(""), func() {
		b.Open("", '{').Open("inlineData", '{').String("mimeType", p.image.media)
		b.image("data", "", p.image)
		b.Close("}")
		if detail == "ultra_high" {
			b.Open("mediaResolution", '{').String("level", resolution).Close("}")
		}
		b.Close("}")
	})
	b.Close("]}]")
	if p.image != nil && detail != "ultra_high" && detail != "auto" {
		b.Open("generationConfig", '{').String("mediaResolution", resolution).Close("}")
	}
	b.Close("}")
	return nil
}

// textPart writes a part of a user message with that type, "" for none.
func (b *body) textPart(kind string) func(section, s string) {
	return func(section, s string) {
		b.Open("", '{').Optional("type", kind)
		b.text("text", section, s)
		b.Close("}")
	}
}

// message writes a message of that type, "" for none, whose content is a section.
func (b *body) message(kind, role, section, content string) {
	b.Open("", '{').Optional("type", kind).String("role", role)
	b.text("content", section, content)
	b.Close("}")
}

// history writes earlier messages.
func (b *body) history(kind string, ms []Message, roles ...string) error {
	for _, m := range ms {
		if !slices.Contains(roles, m.Role) {
			return errRole(m, roles...)
		}
		b.message(kind, m.Role, "history", m.Content)
	}
	return nil
}

func errRole(m Message, roles ...string) error {
	return fmt.Errorf("history: role %q is none of %s", m.Role, strings.Join(roles, ", "))
}

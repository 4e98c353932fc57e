package payload

// The vendors' bodies. Each vendor documents an order of text and picture; models
// answer differently to another one, so the order is part of the dialect.

// parts are the pieces of one user message: picture and text in the vendor's
// order. text and image write one part each.
func parts(p page, query string, imageFirst bool, text func(section, s string), image func()) []func() {
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
		add("query", query)
		return append(img, texts...)
	}
	add("query", query)
	add("dump", p.dump)
	add("legend", p.legend)
	return append(texts, img...)
}

// openAIChat is a body for chat completions.
func openAIChat(b *body, in Input) error {
	detail := in.Detail
	if detail == "" {
		detail = "high"
	}
	return chat(b, in, false, detail)
}

// qwen is the same shape as hosted Qwen models take it: the picture first and no
// detail.
func qwen(b *body, in Input) error { return chat(b, in, true, "") }

func chat(b *body, in Input, imageFirst bool, detail string) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	b.raw(`{"model":`).str(in.Model).raw(`,"messages":[{"role":"system","content":`).text("system", p.system).raw("},")
	b.history(in.History)
	b.raw(`{"role":"user","content":`).list(parts(p, in.Query, imageFirst,
		func(section, s string) { b.raw(`{"type":"text","text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"type":"image_url","image_url":{"url":`).image("data:"+p.media+";base64,", p.image)
			if detail != "" {
				b.raw(`,"detail":`).str(detail)
			}
			b.raw("}}")
		})...).raw("}]}")
	return nil
}

// openAIResponses is a body for the responses endpoint.
func openAIResponses(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	detail := in.Detail
	if detail == "" {
		detail = "original" // no resizing: what the vendor advises for reading screens
	}
	b.raw(`{"model":`).str(in.Model).raw(`,"instructions":`).text("system", p.system).raw(`,"input":[`)
	b.history(in.History)
	b.raw(`{"role":"user","content":`).list(parts(p, in.Query, false,
		func(section, s string) { b.raw(`{"type":"input_text","text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"type":"input_image","image_url":`).image("data:"+p.media+";base64,", p.image)
			b.raw(`,"detail":`).str(detail).raw("}")
		})...).raw("}]}")
	return nil
}

// anthropic is a body for the messages endpoint: the picture before the text.
func anthropic(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	max := in.MaxTokens
	if max <= 0 {
		max = 4096
	}
	b.raw(`{"model":`).str(in.Model).raw(`,"max_tokens":`).number(max).raw(`,"system":`).text("system", p.system).raw(`,"messages":[`)
	b.history(in.History)
	b.raw(`{"role":"user","content":`).list(parts(p, in.Query, true,
		func(section, s string) { b.raw(`{"type":"text","text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"type":"image","source":{"type":"base64","media_type":`).str(p.media).raw(`,"data":`).image("", p.image).raw("}}")
		})...).raw("}]}")
	return nil
}

// gemini is a body for generateContent. The model stands in the URL
// (models/MODEL:generateContent), not in the body.
func gemini(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	b.raw(`{"system_instruction":{"parts":[{"text":`).text("system", p.system).raw(`}]},"contents":[`)
	for _, m := range in.History {
		role := m.Role
		if role == "assistant" {
			role = "model"
		}
		b.raw(`{"role":`).str(role).raw(`,"parts":[{"text":`).text("history", m.Content).raw("}]},")
	}
	b.raw(`{"role":"user","parts":`).list(parts(p, in.Query, true,
		func(section, s string) { b.raw(`{"text":`).text(section, s).raw("}") },
		func() {
			b.raw(`{"inline_data":{"mime_type":`).str(p.media).raw(`,"data":`).image("", p.image).raw("}}")
		})...).raw("}]")
	if p.image != nil {
		b.raw(`,"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_HIGH"}`)
	}
	b.raw("}")
	return nil
}

// history writes earlier messages, each followed by a comma.
func (b *body) history(ms []Message) {
	for _, m := range ms {
		b.raw(`{"role":`).str(m.Role).raw(`,"content":`).text("history", m.Content).raw("},")
	}
}

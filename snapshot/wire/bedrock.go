package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"net/url"
	"strings"
)

// bedrockBlock is a block of content of Bedrock's Converse; one member is there.
type bedrockBlock struct {
	Text  string          `json:"text"`
	JSON  json.RawMessage `json:"json"` // of a result
	Image *struct {
		Format string `json:"format"`
		Source struct {
			Bytes string `json:"bytes"`
		} `json:"source"`
	} `json:"image"`
	Call *struct {
		ID    string          `json:"toolUseId"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"toolUse"`
	Result *struct {
		ID      string          `json:"toolUseId"`
		Content json.RawMessage `json:"content"`
		Status  string          `json:"status"`
	} `json:"toolResult"`
	Reasoning struct {
		Text struct {
			Text string `json:"text"`
		} `json:"reasoningText"`
	} `json:"reasoningContent"`
}

func bedrockContent(raw json.RawMessage) []Part {
	var out []Part
	for _, b := range list[bedrockBlock](raw) {
		switch {
		case b.Image != nil:
			out = append(out, embedded("image/"+b.Image.Format, b.Image.Source.Bytes))
		case b.Call != nil:
			out = append(out, Part{Kind: Call, ID: b.Call.ID, Name: b.Call.Name, Arguments: b.Call.Input})
		case b.Result != nil:
			given := resultParts(b.Result.ID, "", bedrockContent(b.Result.Content))
			out = append(out, failing(b.Result.Status == "error", given)...)
		default:
			out = append(out, reasoning(b.Reasoning.Text.Text)...)
			out = append(out, texts(b.Text+string(b.JSON))...)
		}
	}
	return out
}

func readBedrock(fields map[string]json.RawMessage, r *Request) {
	r.addAll(fields, bedrockContent)
	tools := fields["tools"] // as [Sections] has it
	var config struct {
		Tools json.RawMessage `json:"tools"`
	}
	if get(fields["toolConfig"], &config) {
		tools = config.Tools
	}
	type tool struct {
		Spec struct {
			Name string `json:"name"`
		} `json:"toolSpec"`
	}
	for _, declared := range list[json.RawMessage](tools) {
		var t tool
		if get(declared, &t) && t.Spec.Name != "" { // else a mark for the cache
			r.declares(t.Spec.Name, declared)
		}
	}
	var own struct { // what only the model's own vendor knows, such as Anthropic's computer
		Tools json.RawMessage `json:"tools"`
	}
	if get(fields["additionalModelRequestFields"], &own) {
		r.readTools(own.Tools)
	}
}

// BedrockModel is the model in the path of a request: …/model/NAME/converse.
func BedrockModel(address string) string {
	_, rest, _ := strings.Cut(address, "/model/")
	name, _, _ := strings.Cut(rest, "/")
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

// takeBedrock takes a whole answer, or one event.
func takeBedrock(a *assembly, event string, fields map[string]json.RawMessage) {
	var one struct {
		Index int `json:"contentBlockIndex"`
		Start struct {
			Call struct {
				ID   string `json:"toolUseId"`
				Name string `json:"name"`
			} `json:"toolUse"`
		} `json:"start"`
		Delta struct {
			Text string `json:"text"`
			Call struct {
				Input string `json:"input"`
			} `json:"toolUse"`
			Reasoning struct {
				Text string `json:"text"`
			} `json:"reasoningContent"`
		} `json:"delta"`
		Output struct {
			Message struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		} `json:"output"`
		Usage struct {
			Input  int `json:"inputTokens"`
			Output int `json:"outputTokens"`
			Read   int `json:"cacheReadInputTokens"`
			Write  int `json:"cacheWriteInputTokens"`
		} `json:"usage"`
	}
	whole, err := json.Marshal(fields)
	if err != nil || !get(whole, &one) {
		return
	}
	switch event {
	case "contentBlockStart":
		if call := one.Start.Call; call.Name != "" {
			open := a.call(one.Index)
			open.id, open.name, open.whole = call.ID, call.Name, json.RawMessage("{}")
		}
	case "contentBlockDelta":
		a.said.WriteString(one.Delta.Text)
		a.thought.WriteString(one.Delta.Reasoning.Text)
		if one.Delta.Call.Input != "" {
			a.call(one.Index).arguments.WriteString(one.Delta.Call.Input)
		}
	default:
		a.parts(bedrockContent(one.Output.Message.Content))
		get(fields["message"], &a.Error) // of an exception
		get(fields["stopReason"], &a.Finish)
	}
	if u := one.Usage; u.Input+u.Output > 0 {
		a.Usage = Usage{Input: u.Input + u.Read + u.Write, Output: u.Output, CacheRead: u.Read, CacheWrite: u.Write}
	}
}

// EventStream is the media type of Amazon's streams: messages with a binary head around JSON.
const EventStream = "application/vnd.amazon.eventstream"

// Unframe is such a stream as an event stream of the web, which can be read and redacted as a text: the same events,
// their payloads byte for byte. What is cut off or damaged ends it, with an error (Amazon Event Stream encoding:
// length, length of the headers, CRC-32; headers of a name, a type and a value; payload; CRC-32).
func Unframe(body []byte) ([]byte, error) {
	var out bytes.Buffer
	for len(body) > 0 {
		if len(body) < 16 {
			return out.Bytes(), errors.New("its last message is cut off")
		}
		size, headers := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
		switch {
		case binary.BigEndian.Uint32(body[8:]) != crc32.ChecksumIEEE(body[:8]), size < 16, headers > size-16:
			return out.Bytes(), errors.New("a message of it is damaged")
		case int64(size) > int64(len(body)):
			return out.Bytes(), errors.New("its last message is cut off")
		}
		for _, name := range []string{":event-type", ":exception-type"} {
			if value := headerOf(body[12:12+headers], name); value != "" {
				out.WriteString("event: " + strings.Map(printed, value) + "\n")
			}
		}
		out.WriteString("data: ")
		out.Write(bytes.ReplaceAll(body[12+headers:size-4], []byte("\n"), []byte("\ndata: ")))
		out.WriteString("\n\n")
		body = body[size:]
	}
	return out.Bytes(), nil
}

// printed leaves out what ends a line.
func printed(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}

// headerOf is the text of a header, "" where it is none. Others than texts end the search: their lengths are not read.
func headerOf(headers []byte, name string) string {
	const isText = 7
	for len(headers) > 1 {
		n := int(headers[0]) + 1
		if len(headers) < n+3 || headers[n] != isText {
			return ""
		}
		end := n + 3 + int(binary.BigEndian.Uint16(headers[n+1:]))
		if end > len(headers) {
			return ""
		}
		if string(headers[1:n]) == name {
			return string(headers[n+3 : end])
		}
		headers = headers[end:]
	}
	return ""
}

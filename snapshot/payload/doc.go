// Package payload is what a model receives: the request body, or the answer of a tool,
// byte for byte, in the dialect of the agent system or the vendor that it belongs to.
//
// A payload is a pure function of its [Input]: one capture, the pictures that
// were drawn for it, the task, and the names that a dialect wants. The same input
// always gives the same bytes, so the SHA-256 of a payload names it. Secrets were
// taken out when the page was read; the hash is of the redacted bytes, and
// Payload.Redacted lists where they are not what the page held.
//
// [Build] also names the parts of the body: a [Section] for the system
// prompt, the task, the dump, the legend, the picture, and in dialects with fields of
// their own for each field, with its byte offsets, so that a window can show where the
// tokens go. All that comes from the input is in a section; what is between them is the
// dialect's fixed structure, and [Payload.Parts] tiles the body with both. Tokens are
// estimates, or counted by the counter of the input, and each section describes how its
// number was made. [Diff] compares two payloads, section by section and byte by byte.
//
// The bodies are compact JSON without spaces (domtool has the line feeds of its format).
// Strings are written by [text.AppendJSON], which spells out invisible characters; a
// decoder gets them back unchanged.
//
// What really crossed a wire is stored as the bytes that did, without secrets: [redact.Body]
// takes them out and lists where.
//
// Dialects (requirements P-1 and P-2); the first comment of each one's file has its shape
// and its source, and testdata/schema what the tests hold it to:
//
//	agent-interact    agent.go: POST body of an agent back end: address, task, page per mode
//	dddk              dddk.go: message array: system, history, task, the page as an env block
//	domtool           toolresult.go: PageSerialized
//	wraith            toolresult.go: the agent text as an MCP tool result
//	cdp-skill         cdpskill.go: the answer to a command's steps
//	openai-chat       vendors.go: chat completions: text parts, then the picture as a data URL
//	openai-responses  vendors.go: responses: instructions, input_text, then input_image
//	anthropic         vendors.go: messages: the picture first, then text; system beside them
//	gemini            vendors.go: contents: inline data first, then text; the model is in the URL
//	qwen              vendors.go: chat completions, the picture first
package payload

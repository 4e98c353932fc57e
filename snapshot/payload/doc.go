// Package payload is what a model receives: the request body, byte for byte, in
// the dialect of the agent system or the vendor that it would be sent to.
//
// A payload is a pure function of its [Input]: one capture, the pictures that
// were drawn for it, the task, and the names that a dialect wants. The same input
// always gives the same bytes, so the SHA-256 of a payload names it. Secrets were
// taken out when the page was read; the hash is of the redacted bytes.
//
// [Build] also says which part of the body is what: a [Section] for the system
// prompt, the task, the dump, the legend and the picture, with its byte offsets,
// so that a window can show where the tokens go. Tokens are estimates, or counted by
// the counter of the input, and each section says how its number was made.
//
// The bodies are compact JSON without spaces. Strings are written by
// [dump.AppendJSON], which spells out invisible characters; a decoder gets them
// back unchanged.
//
// Dialects (requirements P-1 and P-2; message shapes as the vendors document them):
//
//	agent-interact    POST body of an agent back end: URL, task, interactive tree
//	dddk              message array: system, history, task, the page as an env block
//	openai-chat       chat completions: text parts, then the picture as a data URL
//	openai-responses  responses: instructions, input_text, then input_image
//	anthropic         messages: the picture first, then text; system beside them
//	gemini            contents: inline data first, then text; the model is in the URL
//	qwen              chat completions, the picture first
package payload

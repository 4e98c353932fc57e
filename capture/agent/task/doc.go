// Package task is the task loop (S-20 to S-22; seed "DOM extraction architecture" 2.5, 2.6
// and 13 to 15): it captures the page, sends it to an agent's endpoint, runs and verifies
// the action that the endpoint returns, and sends the outcome with the next page. Start
// with [Run].
//
//	capture → POST AgentInteractRequest → answer → (more context → POST …) → heal → act → verify → keep
//
// # The request
//
// A request is the agent-interact payload of package payload: semantic first. It goes
// through redact.Body before it is sent, so the bytes that are kept are the bytes that
// crossed the wire (P-3). The next request describes the outcome of the last action, the
// sentinel's result, the changes of the page, and whether the tree is the one that was
// sent before (S-9, S-10).
//
// # The answer
//
// One JSON object of at most [maxAnswer] bytes. Members that are not in this list are
// ignored; a duplicate member is refused:
//
//	thought             what the endpoint thinks, for people
//	action              what to do, in the grammar of [parseAction]: click(7)
//	expected_outcome    what it is to lead to, see package sentinel; also expectedOutcome
//	status              in_progress (or nothing), completed, failed, needs_context, needs_full_dom
//	requestedDomMode    skeleton, hybrid, full
//	needsSkeletonDom    true
//	needsScreenshot     true
//	needsFullDomReason  why, for people
//	requestedElement    what it looks for, for people
//	taskId              goes along with every later request
//
// # Negotiation
//
// An endpoint that asks for context gets exactly that, in a request of its own about the
// same page, and an action beside it is not done:
//
//	requestedDomMode, needs_full_dom    that mode
//	needsSkeletonDom                    skeleton
//	needsScreenshot                     hybrid with the picture alone
//	both, or requestedDomMode beside    hybrid, or full
//	needs_context and nothing else      the mode that the task's words suggest, see [fallbackMode]
//
// Where the semantic tree is empty, the mode that the task's words suggest comes first.
// With Compat, full includes its backups.
//
// # Refusals
//
// Nothing is guessed. An action that cannot be parsed, a number that no request contained, an
// element that is gone without exactly one other of its role and name (S-12), one that
// is covered: each is reported to the endpoint with the next request, as the error of
// the last action, and nothing is touched. With Compat an element that is gone is looked
// for as the seed does it: the best match from 0.5 on.
//
// # Limits
//
// Steps, time, bytes over the wire, size and time of an answer are limited. A request to an
// endpoint that hangs, refuses, or answers something else is retried a few times, each time
// a little later. It may redirect to no other host. However the loop ends, a cancelled
// context included, the session on disk is complete and contains all that was sent and received.
package task

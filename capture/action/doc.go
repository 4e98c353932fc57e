// Package action acts on a page the way a person does: it waits until a person could act
// on an element, and sends the browser real input. Start with [New] and [Page.Click].
//
// # Finding
//
// A target given by CSS selector, text, role, label or point is resolved by package
// element, in all frames and open shadow trees, out-of-process frames included. A ref is
// found by its identity: see [collect.Resolve], which never silently returns another
// element.
//
// # Waiting
//
// Before an action the element must be there, be visible, be enabled (for text:
// editable), and be what the browser hits at the point that will be clicked (C-9).
// What blocks the element is named. [Check] lists what is checked; [Options.Timeout] is
// how long. An element that never becomes ready is acted on by force and the result
// reports it, unless [Options.Strict] is set: an agent learns more from a reported
// forced click than from a refusal (the seed, 8.7).
//
// # Acting
//
// Mouse and keyboard go through the protocol's Input domain, so the page sees trusted
// events in the order in which a person would cause them, and hover, focus, default
// actions and navigation follow as usual. Scripts run in our isolated world: the
// page's own overrides of prototypes do not reach them, and a framework that watches
// a field through the page's world still sees every change.
//
// Lengths are CSS px of the tab's viewport, times are of the wall clock.
package action

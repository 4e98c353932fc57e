// Package step is the JSON step protocol of refscopectl run (C-1 to C-23; seed
// "CDP-Skill"): one object of steps in, one object of results out.
//
//	{"tab":"t1","steps":[{"fill":{"ref":"s1e4","value":"ada@example.org"}},{"click":"s1e5","optional":true}]}
//
// # A step
//
// A step has exactly one action key and may have optional and timeout beside it. What
// the action takes is in one table, [Kinds]: it feeds validation, help and the tests.
// All steps are read before the first one runs, and anything unknown in any of them, a
// key, a parameter, a type, is a VALIDATION error that names the nearest valid one;
// then nothing runs.
//
// The hooks readyWhen, settledWhen and observe are functions in the page's own world
// and stand among the parameters of an action that takes an object.
//
// # A run
//
// A [Runner] reads the page before the first step and after the last, and what it then
// answers is the cdp-skill payload of the turn (package payload): the bytes that the
// agent gets are the bytes that the turn keeps. Refs are the session's numbers. A ref
// that is gone is replaced only by the single element of equal role and name in the
// same document, and the step says so (C-6).
package step

// Package step is the JSON step protocol of refscopectl run (C-1 to C-23; seed
// "CDP-Skill"): one object of steps in, one object of results out.
//
//	{"tab":"t1","steps":[{"fill":{"ref":"s1e4","value":"ada@example.org"}},{"click":"s1e5","optional":true}]}
//
// Start with [Parse], which reads a command, then [New] and [Runner.Execute], which run it and make the answer.
//
// # A step
//
// A step has exactly one action key and may have optional and timeout beside it. [Table] has the definitions of
// all steps. A definition and what runs it are in the package of the step's chapter (input, query, output, …),
// its parameters are declared as the fields of a struct (package param), and its environment is
// [stepdef.Env]. All steps of a command are parsed before the first one runs, and anything unknown in any of them, a
// key, a parameter, a type, is a VALIDATION error that names the nearest valid one; then nothing runs.
//
// The hooks readyWhen, settledWhen and observe are functions in the page's own world. They are written among the
// parameters of an action that takes an object, or beside the action.
//
// # A run
//
// A [Runner] reads the page before the first step and after the last, and what it then
// answers is the cdp-skill payload of the turn (package payload): the bytes that the
// agent gets are the bytes that the turn keeps. Refs are the session's numbers. A ref
// that is gone is replaced only by the single element of equal role and name in the
// same document, and the step's answer reports it (C-6).
package step

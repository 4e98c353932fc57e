// Package registry remembers, between two commands, which tab has which alias and which
// browsers were started (C-3, seed "CDP-Skill" 5 and 18.7). Start with [Open].
//
// # The file
//
// HOME/tabs.json, mode 0600, UTF-8 JSON:
//
//	{"format":"refscope.tabs/1","next":3,
//	 "tabs":{"t1":{"targetId":"…","host":"127.0.0.1","port":9222,"own":true,"frame":"…","emulation":{…}}}}
//
// Aliases are t1, t2, … and are never used again. A tab keeps its alias for as long as
// it exists.
//
// Each browser that was started has a record of its own, HOME/chrome/PORT.json, so that it
// is found and ended even where the list of tabs is damaged:
//
//	{"pid":4711,"endpoint":"ws://…","profile":"…","headless":true,"started":"…","default":true}
//
// # Several programs at once
//
// Every change is made under a lock on HOME/tabs.lock: read, change, write beside,
// rename. A reader needs no lock, for a rename shows all of a file or none. A second
// lock, HOME/tab-ALIAS.lock, is held by the one program that acts in a tab; the next
// one waits for it. Both are locks of the operating system (flock, LockFileEx): they
// are released when their program dies.
//
// A file that cannot be read, or is of a later format, is an error and is never
// overwritten: its aliases are in use.
package registry

// Package turn stores turns and sessions on disk, and the ledger
// that gives elements their ref numbers. It is the one package under snapshot
// that does I/O: through a given [FS], and, where a session is named
// by its path ([OpenPath], [Store.Import]), with the operating system. Start with
// [OpenOrCreate] or [OpenPath].
//
// # A session folder, format refscope.session/1
//
//	session.json     what this folder is: format, id, when and by what it was made; "crc" at the end
//	ledger           who has which ref number; append-only lines
//	notes            comments on turns, made afterwards; append-only lines
//	turns/0001/      one folder for each turn, four digits or more
//	turns/0001/turn.json
//	parts/<sha256>   the big data of turns, named by the SHA-256 of its content
//	tmp/             what a writer is working on
//	lock             locked (flock, LockFileEx) by the one process that writes
//
// All text is UTF-8 JSON. Readers ignore members, line kinds and part roles
// they do not know; a higher number after the slash in "format" means that they
// must not read on. Folders have mode 0700 and files 0600, for pages hold
// private things. No name of a file comes from a page.
//
// # turn.json
//
// The number, time, action, note, url, title, counts, the highest ref number so
// far, the list of parts (role, media type, SHA-256 and size in bytes of the
// content, and what a payload is), what the turn lacks because it was read from
// another agent's file, and meta (Chrome, viewport, scale, timings in ms). url and title are
// cut here to a sane length; the capture has them whole. The file never changes.
// Its last member "crc" is the CRC-32C (Castagnoli), eight hex digits, of all
// bytes before the comma in front of it; so is that of every ledger line.
//
// # Parts
//
// The roles so far are
//
//	capture   the [snapshot.Capture] as JSON, every node; each turn has one
//	picture   the clean PNG
//	payload   what a model was given or answered, byte for byte (P-3); in turn.json
//	          "payload" has dialect, model, way, and whether it crossed the wire
//	spans     the redacted spans of the payload with the number "of", as JSON
//	          [{"start","end","why"}] in bytes
//	steps     what was asked to be done, as JSON
//	answer    what was answered to that, as JSON
//	exchange  how the payloads crossed the wire, as JSON: times, status, usage, pairing
//	profile   the site profile that applied, as it stood; "name" is its domain
//
// Marked pictures and dumps are derived from capture and picture and never
// stored. A part file is either the content itself, as the PNG is, or, where it
// begins with the magic number of Zstandard, a Zstandard file (RFC 8878). Content
// that itself begins so is always wrapped.
//
// Captures are Zstandard. It beats gzip here on each count: for 5,000 nodes
// 2.0 MB of JSON become 203 KB in about 8 ms and are read back in 1 ms, where
// gzip -6 needs 218 KB and 7 to 26 ms, and only Zstandard can state one capture as a
// difference from another. Such a part starts with a skippable frame of type
// 0xE whose content is "refscope-base " and the SHA-256 of the base; the data
// behind it is a frame with the base's content as prefix, so that
//
//	zstd -d --patch-from=BASE --memory=1024MB
//
// opens it without us. A near-equal page then costs some KB instead of 200. A
// base is always a whole part, never a difference itself, and serves at most 64
// turns, so damage to one file stays small.
//
// # The notes
//
// One JSON object on each line, with "k", "s" and "crc" as in the ledger. The
// first is of the kind "notes" (format, session id), the others of the kind
// "note": the turn "t" (none: the whole session), "at", "by", "verdict", "text",
// and "ref", the element that it is about (none: the turn), or of the kind "undo",
// which takes the note with the number "of" back. The verdict of a turn is the last
// one that is not empty, not about an element, and not taken back. What follows the
// last line break is what a dead writer left, and the next writer cuts it off.
// Turns never change for a note.
//
// # The ledger
//
// One JSON object on each line: "k" its kind, "s" the line's number (1, 2, 3 …,
// so lost lines are noticed), "t" the turn, "crc" at the end.
//
//	ledger   the first line: format, session id
//	doc      d: a document: target, frame and loader
//	ref      r: a new number: document, uid, backendNodeId (node), tag, role, name, in (the ref around it)
//	key      r: the same element under a new uid, because the page's registry was lost
//	change   r: a new name, role or place (in)
//	link     r: replaced by the element with the number "by"
//	snap     n: a snapshot that an agent requested: high (highest ref that agents knew), hash (state of the page)
//	turn     closes the batch of a turn: high (highest ref), seen (refs, as ranges), sum (SHA-256 of turn.json)
//
// Lines count from the "turn" line on that closes their batch. What follows the
// last one is what a dead writer left, and the next writer cuts it off.
//
// # A session as one file
//
// NAME.refscope is a zip file of the folder: session.json, ledger, notes, the
// turns and the parts that they need, sorted by name, dated 1 January 1980, every
// entry stored as it is. Parts are compressed already; the ledger and turn.json
// are not, and are a fifth of a file of different pages, more of one of near-equal
// pages. In return entries are read where they lie, so a session file opens as fast as a
// folder; nothing at the level of zip can unpack to more than it has; and the
// bytes depend on no compressor: export, import and export give the same file.
//
// A reader refuses an entry of any other name, a second one of a name, and one
// that is compressed, encrypted or a link. What a later version adds to the
// folder is therefore refused here, and not lost on the way. An import first
// reads and checks everything, bounds what parts may unpack to, fills a folder
// beside its place and renames it.
//
// # Which element has which number
//
// An element is (target, frame id, loader, uid); see [snapshot.Frame] and
// [snapshot.Node]. Its backendNodeId within (target, loader) is a second
// identity: it finds the element again where the page's registry was lost, and
// unmasks a uid that a new registry gave out again. Newcomers are numbered after
// the highest number so far: first those of the primary set
// ([snapshot.VerdictRef]) in document order, then content lines
// ([snapshot.VerdictContent]) in document order. This order is frozen. Numbers
// of refs and of turns are never used again, not even those of a turn that a
// crash prevented.
//
// An agent spells a number s3e12: 3 is the snapshot that first gave it (C-5). Numbers
// only grow, so a snap line need not list them: a number above its "high" and not above
// that of the next belongs to it. What a command shows of the page without being
// asked, such as what its steps changed, belongs to the snapshot before, or to the
// first. So the 3 never changes.
//
// # A turn is written whole or not at all
//
// Under the lock: parts to tmp/, fsync, rename to parts/, fsync of the folder;
// then the ledger's batch, fsync; then turn.json in a folder under tmp/, fsync,
// fsync of that folder, rename to turns/NNNN, fsync of turns/. So whoever sees
// turns/NNNN sees all of it, and a reader can follow a live session without the
// lock by listing turns/. A crash leaves at most files in tmp/, parts that no
// turn names, and burned numbers; [Store.Check] lists these as notes.
package turn

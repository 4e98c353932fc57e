// Package farm does a batch with workers on any number of machines. The engine is NATS JetStream;
// this package only says what is put where. Start with [Connect]; then [Queue.Collect] enqueues the
// pages of a batch and fills its folder with the results, and [Queue.Work] does pages.
//
// # What is where
//
//	stream REFSCOPE_PAGES, subjects refscope.pages.RUN.KEY    one message for each page, kept until
//	                                                          a worker acknowledges it (work queue)
//	stream REFSCOPE_DEAD,  subjects refscope.dead.RUN.KEY     pages that failed for good, with the reason
//	bucket refscope-progress, keys RUN.KEY                    how far a page is: its attempts, its end
//	bucket refscope-places, keys HOST.N                       the pages that are worked on, by their hosts
//	bucket refscope-pauses, keys HOST                         when the next page of a host may begin
//	object store refscope-results                             the files of pages, as tar, until collected
//
// # What holds
//
// A worker acknowledges a page when its files and its end are stored, and not before; while it
// works it tells the server so every few seconds. A worker that is killed is therefore replaced
// after [Options.AckWait], and a page is never lost. A page may be done twice, where a worker ends it and
// is killed before the acknowledgement; its end is stored once, by a compare-and-set, so the
// result has it once. A page is enqueued under an id of its own, so enqueueing again adds nothing.
//
// The queue holds what the list has, which may be tokens in addresses and passwords in steps:
// whoever reads it reads them. What is written into the folder is redacted as ever.
package farm

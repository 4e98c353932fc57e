// Package batch does one thing to thousands of pages, and loses none of them: it reads the list,
// works at several pages at a time, and writes down each page the moment it ends.
//
// Start with [Read], which makes pages of a list or a sitemap, and [Run], which does them.
// [Shard] is the part of a list that one machine of several does, and [Merge] puts such parts
// together. What is done to a page is the caller's [Doer]: this package knows no browser.
//
// # The folder
//
//	manifest.jsonl   a header, then one line for each page that ended, appended as it ends; when the
//	                 batch is through, in the order of the list with one line for each page
//	results.jsonl    the same without times, attempts and machines: equal pages give equal bytes
//	pages/KEY/       the files of one page; they appear there as a whole
//	tmp/             pages that are being worked at; removed by the next run
//	lock             held by the process that writes
//
// A line is one write, and a page's files are in their place before its line is written. So a
// process that is killed at any point leaves pages that are listed and whole, and pages that are
// not listed; resuming does the latter, and those that failed, and nothing twice.
//
// # Equal bytes
//
// Merging shards gives the folder that one run of the whole list gives, but for what depends on
// when and where a page was done: times in the manifest, and times inside recorded turns.
//
// Addresses and errors are redacted before they are written: a list may have tokens in its
// addresses and passwords in its steps, and the folder has none of them.
package batch

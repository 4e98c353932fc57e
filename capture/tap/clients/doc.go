// Package clients tests the tap with the vendors' own clients. It is a module of its own, so that
// no program of ours depends on them; run its tests with go -C capture/tap/clients test.
package clients

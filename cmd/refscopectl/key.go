package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// keyCommand manages the keys that ask finds in the keyring of the operating system.
func keyCommand(a *app) *cobra.Command {
	set := &cobra.Command{
		Use: "set VENDOR", Short: "store the key on standard input: " + vendorNames(" | "),
		Example: "  refscopectl key set openai < key.txt",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 { // it may be the key, so it is not repeated
				return usagef("key set: write key set VENDOR, and the key on standard input: every process sees a " +
					"command line")
			}
			return between(1, 1, "")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return a.setKey(c.Context(), args[0]) },
	}
	list := &cobra.Command{
		Use: "list", Short: "the vendors whose keys are stored; no key is printed", Args: between(0, 0, ""),
		Example: "  refscopectl key list --json",
		RunE:    func(c *cobra.Command, _ []string) error { return a.listKeys(c.Context()) },
	}
	del := &cobra.Command{
		Use: "delete VENDOR", Short: "take a key out of the keyring", Args: between(1, 1, ""),
		Example: "  refscopectl key delete openai",
		RunE:    func(c *cobra.Command, args []string) error { return a.deleteKey(c.Context(), args[0]) },
	}
	names := strings.Fields(vendorNames(" "))
	set.ValidArgsFunction, del.ValidArgsFunction = first(cobra.FixedCompletions(names,
		cobra.ShellCompDirectiveNoFileComp)),
		first(cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	c := family("key set|list|delete", "API keys for ask, in the keyring of the operating system",
		"  refscopectl key set anthropic < key.txt\n  refscopectl key list", set, list, del)
	c.Long = "ask takes a key from the environment, else from the keyring: Secret Service (GNOME Keyring, KWallet),\n" +
		"Keychain or Windows Credential Manager. Refscope keeps keys nowhere else."
	return c
}

// vendorNames lists the vendors whose keys can be stored.
func vendorNames(between string) string {
	var names []string
	for _, v := range apikey.Vendors() {
		names = append(names, v.Name)
	}
	return strings.Join(names, between)
}

// vendorNamed is the vendor of an argument.
func vendorNamed(name string) (apikey.Vendor, error) {
	v, ok := apikey.Named(name)
	if !ok {
		return v, usagef("unknown vendor %q: choose from %s", name, vendorNames(", "))
	}
	return v, nil
}

// setKey stores the key that standard input has. On a terminal it is asked for and not shown.
func (a *app) setKey(ctx context.Context, name string) error {
	v, err := vendorNamed(name)
	if err != nil {
		return err
	}
	var key []byte
	if a.in == nil && term.IsTerminal(int(os.Stdin.Fd())) {
		key, err = a.askSecret(ctx, fmt.Sprintf("The key of %s, which is not shown: ", v.Name))
	} else {
		key, err = io.ReadAll(io.LimitReader(a.stdin(ctx), 1<<16))
	}
	if err != nil {
		return fmt.Errorf("key set: reading the key: %w", err)
	}
	if err := v.Store(ctx, strings.TrimSpace(string(key))); err != nil {
		return fmt.Errorf("key set: %w", err)
	}
	return a.keyChanged("the key of %s is in the keyring", v)
}

func (a *app) deleteKey(ctx context.Context, name string) error {
	v, err := vendorNamed(name)
	if err != nil {
		return err
	}
	switch err := v.Delete(ctx); {
	case errors.Is(err, apikey.ErrNone):
		return fmt.Errorf("key delete: the keyring has no key of %s", v.Name)
	case err != nil:
		return fmt.Errorf("key delete: %w", err)
	}
	return a.keyChanged("the key of %s is deleted", v)
}

// keyChanged reports what was done; format has the vendor's name in it.
func (a *app) keyChanged(format string, v apikey.Vendor) error {
	if a.json {
		return a.printJSON(map[string]any{"status": "ok", "vendor": v.Name})
	}
	a.remark(format, v.Name)
	return nil
}

func (a *app) listKeys(ctx context.Context) error {
	stored, err := apikey.Stored(ctx)
	if err != nil {
		return fmt.Errorf("key list: %w", err)
	}
	names := []string{}
	for _, v := range stored {
		names = append(names, v.Name)
	}
	if a.json {
		return a.printJSON(map[string]any{"stored": names})
	}
	if len(names) == 0 {
		a.remark("no key is stored: refscopectl key set VENDOR stores one")
	}
	return a.printLines(names)
}

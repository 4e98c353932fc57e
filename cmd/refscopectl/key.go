package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// keyCommand manages the keys that ask finds in the keyring of the operating system.
func keyCommand(a *cli.App) *cobra.Command {
	set := &cobra.Command{
		Use: "set VENDOR", Short: "store the key on standard input: " + cli.VendorNames(" | "),
		Example: "  refscopectl key set openai < key.txt",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 { // it may be the key, so it is not repeated
				return cli.Usagef("key set: write key set VENDOR, and the key on standard input: every process sees " +
					"a command line")
			}
			return cli.Between(1, 1, "")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return storeKey(c.Context(), a, args[0]) },
	}
	list := &cobra.Command{
		Use: "list", Short: "the vendors whose keys are stored; no key is printed", Args: cli.Between(0, 0, ""),
		Example: "  refscopectl key list --json",
		RunE:    func(c *cobra.Command, _ []string) error { return listKeys(c.Context(), a) },
	}
	del := &cobra.Command{
		Use: "delete VENDOR", Short: "take a key out of the keyring", Args: cli.Between(1, 1, ""),
		Example: "  refscopectl key delete openai",
		RunE:    func(c *cobra.Command, args []string) error { return deleteKey(c.Context(), a, args[0]) },
	}
	names := strings.Fields(cli.VendorNames(" "))
	set.ValidArgsFunction, del.ValidArgsFunction = cli.First(cobra.FixedCompletions(names,
		cobra.ShellCompDirectiveNoFileComp)),
		cli.First(cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	c := cli.Family("key set|list|delete", "API keys for ask, in the keyring of the operating system",
		"  refscopectl key set anthropic < key.txt\n  refscopectl key list", set, list, del)
	c.Long = "ask takes a key from the environment, else from the keyring: Secret Service (GNOME Keyring, KWallet),\n" +
		"Keychain or Windows Credential Manager. Refscope keeps keys nowhere else."
	return c
}

// storeKey stores the key that standard input has. On a terminal it is asked for and not shown.
func storeKey(ctx context.Context, a *cli.App, name string) error {
	v, err := cli.VendorNamed(name)
	if err != nil {
		return err
	}
	var key []byte
	if a.In == nil && term.IsTerminal(int(os.Stdin.Fd())) {
		key, err = a.AskSecret(ctx, fmt.Sprintf("The key of %s, which is not shown: ", v.Name))
	} else {
		key, err = io.ReadAll(io.LimitReader(a.Stdin(ctx), 1<<16))
	}
	if err != nil {
		return fmt.Errorf("key set: reading the key: %w", err)
	}
	if err := v.Store(ctx, strings.TrimSpace(string(key))); err != nil {
		return fmt.Errorf("key set: %w", err)
	}
	return keyChanged(a, "the key of %s is in the keyring", v)
}

func deleteKey(ctx context.Context, a *cli.App, name string) error {
	v, err := cli.VendorNamed(name)
	if err != nil {
		return err
	}
	switch err := v.Delete(ctx); {
	case errors.Is(err, apikey.ErrNone):
		return fmt.Errorf("key delete: the keyring has no key of %s", v.Name)
	case err != nil:
		return fmt.Errorf("key delete: %w", err)
	}
	return keyChanged(a, "the key of %s is deleted", v)
}

// keyChanged reports what was done; format has the vendor's name in it.
func keyChanged(a *cli.App, format string, v apikey.Vendor) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"status": "ok", "vendor": v.Name})
	}
	a.Remark(format, v.Name)
	return nil
}

func listKeys(ctx context.Context, a *cli.App) error {
	stored, err := apikey.Stored(ctx)
	if err != nil {
		return fmt.Errorf("key list: %w", err)
	}
	names := []string{}
	for _, v := range stored {
		names = append(names, v.Name)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"stored": names})
	}
	if len(names) == 0 {
		a.Remark("no key is stored: refscopectl key set VENDOR stores one")
	}
	return a.PrintLines(names)
}

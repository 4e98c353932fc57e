// Reports whether the document has a field with a text in it, one that may be
// for a code, or a meta tag that may carry a token. It does not read the text.
(() => {
  const roots = [document],
    fields =
      'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image],[type=file],[type=range],[type=color]),textarea,select,[contenteditable],[role=textbox],[style*="text-security"]';
  if (
    document.querySelector(
      'meta[name*=token i],meta[name*=csrf i],meta[name*=xsrf i],meta[name*=nonce i],meta[name*=secret i],meta[name*=api i],meta[property*=token i],meta[property*=secret i],meta[property*=api i]',
    )
  )
    return 'yes';
  const named =
    /(pass|pwd|otp|pin|mfa|2fa|cvv|cvc|csc|card|token|secret|key|jwt|bearer|csrf|xsrf|nonce|phrase|mnemonic|auth)/i;
  const code = (el) =>
    /code|otp|pin|2fa|mfa|tan\b/i.test(
      [el.autocomplete, el.name, el.id, el.placeholder, el.ariaLabel]
        .concat(Array.from(el.labels || [], (l) => l.textContent))
        .join(' '),
    );
  while (roots.length > 0) {
    const root = roots.pop();
    for (const el of root.querySelectorAll(fields))
      if (el.value || el.getAttribute('value') || el.textContent || code(el)) return 'yes';
    for (const el of root.querySelectorAll('*')) {
      for (const name of el.getAttributeNames()) if (named.test(name) && el.getAttribute(name)) return 'yes';
      const inner = el.shadowRoot || (globalThis.__refscope.hosts && globalThis.__refscope.hosts.get(el));
      if (inner) roots.push(inner);
    }
  }
  return '';
})()

// Lists the controls of a form, or of what is not one the controls inside, with
// what only the browser knows of them. No value is among it: values come from the
// capture. A form's properties are read through the prototype: a control named
// "elements" hides them.
(node) => {
  if (!node) return '';
  const get = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name).get;
  const FIELDS = 'input, textarea, select, button, output';
  let form = node,
    list,
    novalidate = false,
    submitter = null;
  if (!(node instanceof HTMLFormElement)) {
    const own = node.matches(FIELDS) ? node.form : node.closest('form');
    if (own) form = own;
    if (own && node.matches('button, input') && /^(submit|image)$/.test(node.type)) submitter = node;
  }
  if (form instanceof HTMLFormElement) {
    list = [...get(HTMLFormElement, 'elements').call(form)];
    novalidate = get(HTMLFormElement, 'noValidate').call(form) || Boolean(submitter && submitter.formNoValidate);
  } else {
    list = node.matches(FIELDS) ? [node] : [...form.querySelectorAll(FIELDS)];
  }
  const ids = globalThis.__refscope.ids,
    flags = (v) => {
      const out = [];
      for (const k in v) if (k !== 'valid' && v[k] === true) out.push(k);
      return out;
    };
  const fields = list
    .filter((el) => el.matches && el.matches(FIELDS))
    .slice(0, 1000)
    .map((el) => ({
      uid: ids.get(el) || 0,
      name: el.name.slice(0, 300),
      type: el.type,
      tag: el.localName,
      required: Boolean(el.required),
      disabled: el.matches(':disabled'),
      validates: el.willValidate,
      valid: el.validity.valid,
      message: el.validationMessage.slice(0, 500),
      flags: flags(el.validity),
    }));
  return JSON.stringify({ form: form instanceof HTMLFormElement, total: list.length, novalidate, fields });
}

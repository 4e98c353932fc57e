// Submits as the browser does when the button is pressed: with its checks, its
// submit event, and the button's own value. A form's own method may be hidden.
(node) => {
  if (!node || !node.isConnected) return '';
  const form =
    node instanceof HTMLFormElement
      ? node
      : node.matches('input, textarea, select, button, output')
        ? node.form
        : node.closest('form');
  if (!form) return 'none';
  const is = (selector) => Element.prototype.matches.call(node, selector);
  const button =
    is('button, input') && /^(submit|image)$/.test(node.type) && node.form === form && !node.disabled ? node : null;
  HTMLFormElement.prototype.requestSubmit.call(form, button);
  return 'done';
}

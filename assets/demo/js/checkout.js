// The checkout form: the tip follows its slider, and sending says what would happen.

const tip = document.getElementById('tip');
const tipOut = document.getElementById('tip-out');
tip.addEventListener('input', () => { tipOut.textContent = `$${tip.value}`; });

const form = document.getElementById('order');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const missing = [...form.elements].filter((field) => field.willValidate && !field.checkValidity());
  form.querySelectorAll('.problem').forEach((note) => note.remove());
  for (const field of missing) {
    const note = document.createElement('p');
    note.className = 'problem';
    note.setAttribute('role', 'alert');
    note.textContent = field.validationMessage;
    field.setAttribute('aria-invalid', 'true');
    (field.closest('.field') ?? field.closest('label') ?? field).append(note);
  }
  if (missing.length > 0) missing[0].focus();
  else location.href = 'orders.html';
});

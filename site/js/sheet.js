// Sheets over the lower part of a narrow screen follow the finger that pulls them by their head: up to the full height,
// down to close. Each does what its buttons do.

const far = 48; // px that are meant
let drag = null; // {sheet, from, by}

const sheetOf = (target) => {
  const head = target.closest?.('.why-head, .sheet-head');
  const sheet = head?.parentElement;
  return sheet && !target.closest('button') && getComputedStyle(sheet).position === 'fixed' ? sheet : null;
};

addEventListener('pointerdown', (event) => {
  const sheet = event.isPrimary && sheetOf(event.target);
  if (!sheet) return;
  drag = { sheet, from: event.clientY, by: 0 };
  event.target.setPointerCapture?.(event.pointerId);
});

addEventListener('pointermove', (event) => {
  if (!drag) return;
  drag.by = event.clientY - drag.from;
  drag.sheet.style.transform = `translateY(${Math.max(drag.by, -far)}px)`;
});

function end(done) {
  if (!drag) return;
  const { sheet, by } = drag;
  drag = null;
  sheet.style.transform = '';
  if (!done || Math.abs(by) < far) return;
  const pull = sheet.querySelector('.pull');
  const tall = pull?.getAttribute('aria-pressed') === 'true';
  if (by < 0 ? pull && !tall : tall) pull.click();
  else if (by > 0) sheet.querySelector('[id^="close-"]')?.click();
}
addEventListener('pointerup', () => end(true));
addEventListener('pointercancel', () => end(false));

// Dragging in a list that is ordered by hand. The program draws the list (ol.hand, its documents li[data-row]) and
// knows the order; this turns a pointer on a handle ([data-grip]) into events of the list: "rankhold" when something is
// taken, "rankmove" {from, to} as often as it comes over another place, from 0; the line of a cutoff has from −1, and
// to is the rank that it is below. And what belongs to one document ([data-tie]) lights up together.

let held = null;

const rows = (list) => [...list.querySelectorAll(':scope > [data-row]')];

// place is where a height lies in the list, by where rows come to rest, not by where they slide.
function place(list, y) {
  const all = rows(list);
  const top = y - list.getBoundingClientRect().top;
  if (held.from < 0) return Math.max(1, all.filter((r) => r.offsetTop + r.offsetHeight / 2 < top).length);
  let at = 0;
  for (const [i, r] of all.entries()) if (top >= r.offsetTop) at = i;
  return at;
}

addEventListener('pointerdown', (event) => {
  const grip = event.target.closest?.('[data-grip]');
  const list = grip?.closest('.hand');
  if (!list || event.button !== 0) return;
  const row = grip.closest('li');
  held = { list, row, id: event.pointerId, from: grip.dataset.grip === 'cut' ? -1 : Number(row.dataset.row),
    at: grip.dataset.grip === 'cut' ? rows(list).length : 0 };
  held.at = held.from;
  row.dataset.held = '';
  list.dispatchEvent(new CustomEvent('rankhold'));
});

addEventListener('pointermove', (event) => {
  if (!held || event.pointerId !== held.id) return;
  event.preventDefault();
  const edge = 56;
  if (event.clientY < edge) scrollBy(0, -12);
  else if (event.clientY > innerHeight - edge) scrollBy(0, 12);
  const to = place(held.list, event.clientY);
  if (to === held.at) return;
  const from = held.from < 0 ? -1 : held.at;
  held.at = to;
  held.list.dispatchEvent(new CustomEvent('rankmove', { detail: { from, to } }));
});

function drop(event) {
  if (!held || event.pointerId !== held.id) return;
  delete held.row.dataset.held;
  held = null;
}
addEventListener('pointerup', drop);
addEventListener('pointercancel', drop);

let lit = '';
function light({ target }) {
  const tie = target.closest?.('[data-tie]')?.dataset.tie ?? '';
  if (tie === lit) return;
  lit = tie;
  for (const e of document.querySelectorAll('[data-lit]')) delete e.dataset.lit;
  if (tie !== '') for (const e of document.querySelectorAll(`[data-tie="${CSS.escape(tie)}"]`)) e.dataset.lit = '';
}
for (const type of ['pointerover', 'focusin']) addEventListener(type, light);

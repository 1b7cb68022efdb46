// Definitions beside the word. A term is a link into the reference, a.term; a plain click or Enter on it shows what the
// word means, on the page itself, so that nothing that is open here is lost. Without this script, and with a key held,
// it is a link like any other.
//
// What is shown is fetched when it is first asked for. It is text and formulas, built element by element. The box
// stands outside of the page that the program draws. A formula on the page itself is an element typeset-formula: the
// program writes its plain notation in it, which is shown until the definitions are there and where there is none; what
// is set stands in its shadow, where the program never looks.

import config from './config.js';
import { small } from './fetch.js';

const unknown = 'The definition could not be loaded. See the reference page.';
let terms = null;
let box = null; // the popover
let word = null; // the term it belongs to
let pressed = null; // the term whose box was open when the pointer went down, which closes it

function fetched() {
  return (terms ??= small(new URL('./terms.json', import.meta.url), config.integrity['terms.json'], 8000)
    .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)))
    .catch((e) => {
      terms = null; // asked for again the next time
      throw e;
    }));
}

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

const mathematics = 'http://www.w3.org/1998/Math/MathML';

/** A piece of a formula: text, or ['mo', { form: 'infix' }, '='], its attributes left out where it has none. */
function piece(p) {
  if (typeof p === 'string') return p;
  const [tag, ...rest] = p;
  const attributes = rest.length && typeof rest[0] === 'object' && !Array.isArray(rest[0]) ? rest.shift() : {};
  const e = tag === 'wbr' ? document.createElement(tag) : document.createElementNS(mathematics, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...rest.map(piece));
  return e;
}

/** A formula, a line for each of its statements. */
const typeset = (formula) => formula.flatMap((line) => [element('span', {}, ...line.map(piece)), ' ']);

class Formula extends HTMLElement {
  static observedAttributes = ['of']; // the address of the definition: /measures#nDCG

  async attributeChangedCallback(_, before, of) {
    if (before === of) return;
    let formula;
    for (let tries = 3; tries > 0; tries--) {
      try {
        formula = (await fetched())[of]?.formula;
        break;
      } catch (e) {
        console.info(`rankbox: definitions: ${e.message}`);
        await new Promise((done) => setTimeout(done, 2000));
      }
    }
    if (this.getAttribute('of') !== of) return; // it is another one's by now
    if (!this.shadowRoot) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        'span { display: block; padding: 0.15rem 0 0.15rem 1.5em; text-indent: -1.5em; } math { font-size: 1.08em; text-indent: 0; margin-block: 0.2rem; }');
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    }
    this.shadowRoot.replaceChildren(...(formula ? typeset(formula) : [document.createElement('slot')]));
  }
}
customElements.define('typeset-formula', Formula);

// fill shows a term; t is undefined while it is on its way, null where it could not be had.
function fill(t) {
  const address = word.getAttribute('href');
  const more = element('a', { href: address, target: '_blank', rel: 'noopener', id: 'term-more' },
    'More in the reference', element('span', { class: 'muted' }, ' (new tab)'));
  const close = element('button', { type: 'button', id: 'term-close' }, 'Close');
  close.addEventListener('click', () => box.hidePopover());
  // "nDCG@10" is explained as it stands; a sign or a word in a sentence by its full name
  const said = (word.dataset.term ?? word.textContent).trim();
  const heading = element('h2', { id: 'term-name' }, t?.name ? (said.startsWith(t.name) ? said : t.name) : t?.title ||
    said);
  const parts = [element('div', { class: 'head' }, heading, close)];
  if (t?.name && t.title) parts.push(element('p', { class: 'muted' }, t.title));
  if (t) parts.push(element('p', {}, t.brief));
  else parts.push(element('p', { class: 'muted', role: 'status' }, t === null ? unknown : 'Looking it up …'));
  if (t?.formula) parts.push(element('p', { class: 'formula' }, ...typeset(t.formula)));
  if (t?.facts) parts.push(
    element('dl', {}, ...t.facts.map(([label, text]) => element('div', {}, element('dt', {}, label),
      element('dd', {}, text)))));
  box.replaceChildren(...parts, element('p', { class: 'more' }, more));
  box.scrollTop = 0;
}

// place puts the box below the word, or above it where there is more room; on a narrow screen the style sheet keeps it
// at the foot.
function place() {
  box.style.removeProperty('left');
  box.style.removeProperty('top');
  const at = word.getBoundingClientRect();
  if (getComputedStyle(box).position === 'fixed') {
    const hidden = at.bottom + 12 - (innerHeight - box.offsetHeight);
    if (hidden > 0) scrollBy(0, Math.min(hidden, at.top - 12));
    return;
  }
  const edge = 12;
  const width = document.documentElement.clientWidth;
  const left = Math.max(edge, Math.min(at.left, width - box.offsetWidth - edge));
  const below = at.bottom + box.offsetHeight + edge <= innerHeight || at.top < box.offsetHeight + edge;
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${(below ? at.bottom + 6 : at.top - box.offsetHeight - 6) + scrollY}px`;
  const hidden = box.getBoundingClientRect().bottom + edge - innerHeight;
  if (hidden > 0) scrollBy(0, Math.min(hidden, at.top - edge)); // it is taller than what is below and above
}

function make() {
  box = element('div', { id: 'term', popover: 'auto', role: 'dialog', 'aria-labelledby': 'term-name', tabindex: '-1' });
  box.addEventListener('toggle', (event) => {
    const open = event.newState === 'open';
    word?.setAttribute('aria-expanded', open);
  });
  box.addEventListener('keydown', (event) => {
    // behind the last thing in the box is what stands behind the word
    if (event.key === 'Tab' && !event.shiftKey && document.activeElement?.id === 'term-more') hide();
  });
  document.body.append(box);
}

function hide() {
  const inside = box.contains(document.activeElement);
  box.hidePopover();
  if (inside && word.isConnected) word.focus({ preventScroll: true });
}

async function show(term) {
  if (!box) make();
  if (box.matches(':popover-open')) box.hidePopover();
  word?.removeAttribute('aria-expanded');
  word = term;
  box.classList.toggle('large', document.getElementById('page')?.classList.contains('presenter') ?? false);
  const address = new URL(term.href);
  const key = address.pathname + decodeURIComponent(address.hash);
  fill(undefined);
  box.showPopover();
  place();
  box.focus({ preventScroll: true });
  let t;
  try {
    t = (await fetched())[key] ?? null;
  } catch (e) {
    console.info(`rankbox: definitions: ${e.message}`);
    t = null;
  }
  if (word !== term || !box.matches(':popover-open')) return;
  const had = document.activeElement;
  fill(t);
  if (had && !had.isConnected) box.focus({ preventScroll: true });
  place();
}

addEventListener('pointerdown', (event) => {
  pressed = box?.matches(':popover-open') && event.target.closest?.('a.term') === word ? word : null;
}, true);

addEventListener('click', (event) => {
  const term = event.target.closest?.('a.term');
  if (!term || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (!('popover' in HTMLElement.prototype)) window.open(term.href, '_blank', 'noopener');
  else if (pressed === term) {
    pressed = null;
    if (box.matches(':popover-open')) hide();
  } else show(term);
});

// Escape closes the box and nothing else, wherever the focus is.
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !box?.matches(':popover-open')) return;
  event.preventDefault();
  event.stopPropagation();
  hide();
}, true);

document.documentElement.dataset.terms = 'true'; // from now on a click on a term is taken

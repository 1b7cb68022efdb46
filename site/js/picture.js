// A picture of a moment. A button with data-picture copies the first that is there of what it names (ids), or the
// figure it stands in, onto the clipboard as a PNG, with the link of the page under it; where the browser keeps the
// clipboard to itself, the picture is saved as a file.
//
// What is on the page is drawn box by box and line by line, as the browser laid it out: backgrounds, borders, drawings,
// text. Nothing is fetched, and nothing leaves the page. Controls that only serve whoever sits in front of it are left
// out.

import { save } from './files.js';

const scale = 2; // pixels for each of the page's
const most = 4000; // pixels of the page that a picture is high
const margin = 20;
const longest = 700; // characters of a link that are written out
const left = '[data-picture], .saves, .rename, .take, .ghost, a.play, label.baseline, script, details:not([open]), [popover]:not(:popover-open)';

const solid = (colour) => colour && colour !== 'transparent' && !/^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);

// drawing paints an inline SVG as it is styled here.
async function drawing(context, svg, box) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll('*')];
  for (const [i, e] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(from[i]);
    for (const name of ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
      'stroke-linejoin', 'stroke-opacity', 'opacity', 'visibility', 'display', 'font-family', 'font-size',
      'font-weight', 'font-style', 'text-anchor', 'dominant-baseline', 'vector-effect']) {
      e.setAttribute(name, style.getPropertyValue(name));
    }
    for (const name of ['class', 'style']) e.removeAttribute(name);
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', box.width * scale);
  copy.setAttribute('height', box.height * scale);
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${box.width} ${box.height}`);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    context.drawImage(image, box.x, box.y, box.width, box.height);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function background(context, style, box) {
  const round = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.width / 2, box.height / 2);
  if (solid(style.backgroundColor)) {
    context.fillStyle = style.backgroundColor;
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, round);
    context.fill();
  }
  for (const [side, x, y, w, h] of [['Top', 0, 0, 1, 0], ['Bottom', 0, 1, 1, 0], ['Left', 0, 0, 0, 1],
    ['Right', 1, 0, 0, 1]]) {
    const width = parseFloat(style[`border${side}Width`]);
    if (!width || ['none', 'hidden'].includes(style[`border${side}Style`]) ||
      !solid(style[`border${side}Color`])) continue;
    context.fillStyle = style[`border${side}Color`];
    context.fillRect(box.x + x * (box.width - width), box.y + y * (box.height - width), w ? box.width : width, h ?
      box.height : width);
  }
}

// words writes a text node word by word, where the browser put each.
function words(context, node, style) {
  const slanted = style.textTransform === 'math-auto' && node.data.trim().length === 1; // the name of a variable
  context.font = `${slanted ? 'italic' : style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing;
  context.fillStyle = style.color;
  const range = document.createRange();
  for (const word of node.data.matchAll(/\S+/g)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const boxes = range.getClientRects();
    if (boxes.length === 0) continue;
    const broken = boxes.length > 1; // a word that goes on in the next line is written letter by letter
    for (let i = 0; i < (broken ? word[0].length : 1); i++) {
      if (broken) {
        range.setStart(node, word.index + i);
        range.setEnd(node, word.index + i + 1);
      }
      const box = broken ? range.getBoundingClientRect() : boxes[0];
      let text = broken ? word[0][i] : word[0];
      if (style.textTransform === 'uppercase') text = text.toUpperCase();
      const at = context.measureText(text);
      const baseline = box.top + (box.height + at.fontBoundingBoxAscent - at.fontBoundingBoxDescent) / 2;
      context.fillText(text, box.left, baseline);
      if (style.textDecorationLine.includes('underline')) context.fillRect(box.left, Math.round(baseline + 2),
        box.width, 1);
    }
  }
}

// strokes draws what of a formula is no text: the line of a fraction, a root, a sign that grew with what it stands
// beside. It is true of such a sign.
function strokes(context, element, style, box) {
  context.fillStyle = context.strokeStyle = style.color;
  if (element.localName === 'mfrac') {
    const [above, below] = Array.from(element.children, (e) => e.getBoundingClientRect());
    context.fillRect(box.x, (above.bottom + below.top) / 2 - 0.5, box.width, 1);
  } else if (element.localName === 'msqrt') {
    const inside = element.firstElementChild.getBoundingClientRect().x - box.x;
    context.beginPath();
    context.moveTo(box.x, box.y + box.height * 0.6);
    context.lineTo(box.x + inside * 0.4, box.bottom - 1);
    context.lineTo(box.x + inside * 0.9, box.y + 0.5);
    context.lineTo(box.right, box.y + 0.5);
    context.stroke();
  } else if (element.localName === 'mo' && box.height > 1.5 * parseFloat(style.fontSize)) {
    context.font = `${style.fontSize} ${style.fontFamily}`;
    const sign = element.textContent;
    const at = context.measureText(sign);
    const tall = box.height / (at.actualBoundingBoxAscent + at.actualBoundingBoxDescent);
    context.translate(box.x, box.bottom - at.actualBoundingBoxDescent * tall);
    context.scale(box.width / at.width, tall);
    context.fillText(sign, 0, 0);
    return true;
  }
  return false;
}

// frame is where an element's background and borders are: a table's begin below its caption.
function frame(element) {
  const box = element.getBoundingClientRect();
  const said = element.caption?.getBoundingClientRect().height ?? 0;
  return new DOMRect(box.x, box.y + said, box.width, box.height - said);
}

async function paint(context, element) {
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0' ||
    element.matches(left)) return;
  const box = frame(element);
  if (style.position === 'absolute' && box.width <= 1 && box.height <= 1) return; // what only a screen reader says
  if (element.localName === 'svg') return drawing(context, element, box);
  context.save();
  const opacity = Number(style.opacity);
  if (opacity < 1) context.globalAlpha *= opacity;
  const inline = style.display === 'inline';
  if (style.display !== 'contents') for (const part of inline ? element.getClientRects() : [box]) background(context,
    style, part);
  if (!inline && style.overflow !== 'visible' && style.display !== 'contents') {
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
  }
  const drawn = element instanceof MathMLElement && strokes(context, element, style, box);
  const typed = element.localName === 'input' && !['checkbox', 'radio', 'range', 'file'].includes(element.type);
  if (typed || element.localName === 'select') {
    const text = typed ? element.value : (element.selectedOptions[0]?.textContent ?? '');
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.fillStyle = style.color;
    context.fillText(text, box.x + 4, box.y + box.height / 2 + parseFloat(style.fontSize) / 3, box.width - 8);
  } else if (!drawn) {
    for (const node of (element.shadowRoot ?? element).childNodes) {
      if (node.nodeType === Node.TEXT_NODE) words(context, node, style);
      else if (node.nodeType === Node.ELEMENT_NODE) await paint(context, node);
    }
  }
  context.restore();
}

// lines cuts a link, which has no blanks, to the width of the picture.
function lines(context, text, width) {
  const out = [];
  while (text) {
    let n = text.length;
    while (n > 1 && context.measureText(text.slice(0, n)).width > width) n = Math.min(n - 1,
      Math.ceil((n * width) / context.measureText(text.slice(0, n)).width));
    out.push(text.slice(0, n));
    text = text.slice(n);
  }
  return out;
}

// source is what stands under the picture: the address, and where that does not hold everything (files of this device,
// a very long link) the report's hash.
function source() {
  const report = document.getElementById('page')?.dataset.report;
  const whole = location.href.length <= longest;
  const link = whole ? location.href : location.origin + location.pathname;
  return report && (!location.hash || !whole) ? [link, `report ${report}`] : [link];
}

/** Draws an element with a title above and the page's link under it, and returns the picture as PNG. */
async function draw(element, title) {
  const area = element.getBoundingClientRect();
  const height = Math.min(area.height, most);
  const page = getComputedStyle(document.body);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  const small = `12px ui-monospace, monospace`;
  const large = `600 17px ${page.fontFamily}`;
  context.font = small;
  const foot = source().flatMap((line) => lines(context, line, area.width));
  const head = title ? 32 : 0;
  canvas.width = Math.ceil((area.width + 2 * margin) * scale);
  canvas.height = Math.ceil((height + head + 2 * margin + 14 + foot.length * 17) * scale);
  context.scale(scale, scale);
  context.fillStyle = solid(page.backgroundColor) ? page.backgroundColor : getComputedStyle(document.documentElement)
    .backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.color;
  context.font = large;
  if (title) context.fillText(title, margin, margin + 15, area.width);
  context.save();
  context.translate(margin - area.left, margin + head - area.top);
  context.beginPath();
  context.rect(area.left, area.top, area.width, height);
  context.clip();
  await paint(context, element);
  context.restore();
  context.fillStyle = page.color;
  context.font = small;
  for (const [i, line] of foot.entries()) context.fillText(line, margin, margin + head + height + 24 + i * 17);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))),
    'image/png'));
}

let note = null;

// tell says beside the button what became of it.
function tell(button, text) {
  if (!note) {
    note = document.createElement('p');
    note.id = 'picture-note';
    note.setAttribute('role', 'status');
    document.body.append(note);
    for (const end of ['pointerdown', 'keydown', 'scroll']) addEventListener(end, () => (note.hidden = true),
      { capture: true, passive: true });
  }
  note.hidden = false;
  note.textContent = text;
  const at = (button.checkVisibility() ? button : document.querySelector('header')).getBoundingClientRect();
  note.style.left = `${Math.max(8, Math.min(at.left, innerWidth - note.offsetWidth - 8))}px`;
  note.style.top = `${at.bottom + 6 + note.offsetHeight > innerHeight ? at.top - note.offsetHeight - 6 : at.bottom + 6}px`;
}

addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-picture]');
  if (!button) return;
  const named = button.dataset.picture.split(' ').map((id) => id && document.getElementById(id)).find(Boolean);
  const element = named?.closest('figure') ?? named ?? button.closest('figure');
  if (!element) return;
  button.closest('[popover]')?.hidePopover();
  const drawn = draw(element, button.dataset.title ?? document.querySelector('.screen-search #q')?.value);
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': drawn })]);
    tell(button, 'Copied the picture, with the link under it.');
  } catch {
    try {
      save('rankbox.png', 'image/png', await (await drawn).arrayBuffer());
      tell(button,
        'This browser does not allow copying. The picture was saved as rankbox.png, with the link under it.');
    } catch (e) {
      tell(button, `The picture could not be drawn: ${e.message}.`);
    }
  }
});

// Applies the patches that wasm/internal/dom computes; its Op constants say what each operation is followed by. Text
// becomes text nodes and attributes only: nothing here parses markup.

// generated: operations
const opCreate = 1;
const opText = 2;
const opAttr = 3;
const opNoAttr = 4;
const opProp = 5;
const opListen = 6;
const opIgnore = 7;
const opInsert = 8;
const opRemove = 9;
const opSetText = 10;
const opAdopt = 11;
const opForget = 12;
// end of operations

const SVG = 'http://www.w3.org/2000/svg';
const nodes = new Map(); // id → Node
const decoder = new TextDecoder();
let mount = null;
let emit = () => {};

// What is typed into a field that is heard only when it is left is the visitor's until then: an answer that arrives
// meanwhile does not take it away.
addEventListener('input', ({ target }) => (target.rankboxEdited = !target.rankboxHeard?.has('input')), true);
for (const type of ['change', 'focusout']) addEventListener(type, ({ target }) => delete target.rankboxEdited, true);

// Attributes that are kept in step as properties, because the user changes them too.
function setProperty(node, name, value) {
  if (name === 'value') {
    if (node.value !== value && !node.rankboxTyped && !node.rankboxEdited) node.value = value;
  } else {
    const on = value === 'true';
    if (node[name] !== on) node[name] = on;
  }
}

function listen(id, type) {
  const node = nodes.get(id);
  const heard = (node.rankboxHeard ??= new Map());
  if (heard.has(type)) return;
  const f = (event) => emit(id, type, event);
  heard.set(type, f);
  node.addEventListener(type, f);
}

function ignore(id, type) {
  const node = nodes.get(id);
  const f = node.rankboxHeard?.get(type);
  if (f) {
    node.removeEventListener(type, f);
    node.rankboxHeard.delete(type);
  }
}

// The first patch meets a page that was rendered beforehand: the same tree, unless a browser extension or an old cache
// has changed it. Elements that stand where the patch wants them are taken over with their attributes, text, focus and
// scroll position; what differs is put right.
class Adoption {
  constructor(root) {
    this.found = new Map(); // new node → node on the page that it becomes
    this.root = root;
  }
  match(wanted, present) {
    const want = [...wanted.childNodes];
    const have = [...present.childNodes].filter((n) => n.nodeType !== Node.COMMENT_NODE);
    for (const n of present.childNodes) if (n.nodeType === Node.COMMENT_NODE) n.remove();
    for (let i = 0; i < want.length; i++) {
      const w = want[i], h = have[i];
      if (h && w.nodeType === h.nodeType && w.nodeName === h.nodeName) {
        this.found.set(w, h);
        if (w.nodeType === Node.TEXT_NODE) {
          if (h.data !== w.data) h.data = w.data;
        } else {
          // value and checked are properties in a patch and attributes in the page; taking them away would reset the
          // field
          for (const { name } of [...h.attributes]) if (!w.hasAttribute(name) && name !== 'value' &&
            name !== 'checked') h.removeAttribute(name);
          for (const { name, value } of w.attributes) if (h.getAttribute(name) !== value) h.setAttribute(name, value);
          this.match(w, h);
        }
      } else {
        if (h) h.remove();
        present.insertBefore(w, have.slice(i + 1).find((n) => n.parentNode === present) ?? null);
      }
    }
    for (const h of have.slice(want.length)) h.remove();
  }
}

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

// Rows marked data-flip slide from where they were in their list to where they are: where the list is moved, they go
// with its head.
const within = (e) => e.getBoundingClientRect().top - e.parentElement.getBoundingClientRect().top;

function places() {
  const was = new Map();
  for (const e of document.querySelectorAll('[data-flip]')) was.set(e, within(e));
  return was;
}

function slide(was) {
  // first where all of them are: asked between two animations, the browser would work its styles out for each once more
  const moved = [];
  for (const [e, top] of was) {
    if (!e.isConnected) continue;
    const by = top - within(e);
    if (Math.abs(by) > 2 && Math.abs(by) < 2 * innerHeight) moved.push([e, by]);
  }
  for (const [e, by] of moved) e.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }],
    { duration: 180, easing: 'ease-out' });
}

// A figure marked data-rolls comes from below where it grew and from above where it fell. It does not count up: a
// number on the way would be one that nobody computed.
function roll(text, to) {
  const e = text.parentElement, by = Number(to) - Number(text.data);
  text.data = to;
  if (!by || e?.dataset.rolls === undefined || reduced.matches) return;
  e.animate([{ transform: `translateY(${Math.sign(by) * 0.5}em)`, opacity: 0.2 }, { transform: 'none' }], 180);
}

export function setEmitter(f) {
  emit = f;
}

export function setMount(element) {
  mount = element;
}

// release forgets every node, so that another program can take the page over as it is: its first patch adopts what is
// there.
export function release() {
  for (const node of nodes.values()) {
    for (const [type, f] of node.rankboxHeard ?? []) node.removeEventListener(type, f);
    delete node.rankboxHeard;
  }
  nodes.clear();
}

// lengths are those of the operations, with what each is followed by.
const lengths = {
  [opCreate]: 4, [opText]: 3, [opAttr]: 4, [opNoAttr]: 3, [opProp]: 4, [opListen]: 3, [opIgnore]: 3, [opInsert]: 4,
  [opRemove]: 2, [opSetText]: 3, [opAdopt]: 2, [opForget]: 2,
};

// moves says whether a patch puts something elsewhere. The first one does not, which adopts what is there.
function moves(ops) {
  for (let i = 0; i < ops.length && ops[i] !== opAdopt; i += lengths[ops[i]]) if (ops[i] === opInsert ||
    ops[i] === opRemove) return true;
  return false;
}

// apply runs one patch: ops is a Uint32Array, text the UTF-8 of all strings joined by NUL.
export function apply(ops, text) {
  const s = text.length ? decoder.decode(text).split('\0') : [''];
  const properties = [];
  const listens = [];
  let adopting = null;
  let root = null;
  // before anything is changed, while the browser knows where everything is: asked in between, it would lay the page
  // out once more
  const was = moves(ops) && !reduced.matches ? places() : null;
  for (let i = 0; i < ops.length; i += lengths[ops[i]]) {
    switch (ops[i]) {
      case opCreate:
        nodes.set(ops[i + 1], ops[i + 3] ? document.createElementNS(SVG, s[ops[i + 2]]) :
          document.createElement(s[ops[i + 2]]));
        break;
      case opText:
        nodes.set(ops[i + 1], document.createTextNode(s[ops[i + 2]]));
        break;
      case opAttr:
        nodes.get(ops[i + 1]).setAttribute(s[ops[i + 2]], s[ops[i + 3]]);
        break;
      case opNoAttr:
        nodes.get(ops[i + 1]).removeAttribute(s[ops[i + 2]]);
        break;
      case opProp:
        properties.push(ops[i + 1], s[ops[i + 2]], s[ops[i + 3]]);
        break;
      case opListen:
        listens.push(ops[i + 1], s[ops[i + 2]]);
        break;
      case opIgnore:
        ignore(ops[i + 1], s[ops[i + 2]]);
        break;
      case opInsert: {
        const parent = nodes.get(ops[i + 1]);
        const node = nodes.get(ops[i + 2]);
        const active = node.isConnected && node.contains?.(document.activeElement) ? document.activeElement : null;
        parent.insertBefore(node, ops[i + 3] ? nodes.get(ops[i + 3]) : null);
        if (active && active !== document.activeElement) active.focus({ preventScroll: true });
        break;
      }
      case opRemove: {
        const node = nodes.get(ops[i + 1]);
        node.remove();
        nodes.delete(ops[i + 1]);
        break;
      }
      case opSetText:
        roll(nodes.get(ops[i + 1]), s[ops[i + 2]]);
        break;
      case opAdopt:
        adopting = new Adoption(mount);
        root = mount.cloneNode(false);
        for (const { name } of [...root.attributes]) root.removeAttribute(name);
        nodes.set(ops[i + 1], root);
        break;
      case opForget:
        nodes.delete(ops[i + 1]);
        break;
      default:
        throw new Error(`patch: unknown operation ${ops[i]} at ${i}`);
    }
  }
  if (adopting) {
    for (const { name } of [...mount.attributes]) if (!root.hasAttribute(name)) mount.removeAttribute(name);
    for (const { name, value } of root.attributes) if (mount.getAttribute(name) !== value) mount.setAttribute(name,
      value);
    adopting.found.set(root, mount);
    adopting.match(root, mount);
    for (const [id, node] of nodes) nodes.set(id, adopting.found.get(node) ?? node);
  }
  for (let i = 0; i < listens.length; i += 2) listen(listens[i], listens[i + 1]);
  const here = adopting && new Set(adopting.found.values());
  for (let i = 0; i < properties.length; i += 3) {
    const node = nodes.get(properties[i]);
    if (!node) continue;
    // what was typed into the page before it came alive is kept, and told to the program once that has started; into
    // what is new nobody typed
    if (here?.has(node) && properties[i + 1] === 'value' && node instanceof HTMLInputElement &&
      node.value !== node.defaultValue) {
      node.rankboxTyped = true;
      setTimeout(() => {
        node.rankboxTyped = false;
        node.dispatchEvent(new Event('input', { bubbles: true }));
      });
    } else {
      setProperty(node, properties[i + 1], properties[i + 2]);
    }
  }
  if (was && !adopting) slide(was);
}

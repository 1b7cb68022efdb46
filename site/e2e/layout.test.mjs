// Nightly: every screen at every size.
// No text stands on other text, on any screen: two screens that share the name of a class once broke Home, and nothing
// that asks the page for its contents notices.
import assert from 'node:assert/strict';
import test from 'node:test';
import { lab, ready } from './harness.mjs';

const rankbox = lab();
const paths = ['/', '/search', '/judge', '/evaluate', '/check', '/experiment', '/learn', '/learn/ndcg', '/play',
  '/collections', '/model', '/status'];
const sizes = [['desktop', 1366, 900, ''], ['presenter', 1280, 720, '?presenter'], ['phone', 390, 844, '']];

/**
 * Pairs of texts whose lines share more than 3 pixels in both directions, and boxes more than 8 pixels taller than what
 * holds them. What is
 * fixed, sticky, hidden or scrolled away does not count.
 */
function collisions() {
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || holder.closest('svg, select, dialog, [popover]') ||
      !holder.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    let above = false;
    for (let e = holder; e && e !== document.body; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.position === 'fixed' || style.position === 'sticky') above = true;
      if (style.overflow === 'visible' && style.clipPath === 'none') continue;
      const box = e.getBoundingClientRect();
      clip = { left: Math.max(clip.left, box.left), top: Math.max(clip.top, box.top),
        right: Math.min(clip.right, box.right), bottom: Math.min(clip.bottom, box.bottom) };
      if (style.clipPath !== 'none') above = true;
    }
    if (above) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const r of range.getClientRects()) {
      // what is drawn, without the leading
      const inset = Math.max(0, (r.height - parseFloat(getComputedStyle(holder).fontSize)) / 2);
      const line = { left: Math.max(r.left, clip.left), top: Math.max(r.top + inset, clip.top),
        right: Math.min(r.right, clip.right), bottom: Math.min(r.bottom - inset, clip.bottom), node };
      if (line.right - line.left > 3 && line.bottom - line.top > 3) lines.push(line);
    }
  }
  lines.sort((a, b) => a.top - b.top);
  const found = new Set();
  lines.forEach((a, i) => {
    for (let j = i + 1; j < lines.length && lines[j].top < a.bottom - 3; j++) {
      const b = lines[j];
      if (a.node !== b.node && Math.min(a.bottom, b.bottom) - b.top > 3 && Math.min(a.right, b.right) -
        Math.max(a.left, b.left) > 3) found.add(
          `"${a.node.data.trim().slice(0, 40)}" and "${b.node.data.trim().slice(0, 40)}"`);
    }
  });
  for (const e of document.body.querySelectorAll('main :not(svg *, option, tr, td, th, thead, tbody, br)')) {
    const style = getComputedStyle(e), parent = e.parentElement;
    if (!/^(static|relative)$/.test(style.position) || style.float !== 'none' || style.translate !== 'none' ||
      !e.checkVisibility() || !e.textContent.trim()) continue;
    if (!/flex|grid|block/.test(getComputedStyle(parent).display) || getComputedStyle(parent).overflow !== 'visible' ||
      style.display.startsWith('inline')) continue;
    const inner = e.getBoundingClientRect(), outer = parent.getBoundingClientRect();
    if (inner.height && outer.height && (inner.bottom > outer.bottom + 8 || inner.top < outer.top - 8)) found.add(
      `"${e.textContent.trim().slice(0, 40)}" sticks out of <${parent.localName} class="${parent.className}">`);
  }
  return [...found];
}

for (const [name, width, height, query] of sizes) {
  test(`no text stands on other text: ${name}`, { timeout: 240_000 }, async () => {
    const visit = await rankbox.open('/', { viewport: { width, height } });
    const bad = [];
    for (const path of paths) {
      await visit.page.goto(rankbox.origin + path + query);
      await ready(visit.page);
      await visit.page.evaluate(() => document.fonts.ready);
      const found = await visit.page.evaluate(collisions);
      if (found.length) bad.push(`${path}: ${found.slice(0, 5).join('; ')}`);
    }
    assert.deepEqual(bad, []);
    await visit.done();
  });
}

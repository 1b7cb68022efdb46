// Draws lines between the same document in neighbouring lists while the pointer or the focus is on it. The program
// marks those rows with the class "hover"; this reads where they are and draws over them.

const SVG = 'http://www.w3.org/2000/svg';
let layer = null;

export function link() {
  const columns = document.getElementById('columns');
  const rows = columns ? [...columns.querySelectorAll('li.hover')] : [];
  if (rows.length < 2) {
    layer?.remove();
    layer = null;
    return;
  }
  // first where all of them are: asked between two changes, the browser would lay the page out for each once more
  const frame = columns.getBoundingClientRect();
  const places = rows.map((row) => row.getBoundingClientRect());
  if (!layer || layer.parentNode !== document.body) {
    layer = document.createElementNS(SVG, 'svg');
    layer.setAttribute('class', 'lines');
    layer.setAttribute('aria-hidden', 'true');
    document.body.append(layer);
  }
  layer.setAttribute('width', frame.width);
  layer.setAttribute('height', frame.height);
  layer.style.left = `${frame.left + scrollX}px`;
  layer.style.top = `${frame.top + scrollY}px`;
  layer.replaceChildren();
  for (let i = 1; i < rows.length; i++) {
    const a = places[i - 1], b = places[i];
    if (b.left < a.right - 1) continue; // stacked, as on a phone
    const line = document.createElementNS(SVG, 'path');
    const y1 = a.top + 18 - frame.top, y2 = b.top + 18 - frame.top;
    const x1 = a.right - frame.left, x2 = b.left - frame.left;
    line.setAttribute('d', `M${x1} ${y1} C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`);
    layer.append(line);
  }
}

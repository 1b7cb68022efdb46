// A lesson in a course system: its exercises, checked against answers that the build computed, and their score and
// completion, reported by SCORM 1.2. It is no module, since some systems serve files without a type.
'use strict';

(() => {
  const exercises = JSON.parse(document.getElementById('exercises').textContent);
  const note = document.getElementById('scorm-note');
  const tolerance = 0.005 + 1e-12; // core/teach/lesson.Tolerance

  // The API is in a parent window, or in the window that opened this one.
  const find = (from) => {
    try {
      for (let w = from, i = 0; w && i < 10; w = w.parent, i++) {
        if (w.API) return w.API;
        if (w.parent === w) break;
      }
    } catch {
      // a window of another site
    }
    return null;
  };
  const api = find(window) ?? (window.opener ? find(window.opener) : null);
  const call = (name, ...args) => (api ? String(api[`LMS${name}`](...args)) : '');
  const get = (name) => call('GetValue', `cmi.core.${name}`);
  const set = (name, value) => call('SetValue', `cmi.core.${name}`, String(value));

  // Of each exercise: which of its variants is asked, how often it was answered, whether rightly at once, and at all.
  const draw = (e) => ({ variant: Math.floor(Math.random() * e.length), tries: 0, first: false, right: false });
  let states = exercises.map(draw);

  const began = Date.now();
  let over = false;

  function restore() {
    const parts = call('GetValue', 'cmi.suspend_data').split(',').map((p) => p.split('.').map(Number));
    const fits = (p, i) => p.length === 4 && p.every((n) => n >= 0) && p[0] < exercises[i].length;
    if (parts.length !== exercises.length || !parts.every(fits)) return;
    states = parts.map(([variant, tries, first, right]) =>
      ({ variant, tries, first: first === 1, right: right === 1 }));
  }

  /** Reports the score, which is the share of exercises whose first answer was right, and completion. */
  function report() {
    const all = states.every((s) => s.right);
    const points = states.filter((s) => s.first).length;
    set('score.min', 0);
    set('score.max', 100);
    set('score.raw', Math.round((100 * points) / states.length));
    if (!/^(completed|passed|failed)$/.test(get('lesson_status'))) {
      set('lesson_status', all ? 'completed' : 'incomplete');
    }
    const data = states.map((s) => [s.variant, s.tries, Number(s.first), Number(s.right)].join('.')).join(',');
    call('SetValue', 'cmi.suspend_data', data);
    call('Commit', '');
    const done = states.filter((s) => s.right).length;
    note.textContent = `${done} of ${states.length} exercises answered, ${points} at the first try.${api
      ? '' : ' No course system was found, so nothing is reported.'}`;
  }

  function finish() {
    if (over) return;
    over = true;
    const seconds = Math.round((Date.now() - began) / 1000);
    const two = (n) => String(n).padStart(2, '0');
    const hours = String(Math.floor(seconds / 3600)).padStart(4, '0');
    set('session_time', `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`);
    set('exit', states.every((s) => s.right) ? '' : 'suspend');
    call('Commit', '');
    call('Finish', '');
  }

  /** A number as it is typed: "0.75", ".75", "0,75", "3/4"; NaN for anything else. */
  const read = (text) => {
    const number = (t) =>
      (/^[-−+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(t.trim()) ? Number(t.trim().replace('−', '-')) : NaN);
    const [a, b, more] = text.replaceAll(',', '.').split('/');
    if (more !== undefined) return NaN;
    const value = b === undefined ? number(a) : number(a) / number(b);
    return Number.isFinite(value) ? value : NaN;
  };

  const make = (tag, properties = {}, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };

  function show(section, i) {
    const s = states[i];
    const e = exercises[i][s.variant];
    const said = make('p', { className: 'said' });
    said.setAttribute('role', 'status');
    let lock = () => {};
    const answer = (value) => {
      const right = Math.abs(value - e.answer) <= tolerance;
      s.tries++;
      if (right) {
        s.right = true;
        s.first = s.tries === 1;
        lock();
      }
      const known = e.wrong.find((w) => Math.abs(value - w.value) <= tolerance);
      said.textContent = right ? e.right : (known?.says ?? e.other);
      report();
    };
    section.replaceChildren(make('p', { className: 'ask', textContent: e.question }),
      ...e.given.map((g) => make('p', { className: 'given num', textContent: g })));
    if (e.options.length) {
      const buttons = e.options.map((o) => make('button', { type: 'button', className: 'option', textContent: o.text,
        onclick: () => answer(o.value) }));
      lock = () => buttons.forEach((b) => (b.disabled = true));
      section.append(make('ul', { className: 'options' }, ...buttons.map((b) => make('li', {}, b))));
    } else {
      const input = make('input', { type: 'text', inputMode: 'decimal', autocomplete: 'off' });
      const button = make('button', { type: 'submit', textContent: 'Check' });
      lock = () => (input.disabled = button.disabled = true);
      section.append(make('form', {
        onsubmit: (event) => {
          event.preventDefault();
          const value = read(input.value);
          if (Number.isNaN(value)) said.textContent = 'That is no number. Write 0.75 or 3/4.';
          else answer(value);
        },
      }, make('label', {}, 'Answer ', input), ' ', button, ' ',
      make('span', { className: 'small muted', textContent: '± 0.005 counts as right' })));
    }
    section.append(said);
    if (s.right) {
      lock();
      said.textContent = e.right;
    }
  }

  if (call('Initialize', '') === 'true') restore();
  document.querySelectorAll('[data-exercise]').forEach((section, i) => show(section, i));
  report();
  addEventListener('pagehide', finish);
  addEventListener('beforeunload', finish);
})();

// The page on which a phone votes: it joins a room by its code, shows the question, sends the vote and, when the
// teacher shows them, the counts. It knows nothing of lessons and loads no program.

const edge = (document.documentElement.dataset.edge ?? '') + '/api/v1/rooms/';
const element = (id) => document.getElementById(id);
const [join, code, question, ask, choices, said, trouble, leave] = ['join', 'code', 'question', 'ask', 'choices',
  'said', 'vote-fault', 'leave'].map(element);

const soon = 2000; // ms until the next look at the room; up to `late` while nothing changes
const late = 6000;
const kept = 'rankbox-vote'; // what this device knows of its last room

let room = ''; // its code
let shown = null; // the question as it was read last
let voter = '';
let votes = {}; // question → option that was counted
let wanted = null; // {question, option} that is not counted yet
let sending = false;
let wait = soon;
let failures = 0;
let timer = 0;
let turn = 0; // of looks: the answer to an earlier one is dropped
let full = false; // the room takes no vote of this phone

/** A code as it is typed, in capitals and without gaps; '' if it is none. */
const codeOf = (text) => {
  const letters = text.toUpperCase().replace(/[^A-Z]/g, '');
  return /^[BCDFGHJKLMNPQRSTVWXZ]{6}$/.test(letters) ? letters : '';
};

/** What an option is called: as on the slide, or by a letter. */
const nameOf = (i) => shown.labels?.[i] || String.fromCharCode(65 + i);
const brief = (i) => nameOf(i).replace(/^(.{50}).{3,}$/s, '$1…');

function say(text) {
  if (said.textContent !== text) said.textContent = text;
}

function warn(text) {
  if (trouble.textContent !== text) trouble.textContent = text;
}

// What is kept of the last room, so that a reload, or a second look at the code, is the same voter.
function recall() {
  try {
    const was = JSON.parse(localStorage.getItem(kept));
    if (was.room === room && /^[0-9a-f]{32}$/.test(was.voter)) {
      voter = was.voter;
      votes = was.votes ?? {};
      return;
    }
  } catch {
    // nothing is kept, or it may not be read
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  voter = Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
  votes = {};
}

function remember() {
  try {
    localStorage.setItem(kept, JSON.stringify({ room, voter, votes }));
  } catch {
    // a reload is then another voter
  }
}

/** Sends to the room. Gives its answer or the code of a problem, 'none' if the site has no edge. */
async function send(path, body) {
  const answer = await fetch(edge + room + path, {
    method: body ? 'POST' : 'GET',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
    cache: 'no-cache', // the browser asks with the tag of what it has
    credentials: 'omit',
    signal: AbortSignal.timeout(10_000),
  });
  const type = answer.headers.get('Content-Type') ?? '';
  if (!/^application\/(problem\+)?json/.test(type)) {
    if (answer.status >= 500) throw new Error(`status ${answer.status}`, { cause: 0 });
    return { problem: 'none' };
  }
  const read = await answer.json();
  if (answer.ok) return { read };
  const seconds = Number(answer.headers.get('Retry-After'));
  if (answer.status === 429 || answer.status >= 500) throw new Error(`status ${answer.status}`, { cause: seconds });
  return { problem: read.code === 'unsupported' ? 'none' : read.code };
}

/** How long to wait after a failure: a second, then twice as long, at most 15; as long as the edge says. */
const pause = (e) => 1000 * Math.max(Math.min(2 ** failures++, 15), e.cause || 0) * (1 + Math.random() / 4);

function failed(e) {
  const why = e.cause === undefined ? 'No connection.' : 'The server is busy.';
  warn(`${why} Trying again …${wanted ? ' Your vote is not counted yet.' : ''}`);
}

function next(ms) {
  clearTimeout(timer);
  timer = setTimeout(look, ms);
}

/** Looks at the room, and again in a while. */
async function look() {
  if (!room || document.hidden) return;
  clearTimeout(timer);
  const mine = ++turn;
  try {
    const { read, problem } = await send('');
    if (mine !== turn) return;
    failures = 0;
    if (problem) {
      end(problem);
      return;
    }
    if (!wanted && !full) warn('');
    const same = shown && JSON.stringify(read) === JSON.stringify(shown);
    wait = same ? Math.min(wait * 1.4, late) : soon;
    if (!same) show(read);
    next(wait * (1 + Math.random() / 4)); // phones that joined at once do not ask at once
  } catch (e) {
    if (mine !== turn) return;
    failed(e);
    next(pause(e));
  }
}

/** Leaves the room. */
function forget() {
  clearTimeout(timer);
  turn++;
  [room, shown, wanted] = ['', null, null];
  [join.hidden, question.hidden, leave.hidden] = [false, true, true];
  element('room-code').textContent = '';
  say('');
}

/** Leaves the room, and says why. */
function end(problem) {
  const why = {
    none: 'This site has no server for votes. Raise your hand instead.',
    'not-found': `There is no room ${room}. Check the letters. A room ends after a day.`,
  }[problem] ?? 'The server refuses this page. Raise your hand instead.';
  forget();
  warn(why);
}

/** Draws the question. Its options stay the same elements while it is the same question. */
function show(read) {
  const fresh = shown?.question !== read.question;
  shown = read;
  if (wanted && wanted.question !== read.question) wanted = null;
  if (fresh) {
    full = false;
    const focused = question.contains(document.activeElement) || document.activeElement === document.body;
    const name = read.ask ?? `Question ${read.question}`;
    ask.textContent = name;
    document.title = `${name.slice(0, 60)}: vote`;
    choices.replaceChildren(...Array.from({ length: read.options }, (_, i) => option(i)));
    [join.hidden, question.hidden, leave.hidden] = [true, false, false];
    if (focused) ask.focus({ preventScroll: true });
  }
  draw();
}

function option(i) {
  const [item, button, text, count] = ['li', 'button', 'span', 'b'].map((t) => document.createElement(t));
  const bar = svg('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  bar.append(svg('rect', { height: 10 }));
  button.type = 'button';
  button.className = 'option';
  text.textContent = nameOf(i);
  button.append(text, ' ', count, bar);
  button.addEventListener('click', () => choose(i));
  item.append(button);
  return item;
}

const svg = (name, attributes) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
};

/** Draws how far the question is: which option is chosen, the counts once they are shown, and a sentence. */
function draw() {
  const { state, counts, question: number } = shown;
  const chosen = wanted?.option ?? votes[number];
  const most = Math.max(1, ...(counts ?? []));
  const all = (counts ?? []).reduce((sum, n) => sum + n, 0);
  for (const [i, item] of [...choices.children].entries()) {
    const button = item.firstChild;
    button.disabled = state !== 'open';
    button.setAttribute('aria-pressed', String(i === chosen));
    button.querySelector('b').textContent = counts?.[i] ?? '';
    button.querySelector('svg').toggleAttribute('hidden', !counts);
    button.querySelector('rect').setAttribute('width', (100 * (counts?.[i] ?? 0)) / most);
  }
  const yours = chosen === undefined ? '' : ` You chose ${brief(chosen)}.`;
  if (counts) say(`${all} ${all === 1 ? 'vote' : 'votes'}.${yours}`);
  else if (state === 'closed') say(`Voting is closed.${yours} Wait for the next question.`);
  else if (wanted) say(`Sending your vote for ${brief(chosen)} …`);
  else if (chosen === undefined) say('Choose an option.');
  else say(`Your vote for ${brief(chosen)} is counted. You can change it until voting closes.`);
}

function choose(i) {
  if (shown?.state !== 'open') return;
  if (!wanted && votes[shown.question] === i) return;
  wanted = { question: shown.question, option: i };
  draw();
  deliver();
}

/** Sends the vote that is wanted, until it is counted or refused: the last one that was chosen. */
async function deliver() {
  if (sending) return;
  sending = true;
  while (wanted) {
    const vote = wanted;
    try {
      const { problem } = await send('/votes', { ...vote, voter });
      failures = 0;
      full = problem === 'full';
      warn(full ? 'This room takes no more votes: too many phones have voted.' : '');
      if (!problem) {
        votes[vote.question] = vote.option;
        remember();
      }
      if (wanted === vote || problem) wanted = null;
      if (problem && problem !== 'closed' && problem !== 'full') end(problem);
      else if (shown) draw();
    } catch (e) {
      failed(e);
      await new Promise((done) => setTimeout(done, pause(e)));
    }
  }
  sending = false;
  wait = soon;
  next(0);
}

/** Joins the room of a code. */
function enter(text) {
  const letters = codeOf(text);
  if (!letters) {
    join.hidden = false;
    if (text) warn('A code has six letters, for example KTM XRW. It has no vowel and no Y.');
    code.focus();
    return;
  }
  if (letters === room) return;
  [room, shown, wanted, wait, failures] = [letters, null, null, soon, 0];
  history.replaceState(null, '', `#${letters}`);
  element('room-code').textContent = `${letters.slice(0, 3)} ${letters.slice(3)}`;
  recall();
  remember();
  warn('');
  say('Joining …');
  join.hidden = true;
  look();
}

join.addEventListener('submit', (event) => {
  event.preventDefault();
  enter(code.value);
});
leave.firstChild.addEventListener('click', () => {
  forget();
  warn('');
  history.replaceState(null, '', location.pathname);
  code.value = '';
  code.focus();
});
addEventListener('hashchange', () => enter(location.hash.slice(1)));
addEventListener('online', look);
document.addEventListener('visibilitychange', look);
enter(location.hash.slice(1));

/** The console's page: shows what the simulators caught, plays phones and buyers, and moves the clock. */

const refresh_ms = 1500;
/** The states that a phone may reach from each. */
const next_states = {
  queued: ['ringing', 'answered', 'busy', 'no_answer', 'failed'],
  ringing: ['answered', 'busy', 'no_answer', 'failed', 'hung_up'],
  answered: ['hung_up'],
};
const channels = { email: 'E-mail', sms: 'SMS', push: 'Push', call: 'Call' };

const byId = (id) => document.getElementById(id);

/** Creates an element with content. */
function element(name, props = {}, ...children) {
  const made = Object.assign(document.createElement(name), props);
  made.append(...children.filter(Boolean));
  return made;
}

const read = (path) => fetch(`/console/${path}`).then((response) => response.json());

async function send(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`/console/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

/** What a refusal says; empty where there is none. */
const refusalOf = ({ error }) => (error ? [error.message, ...Object.values(error.fields ?? {})].join(' ') : '');

function button(label, act) {
  const made = element('button', { type: 'button', textContent: label });
  made.addEventListener('click', act);
  return made;
}

const timeOf = (at) => element('time', { dateTime: at, title: at, textContent: new Date(at).toLocaleTimeString() });

/** Draws a list again only when it has changed, so that what is selected in it stays. */
function createList(list, draw, empty) {
  let shown;
  return (items) => {
    const now = JSON.stringify(items);
    if (now === shown) return;
    shown = now;
    list.replaceChildren(...items.map(draw));
    if (items.length === 0 && empty) list.append(element('li', { className: 'quiet', textContent: empty }));
  };
}

function drawCode(code) {
  const copy = button('Copy', () => navigator.clipboard.writeText(code).then(() => (copy.textContent = 'Copied')));
  return element('div', { className: 'code' }, element('code', { textContent: code }), copy);
}

function drawSent({ channel, to, at, subject, code, text, links }) {
  const kind = element('span', { className: 'tag', textContent: channels[channel] });
  const head = element('div', { className: 'head' }, kind, element('b', { textContent: to }), timeOf(at));
  const lines = [subject && element('b', { textContent: subject }), text].filter(Boolean);
  return element(
    'li',
    {},
    head,
    code && drawCode(code),
    ...lines.map((line) => element('p', {}, line)),
    ...links.map((link) => element('p', {}, element('a', { href: link, textContent: link }))),
  );
}

const showSent = createList(
  byId('list'),
  drawSent,
  'Nothing was sent yet. Register at /app, then look here for the code.',
);

async function loadSent() {
  const query = new URLSearchParams([...new FormData(byId('filter'))].filter(([, value]) => value));
  showSent((await read(`outbox?${query}`)).items);
}

function drawLeg({ leg_id, state, number, name, created_at, sound }) {
  const move = (body) => send(`phone/legs/${leg_id}`, body).then(showDialled);
  const kind = element('span', { className: 'tag', textContent: state });
  const head = element(
    'div',
    { className: 'head' },
    kind,
    element('b', { textContent: number }),
    name,
    timeOf(created_at),
  );
  const heard = sound && (sound.hears_dbov === null ? 'nothing' : `${sound.hears_dbov} dB`);
  const acts = (next_states[state] ?? []).map((next) => button(next.replace('_', ' '), () => move({ state: next })));
  const pressKeys = () => {
    const digits = prompt('Keys to press');
    if (digits) void move({ state: 'answered', digits });
  };
  if (state === 'answered') acts.push(button('keys…', pressKeys));
  return element(
    'li',
    {},
    head,
    sound && element('p', { textContent: `plays ${sound.tone_hz} Hz, hears ${heard}` }),
    acts.length > 0 && element('div', { className: 'acts' }, ...acts),
  );
}

const showLegs = createList(byId('legs'), drawLeg);

/** With a real carrier there are no phones to play. */
async function loadLegs() {
  const { items } = await read('phone/legs?limit=10');
  byId('phones').hidden = !items;
  if (items) showLegs(items);
}

function showDialled(answer) {
  byId('dial').querySelector('output').textContent = refusalOf(answer);
  return loadLegs();
}

/** What a checkout and its subscription are called in the address that leads to them. */
const placesOf = ({ session_id }) => [`#${session_id}`, `#${session_id.replace(/^cs_/, 'sub_')}`];

function drawPayment(payment) {
  const { session_id, state, username, created_at } = payment;
  const settle = async (outcome) => {
    await send(`payments/${session_id}`, { outcome });
    // A buyer who was led here returns to the service, as from a provider.
    const [checkout, subscription] = placesOf(payment);
    if (location.hash === checkout) location.assign(`/app/settings/plan?checkout=${outcome}`);
    else if (location.hash === subscription) location.assign('/app/settings/plan');
    else await loadPayments();
  };
  const kind = element('span', { className: 'tag', textContent: state });
  const head = element(
    'div',
    { className: 'head' },
    kind,
    element('b', { textContent: `@${username}` }),
    timeOf(created_at),
  );
  const acts = {
    open: () => [button('Pay', () => settle('paid')), button('Cancel', () => settle('cancelled'))],
    paid: () => [button('Pay again', () => settle('paid')), button('Decline the card', () => settle('declined'))],
  }[state]?.();
  return element('li', { id: session_id }, head, acts && element('div', { className: 'acts' }, ...acts));
}

const payments = byId('payments');
const showPayments = createList(payments.querySelector('ol'), (payment) => {
  const drawn = drawPayment(payment);
  // A checkout, or the page of a subscription, leads here to itself.
  if (placesOf(payment).includes(location.hash)) requestAnimationFrame(() => drawn.scrollIntoView());
  return drawn;
});

async function loadPayments() {
  const { items } = await read('payments');
  payments.hidden = items.length === 0;
  showPayments(items);
}

function showClock({ now, offset_s }) {
  const time = byId('clock').querySelector('time');
  time.dateTime = now;
  time.textContent = `${now.replace('T', ' ').slice(0, 19)} UTC`;
  time.className = Math.abs(offset_s) > 1 ? 'moved' : '';
}

const loadClock = async () => showClock(await read('clock'));

byId('clock').addEventListener('click', async ({ target }) => {
  if (target.dataset.advance) showClock(await send('clock', { advance_s: Number(target.dataset.advance) }));
});
byId('clock').addEventListener('reset', async () => showClock(await send('clock', { reset: true })));
byId('filter').addEventListener('input', loadSent);

/** Handles a form in the page instead of leaving it. */
const handleSubmit = (form, handle) =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void handle(Object.fromEntries(new FormData(form)), form);
  });

handleSubmit(byId('filter'), loadSent);
handleSubmit(byId('dial'), async (values) => showDialled(await send('phone/calls', values)));
handleSubmit(byId('texter'), async (values, form) => {
  const answer = await send('sms', values);
  const outcome = answer.delivered ? 'Delivered to an inbox.' : 'Nobody texted this number lately, so it was dropped.';
  form.querySelector('output').textContent = refusalOf(answer) || outcome;
});

/** Loads everything again; what does not answer is left as it was. */
const refresh = () => Promise.allSettled([loadClock(), loadSent(), loadLegs(), loadPayments()]);
void refresh();
setInterval(refresh, refresh_ms);

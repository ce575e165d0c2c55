/** Sample data: a service after some days of use, as the screenshots of the client's pages show it. */
import { expect } from 'vitest';
import sharp from 'sharp';
import { requestAs, signUp, type RunningPerson } from '../running/running-people.ts';
import type { Service } from '../running/running-service.ts';
import { multipart } from '../samples/upload.ts';

/** A Wednesday. The clock of the service is set to it, so that the screenshots of every day are equal. */
export const gallery_day = '2031-05-14T17:20:00Z';

/** People, and the identifiers of what they have. */
export type SampleData = {
  ada: RunningPerson;
  ben: RunningPerson;
  dara: RunningPerson;
  tag_id: string;
  post_id: string;
  group_id: string;
  /** The invite link of the group. */
  group_url: string;
  group_token: string;
  thread_id: string;
  event_id: string;
  contact_id: string;
  widget_id: string;
};

async function setClock(service: Service, order: { now: string } | { advance_s: number }): Promise<void> {
  const answer = await fetch(`${service.url}/console/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect(answer.ok).toBe(true);
}

/** Hills under an evening sky. */
function paintEvening(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#1b1f46"/><stop offset=".7" stop-color="#b06a7f"/><stop offset="1" stop-color="#f0b070"/></linearGradient></defs>
    <rect width="960" height="540" fill="url(#sky)"/><circle cx="700" cy="370" r="46" fill="#ffe2a8"/>
    <path d="M0 420 220 300 430 400 640 330 960 440V540H0Z" fill="#33304f"/><path d="M0 470 300 410 620 480 960 430V540H0Z" fill="#1d1b33"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Uploads a file with a request that has one. @returns the identifier in the answer */
export async function upload(
  service: Service,
  { token }: RunningPerson,
  bytes: Buffer,
  path = '/files',
  fields: Record<string, string> = {},
): Promise<string> {
  const { raw, headers } = multipart(bytes, undefined, undefined, fields);
  const answer = await fetch(`${service.url}/v1${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(raw),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** Reports that a person is at the pier now. */
export async function reportAtPier(service: Service, person: RunningPerson): Promise<void> {
  const { now: recorded_at } = (await (await fetch(`${service.url}/console/clock`)).json()) as { now: string };
  const at_pier = { latitude: 53.5435, longitude: 9.9661, accuracy_m: 12 };
  await requestAs(service, person, 'POST /location/report', { ...at_pier, recorded_at });
}

/** Fills a new service with four people, their texts and their plans. */
export async function fillService(service: Service): Promise<SampleData> {
  await setClock(service, { now: gallery_day });
  const people: RunningPerson[] = [];
  for (const [at, name] of ['ada', 'ben', 'dara', 'emil'].entries())
    people.push(await signUp(service, name, `+1415555010${at + 1}`));
  const [ada, ben, dara, emil] = people as [RunningPerson, RunningPerson, RunningPerson, RunningPerson];
  const as = (person: RunningPerson, route: string, body?: unknown) => requestAs(service, person, route, body);
  for (const [person, display_name, bio] of [
    [ada, 'Ada Moreau', 'Night walks, film cameras, bread'],
    [ben, 'Ben Okafor', 'Trumpet on Wednesdays'],
    [dara, 'Dara Lind', 'Ask me about moths'],
    [emil, 'Emil Sato', ''],
  ] as const)
    await as(person, 'PATCH /me', { display_name, bio, timezone: 'UTC' });
  const tagOf = async (person: RunningPerson, name: string, title: string, description: string) =>
    (await as(person, 'POST /xtags', { name, title, description })).id as string;
  const tag_id = await tagOf(ada, 'nightwalks', 'Night walks', 'A walk each new moon. The line is open while we walk.');
  await tagOf(ada, 'sourdough', 'Sourdough', 'Starters, loaves and how they went.');
  const jazz = await tagOf(ben, 'jazz', 'Jazz at the pier', 'Wednesdays from eight. Call in and listen.');
  const moths = await tagOf(dara, 'moths', 'Moths', 'What came to the lamp.');
  for (const id of [jazz, moths]) await as(ada, `PUT /xtags/${id}/follow`, {});
  for (const person of [ben, dara, emil]) await as(person, `PUT /xtags/${tag_id}/follow`, {});
  const picture = await upload(service, dara, await paintEvening());
  await as(dara, 'POST /statuses', {
    tag_id: moths,
    body: 'The last light over the ridge. Two hawk moths before it was dark.',
    media: [picture],
  });
  await setClock(service, { advance_s: 25 * 60 });
  const { id: post_id } = await as(ben, 'POST /statuses', {
    tag_id: jazz,
    body: 'We start at eight. The line is open, call in from wherever you are. *nightwalks bring your lamps.',
  });
  await as(ada, `POST /statuses/${post_id}/replies`, { body: 'On my way, with two lamps.' });
  for (const person of [ada, dara, emil]) await as(person, `PUT /statuses/${post_id}/like`, {});
  await setClock(service, { advance_s: 12 * 60 });
  const { id: group_id } = await as(ada, 'POST /groups', { name: 'Sunday walkers' });
  for (const [person, name, number] of [
    [ben, 'Ben Okafor', '+14155550102'],
    [dara, 'Dara Lind', '+14155550103'],
  ] as const) {
    const phones = [{ label: 'mobile', number }];
    const { id: contact_id } = await as(ada, 'POST /contacts', { name, phones });
    await as(ada, `PUT /groups/${group_id}/members/${contact_id}`, {});
    await as(ada, 'POST /grid/members', { contact_id });
    const { items } = await as(person, 'GET /group-invites');
    for (const { id } of items) await as(person, `POST /group-invites/${id}/accept`, {});
  }
  await as(ada, `PUT /groups/${group_id}/admins/${ben.id}`);
  const { url: group_url } = await as(ada, `PUT /groups/${group_id}/link`);
  const group_token = group_url.split('/').at(-1) ?? '';
  const { id: contact_id } = await as(ada, 'POST /contacts', {
    name: 'Bea Lindqvist',
    phones: [
      { label: 'mobile', number: '+46701234567' },
      { label: 'work', number: '+4684031000' },
    ],
    emails: [{ label: 'home', address: 'bea@example.org' }],
    note: 'Lends lamps. Ask before Thursday.',
  });
  await as(ada, 'POST /contacts', { name: 'Grandmother', phones: [{ label: 'home', number: '+14155550177' }] });
  await as(ben, `POST /groups/${group_id}/chat`, { body: '@ada, boots or trainers?' });
  const boots = await as(dara, `POST /groups/${group_id}/chat`, { body: 'Boots. It rained all night.' });
  for (const person of [ada, ben])
    await as(person, `PUT /groups/${group_id}/chat/${boots.id}/reaction`, { emoji: '❤️' });
  await as(ada, `PUT /groups/${group_id}/chat/${boots.id}/pin`, { pinned: true });
  const { id: thread_id } = await as(ben, 'POST /dm/threads', { user_id: ada.id });
  await as(ben, `POST /dm/threads/${thread_id}/chat`, { body: 'Did you see the forecast for tomorrow night?' });
  await setClock(service, { advance_s: 7 * 60 });
  await as(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Not a single cloud. I will tell *nightwalks.' });
  const where = await as(ada, `POST /dm/threads/${thread_id}/chat`, {
    body: 'Do we meet at the pier or the car park?',
  });
  const pier = await as(ben, `POST /dm/threads/${thread_id}/chat`, {
    body: 'The pier. It is dark there.',
    reply_to: where.id,
  });
  await as(ben, `PATCH /dm/threads/${thread_id}/chat/${pier.id}`, { body: 'The pier. It is darker there.' });
  await as(ada, `PUT /dm/threads/${thread_id}/chat/${pier.id}/reaction`, { emoji: '❤️' });
  await setClock(service, { advance_s: 5 * 60 });
  const { id: event_id } = await as(ada, 'POST /calendar/events', {
    title: 'Night walk',
    starts_at: '2031-05-15T20:30:00Z',
    ends_at: '2031-05-15T22:30:00Z',
    location: 'The pier',
    rrule: 'FREQ=WEEKLY;BYDAY=TH',
    call: { enabled: true },
  });
  for (const [title, starts_at, ends_at] of [
    ['Feed the starter', '2031-05-15T07:00:00Z', '2031-05-15T07:15:00Z'],
    ['Film to the lab', '2031-05-16T11:00:00Z', '2031-05-16T12:00:00Z'],
    ['Call Grandmother', '2031-05-18T15:00:00Z', '2031-05-18T16:00:00Z'],
  ])
    await as(ada, 'POST /calendar/events', { title, starts_at, ends_at });
  await as(ada, 'POST /scheduled-jobs', {
    kind: 'text',
    target: { user_id: ben.id },
    body: 'Happy birthday!',
    run_at: '2031-05-20T08:00:00Z',
  });
  await as(ada, 'POST /invites', { channel: 'email', to: 'freya@example.org', message: 'Come and walk with us.' });
  const { id: widget_id } = await as(ada, 'POST /widgets', {
    tag_id,
    kind: 'chat',
    title: 'Ask the walkers',
    allowed_origins: ['https://walks.example.org'],
  });
  await as(ben, 'PATCH /location/settings', {
    mode: 'selected',
    people: [ada.id],
    precision: 'exact',
    expires_at: '2031-05-15T06:00:00Z',
  });
  await reportAtPier(service, ben);
  return {
    ada,
    ben,
    dara,
    tag_id,
    post_id,
    group_id,
    group_url,
    group_token,
    thread_id,
    event_id,
    contact_id,
    widget_id,
  };
}

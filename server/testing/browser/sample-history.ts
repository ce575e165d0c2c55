/** Sample data of the past: calls with a recording and a chat, voice messages, a guest of a widget, and public links. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import pg from 'pg';
import { urlOf } from '../../engines/database/embedded.address.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { requestAs, type RunningPerson } from '../running/running-people.ts';
import { poll, type Service } from '../running/running-service.ts';
import { createWav } from '../samples/media.ts';
import { reportAtPier, upload, type SampleData } from './sample-data.ts';

/** A past call and its guest, and the addresses of links that open without an account. */
export type SampleHistory = {
  conference_id: string;
  guest_id: string;
  invite_url: string;
  event_url: string;
  location_url: string;
};

/** When the recorded call took place, on the day of the sample data. */
const call_times = { from: new Date('2031-05-14T16:02:00Z'), to: new Date('2031-05-14T16:26:00Z') };
const recording_times = { from: new Date('2031-05-14T16:04:00Z'), to: new Date('2031-05-14T16:05:12Z') };

/** Something like speech: syllables, words and pauses, the same each time. */
const createVoice = (seconds: number) =>
  createWav(seconds, (at_s) => {
    const syllable = Math.abs(Math.sin(at_s * 9.1) * Math.sin(at_s * 2.3 + 1));
    return Math.sin(at_s * 1.7) < -0.85 ? 300 : 800 + 21_000 * syllable;
  });

/** A client of the database of a service that runs its own. */
async function connectTo({ data_dir }: Service): Promise<pg.Client> {
  const [, , , , socket_dir = ''] = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const client = new pg.Client({ connectionString: urlOf(socket_dir) });
  await client.connect();
  return client;
}

type RecordedCall = { conference_id: string; host: RunningPerson; people: RunningPerson[]; file_id: string };

/** Adds the times of a call and its recording, for which people would have to talk in real time. */
async function addRecording(db: pg.Client, { conference_id, host, people, file_id }: RecordedCall): Promise<void> {
  const recording_id = firstIdAt('rec', recording_times.from);
  const write = (text: string, ...values: unknown[]) => db.query(text, values);
  await write(
    `update calls set started_at = $2, ended_at = $3 where id = $1`,
    conference_id,
    call_times.from,
    call_times.to,
  );
  await write(
    `update call_participants set state = 'left', joined_at = $2, entered_at = $2, left_at = $3 where call_id = $1`,
    conference_id,
    call_times.from,
    call_times.to,
  );
  await write(
    `update call_messages set created_at = $2::timestamptz + (created_at - (select min(created_at) from call_messages)) where call_id = $1`,
    conference_id,
    recording_times.to,
  );
  await write(
    `insert into recordings (id, call_id, started_by, state, announced_at, started_at, ended_at, duration_ms, chapters, tracks)
     values ($1, $2, $3, 'ready', $4, $4, $5, $6, $7, $8)`,
    recording_id,
    conference_id,
    host.id,
    recording_times.from,
    recording_times.to,
    recording_times.to.getTime() - recording_times.from.getTime(),
    JSON.stringify([
      { from_ms: 0, title: 'Ada Moreau', identity: host.id },
      { from_ms: 19_000, title: 'Ben Okafor', identity: people[0]?.id },
      { from_ms: 41_000, title: 'Dara Lind', identity: people[1]?.id },
    ]),
    JSON.stringify([{ name: null, identity: null, starts_ms: 0 }]),
  );
  for (const { id } of [host, ...people])
    await write(`insert into recording_listeners (user_id, recording_id) values ($1, $2)`, id, recording_id);
  await write(
    `insert into file_uses (file_id, subject_type, subject_id, position, created_at) values ($1, 'recording', $2, 0, $3)`,
    file_id,
    recording_id,
    recording_times.to,
  );
  await write(`update files set unused_since = null where id = $1`, file_id);
}

/** A call of three that is over, with its chat. @returns its identifier */
async function holdCall(service: Service, { ada, ben, dara }: SampleData): Promise<string> {
  const as = (person: RunningPerson, route: string, body?: unknown) => requestAs(service, person, route, body);
  const to = [{ user_id: ben.id }, { user_id: dara.id }];
  const { conference_id, join_code } = await as(ada, 'POST /calls', { to, media: 'video' });
  for (const person of [ada, ben, dara]) await as(person, `POST /calls/${join_code}/sfu-grant`, {});
  for (const [person, body] of [
    [ben, 'I have the key to the pier until ten.'],
    [dara, 'Is there room for the lamp stand?'],
    [ada, 'Yes, behind the ticket office.'],
  ] as const)
    await as(person, `POST /calls/${join_code}/chat`, { body });
  await as(ada, 'DELETE /calls/active');
  return conference_id;
}

/** Calls that Ada missed; one of the callers leaves a voicemail. */
async function missCalls(service: Service, { ada, ben, dara }: SampleData): Promise<void> {
  const to = [{ user_id: ada.id }];
  await requestAs(service, dara, 'POST /calls', { to });
  await requestAs(service, dara, 'DELETE /calls/active');
  const { conference_id } = await requestAs(service, ben, 'POST /calls', { to });
  await requestAs(service, ben, 'DELETE /calls/active');
  const fields = { body: 'About tomorrow', conference_id };
  await upload(service, ben, createVoice(14), '/videomail/ada', fields);
}

/** A visitor of a website who writes in its widget. @returns their identifier */
async function askByWidget(service: Service, { ada, widget_id }: SampleData): Promise<string> {
  const { items } = await requestAs(service, ada, 'GET /widgets');
  const entered = await service.call('POST /widgets/guests', {
    body: { public_key: items[0].public_key, name: 'Mika' },
    headers: { origin: 'https://walks.example.org' },
  });
  expect(entered.status).toBe(201);
  const { token, guest } = entered.body;
  const write = (by: { token: string }, body: object) =>
    requestAs(service, by, `POST /widgets/${widget_id}/chat`, body);
  await write({ token }, { body: 'Hello. Can I bring a dog on the walk?' });
  await write(ada, { body: 'Gladly, on a lead: there are herons at the pier.', guest_id: guest.id });
  await write({ token }, { body: 'She is afraid of herons anyway. Thank you!' });
  return guest.id;
}

async function sendVoice(service: Service, { ada, dara, group_id }: SampleData): Promise<void> {
  for (const [person, seconds] of [
    [dara, 9],
    [ada, 4],
  ] as const) {
    const file_id = await upload(service, person, createVoice(seconds));
    await requestAs(service, person, `POST /groups/${group_id}/chat`, { file_id });
  }
}

/** Adds it to the data of `fillService`. */
export async function fillHistory(service: Service, sample: SampleData): Promise<SampleHistory> {
  const { ada, ben, dara, event_id } = sample;
  const conference_id = await holdCall(service, sample);
  const file_id = await upload(service, ada, createVoice(72));
  const db = await connectTo(service);
  try {
    await addRecording(db, { conference_id, host: ada, people: [ben, dara], file_id });
    await missCalls(service, sample);
    await db.query(`update inbox_messages set transcript = $1 where kind = 'voicemail'`, [
      'Hi Ada, it is Ben. The caretaker leaves the gate open until half past ten, so bring whoever wants to come.',
    ]);
  } finally {
    await db.end();
  }
  const guest_id = await askByWidget(service, sample);
  await sendVoice(service, sample);
  const letter = await poll(async () => (await service.caught('freya@example.org'))[0], 'the invite');
  const invite_url = /http[^\s"]+?\/i\/[\w-]+/.exec(JSON.stringify(letter))?.[0] ?? '';
  const { url: event_url } = await requestAs(service, ada, `PUT /calendar/events/${event_id}/share`, { public: true });
  const expires_at = '2031-05-15T06:00:00Z';
  const { url: location_url } = await requestAs(service, ben, 'POST /location/links', { expires_at });
  // A link shows only positions that were reported since it exists.
  await reportAtPier(service, ben);
  return { conference_id, guest_id, invite_url, event_url, location_url };
}

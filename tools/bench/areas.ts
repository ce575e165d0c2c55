/**
 * Measures the costs of the home page, a reported position and a typed command. Called by npm run bench; `npm run bench
 * -- areas` measures only these. The floor is the bare server of `floor.ts`: one list of 30, and one insert.
 */
import { Agent } from 'node:http';
import { compileCommands } from '../../server/features/commands/rules/forms.ts';
import { commands } from '../../server/features/commands/rules/grammar.ts';
import { parseCommand } from '../../server/features/commands/rules/parse.ts';
import { ask, median, type Ask } from './measure.ts';
import type { BenchRun, Person } from './subjects.ts';

const statuses_count = 40;
const parse_rounds = 5;
const parses = 2000;
const texts = [
  'call *jazz',
  'text *jazz see you at six',
  'remind me tomorrow at 9 to water the plants',
  'follow *bread',
];

/** What the measurements of areas need; `compare` prints one operation beside its floor. */
export type AreasRun = Pick<BenchRun, 'service' | 'db' | 'people' | 'write'> & {
  compare(title: string, ours: () => Ask, floor: () => Ask): Promise<void>;
};

/** Fills every section of a person's home page. */
async function fillHome(port: number, agent: Agent, reader: Person, writer: Person): Promise<void> {
  const send = async ({ token }: Person, path: string, body: object, method = 'POST') => {
    const [status, text] = await ask(port, agent, { method, path: `/v1${path}`, token, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(`${method} ${path} had status ${status}: ${text.slice(0, 200)}`);
    return (text === '' ? {} : JSON.parse(text)) as { id: string };
  };
  const tag = await send(writer, '/xtags', { name: 'bench-home', visibility: 'public' });
  await send(reader, `/xtags/${tag.id}/follow`, {}, 'PUT');
  for (let at = 0; at < statuses_count; at++)
    await send(writer, '/statuses', { body: `Status ${at}`, tag_id: tag.id, visibility: 'public' });
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  for (let at = 1; at <= 5; at++) {
    await send(reader, '/calendar/events', { title: `Event ${at}`, starts_at: hours(at), ends_at: hours(at + 1) });
    await send(reader, '/scheduled-jobs', { kind: 'reminder', body: `Reminder ${at}`, run_at: hours(at) });
    const contact = await send(reader, '/contacts', { name: `Contact ${at}` });
    await send(reader, '/grid/members', { contact_id: contact.id });
  }
}

/** Measures all three. */
export async function measureAreas({ service, db, people, write, compare }: AreasRun): Promise<void> {
  const [reader, writer] = people;
  if (!reader || !writer) throw new Error('There are no people whose pages could be measured.');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const list: Ask = { method: 'GET', path: '/v1/xtags', token: reader.token };
  await fillHome(service.port, agent, reader, writer);
  // As autovacuum does within a minute.
  await db.query('analyze');
  await compare(
    'GET /home, all parts full, beside a list',
    () => ({ ...list, path: '/v1/home' }),
    () => list,
  );
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const settings = JSON.stringify({ mode: 'followers', expires_at });
  for (const { token } of people) {
    const turned_on: Ask = { method: 'PATCH', path: '/v1/location/settings', token, body: settings };
    const [status, text] = await ask(service.port, agent, turned_on);
    if (status !== 200) throw new Error(`Sharing had status ${status}: ${text.slice(0, 200)}`);
  }
  agent.destroy();
  let made = 0;
  const next = () => people[(made += 1) % people.length]?.token ?? '';
  await compare(
    'POST /location/report, beside an insert',
    () => ({
      method: 'POST',
      path: '/v1/location/report',
      token: next(),
      body: JSON.stringify({
        latitude: 52.5 + (made % 1000) / 10_000,
        longitude: 13.4,
        accuracy_m: 10,
        recorded_at: new Date().toISOString(),
      }),
    }),
    () => ({
      method: 'POST',
      path: '/v1/xtags',
      token: next(),
      body: JSON.stringify({ name: `made-${made}`, visibility: 'private' }),
    }),
  );
  write('parsing a command', `${measureParsing().toFixed(3)} ms`);
}

/** The median time of one parse over several rounds, in ms. */
function measureParsing(): number {
  const grammar = compileCommands(commands);
  const context = { now: new Date(), timezone: 'Europe/Berlin' };
  const figures: number[] = [];
  for (let round = 0; round <= parse_rounds; round++) {
    const began_ms = performance.now();
    for (let at = 0; at < parses; at++) parseCommand(texts[at % texts.length] ?? '', grammar, context);
    if (round > 0) figures.push((performance.now() - began_ms) / parses);
  }
  return median(figures);
}

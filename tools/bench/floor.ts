/**
 * The floor that the service is compared with: the least that returns the same responses. A bare HTTP server with known
 * sessions and no checks, the same SQL through `pg` and the same JSON; and a bare WebSocket server that writes one
 * frame to all.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { WebSocketServer } from 'ws';
import { presentAccount, type UserRow } from '../../server/domain/accounts/accounts.ts';
import { presentCall, selectCall, type CallRow } from '../../server/domain/calls/state/calls.ts';
import { own_tag_columns, presentTag, type TagRow } from '../../server/domain/social/tags.ts';
import type { Viewer } from '../../server/domain/visibility/viewer.ts';
import {
  presentStatus,
  toStatusRow,
  wideStatusColumns,
  type WideStatusRow,
} from '../../server/domain/social/statuses.ts';
import { countWaiting } from '../../server/features/follows/queries.ts';
import { selectFeed } from '../../server/features/statuses/rules/feed.ts';
import { sql, type Queryable } from '../../server/kernel/database/database.ts';
import { createIds } from '../../server/kernel/id.ts';
import { insertJobs } from '../../server/kernel/job-queue.ts';
import { toPage } from '../../server/kernel/page.ts';
import { insertEvents } from '../../server/kernel/realtime/outbox.ts';
import { createClock } from '../../server/kernel/time.ts';

const [port, database_url = '', public_url = ''] = process.argv.slice(2);
const users = new Map<string, string>(JSON.parse(await readAll(process.stdin)) as [string, string][]);
const options = '-c plan_cache_mode=force_generic_plan';
const pool = new pg.Pool({ connectionString: database_url, max: 10, pipeline: true, options } as pg.PoolConfig);

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

const generateId = createIds(createClock());

const prepare = (name: string, { text, values }: Sql) => ({ name, text, values });

async function getMe(user_id: string): Promise<unknown> {
  const { rows } = await pool.query<UserRow>(
    prepare('me', sql`select * from users where id = ${user_id} and deleted_at is null`),
  );
  const user = rows[0] as UserRow;
  const gate = { mobile_verified: user.mobile_verified, required_for: 'most endpoints' };
  return { ...presentAccount(user, viewerOf(user_id)), gate };
}

const viewerOf = (id: string) => ({ id, now: new Date(), services: { public_url, telephony: {} } }) as Viewer;

async function listTags(user_id: string): Promise<unknown> {
  const { rows } = await pool.query<TagRow>(
    prepare(
      'list',
      sql`select ${own_tag_columns} from tags t join users u on u.id = t.owner_id
      where t.owner_id = ${user_id} and t.deleted_at is null order by t.id desc limit ${31}`,
    ),
  );
  const items = rows.slice(0, 30).map((row) => presentTag(row, viewerOf(user_id)));
  return { items, has_more: rows.length > 30 };
}

/** Statements through the floor's own pool, prepared by their text as the service's are. */
const db = {
  many: async (statement: Sql) => (await pool.query(prepare(nameOf(statement.text), statement))).rows,
} as unknown as Queryable;
const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `floor${names.size}`;
  names.set(text, name);
  return name;
}

async function getFeed(user_id: string): Promise<unknown> {
  const viewer = viewerOf(user_id);
  const rows = await selectFeed<WideStatusRow>(db, {}, viewer, { of_all: wideStatusColumns(viewer) });
  return toPage(rows, {}, (row) => presentStatus(toStatusRow(row), viewer));
}

async function countUnread(user_id: string): Promise<unknown> {
  const statement = sql`
    select count(*)::int as count from notifications where user_id = ${user_id} and read_at is null`;
  return (await db.many(statement))[0];
}

async function countRequests(user_id: string): Promise<unknown> {
  return (await db.many(countWaiting(user_id, new Date())))[0];
}

let made = 0;
async function createTag(user_id: string, body: string): Promise<unknown> {
  const { name, visibility } = JSON.parse(body) as { name: string; visibility: string };
  const client = await pool.connect();
  const id = `tag_floor${Date.now()}${(made += 1)}`;
  const insert = sql`
    with made as (
      insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
      select ${id}, ${name}, ${user_id}, ${''}, ${''}, ${visibility}, ${'open'}, ${new Date()}::timestamptz
      where (select count(*) from tags where owner_id = ${user_id} and deleted_at is null) < ${50}::int
      returning *)
    select ${own_tag_columns} from made t join users u on u.id = t.owner_id`;
  try {
    const [, , inserted] = await Promise.all([
      client.query('begin'),
      client.query(prepare('lock', sql`select 1 from users where id = ${user_id} for no key update`)),
      client.query<TagRow>(prepare('insert', insert)),
      client.query('commit'),
    ]);
    return presentTag(inserted.rows[0] as TagRow, viewerOf(user_id));
  } finally {
    client.release();
  }
}

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

/** Writes one frame, encoded once (RFC 6455, section 5.2), to every receiver, as many times as requested. */
function broadcast(text: string, times: number): void {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
  const frame = Buffer.concat([header, payload]);
  for (let time = 0; time < times; time++) for (const socket of receivers) socket.write(frame);
}

/** The SQL of one change of a call: reads and writes, its events and its next scheduled check, in one transaction. */
async function changeCall(work: (db: Queryable) => Promise<CallRow | undefined>): Promise<unknown> {
  const client = await pool.connect();
  const run = (statement: Sql) => client.query(prepare(nameOf(statement.text), statement));
  const tx = {
    many: async (statement: Sql) => (await run(statement)).rows,
    maybe: async (statement: Sql) => (await run(statement)).rows[0],
    run: async (statement: Sql) => (await run(statement)).rowCount,
  } as unknown as Queryable;
  try {
    const begun = client.query('begin');
    const call = await work(tx);
    if (!call) throw new Error('there is no such call');
    const shown = presentCall(call, viewerOf(''));
    const topics = call.participants.map(({ user_id }) => `user:${user_id}` as const);
    const now = new Date();
    const events = topics.map((topic) => ({ topic, type: 'call.updated', data: { call: shown } }));
    const job = {
      name: 'floor',
      payload: { call_id: call.id },
      max_attempts: 1,
      run_at: new Date(8.64e15 / 4),
      key: `floor:${call.id}`,
    };
    await Promise.all([begun, insertEvents(tx, events, now), insertJobs(tx, [job], 0), client.query('commit')]);
    return shown;
  } finally {
    client.release();
  }
}

const insertPeople = (call_id: string, host_id: string, guest_id: string, now: Date) => sql`
  insert into call_participants (id, call_id, user_id, name, state, role, rung_at) values
    (${generateId('part')}, ${call_id}, ${host_id}, 'Host', 'joining', 'host', null),
    (${generateId('part')}, ${call_id}, ${guest_id}, 'Guest', 'ringing', 'guest', ${now}::timestamptz)`;

async function startCall(user_id: string, body: string): Promise<unknown> {
  const { to } = JSON.parse(body) as { to: { user_id: string }[] };
  const [id, now] = [generateId('conf'), new Date()];
  return changeCall(async (tx) => {
    await tx.many(
      sql`select u.id, u.username, u.display_name, u.avatar_key from users u where u.id = ${to[0]?.user_id}`,
    );
    await tx.run(sql`
      insert into calls (id, join_code, host_id, started_by, state, privacy, media, started_at)
      values (${id}, ${id.slice(-12)}, ${user_id}, ${user_id}, 'ringing', 'private', 'audio', ${now})`);
    await tx.run(insertPeople(id, user_id, to[0]?.user_id ?? '', now));
    return selectCall(tx, sql`c.id = ${id}`);
  });
}

/** Checks visibility of the call, locks it, reads it, changes one or all of its participants, and writes it. */
function moveCall(which: Sql, state: string, move: (call: CallRow) => Sql): Promise<unknown> {
  return changeCall(async (tx) => {
    const seen = await selectCall(tx, which);
    if (!seen) return undefined;
    await tx.run(sql`select 1 from calls where id = ${seen.id} for update`);
    const call = await selectCall(tx, sql`c.id = ${seen.id}`);
    await tx.run(move(seen));
    await tx.run(
      sql`update calls set state = ${state}, ended_at = case when ${state} = 'ended' then now() end where id = ${seen.id}`,
    );
    return call;
  });
}

const joinCall = (user_id: string, code: string) =>
  moveCall(
    sql`c.join_code = ${code}`,
    'live',
    ({ id }) => sql`
    update call_participants set state = 'joining', joining_at = now() where call_id = ${id} and user_id = ${user_id}`,
  );

const endCall = (user_id: string) =>
  moveCall(
    sql`c.id = (select v.call_id from call_participants v where v.user_id = ${user_id} and v.state in ('joining', 'joined'))`,
    'ended',
    ({ id }) => sql`update call_participants set state = 'left', left_at = now() where call_id = ${id}`,
  );

async function answer(request: IncomingMessage): Promise<unknown> {
  const user_id = users.get(request.headers.authorization?.slice('Bearer '.length) ?? '') ?? '';
  if (request.url === '/broadcast') {
    const { text, times } = JSON.parse(await readAll(request)) as { text: string; times: number };
    broadcast(text, times);
    return {};
  }
  if (request.url === '/v1/me') return getMe(user_id);
  if (request.url === '/v1/feed') return getFeed(user_id);
  if (request.url === '/v1/notifications/unread-count') return countUnread(user_id);
  if (request.url === '/v1/follow-requests/count') return countRequests(user_id);
  if (request.url === '/v1/calls') return startCall(user_id, await readAll(request));
  if (request.url === '/v1/calls/active') return endCall(user_id);
  if (request.url?.endsWith('/sfu-grant')) return joinCall(user_id, request.url.split('/')[3] ?? '');
  return request.method === 'POST' ? createTag(user_id, await readAll(request)) : listTags(user_id);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = JSON.stringify(await answer(request));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
const receivers = new Set<Socket>();
server.on('upgrade', (request, socket: Socket, head) =>
  sockets.handleUpgrade(request, socket, head, (client) => {
    receivers.add(socket);
    client.on('close', () => receivers.delete(socket));
  }),
);
server.listen(Number(port), '127.0.0.1');

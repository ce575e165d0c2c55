/**
 * The floor that the service is measured against: the least that answers the same. A bare HTTP server, sessions known,
 * nothing checked, the same SQL by `pg` and the same JSON; and a bare websocket server that writes one frame to all.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { WebSocketServer } from 'ws';
import { presentAccount, type UserRow } from '../../server/domain/accounts.ts';
import { own_tag_columns, presentTag, type TagRow } from '../../server/domain/tags.ts';
import type { Viewer } from '../../server/domain/visibility.ts';
import { presentStatus } from '../../server/domain/statuses.ts';
import { countWaiting } from '../../server/features/follows/queries.ts';
import { selectFeed } from '../../server/features/statuses/queries.ts';
import { sql, type Queryable } from '../../server/kernel/database.ts';

const [port, database_url = '', public_url = ''] = process.argv.slice(2);
const users = new Map<string, string>(JSON.parse(await readAll(process.stdin)) as [string, string][]);
const options = '-c plan_cache_mode=force_generic_plan';
const pool = new pg.Pool({ connectionString: database_url, max: 10, pipeline: true, options } as pg.PoolConfig);

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

const prepare = (name: string, { text, values }: Sql) => ({ name, text, values });

async function getMe(user_id: string): Promise<unknown> {
  const { rows } = await pool.query<UserRow>(
    prepare('me', sql`select * from users where id = ${user_id} and deleted_at is null`),
  );
  const user = rows[0] as UserRow;
  const gate = { mobile_verified: user.mobile_verified, required_for: 'most endpoints' };
  return { ...presentAccount(user, public_url), gate };
}

const viewerOf = (id: string) => ({ id, now: new Date(), services: { public_url } }) as Viewer;

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

/** Statements by the floor's own pool, prepared by their text as the service's are. */
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
  const rows = await selectFeed(db, {}, viewer);
  return { items: rows.slice(0, 30).map((row) => presentStatus(row, viewer)), has_more: rows.length > 30 };
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

/** Writes one frame, encoded once (RFC 6455, section 5.2), to every receiver, as many times as asked. */
function broadcast(text: string, times: number): void {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
  const frame = Buffer.concat([header, payload]);
  for (let time = 0; time < times; time++) for (const socket of receivers) socket.write(frame);
}

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

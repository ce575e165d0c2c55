/**
 * The cheapest floor: a bare HTTP server without authentication that runs one plain statement of each kind over its own
 * table: one row by its key, 30 rows by an index, one insert.
 */
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';

const [port, database_url = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: database_url, max: 10, pipeline: true } as pg.PoolConfig);
const owners_count = 50;
const rows_count = 50_000;

await pool.query(`
  create table if not exists bench_rows (id serial primary key, owner_id int not null, body text not null, at timestamptz not null);
  create index if not exists bench_rows_by_owner on bench_rows (owner_id, id desc);
  insert into bench_rows (owner_id, body, at)
  select n % ${owners_count}, 'A row of the floor, as long as a short message is.', now() from generate_series(1, ${rows_count}) n;
  analyze bench_rows`);

const columns = 'id, owner_id, body, at';
const one = { name: 'one', text: `select ${columns} from bench_rows where id = $1` };
const list = { name: 'list', text: `select ${columns} from bench_rows where owner_id = $1 order by id desc limit 30` };
const insert = {
  name: 'insert',
  text: `insert into bench_rows (owner_id, body, at) values ($1, $2, now()) returning ${columns}`,
};

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

let asked = 0;
async function answer(request: IncomingMessage): Promise<unknown> {
  asked += 1;
  if (request.url === '/row') return (await pool.query({ ...one, values: [1 + (asked % rows_count)] })).rows[0];
  if (request.url === '/rows') return (await pool.query({ ...list, values: [asked % owners_count] })).rows;
  const { body } = JSON.parse(await readAll(request)) as { body: string };
  return (await pool.query({ ...insert, values: [asked % owners_count, body] })).rows[0];
}

createServer((request, response) => {
  answer(request).then(
    (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port), '127.0.0.1');

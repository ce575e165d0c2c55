/**
 * The query plan of every list, on large tables: an index for each, no scan of a large table, no sort of more rows than
 * a page needs.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCrowd, addStatuses, crowd_people, crowdId } from '../../samples/crowd.ts';
import { endpoints } from '../../../app/app.ts';
import { routeOf } from '../../../kernel/endpoint.ts';
import { hashToken, generateToken } from '../../../kernel/security/secret.ts';
import { popular_user, popular_call_code, insertRelatedRows, large_tables } from '../../samples/crowd-rows.ts';
import { createWorld, type World } from '../../world/world.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Parent Relationship'?: string;
  Plans?: Node[];
};

const crowd = { users: 3000, follows: 30_000, statuses: 60_000, reader_follows: 90 };
/** Path parameters of lists that need existing objects. */
const path_values: Record<string, string> = {
  xtag_id: crowdId('tag', crowd_people.famous),
  post_id: crowdId('post', 1),
  xtag: 'crowd-1',
  thread_id: crowdId('thr', 2),
  group_id: crowdId('grp', crowd_people.famous),
  widget_id: crowdId('wid', crowd_people.famous),
  join_code: popular_call_code,
  conference_id: crowdId('conf', 2),
  message_id: crowdId('dm', 60),
};

describe('plans', () => {
  let world: World;
  let db: pg.Client;
  const token = generateToken();
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { connectionString } = world.app.services.db.native.options as { connectionString: string };
    db = new pg.Client({ connectionString, options: '-c plan_cache_mode=force_generic_plan' });
    await db.connect();
    await addCrowd(db, crowd);
    await addStatuses(db, 1, crowd.statuses, crowd.users);
    await insertRelatedRows(db);
    await signIn(db);
  });
  afterAll(async () => {
    await db.end();
    await world.close();
  });

  async function signIn(to: pg.Client): Promise<void> {
    await to.query(
      `insert into sessions (id, user_id, device, ip, created_at, last_used_at, expires_at)
       values ('${crowdId('ses', 1)}', $1, '', '', now(), now(), now() + interval '1 day')`,
      [popular_user],
    );
    await to.query(
      `insert into session_tokens (hash, session_id, kind, pair, parent, expires_at)
       values ($1, '${crowdId('ses', 1)}', 'access', 1, 0, now() + interval '1 day')`,
      [hashToken(token)],
    );
  }

  /** The statements that a request executes. */
  async function statementsOf(path: string): Promise<{ text: string; values: unknown[] }[]> {
    const captured: { text: string; values: unknown[] }[] = [];
    const { db: pool } = world.app.services;
    const originals = { many: pool.many, maybe: pool.maybe, one: pool.one };
    for (const name of ['many', 'maybe', 'one'] as const) {
      const original = originals[name].bind(pool);
      pool[name] = ((statement: { text: string; values: unknown[] }) => {
        captured.push({ text: statement.text, values: statement.values });
        return original(statement as never);
      }) as never;
    }
    const { status } = await world.call(`GET ${path}`, { token });
    Object.assign(pool, originals);
    expect([path, status]).toEqual([path, 200]);
    return captured.filter(({ text }) => !text.includes('session_tokens'));
  }

  async function planOf({ text, values }: { text: string; values: unknown[] }): Promise<Node> {
    await db.query('deallocate all');
    await db.query(`prepare list_query as ${text}`);
    const literals = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(asText(value)))).join(', ');
    const { rows } = await db.query(
      `explain (analyze, format json) execute list_query${literals ? `(${literals})` : ''}`,
    );
    return rows[0]['QUERY PLAN'][0].Plan as Node;
  }
  const asText = (value: unknown) =>
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? `{${value.join(',')}}`
        : String(value as string | number | boolean);

  const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  const lists = endpoints.filter(
    ({ route, query }) =>
      route.startsWith('GET ') &&
      ((query && 'limit' in (query as unknown as { properties: object }).properties) || route.endsWith('count')),
  );

  it('are read for every list, each with existing objects in its path', () => {
    expect(lists.length).toBeGreaterThan(45);
    const names = lists.flatMap(({ route }) => [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    expect(names.filter((name) => !(name in path_values))).toEqual([]);
  });

  it.each(lists.map(({ route }) => [route] as const))('%s uses indexes, and sorts only a few rows', async (route) => {
    const path = routeOf({ route }).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => path_values[name] ?? '');
    const default_query = path.endsWith('/media')
      ? `?kind=links&thread_id=${crowdId('thr', 2)}&limit=30`
      : path.endsWith('/pinned')
        ? `?thread_id=${crowdId('thr', 2)}&limit=30`
        : path.endsWith('/search')
          ? '?q=crowd-77&limit=30'
          : path.endsWith('discover')
            ? '?latitude=40&longitude=40&radius_m=50000&limit=30'
            : path.endsWith('count')
              ? ''
              : '?limit=30';
    const other_queries: Record<string, string[]> = {
      '/calendar/events': ['?from=2030-02-01T00:00:00Z&to=2030-03-01T00:00:00Z', `?before_id=${crowdId('evt', 1200)}`],
      '/calendar/sync': [`?cursor=${Buffer.from(`1200.${Math.floor(Date.now() / 1000)}`).toString('base64url')}`],
      '/contacts': ['?q=416555', '?favourite=true', '?sort=name'],
      '/scheduled-jobs': ['?state=scheduled', `?state=scheduled&before_id=${crowdId('job', 1200)}`],
      '/messages/search': [
        '?q=lighthouse',
        '?q=no',
        `?q=lighthouse&thread_id=${crowdId('thr', 2)}`,
        ...['no', 'x'].map((word) => `?q=${word}${word}&all_chats=true`),
        `?q=lighthouse&conference_id=${crowdId('conf', 2)}`,
        `?q=lighthouse&widget_id=${crowdId('wid', crowd_people.famous)}&guest_id=${crowdId('gst', 2)}`,
      ],
      '/messages/media': ['media', 'documents', 'links'].flatMap((kind) => [
        `?kind=${kind}&thread_id=${crowdId('thr', 2)}&before_id=${crowdId('dm', 60)}`,
        `?kind=${kind}&group_id=${path_values['group_id']}`,
      ]),
      '/messages/pinned': [`?group_id=${path_values['group_id']}`],
      '/dm/threads': [
        '?folder=requests',
        `?before_id=${crowdId('thr', 1200)}`,
        '?archived=true&folder=main',
        `?before_id=${crowdId('dm', 60)}`,
      ],
      '/home/group-chat': ['?archived=true', `?before_id=${crowdId('grp', 1200)}`, `?before_id=${crowdId('chat', 60)}`],
      '/location/views': [`?before_id=${crowdId('view', 1200)}`],
      '/inbox': ['?unread=true', `?before_id=${crowdId('msg', 1200)}`],
      '/call-history': [`?before_id=${crowdId('conf', 1200)}`],
      '/recordings': [`?before_id=${crowdId('rec', 1200)}`],
    };
    const queries = [default_query, ...(other_queries[path] ?? [])];
    const statements = [];
    for (const query of queries) statements.push(...(await statementsOf(path + query)));
    for (const statement of statements) {
      const nodes = nodesOf(await planOf(statement));
      const scanned = nodes.filter(
        (node) => node['Node Type'] === 'Seq Scan' && large_tables.includes(node['Relation Name'] ?? ''),
      );
      // A planned scan that was not executed does not count.
      const read = scanned.filter((node) => (node['Actual Rows'] ?? 0) > 0);
      expect(read.map((node) => node['Relation Name'])).toEqual([]);
      const sorts = nodes.filter((node) => /Sort/.test(node['Node Type'])).map((node) => node['Actual Rows'] ?? 0);
      expect(Math.max(0, ...sorts)).toBeLessThanOrEqual(200);
      // A subquery for each row of a page reads few rows, and never all rows of a popular person.
      const subplans = nodes.filter((node) => node['Parent Relationship'] === 'SubPlan').flatMap(nodesOf);
      expect(Math.max(0, ...subplans.map((node) => node['Actual Rows'] ?? 0))).toBeLessThanOrEqual(500);
    }
  });
});

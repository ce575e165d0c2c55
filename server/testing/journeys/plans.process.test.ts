/** Every list's plan, read on a crowd: an index for each, no scan of a large table, no sort of more than a page needs. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCrowd, addStatuses, crowd_people, crowdId } from '../../../tools/bench/crowd.ts';
import { endpoints } from '../../app/app.ts';
import { routeOf } from '../../kernel/endpoint.ts';
import { hashToken, makeToken } from '../../kernel/security/secret.ts';
import { createWorld, type World } from '../world.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Parent Relationship'?: string;
  Plans?: Node[];
};

const crowd = { users: 3000, follows: 30_000, statuses: 60_000, reader_follows: 90 };
/** What grows with the service: a scan of one of these is a defect. */
const large = [
  'users',
  'tags',
  'follows',
  'follow_requests',
  'statuses',
  'replies',
  'notifications',
  'comments',
  'blocks',
  'files',
  'contacts',
  'contact_addresses',
  'groups',
  'group_members',
  'group_invites',
  'contact_imports',
  'dm_threads',
  'dm_messages',
  'dm_members',
  'dm_reactions',
  'dm_edits',
  'chat_messages',
  'chat_reactions',
  'chat_edits',
  'group_chat_reads',
  'widgets',
  'widget_guests',
  'scheduled_jobs',
  'calendar_events',
  'calendar_guests',
  'calendar_changes',
  'invites',
  'location_settings',
  'location_viewers',
  'locations',
  'location_links',
  'location_views',
];
const famous = crowdId('usr', crowd_people.famous);
const famous_group = crowdId('grp', crowd_people.famous);
const famous_widget = crowdId('wid', crowd_people.famous);

/** Lists whose path or query needs something of the crowd. */
const filled: Record<string, string> = {
  xtag_id: crowdId('tag', crowd_people.famous),
  post_id: crowdId('post', 1),
  xtag: 'crowd-1',
  thread_id: crowdId('thr', 2),
  group_id: crowdId('grp', crowd_people.famous),
  widget_id: crowdId('wid', crowd_people.famous),
};

describe('plans', () => {
  let world: World;
  let db: pg.Client;
  const token = makeToken();
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { connectionString } = world.app.services.db.native.options as { connectionString: string };
    db = new pg.Client({ connectionString, options: '-c plan_cache_mode=force_generic_plan' });
    await db.connect();
    await addCrowd(db, crowd);
    await addStatuses(db, 1, crowd.statuses, crowd.users);
    await fillAround(db);
    await signIn(db);
  }, 120_000);
  afterAll(async () => {
    await db.end();
    await world.close();
  });

  async function signIn(to: pg.Client): Promise<void> {
    await to.query(
      `insert into sessions (id, user_id, device, ip, created_at, last_used_at, expires_at)
       values ('${crowdId('ses', 1)}', $1, '', '', now(), now(), now() + interval '1 day')`,
      [famous],
    );
    await to.query(
      `insert into session_tokens (hash, session_id, kind, pair, parent, expires_at)
       values ($1, '${crowdId('ses', 1)}', 'access', 1, 0, now() + interval '1 day')`,
      [hashToken(token)],
    );
  }

  /** What hangs on the famous one and on one status of theirs: thousands of each; and a little on everybody. */
  async function fillAround(to: pg.Client): Promise<void> {
    const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
    const fill = [
      `insert into replies (id, status_id, author_id, body, created_at)
       select ${id('reply')}, '${crowdId('post', 1)}', ${id('usr')}, 'x', now() from generate_series(1, 2500) n`,
      `insert into notifications (id, user_id, kind, subject_type, subject_id, created_at)
       select ${id('note')}, '${famous}', 'follow', 'tag', ${id('tag')}, now() from generate_series(1, 2500) n`,
      `insert into notifications (id, user_id, kind, subject_type, subject_id, created_at)
       select 'note_' || lpad((n + 10000)::text, 26, '0'), ${id('usr')}, 'mention', 'status', ${id('post')}, now()
       from generate_series(2, 3000) n`,
      `insert into notification_acts (source_id, user_id, notification_id, actor_id, created_at)
       select ${id('fol')}, '${famous}', ${id('note')}, ${id('usr')}, now() from generate_series(1, 2500) n`,
      `insert into follow_requests (id, tag_id, owner_id, user_id, state, message, created_at, expires_at)
       select ${id('freq')}, '${crowdId('tag', 1)}', '${famous}', ${id('usr')}, 'pending', '', now(), now() + interval '9 days'
       from generate_series(2, 2500) n`,
      `insert into follow_requests (id, tag_id, owner_id, user_id, state, message, created_at, expires_at)
       select 'freq_' || lpad((n + 10000)::text, 26, '0'), ${id('tag')}, ${id('usr')}, '${famous}', 'pending', '', now(),
              now() + interval '9 days' from generate_series(2, 3000) n`,
      `insert into blocks (id, blocker_id, blocked_id, created_at)
       select ${id('blk')}, ${id('usr')}, 'usr_' || lpad((n + 1)::text, 26, '0'), now() from generate_series(50, 2500) n`,
      `insert into comments (id, tag_id, author_id, body, created_at)
       select ${id('cmt')}, '${crowdId('tag', 1)}', ${id('usr')}, 'x', now() from generate_series(1, 2500) n`,
      ...[`'${famous}'`, id('usr')].map(
        (
          owner,
          at,
        ) => `insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, created_at, updated_at)
       select 'con_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${owner}, 'Contact ' || n,
              jsonb_build_array(jsonb_build_object('label', 'x', 'number', '+1416555' || lpad((n + 1)::text, 5, '0'))), '[]',
              'crowd-' || n, '[]', '', n % 100 = 0, now(), now()
       from generate_series(1, 2500) n`,
      ),
      `insert into groups (id, owner_id, name, description, created_at)
       select ${id('grp')}, ${id('usr')}, 'Group ' || n, '', now() from generate_series(1, 3000) n`,
      `insert into group_members (group_id, contact_id, added_at)
       select ${id('grp')}, 'con_' || lpad((n + 10000)::text, 26, '0'), now() from generate_series(1, 2500) n`,
      `insert into contact_imports (id, owner_id, source, state, created, updated, skipped, created_at)
       select ${id('imp')}, ${id('usr')}, 'csv', 'committed', 1, 0, 0, now() from generate_series(1, 3000) n`,
      ...['pending', 'accepted'].map(
        (state, at) => `insert into group_invites (id, group_id, user_id, state, created_at)
       select 'ginv_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${id('grp')}, '${famous}', '${state}', now()
       from generate_series(${at} * 1500 + 2, ${at} * 1500 + 1500) n`,
      ),
      `insert into dm_threads (id, low_id, high_id, initiator_id, state, last_message_id, created_at)
       select ${id('thr')}, '${famous}', ${id('usr')}, ${id('usr')}, case n % 3 when 0 then 'pending' else 'active' end,
              ${id('dm')}, now() from generate_series(2, 2500) n`,
      `insert into dm_members (thread_id, user_id, peer_id, folder, place, unread_count)
       select ${id('thr')}, '${famous}', ${id('usr')}, case n % 3 when 0 then 'requests' else 'main' end,
              lpad(n::text, 26, '0'), case n % 25 when 0 then 1 else 0 end from generate_series(2, 2500) n
       union all
       select ${id('thr')}, ${id('usr')}, '${famous}', 'main', lpad(n::text, 26, '0'), 0 from generate_series(2, 2500) n`,
      `insert into dm_messages (id, thread_id, sender_id, body, created_at)
       select ${id('dm')}, ${id('thr')}, ${id('usr')}, 'x', now() from generate_series(2, 2500) n
       union all
       select 'dm_' || lpad((n + 10000)::text, 26, '0'), '${crowdId('thr', 2)}', '${famous}', 'x', now()
       from generate_series(1, 2500) n`,
      `insert into widgets (id, owner_id, tag_id, group_id, kind, title, theme, allowed_origins, enabled, public_key, guests_since, created_at)
       select ${id('wid')}, ${id('usr')}, ${id('tag')}, ${id('grp')}, 'chat', '', '{"accent": null, "mode": "auto", "position": "left"}', array['https://a.example'], true,
              'key' || n, now(), now() from generate_series(1, 2500) n`,
      `insert into widget_guests (id, widget_id, name, token_hash, created_at, expires_at)
       select ${id('gst')}, ${id('wid')}, 'Guest', 'hash' || n, now(), now() from generate_series(1, 2500) n`,
      `insert into chat_messages (id, group_id, author_id, kind, body, created_at)
       select ${id('chat')}, case when n % 2 = 0 then '${famous_group}' else ${id('grp')} end, ${id('usr')}, 'text', 'x', now()
       from generate_series(1, 2500) n`,
      `insert into chat_messages (id, widget_id, guest_id, kind, body, created_at)
       select 'chat_' || lpad((n + 10000)::text, 26, '0'), case when n % 2 = 0 then '${famous_widget}' else ${id('wid')} end,
              ${id('gst')}, 'text', 'x', now() from generate_series(1, 2500) n`,
      ...['dm', 'chat'].flatMap((family) => [
        `insert into ${family}_reactions (message_id, user_id, emoji, created_at)
         select '${family}_' || lpad(n::text, 26, '0'), ${id('usr')}, 'x', now() from generate_series(2, 2500) n
         union all
         select '${family}_' || lpad((n + 10000)::text, 26, '0'), '${famous}', 'x', now() from generate_series(1, 2500) n`,
        `insert into ${family}_edits (message_id, number, body, replaced_at)
         select '${family}_' || lpad(n::text, 26, '0'), 0, 'x', now() from generate_series(2, 2500) n`,
      ]),
      `insert into group_chat_reads (group_id, user_id, since_id) select ${id('grp')}, ${id('usr')}, ''
       from generate_series(1, 2500) n`,
      ...[`'${famous}'`, id('usr')].map(
        (owner, at) => `insert into calendar_events (id, owner_id, title, starts_at, ends_at, all_day, timezone, rrule,
         first_at, last_at, told_until, created_at, updated_at)
       select 'evt_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${owner}, 'Event ' || n, t.at, t.at + interval '1 hour', false,
         'UTC', case when n % 50 = 0 then 'FREQ=YEARLY' end, t.at, case when n % 50 = 0 then 'infinity' else t.at + interval '1 hour' end,
         now(), now(), now()
       from generate_series(1, 2500) n, lateral (select '2030-01-01'::timestamptz + n * interval '1 hour' as at) t`,
      ),
      `insert into calendar_guests (event_id, user_id, created_at)
       select 'evt_' || lpad((n + 10000)::text, 26, '0'), '${famous}', now() from generate_series(2, 1000) n
       union all
       select 'evt_' || lpad((n % 2500 + 1)::text, 26, '0'), ${id('usr')}, now() from generate_series(2, 3000) n
       union all
       select 'evt_' || lpad((n % 2000 + 2)::text, 26, '0'), ${id('usr')}, now() from generate_series(2, 3000) n`,
      `insert into calendar_users (user_id, seq) select '${famous}', 2500 union all select ${id('usr')}, 1 from generate_series(2, 2500) n`,
      `insert into calendar_changes (user_id, event_id, seq) select '${famous}', ${id('evt')}, n from generate_series(1, 2500) n
       union all select ${id('usr')}, 'evt_' || lpad((n + 10000)::text, 26, '0'), 1 from generate_series(2, 2500) n`,
    ];
    fill.push(
      ...[`'${famous}'`, id('usr')].map(
        (
          owner,
          at,
        ) => `insert into scheduled_jobs (id, user_id, kind, body, run_at, timezone, state, next_run_at, due_at, created_at, ended_at)
       select 'job_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${owner}, 'reminder', 'x', now(), 'UTC',
              case n % 5 when 0 then 'scheduled' else 'done' end, now(), case n % 5 when 0 then now() end, now(),
              case n % 5 when 0 then null else now() end from generate_series(1, 2500) n`,
      ),
    );
    fill.push(
      `insert into invites (id, user_id, channel, address, state, created_at, sent_at, expires_at)
       select ${id('inv')}, case when n % 2 = 0 then '${famous}' else ${id('usr')} end, 'email', 'a' || n, 'sent', now(), now(),
              now() + interval '1 day' from generate_series(1, 2500) n`,
      `insert into location_settings (user_id, mode, precision, expires_at, shared_since)
       select ${id('usr')}, case when n % 2 = 0 then 'selected' else 'public' end, 'approximate', now() + interval '1 day', now()
       from generate_series(1, 2500) n`,
      `insert into location_viewers (owner_id, viewer_id) select ${id('usr')}, '${famous}' from generate_series(2, 50) n
       union all select ${id('usr')}, '${crowdId('usr', 3)}' from generate_series(4, 2500) n
       union all select ${id('usr')}, 'usr_' || lpad((n + 5)::text, 26, '0') from generate_series(60, 2500) n`,
      `insert into locations (user_id, cell_latitude, cell_longitude, recorded_at)
       select ${id('usr')}, n % 80, n % 170, now() from generate_series(1, 2500) n`,
      `insert into location_links (id, owner_id, precision, created_at, expires_at)
       select ${id('lnk')}, '${crowdId('usr', 4)}', 'exact', now(), now() + interval '1 hour' from generate_series(1, 2500) n`,
      `insert into location_views (owner_id, viewer_id, first_at, last_at, counted_at, count)
       select '${famous}', ${id('usr')}, now(), now(), now(), 1 from generate_series(2, 2500) n
       union all select ${id('usr')}, '${famous}', now(), now(), now(), 1 from generate_series(2, 2500) n`,
    );
    fill.push(
      // A word that everybody writes now and then, and a thread and a group of thousands of messages that begin alike.
      ...['dm', 'chat'].map(
        (family) => `update ${family}_messages set body = 'No lights ' || substr(id, 20) ||
          case substr(id, 30) when '7' then ' at the lighthouse' else '' end`,
      ),
    );
    fill.push(
      `update dm_members set archived = true where user_id = '${famous}' and place like '%7'`,
      `update dm_members set pinned_at = now() where user_id = '${famous}' and place like '%0060'`,
    );
    for (const statement of fill) await to.query(statement);
    for (const table of large) await to.query(`vacuum analyze ${table}`);
  }

  /** The statements that a request sends. */
  async function statementsOf(path: string): Promise<{ text: string; values: unknown[] }[]> {
    const seen: { text: string; values: unknown[] }[] = [];
    const { db: pool } = world.app.services;
    const kept = { many: pool.many, maybe: pool.maybe, one: pool.one };
    for (const name of ['many', 'maybe', 'one'] as const) {
      const real = kept[name].bind(pool);
      pool[name] = ((statement: { text: string; values: unknown[] }) => {
        seen.push({ text: statement.text, values: statement.values });
        return real(statement as never);
      }) as never;
    }
    const { status } = await world.call(`GET ${path}`, { token });
    Object.assign(pool, kept);
    expect([path, status]).toEqual([path, 200]);
    return seen.filter(({ text }) => !text.includes('session_tokens'));
  }

  async function planOf({ text, values }: { text: string; values: unknown[] }): Promise<Node> {
    await db.query('deallocate all');
    await db.query(`prepare one as ${text}`);
    const literals = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(asText(value)))).join(', ');
    const { rows } = await db.query(`explain (analyze, format json) execute one${literals ? `(${literals})` : ''}`);
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
    ({ route, query, gate }) =>
      route.startsWith('GET ') &&
      gate !== 'public' &&
      ((query && 'limit' in (query as unknown as { properties: object }).properties) || route.endsWith('count')) &&
      [...routeOf({ route }).path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in filled),
  );

  it('knows the lists of people', () => {
    expect(lists.length).toBeGreaterThan(14);
  });

  it.each(lists.map(({ route }) => [route] as const))('%s', async (route) => {
    const path = routeOf({ route }).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => filled[name] ?? '');
    const needs = path.endsWith('/search')
      ? '?q=crowd-77&limit=30'
      : path.endsWith('discover')
        ? '?latitude=40&longitude=40&radius_m=50000&limit=30'
        : path.endsWith('count')
          ? ''
          : '?limit=30';
    const ways: Record<string, string[]> = {
      '/calendar/events': ['?from=2030-02-01T00:00:00Z&to=2030-03-01T00:00:00Z', `?before_id=${crowdId('evt', 1200)}`],
      '/calendar/sync': [`?cursor=${Buffer.from(`1200.${Math.floor(Date.now() / 1000)}`).toString('base64url')}`],
      '/contacts': ['?q=416555', '?favourite=true'],
      '/scheduled-jobs': ['?state=scheduled', `?state=scheduled&before_id=${crowdId('job', 1200)}`],
      '/messages/search': ['?q=lighthouse', '?q=no', `?q=lighthouse&thread_id=${crowdId('thr', 2)}`],
      '/dm/threads': [
        '?folder=requests',
        `?before_id=${crowdId('thr', 1200)}`,
        '?archived=true&folder=main',
        `?before_id=${crowdId('dm', 60)}`,
      ],
      '/home/group-chat': ['?archived=true'],
    };
    const asked = [needs, ...(ways[path] ?? [])];
    const statements = [];
    for (const query of asked) statements.push(...(await statementsOf(path + query)));
    for (const statement of statements) {
      const nodes = nodesOf(await planOf(statement));
      const scanned = nodes.filter(
        (one) => one['Node Type'] === 'Seq Scan' && large.includes(one['Relation Name'] ?? ''),
      );
      // A scan that was planned for a case that did not arise is none.
      const read = scanned.filter((one) => (one['Actual Rows'] ?? 0) > 0);
      expect(read.map((one) => one['Relation Name'])).toEqual([]);
      const sorts = nodes.filter((one) => /Sort/.test(one['Node Type'])).map((one) => one['Actual Rows'] ?? 0);
      expect(Math.max(0, ...sorts)).toBeLessThanOrEqual(200);
      // What is looked up for each row of a page reads a few, and not once all that somebody famous has.
      const looked = nodes.filter((one) => one['Parent Relationship'] === 'SubPlan').flatMap(nodesOf);
      expect(Math.max(0, ...looked.map((one) => one['Actual Rows'] ?? 0))).toBeLessThanOrEqual(500);
    }
  });
});

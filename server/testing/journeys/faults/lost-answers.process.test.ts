/** Requests over a connection that loses replies: each takes effect once, when it is repeated with its key. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../../../testing/seed.ts';
import { features } from '../../../features/index.ts';
import { connectMedia, requestGrants, startCall } from '../../steps/calls.ts';
import { addContact } from '../../steps/contacts.ts';
import { startDroppingProxy, type DroppingProxy } from '../../running/dropping-proxy.ts';
import { follow, createTag } from '../../steps/follows.ts';
import { createGroupLink } from '../../steps/groups.ts';
import { createWav } from '../../samples/media.ts';
import { findPersonas, type Personas } from '../../world/personas.ts';
import { postStatus } from '../../steps/statuses.ts';
import { stateless_posts } from '../../operations/requests/stateless-posts.ts';
import { multipart } from '../../samples/upload.ts';
import { createWorld, type World } from '../../world/world.ts';

const { seed, label } = seedOf(3);
/** The total number of requests; `SENDS` sets that of a longer run. */
const sends = Number(process.env['SENDS'] ?? 700);
const dropped_share = 0.3;
const at_once = 12;

type Send = {
  path: string;
  token?: string;
  body?: (at: number) => object | Promise<object>;
  raw?: (at: number) => { raw: Buffer; headers: Record<string, string> };
  /** How many have taken effect: the rows in the database, or a count by another way. */
  rows: string | (() => Promise<number>);
  /** What a plan or a limit permits; an equal share of all requests by default. */
  max_sends?: number;
  /** One after the other, each followed by this function, which frees space for the next. */
  freeRoom?: () => Promise<unknown>;
};

describe(`requests, three in ten of whose replies are lost (${label})`, () => {
  let world: World;
  let people: Personas;
  let proxy: DroppingProxy;
  const cases = new Map<string, Send>();
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000000' } });
    people = findPersonas();
    const random = randomFrom(seed);
    proxy = await startDroppingProxy(await world.app.listen(), () => random() < dropped_share);
    const { alice, bob, carol } = people;
    const bells = await createTag(world, bob, 'bells');
    await follow(world, bells, alice);
    await follow(world, await createTag(world, alice, 'chimes'), bob);
    const status = await postStatus(world, bob, 'Reply to me');
    const { body: thread } = await world.call('POST /dm/threads', { token: alice.token, body: { user_id: bob.id } });
    const { conference_id, join_code } = await startCall(world, carol, [alice], { privacy: 'public' });
    await requestGrants(world, join_code, carol, alice);
    await connectMedia(world, conference_id, carol, alice);
    const text = (at: number) => ({ body: `Number ${at}` });
    const upload = (at: number) => multipart(createWav(), `${at}.wav`, 'audio/wav');
    const addCase = (route: string, send: Send) => cases.set(route, send);

    // First, since logins and registrations expire.
    const sentTo = (address: string) => async () => (await world.sent(address)).length;
    const { uma } = people;
    const { body: login } = await world.call('POST /auth/login', {
      body: { username: uma.username, password: uma.password },
    });
    addCase('POST /auth/login/resend', {
      path: '/auth/login/resend',
      body: () => ({ login_id: login.login_id }),
      rows: sentTo(uma.email),
      max_sends: 4,
    });
    const { body: registration } = await world.call('POST /auth/register', {
      body: { username: 'new_person', password: 'a quiet river bend', email: 'new_person@example.org' },
    });
    addCase('POST /auth/register/resend', {
      path: '/auth/register/resend',
      body: () => ({ registration_id: registration.registration_id }),
      rows: sentTo('new_person@example.org'),
      max_sends: 4,
    });
    addCase('POST /statuses', { path: '/statuses', body: text, rows: `statuses where author_id = '${alice.id}'` });
    const replies_path = `/statuses/${status.id}/replies`;
    addCase('POST /statuses/{post_id}/replies', { path: replies_path, body: text, rows: 'replies' });
    addCase('POST /profiles/{xtag}/comments', { path: '/profiles/bells/comments', body: text, rows: 'comments' });
    addCase('POST /dm/threads/{thread_id}/chat', {
      path: `/dm/threads/${thread.id}/chat`,
      body: text,
      rows: 'dm_messages',
    });
    addCase('POST /contacts', {
      path: '/contacts',
      body: (at) => ({ name: `Contact ${at}` }),
      rows: `contacts where owner_id = '${alice.id}'`,
    });
    addCase('POST /calls/{join_code}/chat', {
      path: `/calls/${join_code}/chat`,
      body: text,
      rows: "call_messages where kind = 'text'",
    });
    addCase('POST /calls/{join_code}/chat/media', {
      path: `/calls/${join_code}/chat/media`,
      raw: upload,
      rows: "call_messages where kind = 'media'",
      max_sends: 20,
    });
    const reported: { id: string }[] = [];
    for (let at = 0; at < 5; at++) reported.push(await postStatus(world, bob, `Report me ${at}`));
    addCase('POST /abuse-reports', {
      path: '/abuse-reports',
      body: (at) => ({ target_type: 'status', target_id: reported[at]?.id, reason: 'spam' }),
      rows: 'abuse_reports',
      max_sends: reported.length,
    });
    const hangUp = () => world.call('DELETE /calls/active', { token: bob.token });
    addCase('POST /calls', {
      path: '/calls',
      token: bob.token,
      body: () => ({ to: [] }),
      rows: 'calls',
      max_sends: 15,
      freeRoom: hangUp,
    });
    const { id: contact_id } = await addContact(world, bob, {
      name: 'Alice',
      phones: [{ number: alice.mobile_number }],
    });
    await world.call('POST /grid/members', { token: bob.token, body: { contact_id } });
    addCase('POST /grid/calls', {
      path: '/grid/calls',
      token: bob.token,
      body: () => ({}),
      rows: 'calls where of_grid',
      max_sends: 10,
      freeRoom: hangUp,
    });
    addCase('POST /calls/active/bridge-phone', {
      path: '/calls/active/bridge-phone',
      token: carol.token,
      body: (at) => ({ number: `+1415555020${at}` }),
      rows: 'call_legs',
      max_sends: 2,
    });
    addCase('POST /me/mobile/codes', {
      path: '/me/mobile/codes',
      token: carol.token,
      body: () => ({}),
      rows: async () => (await world.sent(carol.mobile_number)).length,
      max_sends: 3,
    });
    const letters = async () => (await world.sent(bob.email)).length;
    addCase('POST /auth/magic-link', {
      path: '/auth/magic-link',
      body: () => ({ email: bob.email }),
      rows: letters,
      max_sends: 10,
    });
    addCase('POST /auth/forgot', {
      path: '/auth/forgot',
      body: () => ({ identifier: bob.email }),
      rows: letters,
      max_sends: 10,
    });
    addCase('POST /contacts/import', {
      path: '/contacts/import',
      token: carol.token,
      body: async (at) => {
        const contacts = [{ name: `Imported ${at}` }];
        const { body } = await world.call('POST /contacts/import/preview', { token: carol.token, body: { contacts } });
        return { preview_id: body.preview_id };
      },
      rows: `contacts where owner_id = '${carol.id}'`,
      max_sends: 15,
      freeRoom: async () => undefined,
    });
    addCase('POST /calendar/events', {
      path: '/calendar/events',
      body: (at) => ({ title: `Event ${at}`, starts_at: '2030-01-01T09:00:00Z', ends_at: '2030-01-01T10:00:00Z' }),
      rows: 'calendar_events',
    });
    addCase('POST /calendar/feed/regenerate', {
      path: '/calendar/feed/regenerate',
      body: () => ({}),
      rows: "public_links where kind = 'feed'",
      max_sends: 10,
    });
    addCase('POST /files', {
      path: '/files',
      raw: upload,
      rows: 'files where content_type is not null',
      max_sends: 20,
    });
    addCase('POST /me/im-identities', {
      path: '/me/im-identities',
      body: (at) => ({ network: 'matrix', handle: `@a${at}:example.org` }),
      rows: 'im_identities',
      max_sends: 20,
    });
    addCase('POST /groups', { path: '/groups', body: (at) => ({ name: `Group ${at}` }), rows: 'groups', max_sends: 5 });
    const { body: band } = await world.call('POST /groups', { token: bob.token, body: { name: 'Band' } });
    addCase('POST /groups/{group_id}/chat', {
      path: `/groups/${band.id}/chat`,
      token: bob.token,
      body: text,
      rows: `chat_messages where group_id = '${band.id}'`,
    });
    const carols = await createTag(world, carol, 'carols');
    const widget = { tag_id: bells.id, kind: 'chat', allowed_origins: ['https://shop.example'] };
    const { body: shop } = await world.call('POST /widgets', { token: bob.token, body: widget });
    addCase('POST /widgets/{widget_id}/chat', {
      path: `/widgets/${shop.id}/chat`,
      token: bob.token,
      body: text,
      rows: `chat_messages where widget_id = '${shop.id}'`,
    });
    addCase('POST /widgets', {
      path: '/widgets',
      token: carol.token,
      body: () => ({ ...widget, tag_id: carols.id }),
      rows: `widgets where owner_id = '${carol.id}' and deleted_at is null`,
      max_sends: 1,
    });
    addCase('POST /invites', {
      path: '/invites',
      body: (at) => ({ channel: 'email', to: `friend-${at}@example.org` }),
      rows: 'invites',
    });
    addCase('POST /location/links', {
      path: '/location/links',
      body: () => ({ expires_at: new Date(world.clock.now().getTime() + 3_600_000).toISOString() }),
      rows: 'location_links',
      max_sends: 2,
    });
    addCase('POST /scheduled-jobs', {
      path: '/scheduled-jobs',
      body: (at) => ({
        kind: 'reminder',
        body: `Number ${at}`,
        run_at: new Date(world.clock.now().getTime() + 86_400_000).toISOString(),
      }),
      rows: 'scheduled_jobs',
      max_sends: 9,
    });
    addCase('POST /commands', {
      path: '/commands',
      token: carol.token,
      body: (at) => ({ text: `status Spoken ${at}` }),
      rows: "statuses where body like 'Spoken%'",
    });
    addCase('POST /xtags', {
      path: '/xtags',
      body: (at) => ({ name: `lost${at}` }),
      rows: "tags where name like 'lost%'",
      max_sends: 9,
    });
    addCase('POST /xtags/{xtag_id}/media', {
      path: `/xtags/${(await world.call('GET /xtags', { token: alice.token })).body.items[0].id}/media`,
      raw: upload,
      rows: "file_uses where subject_type = 'tag'",
      max_sends: 20,
    });
    addCase('POST /videomail/{handle}', {
      path: '/videomail/bells',
      raw: upload,
      rows: "inbox_messages where kind = 'voicemail'",
      max_sends: 20,
    });
    addCase('POST /contacts/import/preview', {
      path: '/contacts/import/preview',
      body: (at) => ({ contacts: [{ name: `Imported ${at}` }] }),
      rows: 'contact_import_previews',
      max_sends: 3,
    });
    addCase('POST /auth/register', {
      path: '/auth/register',
      body: (at) => ({ username: `new_${at}`, password: 'a quiet river bend', email: `new_${at}@example.org` }),
      rows: "challenges where purpose = 'register'",
      max_sends: 20,
    });
    addCase('POST /dm/threads', {
      path: '/dm/threads',
      body: () => ({ user_id: carol.id }),
      rows: 'dm_threads',
      max_sends: 1,
    });
    addCase('POST /group-links/{token}/join', {
      path: `/group-links/${await createGroupLink(world, band, bob)}/join`,
      rows: `notifications where user_id = '${bob.id}' and kind = 'group_joined'`,
      max_sends: 1,
    });
    addCase('POST /calls/active/participants', {
      path: '/calls/active/participants',
      token: carol.token,
      body: () => ({ to: [{ user_id: bob.id }] }),
      rows: `call_participants where call_id = '${conference_id}' and user_id = '${bob.id}'`,
      max_sends: 1,
    });
    addCase('POST /calls/{join_code}/call-me', {
      path: `/calls/${join_code}/call-me`,
      body: () => ({}),
      rows: `call_legs where dialled_by = '${alice.id}'`,
      max_sends: 1,
    });
  });
  afterAll(async () => {
    await proxy?.close();
    await world?.close();
  });

  /** Repeats a request with the same key until a reply arrives; returns its status and body. */
  async function sendUntilAnswered(
    { path, token, body, raw }: Send,
    at: number,
  ): Promise<{ status: number; text: string }> {
    const request = raw?.(at) ?? {
      raw: JSON.stringify(await body?.(at)),
      headers: { 'content-type': 'application/json' },
    };
    const headers = {
      ...request.headers,
      authorization: `Bearer ${token ?? people.alice.token}`,
      'idempotency-key': `${path} ${at} ${randomBytes(8).toString('hex')}`,
    };
    for (;;) {
      const answer = await fetch(`${proxy.url}/v1${path}`, { method: 'POST', headers, body: request.raw })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined);
      // A repetition can overtake its first attempt, which is then still in progress; and a busy service requests a
      // retry.
      if (answer && answer.status !== 503 && !answer.text.includes('request_in_progress')) return answer;
    }
  }

  const count = async (rows: Send['rows']) =>
    typeof rows === 'function'
      ? rows()
      : Number((await world.app.services.db.native.query(`select count(*) from ${rows}`)).rows[0].count);

  it('each take effect once, in every area', { timeout: 60_000 + sends * 20 }, async () => {
    const unlimited = [...cases.values()].filter((send) => send.max_sends === undefined).length;
    const share = Math.ceil(sends / unlimited);
    for (const [route, send] of cases) {
      const expected_count = Math.min(send.max_sends ?? share, share);
      const before = await count(send.rows);
      let next = 0;
      const work = async () => {
        for (let at = next++; at < expected_count; at = next++) {
          const { status, text } = await sendUntilAnswered(send, at);
          expect([200, 201, 202], `${route}: ${text}`).toContain(status);
          await send.freeRoom?.();
        }
      };
      await Promise.all(Array.from({ length: send.freeRoom ? 1 : at_once }, work));
      expect([route, (await count(send.rows)) - before]).toEqual([route, expected_count]);
    }
    expect(proxy.dropped).toBeGreaterThan(sends * dropped_share * 0.5);
  });

  it('cover every operation that creates or sends', () => {
    const posts = features
      .flatMap(({ endpoints }) => endpoints)
      .filter(({ route, idempotent }) => route.startsWith('POST ') && idempotent !== false)
      .map(({ route }) => route);
    expect(posts.filter((route) => !cases.has(route) && !stateless_posts.has(route))).toEqual([]);
  });
});

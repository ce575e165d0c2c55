import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { requestGrants, startCall } from '../../testing/steps/calls.ts';
import { comment } from '../../testing/steps/comments.ts';
import { actOnRequest, requestFollow, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import {
  findPersonas,
  newestCode,
  newestLinkToken,
  sessionClock,
  signInAgain,
  type Persona,
  type Personas,
} from '../../testing/world/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { createTrack, fakeRecorder, endedRecordedCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { dismissReport, hideContent, requireReport, restoreUser, selectReports, suspendUser } from './moderation.ts';
import type { HideableType } from './hiding.ts';
import { slow } from '../../../testing/slow-tests.ts';

const motive = { operator: 'olga', reason: 'because' };

describe('moderation', () => {
  let world: World;
  let people: Personas;
  beforeEach(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterEach(() => world.close());

  const report = async (who: Persona, target_type: string, target_id: string) =>
    (await world.call('POST /abuse-reports', { token: who.token, body: { target_type, target_id, reason: 'hate' } }))
      .body;
  const hide = (type: HideableType, { id }: { id: string }, what: 'hide' | 'unhide' = 'hide') =>
    hideContent(world.app.services, type, id, what, motive);
  const acts = async () =>
    (
      await world.app.services.db.native.query(
        'select act, target_type, target_id, operator, reason from moderation_acts order by id',
      )
    ).rows;
  const statusOf = async (route: string, who: Persona) => (await world.call(route, { token: who.token })).status;
  const typesOf = async (who: Persona) => (await world.events(`user:${who.id}`)).map(({ type }) => type);

  it('lists open reports, which are dismissed or resolved by an act that records operator and reason', async () => {
    const { alice, bob, carol } = people;
    const { db } = world.app.services;
    const tag = await createTag(world, alice, 'queued');
    const [report_1, report_2, report_3] = [
      await report(bob, 'tag', tag.id),
      await report(carol, 'tag', tag.id),
      await report(bob, 'user', alice.id),
    ];
    expect((await selectReports(db, 'open', 10)).map(({ id }) => id)).toEqual([report_1.id, report_2.id, report_3.id]);
    await dismissReport(world.app.services, report_1.id, motive);
    await expect(dismissReport(world.app.services, report_1.id, motive)).rejects.toThrow('no open report');
    await hide('tag', tag);
    expect((await selectReports(db, 'open', 10)).map(({ id }) => id)).toEqual([report_3.id]);
    expect((await selectReports(db, 'resolved', 10)).map(({ id }) => id)).toEqual([report_2.id]);
    const shown = await requireReport(db, report_1.id);
    expect(shown.report).toMatchObject({ state: 'dismissed', reason: 'hate', snapshot: { name: 'queued' } });
    expect(shown.acts).toMatchObject([
      { act: 'dismiss', report_id: report_1.id, ...motive },
      { act: 'hide', ...motive },
    ]);
    // Content may be reported again after its reports were closed.
    await hide('tag', tag, 'unhide');
    expect((await report(bob, 'tag', tag.id)).id).not.toBe(report_1.id);
  });

  it('hides a status, a reply, a comment and a tag from all but their authors, and restores them', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'watched');
    await follow(world, tag, bob);
    const status = await postStatus(world, alice, 'Hello @bob', { tag_id: tag.id });
    const reply = await replyTo(world, status, bob, 'An answer');
    const posted_comment = await comment(world, tag, bob, 'A comment');
    const profile = async () => (await world.call('GET /profiles/watched', { token: carol.token })).body;
    const kindsOf = async (who: Persona) =>
      (await itemsOf(world, '/notifications', who)).map(({ kind }: { kind: string }) => kind).sort();
    const view = async () => ({
      feed: await listedTexts(world, '/feed', bob),
      replies: (await world.call(`GET /statuses/${status.id}/replies`, { token: carol.token })).body.items?.length,
      comments: (await world.call('GET /profiles/watched/comments')).body.items?.length,
      profile: [(await profile()).status_count, (await profile()).statuses?.length],
      alice: await kindsOf(alice),
      bob: await kindsOf(bob),
      unread: (await world.call('GET /notifications/unread-count', { token: alice.token })).body.count,
    });
    const before = await view();
    expect(before).toEqual({
      feed: ['Hello @bob'],
      replies: 1,
      comments: 1,
      profile: [1, 1],
      alice: ['comment', 'follow', 'reply'],
      bob: ['mention'],
      unread: 3,
    });
    const expected: [HideableType, { id: string }, object][] = [
      [
        'status',
        status,
        { feed: [], replies: undefined, profile: [0, 0], alice: ['comment', 'follow'], bob: [], unread: 2 },
      ],
      ['reply', reply, { replies: 0, alice: ['comment', 'follow'], unread: 2 }],
      ['comment', posted_comment, { comments: 0, alice: ['follow', 'reply'], unread: 2 }],
      [
        'tag',
        tag,
        {
          feed: [],
          replies: undefined,
          comments: undefined,
          profile: [undefined, undefined],
          alice: ['follow'],
          bob: [],
          unread: 1,
        },
      ],
    ];
    for (const [type, thing, change] of expected) {
      await hide(type, thing);
      await expect(hide(type, thing)).rejects.toThrow('to hide');
      expect([type, await view()]).toEqual([type, { ...before, ...change }]);
      if (type === 'status' || type === 'tag')
        expect(await listedTexts(world, '/statuses', alice)).toEqual(['Hello @bob']);
      await hide(type, thing, 'unhide');
      expect([type, await view()]).toEqual([type, before]);
    }
    expect((await world.events(`stream:${tag.id}`)).map(({ type }) => type)).toEqual([]);
    expect(await typesOf(alice)).toEqual(
      expect.arrayContaining(['reply.deleted', 'comment.deleted', 'notification.cleared']),
    );
    // Events of hidden content are not replayed either.
    for (const type of ['reply.posted', 'comment.posted']) expect(await typesOf(alice)).not.toContain(type);
    await expect(hide('status', { id: `post_${'0'.repeat(26)}` })).rejects.toThrow('There is no status');
  });

  it('emits status.deleted when a status is hidden, status.posted when it is restored, and nothing in between', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'told');
    await follow(world, tag, bob);
    const status = await postStatus(world, alice, 'First', { tag_id: tag.id });
    const streamEvents = async () => (await world.events(`stream:${tag.id}`)).map(({ type }) => type);
    await hide('status', status);
    await world.call(`PATCH /statuses/${status.id}`, { token: alice.token, body: { body: 'Edited while hidden' } });
    expect(await streamEvents()).toEqual(['status.deleted']);
    await hide('status', status, 'unhide');
    expect(await streamEvents()).toEqual(['status.deleted', 'status.posted']);
    await hide('tag', tag);
    await postStatus(world, alice, 'Into the void', { tag_id: tag.id });
    expect(await streamEvents()).toEqual([]);
  });

  it('ends sessions and rings of a suspended account, and says so only for valid credentials', slow, async () => {
    const { alice, bob } = people;
    const other = await signInAgain(world, alice);
    const call = await startCall(world, bob, [alice], { privacy: 'public' });
    await requestGrants(world, call.join_code, bob);
    await world.call('POST /auth/login', { body: { username: 'alice', password: alice.password } });
    await world.call('POST /auth/magic-link', { body: { email: alice.email } });
    const magic_link_token = await newestLinkToken(world, alice.email);
    await world.call('POST /auth/forgot', { body: { identifier: 'alice' } });
    const reset_token = await newestLinkToken(world, alice.email);
    const login = await world.call('POST /auth/login', { body: { username: 'alice', password: alice.password } });
    const code = await newestCode(world, alice.email);
    await suspendUser(world.app.services, '@Alice', motive);
    for (const { token, session_id } of [alice, other]) {
      const { status, body } = await world.call('GET /me', { token });
      expect([status, body.error.code]).toEqual([401, 'token_invalid']);
      expect((await world.events(`session:${session_id}`)).map(({ type }) => type)).toContain('session.revoked');
    }
    const ringing_call = await world.call(`GET /calls/${call.join_code}`, { token: bob.token });
    expect(ringing_call.body.participants.map(({ state }: { state: string }) => state)).toEqual([
      'joining',
      'declined',
    ]);
    const attempts = (): [string, object][] => [
      ['POST /auth/login', { username: 'alice', password: alice.password }],
      ['POST /auth/login/verify', { login_id: login.body.login_id, code }],
      ['POST /auth/refresh', { refresh_token: alice.refresh_token }],
      ['POST /auth/magic-link/consume', { token: magic_link_token }],
      ['POST /auth/reset', { token: reset_token, password: 'another long meadow' }],
    ];
    for (const [route, body] of attempts()) {
      const answer = await world.call(route, { body });
      expect([route, answer.status, answer.body.error?.code]).toEqual([route, 403, 'account_suspended']);
    }
    const invalid_attempts: [string, object, number][] = [
      ['POST /auth/login', { username: 'alice', password: 'not the password' }, 401],
      [
        'POST /auth/login/verify',
        { login_id: login.body.login_id, code: code === '000000' ? '111111' : '000000' },
        422,
      ],
      ['POST /auth/refresh', { refresh_token: alice.token }, 401],
      ['POST /auth/magic-link/consume', { token: reset_token }, 410],
    ];
    for (const [route, body, status] of invalid_attempts)
      expect([route, (await world.call(route, { body })).status]).toEqual([route, status]);
    await restoreUser(world.app.services, alice.id, motive);
    // The link is still valid, and sessions that were ended stay ended.
    expect((await world.call('POST /auth/refresh', { body: { refresh_token: alice.refresh_token } })).status).toBe(401);
    expect((await world.call('POST /auth/magic-link/consume', { body: { token: magic_link_token } })).status).toBe(200);
    expect((await acts()).map((act) => [act.act, act.target_id])).toEqual([
      ['suspend', alice.id],
      ['restore', alice.id],
    ]);
  });

  it('hides everything of a suspended account from others, and shows it again when restored', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'gone');
    const closed = await createTag(world, bob, 'bobs', { follow_policy: 'approval' });
    await actOnRequest(world, await requestFollow(world, closed, alice), bob, 'accept');
    await requestFollow(world, await createTag(world, bob, 'bobs-other', { follow_policy: 'approval' }), alice);
    await follow(world, tag, bob);
    const status_of_bob = await postStatus(world, bob, 'Of bob');
    const status_of_alice = await postStatus(world, alice, 'Of alice, to @carol', { tag_id: tag.id });
    await replyTo(world, status_of_bob, alice, 'Me too');
    await comment(world, { name: 'bobs' }, alice, 'From alice');
    fakeRecorder(world).tracks = [createTrack('bob', [[0, 1000]])];
    const recorded_calls = [
      await endedRecordedCall(world, alice, bob),
      await endedRecordedCall(world, carol, bob, alice),
    ];
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    const routes = [
      ...recorded_calls.map(({ conference_id }) => `/call-history/${conference_id}/chat`),
      '/call-history',
      '/recordings',
      '/inbox',
      '/inbox/unread-count',
      '/dm/threads',
      '/groups',
      `/xtags/${tag.id}`,
      '/xtags/search?q=gone',
      '/profiles/gone',
      '/profiles/gone/comments',
      '/profiles/bobs/comments',
      `/xtags/${closed.id}/followers`,
      `/statuses/${status_of_bob.id}/replies`,
      `/statuses/${status_of_alice.id}/replies`,
      '/feed',
      '/follows',
      '/followers',
      '/follow-requests',
      '/follow-requests/count',
      '/notifications',
      '/notifications/unread-count',
    ];
    const view = async () => {
      const responses: [string, unknown][] = [];
      for (const who of [bob, carol])
        for (const route of routes) {
          const { status, body } = await world.call(`GET ${route}`, { token: who.token });
          responses.push([`${who.username} ${route}`, { status, body }]);
        }
      return Object.fromEntries(responses);
    };
    await world.call('DELETE /calls/active', { token: alice.token });
    // The signed addresses of files change every minute.
    await startBudgetWindow(sessionClock(world));
    const before = await view();
    const callStatus = () => statusOf(`GET /calls/${call.join_code}`, bob);
    const repliesOf = async () =>
      (await world.call(`GET /statuses/${status_of_bob.id}`, { token: bob.token })).body.reply_count;
    expect(await repliesOf()).toBe(1);
    await suspendUser(world.app.services, 'alice', motive);
    await world.settle();
    expect(await repliesOf()).toBe(0);
    const during = await view();
    // No response to others contains the id of alice.
    for (const [route, answer] of Object.entries(during))
      expect([route, JSON.stringify(answer).includes(alice.id)]).toEqual([route, false]);
    expect([during['carol /notifications/unread-count'], during['bob /follow-requests/count']]).toMatchObject([
      { body: { count: 0 } },
      { body: { count: 0 } },
    ]);
    expect(during['carol /profiles/gone']).toMatchObject({ status: 404 });
    expect(await callStatus()).toBe(404);
    const calling = await world.call('POST /calls', { token: bob.token, body: { to: [{ tag: 'gone' }] } });
    expect(calling.status).toBe(422);
    await restoreUser(world.app.services, 'alice', motive);
    await world.settle();
    expect(await repliesOf()).toBe(1);
    expect(await view()).toEqual(before);
    await expect(restoreUser(world.app.services, 'alice', motive)).rejects.toThrow('is not suspended');
    await expect(suspendUser(world.app.services, 'nobody-here', motive)).rejects.toThrow('There is no account');
    // The suspension of a blocked account does not change the counts again.
    await world.call('POST /blocks', { token: bob.token, body: { user_id: alice.id } });
    await suspendUser(world.app.services, 'alice', motive);
    await world.settle();
    expect(await repliesOf()).toBe(0);
    await restoreUser(world.app.services, 'alice', motive);
  });

  it('hides any number of notifications of a suspended account in portions, and restores them', slow, async () => {
    const { alice, bob } = people;
    const status = await postStatus(world, bob, 'Liked');
    await world.call(`PUT /statuses/${status.id}/like`, { token: alice.token });
    const db = world.app.services.db.native;
    await db.query(`
      insert into notifications select (jsonb_populate_record(n, jsonb_build_object(
        'id', 'note_' || lpad(i::text, 26, '0'), 'subject_id', 'post_' || lpad(i::text, 26, '0')))).*
      from notifications n, generate_series(1, 1200) i`);
    await db.query(`
      insert into notification_acts select (jsonb_populate_record(a, jsonb_build_object(
        'source_id', 'lik_' || lpad(i::text, 26, '0'), 'notification_id', 'note_' || lpad(i::text, 26, '0')))).*
      from notification_acts a, generate_series(1, 1200) i`);
    const countHidden = async () =>
      (await db.query('select 1 from notification_acts where hidden and actor_id = $1', [alice.id])).rowCount;
    const countUnread = async () =>
      (await world.call('GET /notifications/unread-count', { token: bob.token })).body.count;
    await suspendUser(world.app.services, 'alice', motive);
    expect([await countHidden(), await countUnread()]).toEqual([500, 701]);
    await world.settle();
    expect([await countHidden(), await countUnread()]).toEqual([1201, 0]);
    await restoreUser(world.app.services, 'alice', motive);
    expect(await countHidden()).toBe(701);
    await world.settle();
    expect([await countHidden(), await countUnread()]).toEqual([0, 1201]);
  });
});

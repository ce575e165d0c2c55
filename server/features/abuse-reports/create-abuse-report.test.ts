import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestGrants, startCall } from '../../testing/steps/calls.ts';
import { comment } from '../../testing/steps/comments.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { admitGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { block, createTag } from '../../testing/steps/follows.ts';
import { openAcceptedThread } from '../../testing/steps/messages.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { tone_opus } from '../../testing/samples/recordings.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /abuse-reports', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const report = (who: Persona, target_type: string, target_id: string, more: object = {}) =>
    world.call('POST /abuse-reports', { token: who.token, body: { target_type, target_id, reason: 'spam', ...more } });
  const snapshotOf = async (id: string) =>
    (await world.app.services.db.native.query('select snapshot, accused_id from abuse_reports where id = $1', [id]))
      .rows[0];

  it('stores a snapshot of what the reporter saw, for each target type; a repeated report returns the first with 200', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'reported', { title: 'Then' });
    const status = await postStatus(world, alice, 'Bad words', { tag_id: tag.id });
    const posted = await comment(world, tag, alice, 'Worse words');
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    const chat = await world.call(`POST /calls/${call.join_code}/chat`, {
      token: alice.token,
      body: { body: 'Worst' },
    });
    const thread = await openAcceptedThread(world, bob, alice);
    const kinds: [string, string, object][] = [
      ['user', alice.id, { id: alice.id, username: 'alice' }],
      ['tag', tag.id, { name: 'reported', title: 'Then' }],
      ['status', status.id, { body: 'Bad words' }],
      ['comment', posted.id, { body: 'Worse words' }],
      ['message', chat.body.id, { body: 'Worst', author: { username: 'alice' } }],
      [
        'message',
        thread.last_message.id,
        { body: 'Hello yourself', author: { username: 'alice' }, thread_id: thread.id, media: [] },
      ],
      ['call', call.conference_id, { join_code: call.join_code }],
    ];
    for (const [type, id, snapshot] of kinds) {
      const { status: response_status, body } = await report(bob, type, id, { note: `About ${type}` });
      expect([type, response_status]).toEqual([type, 201]);
      expect(body).toMatchObject({
        target_type: type,
        target_id: id,
        reason: 'spam',
        note: `About ${type}`,
        state: 'open',
      });
      expect(await snapshotOf(body.id)).toMatchObject({ accused_id: alice.id, snapshot });
    }
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { title: 'Now' } });
    const again = await report(bob, 'tag', tag.id, { reason: 'hate' });
    expect([again.status, again.body.reason]).toEqual([200, 'spam']);
    expect((await snapshotOf(again.body.id)).snapshot.title).toBe('Then');
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('rejects a call message that was written before the reporter joined like an absent one', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, alice, bob);
    const write = async (body: string): Promise<string> =>
      (await world.call(`POST /calls/${call.join_code}/chat`, { token: alice.token, body: { body } })).body.id;
    const early = await write('Among the two of us');
    const to = [{ user_id: carol.id }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    await requestGrants(world, call.join_code, carol);
    const late = await write('For all three');
    expect((await report(carol, 'message', late)).status).toBe(201);
    const refused = await report(carol, 'message', early);
    expect(refused.status).toBe((await report(carol, 'message', `chat_${'0'.repeat(26)}`)).status);
    expect((await report(bob, 'message', early)).status).toBe(201);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('creates one report for six identical concurrent requests', async () => {
    const { alice, carol } = people;
    const answers = await Promise.all(Array.from({ length: 6 }, () => report(carol, 'user', alice.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('returns the same 422 for a target that the reporter may not see and for one that does not exist', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'locked', { visibility: 'private' });
    const status = await postStatus(world, alice, 'For few', { visibility: 'followers' });
    const call = await startCall(world, alice, []);
    const posted = await comment(world, tag, alice, 'Mine');
    const thread = await openAcceptedThread(world, carol, alice);
    const hidden = [
      ['tag', tag.id],
      ['status', status.id],
      ['comment', posted.id],
      ['call', call.conference_id],
      ['message', thread.last_message.id],
    ] as const;
    for (const [type, id] of hidden) {
      const [hidden_answer, absent] = [
        await report(bob, type, id),
        await report(bob, type, `${id.split('_')[0]}_${'0'.repeat(26)}`),
      ];
      expect([type, hidden_answer.status, Object.keys(hidden_answer.body.error.fields)]).toEqual([
        type,
        422,
        ['target_id'],
      ]);
      expect(hidden_answer.body).toEqual(absent.body);
    }
    for (const [type, id] of [
      ['user', tag.id],
      ['tag', alice.id],
      ['message', status.id],
      ['call', call.join_code],
      ['user', carol.id],
    ] as const)
      expect((await report(carol, type, id)).body.error.fields).toHaveProperty('target_id');
    expect(Object.keys((await report(bob, 'user', alice.id, { reason: 'dislike' })).body.error.fields)).toEqual([
      'reason',
    ]);
  });

  it('accepts a report of a blocking user by identifier, with a snapshot of the identifier only', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, bob, 'seen-before');
    await block(world, bob, carol);
    const created = await report(carol, 'user', bob.id);
    expect(created.status).toBe(201);
    expect(await snapshotOf(created.body.id)).toEqual({ accused_id: bob.id, snapshot: { id: bob.id } });
    expect((await report(carol, 'tag', tag.id)).status).toBe(422);
    expect((await report(alice, 'tag', tag.id)).status).toBe(201);
  });

  it('does not tell whether a person has blocked the reporter, is suspended, or has deleted their account', async () => {
    const { alice, bob, carol } = people;
    const dave = await register(world, 'dave', 44);
    await block(world, bob, carol);
    await suspendUser(world.app.services, alice.id, { operator: 'olga', reason: 'because' });
    const gone = await world.call('DELETE /me', { token: dave.token, body: { password: dave.password } });
    expect(gone.status).toBe(204);
    const answers: object[] = [];
    for (const id of [bob.id, alice.id, dave.id]) {
      const [first, again] = [await report(carol, 'user', id), await report(carol, 'user', id)];
      expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
      expect((await snapshotOf(first.body.id)).snapshot).toEqual({ id });
      answers.push({ ...first.body, id: '', target_id: '', created_at: '' });
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect((await report(carol, 'user', `usr_${'0'.repeat(26)}`)).status).toBe(422);
  });

  it('accepts a report of an inbox message from its recipient only, with its file in the snapshot', async () => {
    const { alice, bob } = people;
    const sent = await world.call('POST /videomail/bob', {
      token: alice.token,
      ...multipart(tone_opus, 'message', 'audio/ogg', { body: 'Nasty' }),
    });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    const absent = await report(alice, 'message', `msg_${'0'.repeat(26)}`);
    expect((await report(alice, 'message', id)).body).toEqual(absent.body);
    const created = await report(bob, 'message', id);
    expect(created.status).toBe(201);
    expect(await snapshotOf(created.body.id)).toMatchObject({
      accused_id: alice.id,
      snapshot: { id, kind: 'voicemail', body: 'Nasty', author: { username: 'alice' }, media: [expect.any(String)] },
    });
  });

  it('accepts reports of messages in calls, widgets and groups only from those who may read them', slow, async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startOpenCall(world, alice);
    const gina = await admitGuest(world, alice, join_code);
    await world.call(`POST /calls/${join_code}/sfu-grant`, { token: gina.token, body: {} });
    const posted = await world.call(`POST /calls/${join_code}/chat`, { token: gina.token, body: { body: 'Rude' } });
    const created = await report(alice, 'message', posted.body.id);
    expect(created.status).toBe(201);
    expect(await snapshotOf(created.body.id)).toMatchObject({
      accused_id: null,
      snapshot: { body: 'Rude', guest: { id: gina.id, name: 'Gina' }, call_id: conference_id },
    });
    expect((await report(carol, 'message', posted.body.id)).status).toBe(422);
    await world.call('DELETE /calls/active', { token: alice.token });

    const widget = await createWidget(world, alice, 'kiosk');
    const guest = await becomeGuest(world, widget);
    const rude = await sendWidgetMessage(world, widget, guest, 'Ruder');
    expect((await report(alice, 'message', rude.id)).status).toBe(201);
    expect((await report(bob, 'message', rude.id)).status).toBe(422);

    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    const loud = await sendGroupMessage(world, group, bob, 'Loud');
    const group_report = await report(alice, 'message', loud.id);
    expect(await snapshotOf(group_report.body.id)).toMatchObject({
      accused_id: bob.id,
      snapshot: { author: { username: 'bob' }, group_id: group.id, media: [] },
    });
    expect((await report(carol, 'message', loud.id)).status).toBe(422);
  });
});

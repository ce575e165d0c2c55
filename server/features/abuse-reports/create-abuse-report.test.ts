import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestGrants, startCall } from '../../testing/calling.ts';
import { comment } from '../../testing/commenting.ts';
import { sendGroupMessage } from '../../testing/chatting.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/embedding.ts';
import { joinGroup, createGroup } from '../../testing/grouping.ts';
import { admitGuest, startOpenCall } from '../../testing/link-guests.ts';
import { block, createTag } from '../../testing/following.ts';
import { openAcceptedThread } from '../../testing/messaging.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { postStatus } from '../../testing/posting.ts';
import { tone_opus } from '../../testing/recordings.ts';
import { multipart } from '../../testing/upload.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';

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

  it('keeps what the reporter saw, for each kind of thing', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'reported', { title: 'Then' });
    const status = await postStatus(world, alice, 'Bad words', { tag_id: tag.id });
    const said = await comment(world, tag, alice, 'Worse words');
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
      ['comment', said.id, { body: 'Worse words' }],
      ['message', chat.body.id, { body: 'Worst', author: { username: 'alice' } }],
      [
        'message',
        thread.last_message.id,
        { body: 'Hello yourself', author: { username: 'alice' }, thread_id: thread.id, media: [] },
      ],
      ['call', call.conference_id, { join_code: call.join_code }],
    ];
    for (const [type, id, snapshot] of kinds) {
      const { status: answered, body } = await report(bob, type, id, { note: `About ${type}` });
      expect([type, answered]).toEqual([type, 201]);
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

  it('reaches no message of a call that was written before the reporter came', async () => {
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

  it('stands once however many come at the same time', async () => {
    const { alice, carol } = people;
    const answers = await Promise.all(Array.from({ length: 6 }, () => report(carol, 'user', alice.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('answers the same for what the reporter may not see and for what does not exist', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'locked', { visibility: 'private' });
    const status = await postStatus(world, alice, 'For few', { visibility: 'followers' });
    const call = await startCall(world, alice, []);
    const said = await comment(world, tag, alice, 'Mine');
    const thread = await openAcceptedThread(world, carol, alice);
    const hidden = [
      ['tag', tag.id],
      ['status', status.id],
      ['comment', said.id],
      ['call', call.conference_id],
      ['message', thread.last_message.id],
    ] as const;
    for (const [type, id] of hidden) {
      const [one, absent] = [
        await report(bob, type, id),
        await report(bob, type, `${id.split('_')[0]}_${'0'.repeat(26)}`),
      ];
      expect([type, one.status, Object.keys(one.body.error.fields)]).toEqual([type, 422, ['target_id']]);
      expect(one.body).toEqual(absent.body);
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

  it('lets a person across a block be reported by identifier, and proves no more than that', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, bob, 'seen-before');
    await block(world, bob, carol);
    const made = await report(carol, 'user', bob.id);
    expect(made.status).toBe(201);
    expect(await snapshotOf(made.body.id)).toEqual({ accused_id: bob.id, snapshot: { id: bob.id } });
    expect((await report(carol, 'tag', tag.id)).status).toBe(422);
    expect((await report(alice, 'tag', tag.id)).status).toBe(201);
  });

  it('takes what somebody left in the inbox, of its owner alone, with its file', async () => {
    const { alice, bob } = people;
    const sent = await world.call('POST /videomail/bob', {
      token: alice.token,
      ...multipart(tone_opus, 'message', 'audio/ogg', { body: 'Nasty' }),
    });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    const absent = await report(alice, 'message', `msg_${'0'.repeat(26)}`);
    expect((await report(alice, 'message', id)).body).toEqual(absent.body);
    const made = await report(bob, 'message', id);
    expect(made.status).toBe(201);
    expect(await snapshotOf(made.body.id)).toMatchObject({
      accused_id: alice.id,
      snapshot: { id, kind: 'voicemail', body: 'Nasty', author: { username: 'alice' }, media: [expect.any(String)] },
    });
  });

  it('takes what guests wrote in a call or a widget, and what members wrote in a group, from those who may read it', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startOpenCall(world, alice);
    const gina = await admitGuest(world, alice, join_code);
    await world.call(`POST /calls/${join_code}/sfu-grant`, { token: gina.token, body: {} });
    const said = await world.call(`POST /calls/${join_code}/chat`, { token: gina.token, body: { body: 'Rude' } });
    const made = await report(alice, 'message', said.body.id);
    expect(made.status).toBe(201);
    expect(await snapshotOf(made.body.id)).toMatchObject({
      accused_id: null,
      snapshot: { body: 'Rude', guest: { id: gina.id, name: 'Gina' }, call_id: conference_id },
    });
    expect((await report(carol, 'message', said.body.id)).status).toBe(422);
    await world.call('DELETE /calls/active', { token: alice.token });

    const widget = await createWidget(world, alice, 'kiosk');
    const guest = await becomeGuest(world, widget);
    const rude = await sendWidgetMessage(world, widget, guest, 'Ruder');
    expect((await report(alice, 'message', rude.id)).status).toBe(201);
    expect((await report(bob, 'message', rude.id)).status).toBe(422);

    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    const loud = await sendGroupMessage(world, group, bob, 'Loud');
    const of_group = await report(alice, 'message', loud.id);
    expect(await snapshotOf(of_group.body.id)).toMatchObject({
      accused_id: bob.id,
      snapshot: { author: { username: 'bob' }, group_id: group.id, media: [] },
    });
    expect((await report(carol, 'message', loud.id)).status).toBe(422);
  });
});

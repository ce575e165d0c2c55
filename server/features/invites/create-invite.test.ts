import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { inviteByMail, inviteTokenOf, registerInvited } from '../../testing/steps/invites.ts';
import { findPersonas, advanceDays, password, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /invites', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('sends a link that opens registration, and adds both users as contacts after it is used', async () => {
    const { alice } = people;
    const created = await inviteByMail(world, alice, 'Dora@Example.org', 'Come and sing with us');
    expect([created.status, created.body]).toMatchObject([
      201,
      { channel: 'email', to: 'dora@example.org', message: 'Come and sing with us', state: 'sent', accepted_by: null },
    ]);
    const [mail] = await world.sent('dora@example.org');
    expect(mail?.subject).toBe('alice invites you to Asterism');
    expect(mail?.text).toContain('“Come and sing with us”');
    const token = await inviteTokenOf(world, 'dora@example.org');
    const opened = await world.call(`GET /public-links/${token}`);
    expect([opened.status, opened.body]).toMatchObject([
      200,
      { kind: 'invite', inviter: { username: 'alice' }, message: 'Come and sing with us' },
    ]);
    const page = await world.app.http.inject(`/i/${token}`);
    expect([page.statusCode, page.headers['location'], page.headers['cache-control']]).toEqual([
      302,
      `/app/register?invite_token=${token}`,
      'no-store',
    ]);
    const dora = await registerInvited(world, token, 'dora', 41);
    for (const used of [token, 'a'.repeat(32), '%00']) {
      const gone = await world.app.http.inject(`/i/${used}`);
      expect([gone.statusCode, gone.headers['cache-control']]).toEqual([410, 'no-store']);
      expect(gone.body).toContain('This invite is no longer valid');
    }
    const [invite] = await itemsOf(world, '/me/invites', alice);
    expect(invite).toMatchObject({ id: created.body.id, state: 'accepted', accepted_by: { username: 'dora' } });
    expect((await world.call('GET /me', { token: dora.token })).body.invited_by.username).toBe('alice');
    expect(await itemsOf(world, '/contacts', dora)).toMatchObject([
      { name: 'alice', phones: [], emails: [], user: { username: 'alice' } },
    ]);
    expect(await itemsOf(world, '/contacts', alice)).toMatchObject([
      { name: 'dora', emails: [{ address: 'dora@example.org' }], user: { username: 'dora' } },
    ]);
    expect(await itemsOf(world, '/notifications', alice)).toMatchObject([
      { kind: 'invite_accepted', actor: { username: 'dora' }, subject: { type: 'invite', id: created.body.id } },
    ]);
    const types = (await world.events(`user:${alice.id}`)).map(({ type }) => type);
    expect(types).toContain('contact.updated');
    const again = await world.call('POST /auth/register', {
      body: { username: 'dorb', password, email: 'dorb@example.org', invite_token: token },
    });
    expect([again.status, again.body.error.code]).toEqual([410, 'gone']);
    expect((await world.call(`GET /public-links/${token}`)).status).toBe(410);
  });

  it('matches an existing contact with the invited address, and keeps its fields', async () => {
    const { bob } = people;
    const body = { name: 'Aunt Eve', emails: [{ address: 'eve.old@example.org' }] };
    const contact = (await world.call('POST /contacts', { token: bob.token, body })).body;
    await inviteByMail(world, bob, 'eve.old@example.org');
    await registerInvited(world, await inviteTokenOf(world, 'eve.old@example.org'), 'eve', 42);
    expect(await itemsOf(world, '/contacts', bob)).toMatchObject([
      { id: contact.id, name: 'Aunt Eve', user: { username: 'eve' } },
    ]);
    // Editing the addresses keeps the match.
    const edited = await world.call(`PATCH /contacts/${contact.id}`, { token: bob.token, body: { emails: [] } });
    expect(edited.body.user.username).toBe('eve');
    expect((await world.call('GET /contacts?q=usr_', { token: bob.token })).body.items).toEqual([]);
  });

  it('adds a contact for the person who uses a link that was passed on, and leaves those of others alone', async () => {
    const { alice, carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { reach: { find: 'everyone' } } });
    const [number, address] = [carol.mobile_number, 'shared@example.org'];
    const body = { name: 'Carol', phones: [{ number }], emails: [{ address }] };
    const contact = (await world.call('POST /contacts', { token: alice.token, body })).body;
    expect(contact.user.username).toBe('carol');
    for (const [at, username] of ['finn', 'gina'].entries()) {
      await inviteByMail(world, alice, address);
      const invited = await registerInvited(world, await inviteTokenOf(world, address), username, 43 + at);
      expect(await itemsOf(world, '/contacts', invited)).toMatchObject([{ user: { username: 'alice' } }]);
    }
    const shown: { name: string; user: { username: string } }[] = await itemsOf(world, '/contacts', alice);
    expect(shown.map(({ name, user }) => [name, user.username]).toSorted()).toEqual([
      ['Carol', 'carol'],
      ['finn', 'finn'],
      ['gina', 'gina'],
    ]);
  });

  it('returns an open invite instead of creating another, and sends it again only after a day', async () => {
    const { carol } = people;
    const to = 'finn@example.org';
    const first = await inviteByMail(world, carol, to);
    const token = await inviteTokenOf(world, to);
    const again = await inviteByMail(world, carol, 'FINN@example.org', 'Another message');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await world.sent(to)).toHaveLength(1);
    await advanceDays(world, 1);
    expect((await inviteByMail(world, carol, to)).status).toBe(200);
    expect(await world.sent(to)).toHaveLength(2);
    expect(await inviteTokenOf(world, to)).toBe(token);
    expect((await inviteByMail(world, carol, to)).status).toBe(200);
    expect(await world.sent(to)).toHaveLength(2);
    const several = await Promise.all([1, 2, 3, 4].map(() => inviteByMail(world, carol, 'gus@example.org')));
    expect(several.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(several.map(({ body }) => body.id)).size).toBe(1);
    expect(await world.sent('gus@example.org')).toHaveLength(1);
  });

  it('expires after 14 days; then another can be sent', async () => {
    const { carol } = people;
    const to = 'hana@example.org';
    const first = await inviteByMail(world, carol, to);
    const token = await inviteTokenOf(world, to);
    await advanceDays(world, 14);
    expect((await itemsOf(world, '/me/invites?state=expired', carol)).map(({ id }: { id: string }) => id)).toContain(
      first.body.id,
    );
    const late = await world.call('POST /auth/register', {
      body: { username: 'hana', password, email: to, invite_token: token },
    });
    expect([late.status, late.body.error.code]).toEqual([410, 'gone']);
    const second = await inviteByMail(world, carol, to);
    expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
  });

  it('does not reveal who has an account, and sends nothing to a user who has blocked the sender', slow, async () => {
    const { alice, bob } = people;
    const unknown = await inviteByMail(world, alice, 'nobody-yet@example.org');
    const known = await inviteByMail(world, alice, bob.email);
    const shape = ({ body }: typeof known) => ({ ...body, id: '', to: '', created_at: '', expires_at: '' });
    expect([known.status, shape(known)]).toEqual([unknown.status, shape(unknown)]);
    await world.call('POST /blocks', { token: people.carol.token, body: { user_id: alice.id } });
    const before = (await world.sent(people.carol.email)).length;
    const blocked = await inviteByMail(world, alice, people.carol.email);
    expect([blocked.status, shape(blocked)]).toEqual([unknown.status, shape(unknown)]);
    expect(await world.sent(people.carol.email)).toHaveLength(before);
  });

  it('rejects invalid recipients, channels and messages with 422 for the field', async () => {
    const { token } = people.alice;
    const wrong = [
      [{ channel: 'email', to: '+14155550123' }, 'to'],
      [{ channel: 'sms', to: 'ann@example.org' }, 'to'],
      [{ channel: 'sms', to: '+870773111632' }, 'to'],
      [{ channel: 'fax', to: 'ann@example.org' }, 'channel'],
      [{ channel: 'email', to: 'ann@example.org', message: 'x'.repeat(281) }, 'message'],
      [{ channel: 'email' }, 'to'],
    ] as const;
    for (const [body, field] of wrong) {
      const answer = await world.call('POST /invites', { token, body });
      expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, [field]]);
    }
    const sms = await world.call('POST /invites', { token, body: { channel: 'sms', to: '+1 415 555 0177' } });
    expect([sms.status, sms.body.to]).toEqual([201, '+14155550177']);
    expect((await world.sent('+14155550177'))[0]?.text).toContain('alice invites you to Asterism');
  });

  it('is limited to 20 a day per account', async () => {
    const { token } = people.bob;
    await advanceDays(world, 2);
    const statuses = [];
    for (let at = 0; at < 21; at++) {
      const answer = await inviteByMail(world, people.bob, `friend-${at}@example.org`);
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(201), 429]);
    // An open invite is still returned.
    const body = { channel: 'email', to: 'friend-0@example.org' };
    expect((await world.call('POST /invites', { token, body })).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { inviteByMail, inviteTokenOf, registerInvited } from '../../testing/steps/invites.ts';
import { findPersonas, password, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /invites/{invite_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const revoke = (token: string, id: string) => world.call(`DELETE /invites/${id}`, { token });

  it('invalidates the link, also for a registration in progress', async () => {
    const { alice, bob } = people;
    const invite = (await inviteByMail(world, alice, 'ida@example.org')).body;
    const token = await inviteTokenOf(world, 'ida@example.org');
    const registration = { username: 'ida', password, email: 'ida@example.org', invite_token: token };
    const started = await world.call('POST /auth/register', { body: registration });
    const foreign = await revoke(bob.token, invite.id);
    const absent = await revoke(bob.token, `inv_${'0'.repeat(26)}`);
    expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
    expect((await revoke(alice.token, invite.id)).status).toBe(204);
    expect((await revoke(alice.token, invite.id)).status).toBe(204);
    expect(await itemsOf(world, '/me/invites', alice)).toMatchObject([{ id: invite.id, state: 'revoked' }]);
    const code = (await world.sent('ida@example.org'))[0]?.code;
    const { registration_id } = started.body;
    const verified = await world.call('POST /auth/register/verify', { body: { registration_id, code } });
    expect(verified.status).toBe(201);
    expect((await world.call('GET /me', { token: verified.body.token })).body.invited_by).toBe(null);
    expect(await itemsOf(world, '/contacts', alice)).toEqual([]);
    const late = await world.call('POST /auth/register', { body: { ...registration, username: 'idb' } });
    expect([late.status, late.body.error.code]).toEqual([410, 'gone']);
  });

  it('returns 409 for an accepted invite', async () => {
    const { alice } = people;
    const invite = (await inviteByMail(world, alice, 'jon@example.org')).body;
    await registerInvited(world, await inviteTokenOf(world, 'jon@example.org'), 'jon', 51);
    const answer = await revoke(alice.token, invite.id);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'already_decided']);
  });

  it('happens when the sender deletes their account', async () => {
    const { bob } = people;
    await inviteByMail(world, bob, 'kim@example.org');
    const token = await inviteTokenOf(world, 'kim@example.org');
    await world.call('DELETE /me', { token: bob.token, body: { password } });
    const late = await world.call('POST /auth/register', {
      body: { username: 'kim', password, email: 'kim@example.org', invite_token: token },
    });
    expect(late.status).toBe(410);
    await world.settle();
    const { rows } = await world.app.services.db.native.query('select 1 from invites where user_id = $1', [bob.id]);
    expect(rows).toEqual([]);
  });
});

/** Messages that wait for their provider, and what happens meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { block } from '../../testing/steps/follows.ts';
import { inviteByMail } from '../../testing/steps/invites.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { suspendUser } from '../moderation/suspension.ts';

describe('messages that wait for their provider', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const phone = '+4930555001';

  /** What is sent once the providers work again, of what was queued and tried while they did not. */
  async function sentAfter(
    queue: () => Promise<unknown>,
    meanwhile: () => Promise<unknown>,
    to: string,
  ): Promise<string[]> {
    const { mail, sms, db } = world.app.services;
    const working = [mail.send, sms.send] as const;
    mail.send = sms.send = () => Promise.reject(new Error('unavailable'));
    try {
      await queue();
      await world.settle();
      await meanwhile();
    } finally {
      [mail.send, sms.send] = working;
    }
    await db.native.query('update graphile_worker._private_jobs set run_at = now()');
    return (await world.sent(to)).map(({ text }) => text);
  }
  const invite = () => inviteByMail(world, people.alice, 'zoe@example.org');
  const text = () => world.call('POST /commands', { token: people.alice.token, body: { text: `text ${phone} hello` } });
  const nothing = () => Promise.resolve();
  const suspend = () => suspendUser(world.app.services, people.alice.id, { operator: 'olga', reason: 'because' });
  const remove = ({ alice } = people) =>
    world.call('DELETE /me', { token: alice.token, body: { password: alice.password } });

  it('are sent once it works again', async () => {
    expect(await sentAfter(invite, nothing, 'zoe@example.org')).toHaveLength(1);
    expect(await sentAfter(text, nothing, phone)).toEqual(['alice: hello']);
  });

  it.each([
    ['suspended', () => suspend()],
    ['deleted', () => remove()],
  ])('are not sent for an account that is %s meanwhile', async (_state, end) => {
    const both = async () => Promise.all([invite(), text()]);
    expect(await sentAfter(both, end, 'zoe@example.org')).toEqual([]);
    expect(await world.sent(phone)).toEqual([]);
  });

  it('are not sent to somebody who has blocked their author meanwhile, nor for an invite that was revoked', async () => {
    const { alice, bob } = people;
    await addContact(world, alice, { name: 'Bob', phones: [{ number: bob.mobile_number }] });
    const blocked = () => block(world, bob, alice);
    expect(await sentAfter(() => inviteByMail(world, alice, bob.email), blocked, bob.email)).toEqual([]);
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    const textBob = () =>
      world.call('POST /commands', { token: alice.token, body: { text: `text ${bob.mobile_number} hello` } });
    expect(await sentAfter(textBob, blocked, bob.mobile_number)).toEqual([]);
    const revoke = async () => {
      const { body } = await world.call('GET /me/invites', { token: alice.token });
      for (const { id } of body.items) await world.call(`DELETE /invites/${id}`, { token: alice.token });
    };
    expect(await sentAfter(invite, revoke, 'zoe@example.org')).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestLinkToken, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/magic-link/consume', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const requestLink = async (email: string): Promise<string> => {
    await world.call('POST /auth/magic-link', { body: { email } });
    return newestLinkToken(world, email);
  };
  const consume = (token: string) => world.call('POST /auth/magic-link/consume', { body: { token } });
  const expect410 = ({ status, body }: { status: number; body: { error: { code: string } } }) =>
    expect([status, body.error.code]).toEqual([410, 'gone']);

  it('signs in one of eight concurrent requests with the same link; the others get 410', async () => {
    const token = await requestLink(people.alice.email);
    const answers = await Promise.all(Array.from({ length: 8 }, () => consume(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)]);
    const signed_in = answers.find(({ status }) => status === 200);
    expect(signed_in?.body.user.username).toBe('alice');
    expect((await world.call('GET /me', { token: signed_in?.body.token })).status).toBe(200);
    expect410(await consume(token));
  });

  it('invalidates an older link when a newer one is sent', async () => {
    const older = await requestLink(people.bob.email);
    const newer = await requestLink(people.bob.email);
    expect410(await consume(older));
    expect((await consume(newer)).status).toBe(200);
  });

  it('rejects a link after 15 minutes', async () => {
    const early = await requestLink(people.carol.email);
    await world.clock.advance(14 * 60 + 50);
    expect((await consume(early)).status).toBe(200);
    const late = await requestLink(people.carol.email);
    await world.clock.advance(15 * 60 + 1);
    expect410(await consume(late));
  });

  it('rejects an unknown token and a password reset token', async () => {
    expect410(await consume('ast_never_sent'));
    await world.call('POST /auth/forgot', { body: { identifier: 'alice' } });
    expect410(await consume(await newestLinkToken(world, people.alice.email)));
  });
});

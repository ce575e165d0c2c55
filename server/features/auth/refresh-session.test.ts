import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/refresh', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const refresh = (refresh_token: string) => world.call('POST /auth/refresh', { body: { refresh_token } });
  const statusOf = async (token: string) => (await world.call('GET /me', { token })).status;
  const expectInvalidToken = ({ status, body }: { status: number; body: { error: { code: string } } }) =>
    expect([status, body.error.code]).toEqual([401, 'token_invalid']);

  it('returns a new pair of tokens for the same session', async () => {
    const { alice } = people;
    const { status, body } = await refresh(alice.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ session_id: alice.session_id, token_type: 'bearer', user: { username: 'alice' } });
    expect(new Set([alice.token, alice.refresh_token, body.token, body.refresh_token]).size).toBe(4);
    expect(await statusOf(body.token)).toBe(200);
  });

  it('can be repeated if the response was lost; the first use of a new pair invalidates the others', async () => {
    const bob = await signInAgain(world, people.bob);
    const lost = await refresh(bob.refresh_token);
    expect(await statusOf(bob.token)).toBe(200);
    const retried = await refresh(bob.refresh_token);
    expect(retried.status).toBe(200);
    expect(await statusOf(retried.body.token)).toBe(200);
    expect(await statusOf(bob.token)).toBe(401);
    expect(await statusOf(lost.body.token)).toBe(401);
  });

  it('ends the session when an old refresh token is used after the new pair', async () => {
    const bob = await signInAgain(world, people.bob);
    const next = await refresh(bob.refresh_token);
    expect(await statusOf(next.body.token)).toBe(200);
    expectInvalidToken(await refresh(bob.refresh_token));
    expect(await statusOf(next.body.token)).toBe(401);
    expectInvalidToken(await refresh(next.body.refresh_token));
    expect(await world.events(`session:${bob.session_id}`)).toContainEqual({
      type: 'session.revoked',
      data: { session_id: bob.session_id },
    });
    expect(await statusOf(people.bob.token)).toBe(200);
  });

  it('treats the use of the new refresh token as the first use of the new pair', async () => {
    const carol = await signInAgain(world, people.carol);
    const second = await refresh(carol.refresh_token);
    const third = await refresh(second.body.refresh_token);
    expect(third.status).toBe(200);
    expect(await statusOf(carol.token)).toBe(401);
    expect(await statusOf(second.body.token)).toBe(200);
    expectInvalidToken(await refresh(carol.refresh_token));
    expect(await statusOf(third.body.token)).toBe(401);
  });

  it('accepts twenty concurrent refreshes; the pair used first stays valid', async () => {
    const carol = await signInAgain(world, people.carol);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(carol.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const used = await Promise.all(answers.map(({ body }) => statusOf(body.token)));
    expect(used.sort()).toEqual([200, ...Array(19).fill(401)]);
  });

  it('stores at most three unused pairs, each of which is valid', async () => {
    const bob = await signInAgain(world, people.bob);
    const pairsStored = async () => {
      const which = 'select distinct pair from session_tokens where session_id = $1 order by pair';
      return (await world.app.services.db.native.query(which, [bob.session_id])).rows.map(({ pair }) => Number(pair));
    };
    const answers = [];
    for (let count = 0; count < 8; count++) answers.push((await refresh(bob.refresh_token)).body);
    expect(await pairsStored()).toEqual([1, 7, 8, 9]);
    // A pair that was ended has no effect on the session.
    expect(await statusOf(answers[0].token)).toBe(401);
    expectInvalidToken(await refresh(answers[0].refresh_token));
    expect(await statusOf(bob.token)).toBe(200);
    expect(await statusOf(answers[5].token)).toBe(200);
    expect([await statusOf(answers[7].token), await statusOf(bob.token)]).toEqual([401, 401]);
    for (let count = 0; count < 5; count++) expect((await refresh(answers[5].refresh_token)).status).toBe(200);
    expect(await pairsStored()).toEqual([1, 7, 8, 9, 12, 13, 14]);
    expectInvalidToken(await refresh(bob.refresh_token));
    expect(await statusOf(answers[5].token)).toBe(401);
  });

  it.each(['access', 'refresh'])(
    'keeps the current pair if a new one ends just before its first use, by %s token',
    async (kind) => {
      const carol = await signInAgain(world, people.carol);
      const { body: child } = await refresh(carol.refresh_token);
      const other = await world.app.services.db.native.connect();
      try {
        // What refreshes do to the oldest unused pair, committed while its first use waits for the session.
        await other.query('begin');
        await other.query('select 1 from sessions where id = $1 for update', [carol.session_id]);
        const used =
          kind === 'access' ? statusOf(child.token) : refresh(child.refresh_token).then(({ status }) => status);
        await waitForLocks(world, 1);
        await other.query('delete from session_tokens where session_id = $1 and pair = 2', [carol.session_id]);
        await other.query('commit');
        expect(await used).toBe(401);
      } finally {
        other.release();
      }
      expect(await statusOf(carol.token)).toBe(200);
    },
  );

  it('issues refresh tokens valid for 60 days and access tokens valid for an hour', async () => {
    const alice = await signInAgain(world, people.alice);
    await world.clock.advance(60 * 60 + 1);
    expect(await statusOf(alice.token)).toBe(401);
    await world.clock.advance(58 * 24 * 60 * 60);
    const renewed = await refresh(alice.refresh_token);
    expect(await statusOf(renewed.body.token)).toBe(200);
    expectInvalidToken(await refresh(renewed.body.token));
    await world.clock.advance(60 * 24 * 60 * 60 + 1);
    expectInvalidToken(await refresh(renewed.body.refresh_token));
    expectInvalidToken(await refresh('ast_garbage'));
  });

  it('emits session.changed when the new refresh token is the first of its pair to be used', async () => {
    const bob = await signInAgain(world, people.bob);
    const second = await refresh(bob.refresh_token);
    await refresh(second.body.refresh_token);
    expect(await world.events(`session:${bob.session_id}`)).toEqual([
      { type: 'session.changed', data: { session_id: bob.session_id } },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inboxOf } from '../../testing/steps/calls.ts';
import {
  findPersonas,
  newestCode,
  signInAgain,
  verifyMobile,
  type Persona,
  type Personas,
} from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /me/mobile/verify', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const day_s = 24 * 60 * 60;
  /** Sets a number, requests a code, and submits that code or the given one. */
  async function setAndVerify({ token }: Persona, mobile_number: string, code?: string) {
    await world.call('PUT /me/mobile', { token, body: { mobile_number } });
    await world.call('POST /me/mobile/codes', { token, body: {} });
    const sent = await newestCode(world, mobile_number);
    return world.call('POST /me/mobile/verify', { token, body: { code: code ?? sent } });
  }
  const renew = async (persona: Persona): Promise<Persona> => {
    const { body } = await world.call('POST /auth/refresh', { body: { refresh_token: persona.refresh_token } });
    return { ...persona, token: body.token, refresh_token: body.refresh_token };
  };

  it('unlocks the operations that require a verified number', async () => {
    const { uma } = people;
    const none = await world.call('POST /me/mobile/verify', { token: uma.token, body: { code: '123456' } });
    expect([none.status, none.body.error.code]).toEqual([410, 'gone']);
    expect((await world.call('GET /xtags', { token: uma.token })).status).toBe(403);
    const { status, body } = await setAndVerify(uma, uma.mobile_number);
    expect([status, body]).toEqual([200, { mobile_number: uma.mobile_number, mobile_verified: true }]);
    expect((await world.call('GET /xtags', { token: uma.token })).status).toBe(200);
  });

  it('rejects the right code with 410 after five wrong ones', async () => {
    const { token, mobile_number } = people.uma;
    await world.call('PUT /me/mobile', { token, body: { mobile_number } });
    await world.call('POST /me/mobile/codes', { token, body: {} });
    const right = await newestCode(world, mobile_number);
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    const verify = (code: string) => world.call('POST /me/mobile/verify', { token, body: { code } });
    for (let at = 0; at < 5; at++) {
      const { status, body } = await verify(wrong);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['code']]);
    }
    expect((await verify(right)).status).toBe(410);
  });

  it(
    'returns 409 for a number of another account, notifies its owner, and transfers it after seven days',
    slow,
    async () => {
      let { alice, bob } = people;
      const number = alice.mobile_number;
      const taken = await setAndVerify(bob, number);
      expect([taken.status, taken.body.error.code]).toEqual([409, 'mobile_taken']);
      expect((await world.sent(alice.email))[0]?.subject).toContain('mobile number');
      // On all channels: by e-mail, by SMS to the number itself, and in the account, which shows the claim.
      expect((await world.sent(number))[0]?.text).toContain('verify it again within seven days');
      const notifications = (await world.call('GET /notifications', { token: alice.token })).body.items;
      expect(notifications).toMatchObject([
        { kind: 'mobile_claimed', actor: null, text: 'Someone else verified your mobile number', read: false },
      ]);
      expect(await inboxOf(world, alice)).toMatchObject([
        { kind: 'system', from: { user: null, number: null, name: 'Asterism' }, read: false },
      ]);
      const claim = (await world.call('GET /me', { token: alice.token })).body.mobile_claim;
      expect(Date.parse(claim.passes_at) - Date.parse(claim.claimed_at)).toBe(7 * day_s * 1000);
      expect((await world.call('GET /me', { token: bob.token })).body.mobile_claim).toBe(null);
      expect((await world.call('GET /me/mobile', { token: alice.token })).body.mobile_verified).toBe(true);
      await world.clock.advance(6 * day_s);
      [alice, bob] = [await renew(alice), await renew(bob)];
      const letters = (await world.sent(alice.email)).length;
      expect((await setAndVerify(bob, number)).body.error.code).toBe('mobile_taken');
      expect(await world.sent(alice.email)).toHaveLength(letters);
      await world.clock.advance(day_s + 1);
      [alice, bob] = [await renew(alice), await renew(bob)];
      expect((await setAndVerify(bob, number)).status).toBe(200);
      expect((await world.call('GET /me/mobile', { token: alice.token })).body).toEqual({
        mobile_number: number,
        mobile_verified: false,
      });
      expect((await world.call('GET /xtags', { token: alice.token })).status).toBe(403);
      expect((await world.call('GET /xtags', { token: bob.token })).status).toBe(200);
    },
  );

  it('cancels the claim when the owner verifies the number again', async () => {
    let carol = await renew(people.carol);
    let uma = await renew(people.uma);
    expect((await setAndVerify(uma, carol.mobile_number)).status).toBe(409);
    await verifyMobile(world, carol);
    await world.clock.advance(8 * day_s);
    [carol, uma] = [await renew(carol), await renew(uma)];
    expect((await setAndVerify(uma, carol.mobile_number)).status).toBe(409);
    expect((await world.call('GET /xtags', { token: carol.token })).status).toBe(200);
  });

  it('assigns a number to one of several accounts that verify it concurrently', async () => {
    const number = '+14155552672';
    const claimants = [await signInAgain(world, people.bob), await signInAgain(world, people.uma)];
    const verifications: (() => ReturnType<typeof setAndVerify>)[] = [];
    for (const { token } of claimants) {
      await world.call('PUT /me/mobile', { token, body: { mobile_number: number } });
      await world.call('POST /me/mobile/codes', { token, body: {} });
      const code = await newestCode(world, number);
      verifications.push(() => world.call('POST /me/mobile/verify', { token, body: { code } }));
    }
    const answers = await Promise.all(verifications.map((verify) => verify()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestCode, password, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/forgot', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const forgot = (identifier: string) => world.call('POST /auth/forgot', { body: { identifier } });
  const links = async (to: string) => (await world.sent(to)).filter((message) => message.links.length > 0);

  it('sends a link by e-mail for a username, an e-mail address and a mobile number', async () => {
    const { email, mobile_number } = people.alice;
    for (const name of ['alice', ' ALICE@example.org ', mobile_number]) {
      const { status, body } = await forgot(name);
      expect([status, body]).toEqual([202, { status: 'accepted' }]);
    }
    const letters = await links(email);
    expect(letters).toHaveLength(3);
    expect(letters[0]?.links[0]).toMatch(/^http:\/\/asterism\.test\/app\/reset\?token=ast_/);
    expect(await links(mobile_number)).toEqual([]);
  });

  it('sends the link by SMS to an account that only has a verified mobile number', async () => {
    const mobile_number = '+14155552671';
    const started = await world.call('POST /auth/register', { body: { username: 'yves', password, mobile_number } });
    const code = await newestCode(world, mobile_number);
    await world.call('POST /auth/register/verify', {
      body: { registration_id: started.body.registration_id, code },
    });
    await forgot('yves');
    expect((await links(mobile_number))[0]?.channel).toBe('sms');
  });

  it('returns the same 202 for an unknown identifier and sends nothing', async () => {
    for (const name of ['nobody', 'nobody@example.org', '+14155559999', people.uma.mobile_number]) {
      const { status, body } = await forgot(name);
      expect([status, body]).toEqual([202, { status: 'accepted' }]);
      expect(await world.sent(name)).toEqual([]);
    }
    expect(await links(people.uma.email)).toEqual([]);
  });
});

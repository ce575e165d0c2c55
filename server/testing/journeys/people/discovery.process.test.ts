/** What a person can infer about a stranger by repeated requests, each with half of the candidates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../steps/contacts.ts';
import { findPersonas, type Persona, type Personas } from '../../world/personas.ts';
import { createTag } from '../../steps/follows.ts';
import { restoreBeforeEach } from '../../world/restore-world.ts';
import { createWorld, type World } from '../../world/world.ts';

/** The initial candidates; the victim is one of them, so that ten halvings would identify them. */
const candidates = 1_024;

describe('an attacker who halves a list of candidates', () => {
  let world: World;
  let people: Personas;
  let attacker: Persona;
  let victim: Persona;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000000' } });
    people = findPersonas();
    ({ alice: attacker, bob: victim } = people);
    await world.call('PATCH /me', { token: victim.token, body: { display_name: 'Bartholomew Quill' } });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const call = async (route: string, body?: object) => {
    const answer = await world.call(route, { token: attacker.token, ...(body ? { body } : {}) });
    expect([200, 201]).toContain(answer.status);
    return answer.body;
  };

  /** A reply without what differs in every one: identifiers, times, and the candidates themselves. */
  const shapeOf = (answer: unknown, queried: string[]) =>
    JSON.stringify(answer, (key, value) =>
      /^(id|.*_id|.*_at)$/.test(key) ? 'id' : queried.includes(value) ? 'queried' : value,
    );

  /** The replies to an import of contacts with these addresses, and the lists afterwards; the import is rolled back. */
  const importContacts = (field: 'phones' | 'emails') => async (queried: string[]) => {
    const named = queried.map((value) => ({
      name: 'Someone',
      [field]: [field === 'phones' ? { label: 'mobile', number: value } : { label: 'home', address: value }],
    }));
    const preview = await call('POST /contacts/import/preview', { contacts: named });
    const batch = await call('POST /contacts/import', { preview_id: preview.preview_id });
    const listed = await call('GET /contacts?limit=100');
    const found = await call(`GET /contacts?q=${encodeURIComponent(queried[0] ?? '')}`);
    await call(`POST /contacts/imports/${batch.id}/rollback`, {});
    return [preview, batch, listed.items.length, found].map((reply) => shapeOf(reply, queried)).join('\n');
  };

  /**
   * Halves the candidates, always continuing with the half that contains the secret, and compares the replies for the
   * two halves. An attacker who can distinguish the halves finds the secret; otherwise nothing can be inferred.
   */
  async function expectEqualHalves(
    secret: string,
    decoy: (at: number) => string,
    query: (queried: string[]) => Promise<string>,
  ) {
    let remaining = [secret, ...Array.from({ length: candidates - 1 }, (_, at) => decoy(at))];
    for (; remaining.length > 1; remaining = remaining.slice(0, remaining.length / 2)) {
      const halves = [remaining.slice(0, remaining.length / 2), remaining.slice(remaining.length / 2)];
      const [first, second] = [await query(halves[0] ?? []), await query(halves[1] ?? [])];
      expect(first).toBe(second);
    }
  }

  const number = (at: number) => `+1415556${String(at).padStart(4, '0')}`;
  const address = (at: number) => `nobody${at}@example.org`;

  it('cannot find a number by imports', async () => {
    await expectEqualHalves(victim.mobile_number, number, importContacts('phones'));
  });

  it('cannot find an e-mail address by imports', async () => {
    await expectEqualHalves(victim.email, address, importContacts('emails'));
  });

  it('cannot find a name by imports', async () => {
    const query = async (queried: string[]) => {
      const preview = await call('POST /contacts/import/preview', { contacts: queried.map((name) => ({ name })) });
      const batch = await call('POST /contacts/import', { preview_id: preview.preview_id });
      const found = await call(`GET /contacts?q=${encodeURIComponent(queried[0] ?? '')}`);
      await call(`POST /contacts/imports/${batch.id}/rollback`, {});
      return [preview, batch, found].map((reply) => shapeOf(reply, queried)).join('\n');
    };
    await expectEqualHalves('Bartholomew Quill', (at) => `Somebody Else ${String(at).padStart(4, '0')}`, query);
  });

  it('cannot find a name, an e-mail address or a number by commands, which suggest similar names', async () => {
    const answerTo = async (target: string) => {
      const body = { text: `message ${target} hello there`, dry_run: true };
      const { status, body: answer } = await world.call('POST /commands', { token: attacker.token, body });
      return [
        status,
        JSON.stringify(answer)
          .replaceAll(target, 'queried')
          .replaceAll(/\d+,\d+/g, 'span'),
      ];
    };
    for (const [secret, decoy] of [
      ['Bartholomew', 'Bortholamew'],
      ['"Bartholomew Quill"', '"Bortholamew Quall"'],
      [victim.email, victim.email.replace('bob', 'bub')],
      [victim.mobile_number, victim.mobile_number.replace(/.$/, '9')],
    ])
      expect(await answerTo(secret ?? '')).toEqual(await answerTo(decoy ?? ''));
  });

  it('cannot find a name, an e-mail address or a number by searching tags', async () => {
    await createTag(world, victim, 'hideaway', { visibility: 'unlisted' });
    await setReach(world, victim, { find: 'none' });
    const search = async (q: string) => (await call(`GET /xtags/search?q=${encodeURIComponent(q)}`)).items.length;
    for (const secret of ['Bartholomew Quill', 'hideaway', victim.email, victim.mobile_number, victim.username])
      for (let length = 1; length <= secret.length; length++)
        expect([secret.slice(0, length), await search(secret.slice(0, length))]).toEqual([secret.slice(0, length), 0]);
    await setReach(world, victim, { find: 'contacts' });
  });

  it('cannot find a name by the completion of callees, recipients or mentions', async () => {
    const { carol } = people;
    await addContact(world, attacker, { name: 'Carol', phones: [{ number: carol.mobile_number }] });
    for (let length = 1; length <= 'Bartholomew'.length; length++) {
      const q = 'Bartholomew'.slice(0, length);
      const { items } = await call(`GET /contacts?q=${q}`);
      expect(JSON.stringify(items)).not.toContain(victim.id);
    }
    const { body: mine } = await world.call('POST /statuses', {
      token: attacker.token,
      body: { body: 'Who is @bartholomew' },
    });
    expect(mine.mentions).toEqual([]);
  });

  it('finds a person who has them as a contact, which shows that the comparison can fail', async () => {
    const query = importContacts('phones');
    await addContact(world, victim, { name: 'Alice', phones: [{ number: attacker.mobile_number }] });
    await expect(expectEqualHalves(victim.mobile_number, number, query)).rejects.toThrow();
    await setReach(world, victim, { find: 'none' });
    await expectEqualHalves(victim.mobile_number, number, query);
  });
});

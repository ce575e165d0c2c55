/** What somebody learns of a person who does not know them, by asking again and again with half of the candidates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../contacting.ts';
import { findPersonas, type Persona, type Personas } from '../personas.ts';
import { createTag } from '../following.ts';
import { createWorld, type World } from '../world.ts';

/** Candidates to begin with; the victim is one of them, so that ten halvings would find them. */
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

  const call = async (route: string, body?: object) => {
    const answer = await world.call(route, { token: attacker.token, ...(body ? { body } : {}) });
    expect([200, 201]).toContain(answer.status);
    return answer.body;
  };

  /** An answer without what is different in every one: identifiers, times, and the candidates themselves. */
  const shapeOf = (answer: unknown, asked: string[]) =>
    JSON.stringify(answer, (key, value) =>
      /^(id|.*_id|.*_at)$/.test(key) ? 'id' : asked.includes(value) ? 'asked' : value,
    );

  /** What importing contacts with these addresses answers and shows afterwards; what was imported is taken back. */
  const importing = (field: 'phones' | 'emails') => async (asked: string[]) => {
    const named = asked.map((value) => ({
      name: 'Someone',
      [field]: [field === 'phones' ? { label: 'mobile', number: value } : { label: 'home', address: value }],
    }));
    const preview = await call('POST /contacts/import/preview', { contacts: named });
    const batch = await call('POST /contacts/import', { preview_id: preview.preview_id });
    const listed = await call('GET /contacts?limit=100');
    const found = await call(`GET /contacts?q=${encodeURIComponent(asked[0] ?? '')}`);
    await call(`POST /contacts/imports/${batch.id}/rollback`, {});
    return [preview, batch, listed.items.length, found].map((one) => shapeOf(one, asked)).join('\n');
  };

  /**
   * Halves the candidates, always going on with the half that holds the secret, and compares what the two halves answer.
   * An attacker who can tell the halves apart finds the secret; one who cannot learns nothing.
   */
  async function halve(secret: string, decoy: (at: number) => string, ask: (asked: string[]) => Promise<string>) {
    let rest = [secret, ...Array.from({ length: candidates - 1 }, (_, at) => decoy(at))];
    for (; rest.length > 1; rest = rest.slice(0, rest.length / 2)) {
      const halves = [rest.slice(0, rest.length / 2), rest.slice(rest.length / 2)];
      const [first, second] = [await ask(halves[0] ?? []), await ask(halves[1] ?? [])];
      expect(first).toBe(second);
    }
  }

  const number = (at: number) => `+1415556${String(at).padStart(4, '0')}`;
  const address = (at: number) => `nobody${at}@example.org`;

  it('learns nothing of a number by imports', { timeout: 120_000 }, async () => {
    await halve(victim.mobile_number, number, importing('phones'));
  });

  it('learns nothing of an e-mail by imports', { timeout: 120_000 }, async () => {
    await halve(victim.email, address, importing('emails'));
  });

  it('learns nothing of a name by imports', { timeout: 120_000 }, async () => {
    const ask = async (asked: string[]) => {
      const preview = await call('POST /contacts/import/preview', { contacts: asked.map((name) => ({ name })) });
      const batch = await call('POST /contacts/import', { preview_id: preview.preview_id });
      const found = await call(`GET /contacts?q=${encodeURIComponent(asked[0] ?? '')}`);
      await call(`POST /contacts/imports/${batch.id}/rollback`, {});
      return [preview, batch, found].map((one) => shapeOf(one, asked)).join('\n');
    };
    await halve('Bartholomew Quill', (at) => `Somebody Else ${String(at).padStart(4, '0')}`, ask);
  });

  it('learns nothing of a name, an e-mail or a number by commands, which name who is near to what was typed', async () => {
    const answerTo = async (target: string) => {
      const body = { text: `message ${target} hello there`, dry_run: true };
      const { status, body: answer } = await world.call('POST /commands', { token: attacker.token, body });
      return [
        status,
        JSON.stringify(answer)
          .replaceAll(target, 'asked')
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

  it('learns nothing of a name, an e-mail or a number by searching tags', async () => {
    await createTag(world, victim, 'hideaway', { visibility: 'unlisted' });
    await setReach(world, victim, { find: 'none' });
    const search = async (q: string) => (await call(`GET /xtags/search?q=${encodeURIComponent(q)}`)).items.length;
    for (const secret of ['Bartholomew Quill', 'hideaway', victim.email, victim.mobile_number, victim.username])
      for (let length = 1; length <= secret.length; length++)
        expect([secret.slice(0, length), await search(secret.slice(0, length))]).toEqual([secret.slice(0, length), 0]);
    await setReach(world, victim, { find: 'contacts' });
  });

  it('learns nothing of a name by those who are completed while a call, a thread or a mention is written', async () => {
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

  it('finds those who know them, so that the above can fail', async () => {
    const ask = importing('phones');
    await addContact(world, victim, { name: 'Alice', phones: [{ number: attacker.mobile_number }] });
    await expect(halve(victim.mobile_number, number, ask)).rejects.toThrow();
    await setReach(world, victim, { find: 'none' });
    await halve(victim.mobile_number, number, ask);
  });
});

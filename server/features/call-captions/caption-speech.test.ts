import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../testing/listening.ts';
import { drawPng, createWav } from '../../testing/media.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { startRecordableCall } from '../../testing/recording.ts';
import { multipart } from '../../testing/upload.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /calls/{join_code}/captions', () => {
  let world: World;
  let people: Personas;
  let said: string | undefined;
  let isBroken = false;
  let held: Promise<void> | undefined;
  let in_hand = 0;
  let join_code = '';
  beforeAll(async () => {
    world = await createWorld({
      engines: {
        speech: {
          transcribe: async () => {
            if (isBroken) throw new Error('the engine is gone');
            in_hand += 1;
            await held;
            in_hand -= 1;
            return said === undefined ? undefined : { text: said };
          },
          close: async () => undefined,
        },
      },
    });
    people = findPersonas();
    ({ join_code } = await startRecordableCall(world, people.alice, people.bob));
  });
  afterAll(() => world.close());

  const speak = ({ token }: Persona, bytes = createWav(), to = join_code) =>
    world.call(`POST /calls/${to}/captions`, { token, ...multipart(bytes, 'said.wav', 'audio/wav') });

  it('tells those who are in the call what was said, and stores nothing of it', async () => {
    const { alice, bob, carol } = people;
    said = ' Do you hear me ';
    const [by_alice, by_bob, by_carol] = [
      await listen(world, alice),
      await listen(world, bob),
      await listen(world, carol),
    ];
    const { status, body } = await speak(bob);
    expect([status, body]).toEqual([200, { text: 'Do you hear me' }]);
    for (const heard of [by_alice, by_bob])
      await expect
        .poll(() => heard.filter(({ type }) => type === 'call.caption').map(({ data }) => data))
        .toMatchObject([{ join_code, text: 'Do you hear me' }]);
    expect(by_carol.filter(({ type }) => type === 'call.caption')).toEqual([]);
    const { rows } = await world.app.services.db.native.query("select 1 from events where type = 'call.caption'");
    expect(rows).toEqual([]);
  });

  it('is silent for silence, and bounds what it says', async () => {
    said = undefined;
    const heard = await listen(world, people.alice);
    expect((await speak(people.alice)).body).toEqual({ text: '' });
    said = 'a'.repeat(2000);
    expect((await speak(people.alice)).body.text).toHaveLength(500);
    await expect.poll(() => heard.filter(({ type }) => type === 'call.caption').length).toBe(1);
  });

  it('refuses whoever is not in the call, and what is no short sound', async () => {
    said = 'hello';
    expect((await speak(people.carol)).status).toBe(404);
    for (const bytes of [Buffer.from('no sound'), await drawPng(10, 10), createWav(16)]) {
      const { status, body } = await speak(people.alice, bytes);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    }
    const large = await speak(people.alice, Buffer.alloc(600 * 1024));
    expect(large.status).toBe(413);
  });

  it('has three pieces of one account in hand, and room for others beside them', async () => {
    let release = () => {};
    held = new Promise((resolve) => (release = resolve));
    said = 'hello';
    const first = Array.from({ length: 4 }, () => speak(people.alice));
    const refused = await Promise.race(first);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    const other = speak(people.bob);
    await expect.poll(() => in_hand).toBe(4);
    release();
    held = undefined;
    expect((await other).status).toBe(200);
    expect((await Promise.all(first)).map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 503]);
  });

  it('says that it is unavailable when the engine fails, and where there is none', async () => {
    isBroken = true;
    expect((await speak(people.alice)).status).toBe(503);
    isBroken = false;
    const silent = await createWorld();
    const call = await startRecordableCall(silent, people.alice, people.bob);
    const bare = await silent.call(`POST /calls/${call.join_code}/captions`, {
      token: people.alice.token,
      ...multipart(createWav(), 'said.wav', 'audio/wav'),
    });
    expect([bare.status, bare.body.error.code]).toEqual([503, 'unavailable']);
    const grants = await Promise.all(
      [world, silent].map((one, at) =>
        one.call(`POST /calls/${at === 0 ? join_code : call.join_code}/sfu-grant`, {
          token: people.alice.token,
          body: {},
        }),
      ),
    );
    expect(grants.map(({ body }) => body.captions)).toEqual([true, false]);
    await silent.close();
  });
});

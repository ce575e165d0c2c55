import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../testing/world/listening.ts';
import { drawPng, createWav } from '../../testing/samples/media.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/{join_code}/captions', () => {
  let world: World;
  let people: Personas;
  let transcript: string | undefined;
  let isBroken = false;
  let blocked: Promise<void> | undefined;
  let running = 0;
  let join_code = '';
  beforeAll(async () => {
    world = await createWorld({
      engines: {
        speech: {
          transcribe: async () => {
            if (isBroken) throw new Error('the engine is gone');
            running += 1;
            await blocked;
            running -= 1;
            return transcript === undefined ? undefined : { text: transcript };
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
    world.call(`POST /calls/${to}/captions`, { token, ...multipart(bytes, 'speech.wav', 'audio/wav') });

  it('emits call.caption to those in the call, and stores nothing', slow, async () => {
    const { alice, bob, carol } = people;
    transcript = ' Do you hear me ';
    const [by_alice, by_bob, by_carol] = [
      await listen(world, alice),
      await listen(world, bob),
      await listen(world, carol),
    ];
    const { status, body } = await speak(bob);
    expect([status, body]).toEqual([200, { text: 'Do you hear me' }]);
    for (const events of [by_alice, by_bob])
      await expect
        .poll(() => events.filter(({ type }) => type === 'call.caption').map(({ data }) => data))
        .toMatchObject([{ join_code, text: 'Do you hear me' }]);
    expect(by_carol.filter(({ type }) => type === 'call.caption')).toEqual([]);
    const { rows } = await world.app.services.db.native.query("select 1 from events where type = 'call.caption'");
    expect(rows).toEqual([]);
  });

  it('emits nothing for silence, and truncates text at 500 characters', async () => {
    transcript = undefined;
    const events = await listen(world, people.alice);
    expect((await speak(people.alice)).body).toEqual({ text: '' });
    transcript = 'a'.repeat(2000);
    expect((await speak(people.alice)).body.text).toHaveLength(500);
    await expect.poll(() => events.filter(({ type }) => type === 'call.caption').length).toBe(1);
  });

  it('returns 404 to those outside of the call, 422 for invalid audio and 413 for a large file', async () => {
    transcript = 'hello';
    expect((await speak(people.carol)).status).toBe(404);
    for (const bytes of [Buffer.from('no sound'), await drawPng(10, 10), createWav(16)]) {
      const { status, body } = await speak(people.alice, bytes);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    }
    const large = await speak(people.alice, Buffer.alloc(600 * 1024));
    expect(large.status).toBe(413);
  });

  it('processes three pieces of speech per account at once, with capacity left for other accounts', async () => {
    let release = () => {};
    blocked = new Promise((resolve) => (release = resolve));
    transcript = 'hello';
    const first = Array.from({ length: 4 }, () => speak(people.alice));
    const refused = await Promise.race(first);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    const of_bob = speak(people.bob);
    await expect.poll(() => running).toBe(4);
    release();
    blocked = undefined;
    expect((await of_bob).status).toBe(200);
    expect((await Promise.all(first)).map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 503]);
  });

  it('returns 503 when the engine fails or none is configured', slow, async () => {
    isBroken = true;
    expect((await speak(people.alice)).status).toBe(503);
    isBroken = false;
    const silent = await createWorld();
    const call = await startRecordableCall(silent, people.alice, people.bob);
    const bare = await silent.call(`POST /calls/${call.join_code}/captions`, {
      token: people.alice.token,
      ...multipart(createWav(), 'speech.wav', 'audio/wav'),
    });
    expect([bare.status, bare.body.error.code]).toEqual([503, 'unavailable']);
    const grants = await Promise.all(
      [world, silent].map((instance, at) =>
        instance.call(`POST /calls/${at === 0 ? join_code : call.join_code}/sfu-grant`, {
          token: people.alice.token,
          body: {},
        }),
      ),
    );
    expect(grants.map(({ body }) => body.captions)).toEqual([true, false]);
    await silent.close();
  });
});

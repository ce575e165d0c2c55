import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPng, createWav } from '../../testing/samples/media.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /commands/voice', () => {
  let world: World;
  let people: Personas;
  let result: { text: string; confidence?: number } | undefined;
  let phrases: readonly string[] = [];
  let fails = false;
  let slow: PromiseWithResolvers<void> | undefined;
  beforeAll(async () => {
    world = await createWorld({
      engines: {
        speech: {
          transcribe: async (_bytes, _type, hints) => {
            phrases = hints?.phrases ?? [];
            if (fails) throw new Error('the engine is gone');
            await slow?.promise;
            return result;
          },
          close: async () => undefined,
        },
      },
    });
    people = findPersonas();
    await createTag(world, people.bob, 'jazz');
  });
  afterAll(() => world.close());

  const speak = (bytes = createWav(), instance: World = world) =>
    instance.call('POST /commands/voice', {
      token: people.alice.token,
      ...multipart(bytes, 'speech.wav', 'audio/wav'),
    });

  it('returns the transcript and the parsed command without running it', async () => {
    result = { text: 'follow star jazz.', confidence: 0.9 };
    const { status, body } = await speak();
    expect([status, body]).toEqual([
      200,
      {
        transcript: 'follow star jazz.',
        confidence: 0.9,
        command: { understood: true, command: 'follow', arguments: { tag: '*jazz' }, preview: 'Follow *jazz.' },
      },
    ]);
    expect(phrases).toContain('remind');
    const { body: follows } = await world.call('GET /follows', { token: people.alice.token });
    expect(follows.items).toEqual([]);
  });

  it('returns command null if the transcript is not a command or names nobody, and an empty transcript for silence', async () => {
    result = { text: 'what a lovely day' };
    expect((await speak()).body).toEqual({ transcript: 'what a lovely day', confidence: 0.3, command: null });
    result = { text: 'text zoe hello' };
    expect((await speak()).body.command).toBeNull();
    result = undefined;
    expect((await speak()).body).toEqual({ transcript: '', confidence: 0, command: null });
  });

  it('rejects invalid and too long audio with 422', async () => {
    for (const bytes of [Buffer.from('no sound'), await drawPng(10, 10), createWav(31)]) {
      const { status, body } = await speak(bytes);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    }
  });

  it('does not make the uploads of others wait for the engine', async () => {
    const { alice, bob, carol } = people;
    result = { text: 'help' };
    slow = Promise.withResolvers();
    const voices = [alice, bob].map(({ token }) =>
      world.call('POST /commands/voice', { token, ...multipart(createWav(), 'speech.wav', 'audio/wav') }),
    );
    await expect.poll(() => phrases.length).toBeGreaterThan(0);
    phrases = [];
    const picture = multipart(await drawPng(10, 10));
    expect((await world.call('POST /files', { token: carol.token, ...picture })).status).toBe(201);
    slow.resolve();
    expect((await Promise.all(voices)).map(({ status }) => status)).toEqual([200, 200]);
    slow = undefined;
  });

  it('returns 503 when the engine fails or none is configured', async () => {
    fails = true;
    expect((await speak()).status).toBe(503);
    fails = false;
    const silent = await createWorld();
    const answer = await speak(createWav(), silent);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    await silent.close();
  });
});

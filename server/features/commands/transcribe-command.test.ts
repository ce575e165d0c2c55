import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPng, createWav } from '../../testing/media.ts';
import { createTag } from '../../testing/following.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { multipart } from '../../testing/upload.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /commands/voice', () => {
  let world: World;
  let people: Personas;
  let said: { text: string; confidence?: number } | undefined;
  let phrases: readonly string[] = [];
  let fails = false;
  beforeAll(async () => {
    world = await createWorld({
      engines: {
        speech: {
          transcribe: async (_bytes, _type, hints) => {
            phrases = hints?.phrases ?? [];
            if (fails) throw new Error('the engine is gone');
            return said;
          },
          close: async () => undefined,
        },
      },
    });
    people = findPersonas();
    await createTag(world, people.bob, 'jazz');
  });
  afterAll(() => world.close());

  const speak = (bytes = createWav(), more: World = world) =>
    more.call('POST /commands/voice', { token: people.alice.token, ...multipart(bytes, 'said.wav', 'audio/wav') });

  it('writes down what was said and parses it, and runs nothing', async () => {
    said = { text: 'follow star jazz.', confidence: 0.9 };
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

  it('answers no command for what is none, and nothing for silence', async () => {
    said = { text: 'what a lovely day' };
    expect((await speak()).body).toEqual({ transcript: 'what a lovely day', confidence: 0.3, command: null });
    said = { text: 'text zoe hello' };
    expect((await speak()).body.command).toBeNull();
    said = undefined;
    expect((await speak()).body).toEqual({ transcript: '', confidence: 0, command: null });
  });

  it('refuses what is no sound, and what is too long', async () => {
    for (const bytes of [Buffer.from('no sound'), await drawPng(10, 10), createWav(31)]) {
      const { status, body } = await speak(bytes);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    }
  });

  it('says that it is unavailable when the engine fails, and where there is none', async () => {
    fails = true;
    expect((await speak()).status).toBe(503);
    fails = false;
    const silent = await createWorld();
    const answer = await speak(createWav(), silent);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    await silent.close();
  });
});

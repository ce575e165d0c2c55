import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { change } from '../../kernel/services.ts';
import { createWav, upload, uploadPicture } from '../../testing/samples/media.ts';
import { eventsOf } from '../../testing/steps/messages.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { findPersonas, advanceDays, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { lifecycle } from './lifecycle.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /files/{file_id}/transcript', () => {
  let world: World;
  let people: Personas;
  /** What the engine recognises next: a text, nothing, or an error. */
  let recognise: () => Promise<{ text: string } | undefined>;
  let runs = 0;
  beforeAll(async () => {
    const transcribe = () => {
      runs += 1;
      return recognise();
    };
    world = await createWorld({ engines: { speech: { transcribe, close: () => Promise.resolve() } } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  beforeEach(() => {
    runs = 0;
    recognise = () => Promise.resolve({ text: ' See you at eight. ' });
  });

  const uploadVoice = async (owner: Persona, seconds = 2) => (await upload(world, owner, createWav(seconds))).body;
  const request = async ({ token }: Persona, { id }: { id: string }) => {
    const { status, body } = await world.call(`POST /files/${id}/transcript`, { token, body: {} });
    return [status, body.error?.code ?? body.status, body.transcript];
  };
  const heard = (who: Persona) => eventsOf(world, who, 'file.transcribed');
  const pending = [200, 'pending', null];
  const ready = [200, 'ready', 'See you at eight.'];

  it('recognises speech once, and tells all who have asked', slow, async () => {
    const { alice, bob } = people;
    const voice = await uploadVoice(alice);
    expect(voice.transcribable).toBe(true);
    await postStatus(world, alice, 'Listen', { media: [voice.id] });
    expect([await request(alice, voice), await request(bob, voice), await request(bob, voice)]).toEqual([
      pending,
      pending,
      pending,
    ]);
    await world.settle();
    expect([await heard(alice), await heard(bob)]).toEqual([[{ file_id: voice.id }], [{ file_id: voice.id }]]);
    expect([await request(alice, voice), await request(bob, voice)]).toEqual([ready, ready]);
    await world.settle();
    expect([runs, (await heard(bob)).length]).toEqual([1, 1]);
  });

  it('finds only files that the caller may open, as long as they may', slow, async () => {
    const { alice, bob } = people;
    const voice = await uploadVoice(alice);
    expect((await request(bob, voice))[0]).toBe(404);
    const status = await postStatus(world, alice, 'Listen', { media: [voice.id] });
    await request(bob, voice);
    await world.settle();
    expect(await request(bob, voice)).toEqual(ready);
    await world.call(`DELETE /statuses/${status.id}`, { token: alice.token });
    expect((await request(bob, voice))[0]).toBe(404);
  });

  it('says when there is no speech, and refuses what has none', slow, async () => {
    const { alice } = people;
    recognise = () => Promise.resolve(undefined);
    const [voice, picture, long] = [
      await uploadVoice(alice),
      await uploadPicture(world, alice),
      await uploadVoice(alice, 301),
    ];
    await request(alice, voice);
    await world.settle();
    expect(await request(alice, voice)).toEqual([200, 'none', null]);
    for (const other of [picture, long]) {
      expect(await request(alice, other)).toEqual([422, 'validation_failed', undefined]);
      expect(other).not.toHaveProperty('transcribable');
    }
  });

  it('is tried again after an error, and by a later request after the last one', async () => {
    const { alice } = people;
    const voice = await uploadVoice(alice);
    recognise = () => Promise.reject(new Error('the speech server answered 500'));
    await request(alice, voice);
    await world.settle();
    await advanceDays(world, 0.1);
    await world.settle();
    expect(await request(alice, voice)).toEqual(pending);
    recognise = () => Promise.resolve({ text: 'See you at eight.' });
    await advanceDays(world, 0.1);
    await world.settle();
    expect([await request(alice, voice), (await heard(alice)).length]).toEqual([ready, 1]);
  });

  it('is not tried once more by each request while it fails', async () => {
    const { alice } = people;
    const voice = await uploadVoice(alice);
    recognise = () => Promise.reject(new Error('the speech server answered 400'));
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await request(alice, voice)).toEqual(pending);
      await world.settle();
    }
    expect(runs).toBe(1);
  });

  it('forgets after a day who has asked in vain', async () => {
    const { alice } = people;
    recognise = () => Promise.reject(new Error('the speech server answered 500'));
    await request(alice, await uploadVoice(alice));
    const waiting = async () =>
      (await world.app.services.db.native.query('select 1 from transcript_requests')).rows.length;
    expect(await waiting()).toBe(1);
    const expire = () => change(world.app.services, async (tx) => lifecycle.expire?.(tx, 100));
    await expire();
    expect(await waiting()).toBe(1);
    await advanceDays(world, 1.1);
    await expire();
    expect(await waiting()).toBe(0);
  });

  it('has a budget by duration, which what is transcribed already does not use', slow, async () => {
    const { alice } = people;
    const voice = await uploadVoice(alice, 290);
    await request(alice, voice);
    await world.settle();
    for (let turn = 0; turn < 20; turn += 1) expect(await request(alice, voice)).toEqual(ready);
    const answers = [];
    for (let turn = 0; turn < 6; turn += 1) answers.push((await request(alice, await uploadVoice(alice, 290)))[0]);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('POST /files/{file_id}/transcript without a speech engine', () => {
  it('is not available, and no file says it was', slow, async () => {
    const world = await createWorld();
    try {
      const { alice } = findPersonas();
      const { body: voice } = await upload(world, alice, createWav());
      expect(voice).not.toHaveProperty('transcribable');
      const { status, body } = await world.call(`POST /files/${voice.id}/transcript`, { token: alice.token, body: {} });
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
    } finally {
      await world.close();
    }
  });
});

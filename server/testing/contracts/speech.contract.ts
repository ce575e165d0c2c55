/** What every engine that writes speech down does, and what the lack of one does. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Speech } from '../../engines/ports.ts';

export type SpeechTarget = {
  speech: Speech;
  /** A sound with words, and one of its words as it may be written; undefined where there is no engine. */
  said: { bytes: Uint8Array; content_type: string; word: string } | undefined;
  close(): Promise<void>;
};

/** Declares the suite's tests. */
export function testSpeech(open: () => Promise<SpeechTarget>): void {
  let target: SpeechTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.speech.close();
    await target.close();
  });

  it('writes down what is said, or says that there is no engine', async () => {
    const { speech, said } = target;
    expect(speech.is_absent === true).toBe(said === undefined);
    if (!said) return;
    const heard = await speech.transcribe(said.bytes, said.content_type);
    expect(heard?.text.toLowerCase()).toContain(said.word);
    if (heard?.confidence === undefined) return;
    expect(heard.confidence).toBeGreaterThanOrEqual(0);
    expect(heard.confidence).toBeLessThanOrEqual(1);
  });

  it('answers nothing for what is no sound', async () => {
    expect(await target.speech.transcribe(Buffer.from('no sound at all'), 'audio/wav')).toBeUndefined();
    expect(await target.speech.transcribe(new Uint8Array(), 'audio/wav')).toBeUndefined();
  });

  it('takes hints, and several sounds at once', async () => {
    const { speech, said } = target;
    const { bytes, content_type } = said ?? { bytes: Buffer.from('nothing'), content_type: 'audio/wav' };
    const hints = { phrases: ['call', 'message'], timeout_ms: 20_000 };
    const all = await Promise.all([1, 2, 3].map(() => speech.transcribe(bytes, content_type, hints)));
    for (const heard of all) expect(heard === undefined).toBe(said === undefined);
  });
}

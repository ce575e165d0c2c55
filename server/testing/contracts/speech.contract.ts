/** What every speech engine must do, and what the absence of one does. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Speech } from '../../engines/ports.ts';

/** The engine under test, and what it is to recognise. */
export type SpeechTarget = {
  speech: Speech;
  /** Audio with speech, and one of its words as it may be transcribed; undefined where there is no engine. */
  sample: { bytes: Uint8Array; content_type: string; word: string } | undefined;
  close(): Promise<void>;
};

/** Declares the suite's tests. @param open starts the target, once */
export function testSpeech(open: () => Promise<SpeechTarget>): void {
  let target: SpeechTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.speech.close();
    await target.close();
  });

  it('transcribes speech, or reports that there is no engine', async () => {
    const { speech, sample: said } = target;
    expect(speech.is_absent === true).toBe(said === undefined);
    if (!said) return;
    const transcript = await speech.transcribe(said.bytes, said.content_type);
    expect(transcript?.text.toLowerCase()).toContain(said.word);
    if (transcript?.confidence === undefined) return;
    expect(transcript.confidence).toBeGreaterThanOrEqual(0);
    expect(transcript.confidence).toBeLessThanOrEqual(1);
  });

  it('returns undefined for data that is not audio', async () => {
    expect(await target.speech.transcribe(Buffer.from('no sound at all'), 'audio/wav')).toBeUndefined();
    expect(await target.speech.transcribe(new Uint8Array(), 'audio/wav')).toBeUndefined();
  });

  it('accepts hints, and several recordings at once', async () => {
    const { speech, sample: said } = target;
    const { bytes, content_type } = said ?? { bytes: Buffer.from('nothing'), content_type: 'audio/wav' };
    const hints = { phrases: ['call', 'message'], timeout_ms: 20_000 };
    const transcripts = await Promise.all([1, 2, 3].map(() => speech.transcribe(bytes, content_type, hints)));
    for (const transcript of transcripts) expect(transcript === undefined).toBe(said === undefined);
  });
}

import { expect, it } from 'vitest';
import { createWav } from '../../testing/media.ts';
import type { InspectedUpload } from './media.ts';
import { run } from './media.task.ts';

it.each([0, 1, 2, 3])('hears sound that begins %i bytes into the message that brought it', async (offset) => {
  const wav = createWav();
  const message = new Uint8Array(wav.length + offset);
  message.set(wav, offset);
  const looked = (await run({ act: 'examine', bytes: message.subarray(offset) })) as InspectedUpload;
  expect([looked.kind, looked.waveform?.length]).toEqual(['audio', 100]);
});

import { expect, it } from 'vitest';
import { createWav } from '../../testing/samples/media.ts';
import type { InspectedUpload } from './media.ts';
import { run } from './media.task.ts';

it.each([0, 1, 2, 3])('reads audio at an offset of %i bytes in its buffer', async (offset) => {
  const wav = createWav();
  const message = new Uint8Array(wav.length + offset);
  message.set(wav, offset);
  const inspected = (await run({ act: 'examine', bytes: message.subarray(offset) })) as InspectedUpload;
  expect([inspected.kind, inspected.waveform?.length]).toEqual(['audio', 100]);
});

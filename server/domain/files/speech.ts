/** Recognition of the speech in stored files. */
import { buffer } from 'node:stream/consumers';
import type { Services } from '../../kernel/services.ts';
import { blobKey } from './uploads.ts';

/** The maximum of a transcript, in characters. */
const max_letters = 10_000;

/**
 * The transcript of a file: empty where no speech is recognised, undefined when its bytes are gone.
 * @throws when a retry makes sense
 */
export async function recogniseSpeech(
  { blobs, speech }: Services,
  { id, content_type }: { id: string; content_type: string },
): Promise<string | undefined> {
  const stored = await blobs.get(blobKey(id, 'main'));
  if (!stored) return undefined;
  const recognised = await speech.transcribe(await buffer(stored.body), content_type);
  return recognised?.text.trim().slice(0, max_letters) ?? '';
}

import { recogniseSpeech } from '../../domain/files/speech.ts';
import { blobKey, fileOfKey } from '../../domain/files/uploads.ts';
import { timeOfId } from '../../kernel/id.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { fileTranscribed } from './events.ts';
import {
  deleteUnused,
  selectKnown,
  selectUntranscribed,
  storeTranscript,
  subtractStorage,
  takeRequests,
} from './queries.ts';

/** How long a file may stay unattached, and bytes without a file, in seconds. */
const unused_term_s = 24 * 60 * 60;
const sweep_every_s = 24 * 60 * 60;
/** The number of files per transaction. */
const portion = 100;

/** Deletes the stored bytes of a deleted file. */
export const removeBlobs = job<{ keys: string[] }>({
  name: 'files.remove-blobs',
  max_attempts: 10,
  lane: 'providers',
  async run({ keys }, services) {
    for (const key of keys) await services.blobs.remove(key);
  },
});

/**
 * Deletes files that have been unattached for a day, and those of deleted accounts, and updates the storage counters.
 */
export const collectFiles = job<Record<string, never>>({
  name: 'files.collect',
  max_attempts: 5,
  async run(_nothing, services) {
    while ((await collectPortion(services)) === portion);
  },
});

/**
 * Attaching a file updates its row: a file that is being attached is skipped, and one that is being deleted is not
 * found by a transaction that waits for it. The foreign key of `file_uses` guarantees both.
 */
function collectPortion(services: Services): Promise<number> {
  return inChange(services, async ({ db, now, enqueue }) => {
    const gone = await deleteUnused(db, after(now, -unused_term_s), portion);
    const sums = new Map<string, number>();
    for (const one of gone) sums.set(one.owner_id, (sums.get(one.owner_id) ?? 0) + Number(one.size_bytes));
    for (const [owner_id, bytes] of [...sums].sort()) await subtractStorage(db, owner_id, bytes);
    for (const { id, variants } of gone)
      enqueue(removeBlobs, { keys: ['main', ...variants.map(({ name }) => name)].map((name) => blobKey(id, name)) });
    return gone.length;
  });
}

/** Deletes bytes without a file, left by uploads that a crash of the service interrupted. Once a day. */
export const sweepBlobs = job<Record<string, never>>({
  name: 'files.sweep',
  max_attempts: 3,
  lane: 'providers',
  async run(_nothing, services) {
    const now = services.clock.now();
    await inChange(services, async ({ enqueue }) => planSweep(enqueue, after(now, sweep_every_s)));
    let keys: string[] = [];
    for await (const key of services.blobs.list('files/')) {
      // The identifier contains its time: newer bytes may belong to an upload in progress.
      if (timeOfId(fileOfKey(key)) > after(now, -unused_term_s)) continue;
      keys.push(key);
      if (keys.length < 1000) continue;
      await removeUnnamed(services, keys);
      keys = [];
    }
    await removeUnnamed(services, keys);
  },
});

/** Ensures that the next sweep is queued. */
export function planSweep(enqueue: Parameters<Parameters<typeof inChange>[1]>[0]['enqueue'], run_at: Date): void {
  enqueue(sweepBlobs, {}, { key: 'files.sweep', run_at });
}

async function removeUnnamed(services: Services, keys: string[]): Promise<void> {
  const ids = [...new Set(keys.map(fileOfKey))];
  const known = await selectKnown(services.db, ids);
  for (const key of keys) if (!known.has(fileOfKey(key))) await services.blobs.remove(key);
}

/** Transcribes a file once, and notifies those who requested it. */
export const transcribeFile = job<{ file_id: string }>({
  name: 'files.transcribe',
  max_attempts: 3,
  lane: 'providers',
  async run({ file_id }, services) {
    const file = await selectUntranscribed(services.db, file_id);
    if (file) {
      const transcript = await recogniseSpeech(services, file);
      if (transcript === undefined) return;
      await storeTranscript(services.db, file_id, transcript);
    }
    // Includes those who requested it during the recognition.
    while ((await announceTranscript(services, file_id)) === portion);
  },
});

/** Notifies a portion of those who requested a transcript that it is available; returns their number. */
function announceTranscript(services: Services, file_id: string): Promise<number> {
  return inChange(services, async ({ db, emit }) => {
    const readers = await takeRequests(db, file_id, portion);
    if (readers.length > 0)
      emit(
        fileTranscribed,
        readers.map((user_id) => `user:${user_id}` as const),
        { file_id },
      );
    return readers.length;
  });
}

/** Ends running recordings that their owner, or the disk, has no space for. */
import type { Recorded, RecordingSize } from '../../../engines/ports.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { change as inChange, type Change, type Services } from '../../../kernel/services.ts';
import { isStorageFull } from '../../files/uploads.ts';

type Own = { id: string; started_by: string };

/**
 * The bytes that the recordings of this node will add to the storage of their owners: of those that run, and of those that
 * wait to be mixed. An entry is removed when its files are counted in the storage.
 */
const expected_of = new WeakMap<Services['recorder'], Map<string, { owner_id: string; bytes: number }>>();

function expectedOf({ recorder }: Pick<Services, 'recorder'>) {
  const expected = expected_of.get(recorder) ?? new Map<string, { owner_id: string; bytes: number }>();
  expected_of.set(recorder, expected);
  return expected;
}

type Written = Omit<RecordingSize, 'free_bytes'>;

/** Notes what a recording has written. @returns the bytes that its files will have */
function expectFiles(services: Services, { id, started_by: owner_id }: Own, written: Written): number {
  const { transcoder, limits } = services;
  const { audio_bytes, video_bytes, duration_ms } = written;
  // Many cameras become one picture; without an encoder of video only audio is kept.
  const kept_bytes = audio_bytes + (transcoder.makes_video ? video_bytes : 0);
  const bytes = Math.ceil(Math.min(kept_bytes, (duration_ms / 1000) * limits.recording_bytes_per_second));
  expectedOf(services).set(id, { owner_id, bytes });
  return bytes;
}

/** Notes that a recording is about to start. */
export function expectRecording(services: Services, row: Own): void {
  expectFiles(services, row, { audio_bytes: 0, video_bytes: 0, duration_ms: 0 });
}

/** Notes what a recording that has ended has written. */
export function expectRecorded(services: Services, row: Own, { tracks, videos, duration_ms }: Recorded): void {
  const sizeOf = (files: { size_bytes: number }[]) => files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  expectFiles(services, row, { audio_bytes: sizeOf(tracks), video_bytes: sizeOf(videos), duration_ms });
}

/** Forgets a recording: its files are counted in the storage of its owner now, or there are none. */
export function forgetFiles(services: Services, recording_id: string): void {
  expectedOf(services).delete(recording_id);
}

/** Whether the storage of an account is used up, by what is stored and by what its recordings will add. */
export async function isFullWithRecordings(services: Services, db: Queryable, owner_id: string): Promise<boolean> {
  let bytes = 0;
  for (const one of expectedOf(services).values()) if (one.owner_id === owner_id) bytes += one.bytes;
  return isStorageFull(db, owner_id, bytes);
}

/**
 * Whether a running recording must end. If so it is marked as one that was stopped, so that it is processed like any other,
 * and is not continued.
 * @param notify reports to the participants of the call that the recording has ended
 */
export async function endIfFull(
  services: Services,
  row: Own,
  size: RecordingSize,
  notify: (change: Change) => Promise<void>,
): Promise<boolean> {
  // It may have ended while its size was read.
  if (!expectedOf(services).has(row.id)) return false;
  const bytes = expectFiles(services, row, size);
  const { recording_disk_bytes, recording_copies } = services.limits;
  const is_disk_full = size.free_bytes < recording_disk_bytes + recording_copies * bytes;
  if (!is_disk_full && !(await isFullWithRecordings(services, services.db, row.started_by))) return false;
  const ended = await inChange(services, async (change) => {
    const count = await change.db.run(sql`
      update recordings set state = 'processing' where id = ${row.id} and state = 'recording'`);
    if (count > 0) await notify(change);
    return count > 0;
  });
  const cause = is_disk_full ? 'the disk has too little space' : 'the storage of its owner is used up';
  if (ended) services.log.warn({ recording_id: row.id, ...size }, `a recording was ended: ${cause}`);
  return ended;
}

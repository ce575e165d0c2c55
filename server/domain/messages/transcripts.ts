/** Transcripts of inbox messages, created after their delivery. */
import { buffer } from 'node:stream/consumers';
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange } from '../../kernel/services.ts';
import { emitInbox } from '../inbox/inbox.ts';
import { blobKey } from '../files/uploads.ts';

const max_letters = 10_000;

/** Transcribes a message and notifies its owner again. Does nothing without a speech engine. */
export const transcribeMessage = job<{ message_id: string }>({
  name: 'inbox.transcribe',
  max_attempts: 3,
  lane: 'providers',
  async run({ message_id }, services) {
    const message = await services.db.maybe<{ file_id: string; content_type: string }>(sql`
      select m.file_id, fi.content_type from inbox_messages m join files fi on fi.id = m.file_id
      where m.id = ${message_id} and m.transcript is null`);
    const stored = message && (await services.blobs.get(blobKey(message.file_id, 'main')));
    if (!stored) return;
    const recognised = await services.speech.transcribe(await buffer(stored.body), message.content_type);
    const transcript = recognised?.text.trim().slice(0, max_letters);
    if (!transcript) return;
    await inChange(services, async (change) => {
      const written = await change.db.run(
        sql`update inbox_messages set transcript = ${transcript} where id = ${message_id} and transcript is null`,
      );
      if (written > 0) await emitInbox(change, [message_id]);
    });
  },
});

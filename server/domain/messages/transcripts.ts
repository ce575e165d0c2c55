/** Transcripts of inbox messages, created after their delivery. */
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange } from '../../kernel/services.ts';
import { recogniseSpeech } from '../files/speech.ts';
import { emitInbox } from '../inbox/inbox.ts';

/** Transcribes a message and notifies its owner again. Does nothing without a speech engine. */
export const transcribeMessage = job<{ message_id: string }>({
  name: 'inbox.transcribe',
  max_attempts: 3,
  lane: 'providers',
  async run({ message_id }, services) {
    const file = await services.db.maybe<{ id: string; content_type: string }>(sql`
      select fi.id, fi.content_type from inbox_messages m join files fi on fi.id = m.file_id
      where m.id = ${message_id} and m.transcript is null`);
    const transcript = file && (await recogniseSpeech(services, file));
    if (!transcript) return;
    await inChange(services, async (change) => {
      const written = await change.db.run(
        sql`update inbox_messages set transcript = ${transcript} where id = ${message_id} and transcript is null`,
      );
      if (written > 0) await emitInbox(change, [message_id]);
    });
  },
});

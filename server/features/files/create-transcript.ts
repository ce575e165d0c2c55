import { isTranscribable, requireFile } from '../../domain/files/files.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, nullable, object, oneOf, Type } from '../../kernel/schema.ts';
import { transcribeFile } from './jobs.ts';
import { requestTranscript } from './queries.ts';

const FileTranscript = component(
  'FileTranscript',
  object({
    status: {
      ...oneOf('pending', 'ready', 'none'),
      description: '`file.transcribed` reports the end of `pending`. With `none`, no speech was recognised.',
    },
    transcript: nullable(Type.String()),
  }),
);

export const createTranscript = endpoint({
  id: 'createTranscript',
  route: 'POST /files/{file_id}/transcript',
  summary: 'Transcribe a file',
  description: `The speech of audio or video of up to ${default_limits.transcript_s / 60} minutes, as text. It is recognised once, for everybody who may open the file.`,
  extension: true,
  idempotent: false,
  path: object({ file_id: idOf('file') }),
  reply: FileTranscript,
  errors: ['unavailable'],
  async run({ caller, path: { file_id }, db, now, services, consume, enqueue }) {
    const file = await requireFile(db, file_id, caller.user_id);
    if (services.speech.is_absent)
      fail('unavailable', { message: 'Speech recognition is not available on this service.', cause: 'no engine' });
    if (!isTranscribable(file))
      invalid({ file_id: `is not audio or video of up to ${default_limits.transcript_s} seconds` });
    const known = await requestTranscript(db, file_id, caller.user_id, now);
    if (known.transcript !== null) {
      const is_empty = known.transcript === '';
      return { status: is_empty ? ('none' as const) : ('ready' as const), transcript: known.transcript || null };
    }
    if (known.is_new_request || known.is_due)
      await consume('transcript', caller.user_id, Math.ceil(file.duration_s ?? 1));
    // One at a time: recognising speech takes as long as it lasts, and other jobs of its lane must not wait for it.
    if (known.is_due) enqueue(transcribeFile, { file_id }, { key: `transcribe:${file_id}`, queue: 'speech' });
    return { status: 'pending' as const, transcript: null };
  },
});

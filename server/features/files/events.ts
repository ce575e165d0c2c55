import { event } from '../../kernel/event.ts';
import { idOf, object } from '../../kernel/schema.ts';

/** Does not contain the transcript: a client requests it again, provided that its user may still open the file. */
export const fileTranscribed = event(
  'file.transcribed',
  'The transcript that you requested is available.',
  object({ file_id: idOf('file') }),
);

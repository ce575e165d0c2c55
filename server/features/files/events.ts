import { event } from '../../kernel/event.ts';
import { idOf, object } from '../../kernel/schema.ts';

/** Without the text itself, which whoever may still open the file requests once more. */
export const fileTranscribed = event(
  'file.transcribed',
  'The transcript that you requested is available.',
  object({ file_id: idOf('file') }),
);

import { countFiles } from '../../../i18n/file-count.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { describeDuration } from '../../../ui/when.tsx';
import { nameOfFile } from '../../files/file-text.ts';
import type { ShownMessage } from '../chat-message.ts';

/** The files of a message by their number and kind: "3 photos". */
function nameFiles(files: readonly { kind: string }[]): string {
  const [first] = files;
  const is_one_kind = files.every(({ kind }) => kind === first?.kind);
  return countFiles(files.length, is_one_kind ? first?.kind : undefined);
}

/** A message as one short line. */
export function summarise({ body, files, deleted }: Pick<ShownMessage, 'body' | 'files' | 'deleted'>): string {
  if (deleted) return i18n.t('Message deleted');
  if (body !== '') return body;
  const [file, ...others] = files;
  if (others.length > 0) return nameFiles(files);
  if (file?.name) return file.name;
  // What is recorded here has no name.
  if (file?.kind === 'audio')
    return file.duration_s === undefined
      ? i18n.t('Voice message')
      : i18n.t('Voice message, {length}', { length: describeDuration(file.duration_s) });
  return nameOfFile(file?.kind);
}

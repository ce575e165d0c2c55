/** Puts what was shared into drafts, which show it when they are next opened. */
import { readStored, writeStored } from '../../data/storage/stored-texts.ts';
import { keyOfPlace } from '../chat/chat-place.ts';
import type { ChatPlace } from '../chat/chat-place.ts';
import { draftName } from '../chat/composer/use-draft.ts';
import { readAttached, writeAttached } from '../files/attached-files.ts';
import type { LocalFile } from '../files/local-file.ts';
import { MAX_STATUS_FILES, STATUS_DRAFT, STATUS_FILES } from '../statuses/use-draft.ts';
import type { StoredDraft } from '../statuses/use-draft.ts';

const join = (before: unknown, text: string): string =>
  [before, text].filter((one) => typeof one === 'string' && one !== '').join('\n');

/** Adds a text and files to the draft of a chat. */
export function addToChatDraft(user_id: string, place: ChatPlace, text: string, files: readonly LocalFile[]): void {
  const draft = keyOfPlace(place);
  const stored = join(readStored(user_id, draftName(draft)), text);
  writeStored(user_id, draftName(draft), stored === '' ? undefined : stored);
  writeAttached(user_id, draft, [...readAttached(user_id, draft), ...files]);
}

/** Adds a text and files to the draft of a post, as many files as it has room for. */
export function addToStatusDraft(user_id: string, text: string, files: readonly LocalFile[]): void {
  const stored = (readStored(user_id, STATUS_DRAFT) ?? {}) as StoredDraft;
  writeStored(user_id, STATUS_DRAFT, { ...stored, body: join(stored.body, text) });
  const attached = [...readAttached(user_id, STATUS_FILES), ...files];
  writeAttached(user_id, STATUS_FILES, attached.slice(0, MAX_STATUS_FILES));
}

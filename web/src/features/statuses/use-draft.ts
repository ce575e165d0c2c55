import { useEffect, useState } from 'react';
import { useDraftUploads } from '../files/use-draft-uploads.ts';
import { readStored, writeStored } from '../../data/storage/stored-texts.ts';
import type { Me } from '../../data/queries/me-query.ts';
import { useOwnTags } from '../../data/queries/tag-queries.ts';
import { usePostStatus } from './status-mutations.ts';
import type { Draft } from './status-mutations.ts';

/** The most files of a status. */
export const MAX_STATUS_FILES = 4;

/** Where its text is stored, and the name of its files. */
export const STATUS_DRAFT = 'draft status';
/** The name under which the files of the draft are stored. */
export const STATUS_FILES = 'status';

/** What is stored of a draft, beside its files. */
export type StoredDraft = Partial<{ body: string; tag_id: string; visibility: Draft['visibility'] }>;

/** The draft of a status; it is kept when the sheet is closed, and when the page is left. */
export function useDraft(me: Me, onSent: () => void, onRefused: () => void) {
  const tags = useOwnTags();
  const files = useDraftUploads(MAX_STATUS_FILES, STATUS_FILES);
  const [first] = useState(() => (readStored(me.id, STATUS_DRAFT) ?? {}) as StoredDraft);
  const [body, setBody] = useState(first.body ?? '');
  const [tag_id, setTag] = useState(first.tag_id ?? '');
  const [visibility, setVisibility] = useState<Draft['visibility']>(first.visibility ?? 'public');
  const is_empty = body === '' && files.uploads.length === 0;
  useEffect(
    () => writeStored(me.id, STATUS_DRAFT, is_empty ? undefined : { body, tag_id, visibility }),
    [me.id, is_empty, body, tag_id, visibility],
  );
  const post = usePostStatus(me, (refused) => {
    onRefused();
    // A new text written in the meantime is not overwritten.
    setBody((present) => present || refused.body);
    files.replace(refused.media);
  });
  const is_waiting = files.uploads.some(({ file, problem }) => file === undefined && problem === undefined);
  const send = () => {
    if (body.trim() === '' || is_waiting) return;
    const tag = tags.find(({ id }) => id === tag_id) ?? null;
    const media = files.uploads.flatMap(({ file }) => (file === undefined ? [] : [file]));
    const kept_tag = tag && { id: tag.id, name: tag.name, title: tag.title };
    post.mutate({ body: body.trim(), tag: kept_tag, visibility, media });
    // Tag and audience are kept: the next status is usually for the same people.
    setBody('');
    files.replace([]);
    onSent();
  };
  const is_full = files.uploads.length >= MAX_STATUS_FILES;
  return { tags, files, is_full, body, setBody, tag_id, setTag, visibility, setVisibility, post, is_waiting, send };
}

export type DraftState = ReturnType<typeof useDraft>;

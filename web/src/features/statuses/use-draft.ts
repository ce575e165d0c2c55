import { useState } from 'react';
import { useUploads } from '../files/use-uploads.ts';
import type { Me } from '../../data/queries/me-query.ts';
import { useOwnTags } from '../../data/queries/tag-queries.ts';
import { usePostStatus } from './status-mutations.ts';
import type { Draft } from './status-mutations.ts';

const MAX_FILES = 4;

/** The draft of a status; it is kept when the sheet is closed. */
export function useDraft(me: Me, onSent: () => void, onRefused: () => void) {
  const tags = useOwnTags();
  const files = useUploads(MAX_FILES);
  const [body, setBody] = useState('');
  const [tag_id, setTag] = useState('');
  const [visibility, setVisibility] = useState<Draft['visibility']>('public');
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
  const is_full = files.uploads.length >= MAX_FILES;
  return { tags, files, is_full, body, setBody, tag_id, setTag, visibility, setVisibility, post, is_waiting, send };
}

export type DraftState = ReturnType<typeof useDraft>;

import type { Tag } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Mic, Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import { UploadItem } from '../files/upload-item.tsx';
import { useRecorder } from '../files/use-recorder.ts';
import { useUploads } from '../files/use-uploads.ts';
import { AreaField, Form, readText, SelectField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problem.ts';
import { describeDuration } from '../../ui/when.tsx';
import type { Me } from '../me/me-query.ts';
import { SendLater } from '../scheduled/send-later.tsx';
import type { LaterDraft } from '../scheduled/send-later.tsx';
import { usePostStatus } from './status-acts.ts';
import type { Draft } from './status-acts.ts';

const MOST_FILES = 4;
const MOST_LETTERS = 2_000;

function useOwnTags(): readonly Tag[] {
  const tags = useQuery({
    queryKey: ['own-tags'],
    queryFn: ({ signal }) => sdk.tags.listTags({ query: { limit: 100 }, signal }),
  });
  return tags.data?.items ?? [];
}

interface AttachProps {
  is_full: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** The ways to add pictures and sound. */
function Attach({ is_full, onFiles }: AttachProps) {
  const recorder = useRecorder((file) => onFiles([file]));
  const is_recording = recorder.state === 'yes';
  return (
    <>
      <ChooseFiles label="Add files" is_full={is_full} onFiles={onFiles} />
      <button
        type="button"
        className="button button-quiet"
        aria-pressed={is_recording}
        aria-disabled={is_full && !is_recording}
        onClick={() => {
          if (is_recording) recorder.stop();
          else if (!is_full && recorder.state !== 'asking') void recorder.start();
        }}
      >
        {is_recording ? <Square aria-hidden="true" /> : <Mic aria-hidden="true" />}
        {is_recording ? 'Stop recording' : 'Record'}
        {is_recording ? <span aria-hidden="true">{describeDuration(recorder.length_s)}</span> : null}
      </button>
      {recorder.state === 'refused' ? (
        <p className="field-error" role="alert">
          Your browser does not let Asterism use the microphone.
        </p>
      ) : null}
    </>
  );
}

function Audience({ tags, draft }: { tags: readonly Tag[]; draft: Draft | undefined }) {
  return (
    <div className="form-grid">
      <SelectField
        label="Tag"
        name="tag"
        defaultValue={draft?.tag?.id ?? ''}
        key={`tag-${draft?.tag?.id ?? ''}-${tags.length}`}
      >
        <option value="">No tag</option>
        {tags.map((tag) => (
          <option key={tag.id} value={tag.id}>
            *{tag.name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Who may read it" name="visibility" defaultValue={draft?.visibility ?? 'public'}>
        <option value="public">Everyone</option>
        <option value="followers">Followers alone</option>
      </SelectField>
    </div>
  );
}

/** What the form holds, to be posted later; or why that cannot be. */
function laterOf(form: HTMLFormElement | null, has_files: boolean): LaterDraft | string {
  if (has_files) return 'Files cannot be posted later. Post them now, or take them out.';
  const data = new FormData(form ?? undefined);
  const [body, tag_id] = [readText(data, 'body'), readText(data, 'tag')];
  if (body === '') return 'Write something first.';
  const visibility = readText(data, 'visibility') === 'followers' ? 'followers' : 'public';
  return { kind: 'status', body, visibility, ...(tag_id === '' ? {} : { tag_id }) };
}

/** Where something is said to those who follow one: words, a tag, who may read it, and up to four files. */
export function Composer({ me }: { me: Me }) {
  const tags = useOwnTags();
  const text = useRef<HTMLTextAreaElement>(null);
  const { uploads, add, remove, replace } = useUploads(MOST_FILES);
  const [length, setLength] = useState(0);
  const post = usePostStatus(me, (refused) => {
    // Words written meanwhile are not written over.
    if (text.current === null || text.current.value !== '') return;
    text.current.value = refused.body;
    setLength(refused.body.length);
    replace(refused.media);
  });
  const is_waiting = uploads.some(({ file, problem }) => file === undefined && problem === undefined);
  const send = (data: FormData) => {
    const body = readText(data, 'body');
    if (body === '' || is_waiting) return;
    const tag = tags.find(({ id }) => id === readText(data, 'tag')) ?? null;
    const media = uploads.flatMap(({ file }) => (file === undefined ? [] : [file]));
    const visibility = readText(data, 'visibility') === 'followers' ? 'followers' : 'public';
    post.mutate({ body, tag: tag && { id: tag.id, name: tag.name, title: tag.title }, visibility, media });
    // The rest of the form stays as it is: whoever writes again mostly writes to the same people.
    if (text.current !== null) text.current.value = '';
    setLength(0);
    replace([]);
  };
  const readLater = () => laterOf(text.current?.form ?? null, uploads.length > 0);
  return (
    <Form className="card status-composer" problem={formProblem(post.error, ['body'])} onSubmit={send}>
      <AreaField
        ref={text}
        label="What is new?"
        name="body"
        rows={2}
        maxLength={MOST_LETTERS}
        required
        error={fieldProblems(post.error)['body']}
        hint={length > MOST_LETTERS - 200 ? `${MOST_LETTERS - length} characters left` : undefined}
        onChange={(event) => setLength(event.target.value.length)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      {uploads.length === 0 ? null : (
        <ul className="uploads" aria-label="Attached">
          {uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} onRemove={() => remove(upload.key)} />
          ))}
        </ul>
      )}
      <Audience tags={tags} draft={post.isError ? post.variables : undefined} />
      <div className="cluster">
        <Attach is_full={uploads.length >= MOST_FILES} onFiles={add} />
        <SendLater
          read={readLater}
          onScheduled={() => {
            if (text.current !== null) text.current.value = '';
            setLength(0);
          }}
        />
        <button type="submit" className="button status-send" aria-disabled={is_waiting}>
          Post
        </button>
      </div>
    </Form>
  );
}

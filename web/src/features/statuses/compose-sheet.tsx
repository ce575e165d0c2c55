import { Eye, Mic, Square } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { EmojiButton } from '../emoji/emoji-button.tsx';
import { AddFiles } from '../files/choose-files.tsx';
import { DropZone } from '../files/drop-zone.tsx';
import { pastedFiles } from '../files/transferred-files.ts';
import { UploadItem } from '../files/upload-item.tsx';
import { useRecorder } from '../files/use-recorder.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { ChoiceChip } from '../../ui/choice-chip.tsx';
import { Form } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { describeDuration } from '../../ui/when.tsx';
import type { Me } from '../../data/queries/me-query.ts';
import { AutocompleteArea } from '../autocomplete/autocomplete-area.tsx';
import { SendLater } from '../scheduled/send-later.tsx';
import type { LaterDraft } from '../scheduled/send-later.tsx';
import type { DraftState } from './use-draft.ts';
import type { Draft } from './status-mutations.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

const MAX_LETTERS = MAX_LENGTH.status;
/** The id of the form, for the submit button in the header of the sheet. */
const FORM = 'compose-status';

interface AttachProps {
  is_full: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Buttons that add pictures and audio. */
function Attach({ is_full, onFiles }: AttachProps) {
  const recorder = useRecorder((file) => onFiles([file]));
  const is_recording = recorder.state === 'yes';
  return (
    <>
      <AddFiles label={i18n.t('Add files')} is_full={is_full} onFiles={onFiles} />
      <button
        type="button"
        className={is_recording ? 'button quiet small' : 'icon-button'}
        title={is_recording ? undefined : i18n.t('Record')}
        aria-pressed={is_recording}
        aria-disabled={is_full && !is_recording}
        onClick={() => {
          if (is_recording) recorder.stop();
          else if (!is_full && recorder.state !== 'asking') void recorder.start();
        }}
      >
        {is_recording ? <Square aria-hidden="true" /> : <Mic aria-hidden="true" />}
        {is_recording ? i18n.t('Stop recording') : <span className="visually-hidden">{i18n.t('Record')}</span>}
        {is_recording ? <span aria-hidden="true">{describeDuration(recorder.length_s)}</span> : null}
      </button>
      {recorder.state === 'refused' ? (
        <p className="field-error" role="alert">
          {i18n.t('Your browser doesn’t let Asterism use the microphone.')}
        </p>
      ) : null}
    </>
  );
}

const AUDIENCES = [
  {
    value: 'public',
    get words() {
      return i18n.t('Everyone');
    },
  },
  {
    value: 'followers',
    get words() {
      return i18n.t('Followers');
    },
  },
] as const satisfies readonly { value: Draft['visibility']; words: string }[];

function Picks({ draft }: { draft: DraftState }) {
  const tags = [
    { value: '', words: i18n.t('No tag') },
    ...draft.tags.map(({ id, name }) => ({ value: id, words: `*${name}` })),
  ];
  return (
    <div className="cluster">
      <ChoiceChip label={i18n.t('Tag')} look="star" value={draft.tag_id} options={tags} onChoose={draft.setTag} />
      <ChoiceChip
        label={i18n.t('Audience')}
        value={draft.visibility}
        options={AUDIENCES}
        onChoose={draft.setVisibility}
        icon={<Eye aria-hidden="true" />}
      />
    </div>
  );
}

/** The draft of a scheduled status, or the reason why it cannot be scheduled. */
function laterOf({ body, tag_id, visibility, files }: DraftState): LaterDraft | string {
  if (files.uploads.length > 0) return i18n.t('Posts with files can’t be scheduled. Post now, or remove the files.');
  if (body.trim() === '') return i18n.t('Write something first.');
  return { kind: 'status', body: body.trim(), visibility, ...(tag_id === '' ? {} : { tag_id }) };
}

interface WriteProps {
  me: Me;
  draft: DraftState;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The text of the draft, and why it was refused. Pasted files are attached. */
function Write({ me, draft, field }: WriteProps) {
  const problem = fieldProblems(draft.post.error)['body'];
  useLayoutEffect(() => {
    const { current } = field;
    current?.focus();
    // A draft is continued at its end.
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [field]);
  return (
    <>
      <div className="compose-write">
        <Avatar name={me.username} called={nameOf(me)} url={me.avatar_url} size_px={36} />
        <AutocompleteArea
          ref={field}
          aria-label={i18n.t('What is new?')}
          placeholder={i18n.t('What is new?')}
          dir="auto"
          rows={3}
          maxLength={MAX_LETTERS}
          required
          value={draft.body}
          aria-invalid={problem !== undefined}
          onInput={(event) => draft.setBody(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
          onPaste={(event) => {
            const files = pastedFiles(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            draft.files.add(files);
          }}
        />
      </div>
      {problem === undefined ? null : (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

interface ComposeFormProps {
  me: Me;
  draft: DraftState;
  onScheduled: () => void;
}

function ComposeForm({ me, draft, onScheduled }: ComposeFormProps) {
  const { body, files, post } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const left = MAX_LETTERS - body.length;
  return (
    <Form id={FORM} className="compose" problem={formProblem(post.error, ['body'])} onSubmit={draft.send}>
      <Write me={me} draft={draft} field={field} />
      {left < 200 ? (
        <p className="field-hint">
          {i18n.t('{left, plural, one {# character left} other {# characters left}}', { left })}
        </p>
      ) : null}
      {files.uploads.length === 0 ? null : (
        <ul className="uploads" aria-label={i18n.t('Attached')}>
          {files.uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} onRemove={() => files.remove(upload.key)} />
          ))}
        </ul>
      )}
      <Picks draft={draft} />
      <div className="cluster compose-tools">
        <Attach is_full={draft.is_full} onFiles={files.add} />
        <EmojiButton field={field} />
        <SendLater
          read={() => laterOf(draft)}
          onScheduled={() => {
            draft.setBody('');
            onScheduled();
          }}
        />
      </div>
      <DropZone label={i18n.t('Drop files to attach to your post')} onFiles={files.add} />
    </Form>
  );
}

interface ComposeSheetProps {
  me: Me;
  draft: DraftState;
  open: boolean;
  trigger: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The sheet for writing a status; the draft belongs to its caller and is kept when the sheet is closed. */
export function ComposeSheet({ me, draft, open, trigger, onClose }: ComposeSheetProps) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={i18n.t('Say something')}
      returnTo={trigger}
      width_px={620}
      keeps_text
      action={
        <button
          type="submit"
          form={FORM}
          className="button primary small"
          aria-disabled={draft.is_waiting || draft.body.trim() === ''}
        >
          {i18n.t('Post')}
        </button>
      }
    >
      <ComposeForm me={me} draft={draft} onScheduled={onClose} />
    </Sheet>
  );
}

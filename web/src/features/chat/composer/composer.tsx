import { Check, SendHorizontal, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { newKey } from '../../../data/new-key.ts';
import { EmojiButton } from '../../emoji/emoji-button.tsx';
import { AttachButton } from '../../files/choose-files.tsx';
import { DropZone } from '../../files/drop-zone.tsx';
import { UploadItem } from '../../files/upload-item.tsx';
import { useRecorder } from '../../files/use-recorder.ts';
import { addUnsentFile, measurePicture } from '../../files/unsent-files.ts';
import { useDraftUploads } from '../../files/use-draft-uploads.ts';
import { isAttachable } from '../../files/use-uploads.ts';
import type { Suggestion } from '../../autocomplete/choose-suggestions.ts';
import { Quote } from '../bubble/message-content.tsx';
import type { ShownMessage } from '../chat-message.ts';
import { keyOfPlace } from '../chat-place.ts';
import type { ChatPlace } from '../chat-place.ts';
import { isChange } from '../unsent.ts';
import type { Outbox } from '../outbox.ts';
import { MessageField } from './message-field.tsx';
import { useDraft } from './use-draft.ts';
import { RecordButton, VoiceMessage } from './voice-message.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';
import { sendAll } from './send-attachments.ts';
import { useTypingNotice } from './use-typing-notice.ts';

/** The maximum number of files that are sent together; guests cannot send any. */
export const MAX_MESSAGE_FILES = 10;

/** Other uses of a composer than a new message. */
export interface Writing {
  readonly reply: ShownMessage | undefined;
  readonly editing: ShownMessage | undefined;
  readonly onEdited: (message: ShownMessage, body: string) => void;
  readonly onWritten: () => void;
}

interface ComposerProps {
  place: ChatPlace;
  outbox: Outbox | undefined;
  /** The placeholder: to whom the message goes. */
  hint: string;
  /** What dropping files on the chat does: to whom they go. */
  drop_hint: string;
  /** The maximum number of files; 0 where files are not allowed. */
  max_files: number;
  /** Who can be mentioned; nobody by default. */
  people?: readonly Suggestion[];
  onTyping?: () => void;
  /** The message that is replied to or edited, and a function that ends this. */
  writing: Writing;
  /** Starts editing the reader's newest message: `ArrowUp` in the empty field. */
  onEditNewest?: () => void;
  /** Further actions on the text, such as scheduling it. @param clear empties the field after the action succeeded */
  extra?: (text: string, clear: () => void) => ReactNode;
}

/** Leaves the focus in the field when a button is pressed: without it the keyboard of a phone would close. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The message that is replied to or edited, above the field. */
function ComposerBanner({ reply, editing, onWritten }: Writing) {
  const message = editing ?? reply;
  if (message === undefined) return null;
  return (
    <div className="answering">
      <Quote message={message} {...(editing === undefined ? {} : { title: i18n.t('Edit') })} />
      <button type="button" className="icon-button" onMouseDown={keepFocus} onClick={onWritten}>
        <X aria-hidden="true" />
        <span className="visually-hidden">
          {editing === undefined ? i18n.t('Cancel reply') : i18n.t('Cancel editing')}
        </span>
      </button>
    </div>
  );
}

function Attached({
  uploads,
  remove,
  retry,
}: Pick<ReturnType<typeof useDraftUploads>, 'uploads' | 'remove' | 'retry'>) {
  if (uploads.length === 0) return null;
  return (
    <ul className="uploads chat-sending" aria-label={i18n.t('Attached')}>
      {uploads.map((upload) => (
        <UploadItem
          key={upload.key}
          upload={upload}
          onRemove={() => remove(upload.key)}
          onAgain={() => retry(upload.key)}
        />
      ))}
    </ul>
  );
}

function Send({ is_edit, is_ready }: { is_edit: boolean; is_ready: boolean }) {
  return (
    <button type="submit" className="icon-button solid" aria-disabled={!is_ready} onMouseDown={keepFocus}>
      {is_edit ? <Check aria-hidden="true" /> : <SendHorizontal aria-hidden="true" />}
      <span className="visually-hidden">{is_edit ? i18n.t('Save') : i18n.t('Send')}</span>
    </button>
  );
}

/** The text of the field: the draft of the place, or the text that is edited. */
function useComposerText(place: ChatPlace, { reply, editing }: Writing) {
  const line = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useDraft(keyOfPlace(place));
  const [edited, setEdited] = useState<{ id: string; text: string }>();
  const about = editing?.id ?? reply?.id;
  useEffect(() => {
    if (about === undefined) return;
    // The previous text is still rendered until the next frame.
    const frame = requestAnimationFrame(() => line.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [about]);
  return {
    line,
    text: editing === undefined ? draft : edited?.id === editing.id ? edited.text : editing.body,
    setText: (value: string) => (editing === undefined ? setDraft(value) : setEdited({ id: editing.id, text: value })),
    clearDraft: () => setDraft(''),
    is_about: about !== undefined,
  };
}

interface KeyContext {
  text: string;
  is_about: boolean;
  is_touch: boolean;
  submit: (event: Pick<FormEvent, 'preventDefault'>) => void;
}

/**
 * The keys of the field: Enter sends, Escape ends a reply or an edit, ArrowUp edits the newest message. On a touch screen
 * Enter starts a new line, since its keyboard has no Shift+Enter, and Ctrl+Enter sends.
 */
function keysOf(
  { place, outbox, writing, onEditNewest }: ComposerProps,
  { text, is_about, is_touch, submit }: KeyContext,
) {
  return (event: KeyboardEvent) => {
    if (event.key === 'Escape' && is_about) {
      // It ends the reply or the edit, and closes nothing.
      event.preventDefault();
      return writing.onWritten();
    }
    if (event.key === 'ArrowUp' && text === '' && !is_about) {
      event.preventDefault();
      // While the newest message is still being sent, do not edit an older one by mistake.
      const is_sent = outbox?.all.every((one) => isChange(one) || keyOfPlace(one.place) !== keyOfPlace(place)) ?? true;
      if (is_sent) onEditNewest?.();
    }
    const is_line = event.shiftKey || (is_touch && !event.ctrlKey && !event.metaKey);
    // During IME composition, Enter belongs to the input method.
    if (event.key === 'Enter' && !is_line && !event.nativeEvent.isComposing) submit(event);
  };
}

interface DropProps {
  label: string;
  line: RefObject<HTMLElement | null>;
  onFiles: ((files: readonly File[]) => void) | undefined;
}

/** Attaches files that are dropped on the chat, and puts the cursor into its field: Enter then sends them. */
function Drop({ label, line, onFiles }: DropProps) {
  if (onFiles === undefined) return null;
  const drop = (files: readonly File[]) => {
    onFiles(files);
    line.current?.focus();
  };
  return <DropZone label={label} onFiles={drop} />;
}

/** The message composer: {@link keysOf} has its keys. Files can be chosen, pasted and dropped. */
export function Composer(props: ComposerProps) {
  const { place, outbox, people, hint, drop_hint, max_files, onTyping, writing, extra } = props;
  const { editing, onWritten } = writing;
  const { line, text, setText, clearDraft, is_about } = useComposerText(place, writing);
  const { uploads, add, retry, remove, take } = useDraftUploads(max_files, keyOfPlace(place));
  const typing = useTypingNotice(onTyping);
  const is_touch = useMediaQuery('(hover: none) and (pointer: coarse)');
  const target = { place, reply_to: writing.reply?.id };
  const is_empty = text.trim() === '' && (editing !== undefined || !uploads.some(isAttachable));
  const clear = () => {
    clearDraft();
    typing.reset();
  };
  const type = (value: string) => {
    setText(value);
    if (value !== '' && editing === undefined) typing.report();
  };
  const send = () => {
    if (outbox === undefined) return;
    const attached = take().map((one) => ('id' in one ? one : addUnsentFile(one.key, one.file)));
    if (text.trim() === '' && attached.length === 0) return;
    sendAll(outbox, target, text.trim(), attached);
    clear();
    onWritten();
  };
  const recorder = useRecorder((file) => {
    if (outbox === undefined) return;
    // Its upload may take long, and does not end with this page.
    sendAll(outbox, target, '', [addUnsentFile(newKey(), file)]);
    onWritten();
  });
  const addAll = (chosen: readonly File[]) => {
    chosen.forEach(measurePicture);
    add(chosen);
  };
  const onFiles = max_files > 0 && editing === undefined ? addAll : undefined;
  // In a call, the others would hear the recording being made.
  const can_record = onFiles !== undefined && place.kind !== 'call' && text === '' && uploads.length === 0;
  const submit = (event: Pick<FormEvent, 'preventDefault'>) => {
    event.preventDefault();
    if (is_empty) return;
    // The button of Send, pressed by a key, is replaced by another one.
    if (line.current?.form?.contains(document.activeElement)) line.current.focus();
    if (editing !== undefined) return writing.onEdited(editing, text.trim());
    send();
  };
  const onKeyDown = keysOf(props, { text, is_about, is_touch, submit });
  return (
    <>
      <div className="write">
        <Attached {...{ uploads, remove, retry }} />
        <ComposerBanner {...writing} />
        <VoiceMessage recorder={recorder} />
        <form className="write-bar" hidden={recorder.state === 'yes'} onSubmit={submit}>
          {onFiles === undefined ? null : <AttachButton onFiles={onFiles} />}
          <MessageField {...{ line, people, hint, text, is_touch, onKeyDown }} onType={type} onFiles={onFiles} />
          <EmojiButton field={line} />
          {editing === undefined ? extra?.(text, clear) : null}
          {can_record ? (
            <RecordButton recorder={recorder} />
          ) : (
            <Send is_edit={editing !== undefined} is_ready={!is_empty} />
          )}
        </form>
      </div>
      <Drop label={drop_hint} line={line} onFiles={recorder.state === 'yes' ? undefined : onFiles} />
    </>
  );
}

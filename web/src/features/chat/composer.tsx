import type { MediaFile } from '@asterism/sdk';
import { SendHorizontal, X } from 'lucide-react';
import { useId, useRef } from 'react';
import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { AttachButton } from '../calls/chat/chat-media.tsx';
import { UploadItem } from '../files/upload-item.tsx';
import { useUploads } from '../files/use-uploads.ts';
import { Quote } from './bubble.tsx';
import { nameOfPlace } from './chat-message.ts';
import type { ChatPlace, ShownMessage } from './chat-message.ts';
import type { Outbox } from './outbox.ts';
import { useDraft } from './use-draft.ts';

const MOST_LETTERS = 4_000;
/** How often writing is told to the others. */
const TELL_EVERY_MS = 2_500;

interface ComposerProps {
  place: ChatPlace;
  outbox: Outbox | undefined;
  /** To whom it goes: the words in the empty line. */
  to: string;
  /** How many files one may attach; none where that is not allowed. */
  most_files: number;
  /** Whether all files go with the words in one message; otherwise each is a message of its own. */
  is_one_message: boolean;
  onTyping?: () => void;
  reply?: ShownMessage | undefined;
  onReplied?: () => void;
  /** What else can be done with the words: sending them later. @param clear empties the line when they are taken */
  extra?: (text: string, clear: () => void) => ReactNode;
}

function sendAll(outbox: Outbox, props: ComposerProps, body: string, media: readonly MediaFile[]): void {
  const { place, is_one_message, reply } = props;
  const reply_to = reply === undefined ? {} : { reply_to: reply.id };
  if (is_one_message) return outbox.add(place, { body, media, ...reply_to });
  const [first, ...others] = media;
  outbox.add(place, { body, media: first === undefined ? [] : [first], ...reply_to });
  for (const file of others) outbox.add(place, { body: '', media: [file] });
}

function Answering({ reply, onReplied }: Pick<ComposerProps, 'reply' | 'onReplied'>) {
  if (reply === undefined) return null;
  return (
    <div className="answering">
      <Quote message={reply} />
      <button type="button" className="ib" onClick={onReplied}>
        <X aria-hidden="true" />
        <span className="visually-hidden">Do not reply to it</span>
      </button>
    </div>
  );
}

/** Where a message is written: one line that grows. Enter sends, Shift and Enter begin a new line. */
export function Composer(props: ComposerProps) {
  const { place, outbox, to, most_files, onTyping, reply, onReplied, extra } = props;
  const id = useId();
  const [text, setText] = useDraft(nameOfPlace(place));
  const { uploads, add, remove, replace } = useUploads(most_files);
  const told_at_ms = useRef(0);
  const media = uploads.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const is_waiting = uploads.some(({ file, problem }) => file === undefined && problem === undefined);
  const is_empty = text.trim() === '' && media.length === 0;
  const clear = () => {
    setText('');
    replace([]);
    told_at_ms.current = 0;
  };
  const type = (value: string) => {
    setText(value);
    if (value === '' || Date.now() - told_at_ms.current < TELL_EVERY_MS) return;
    told_at_ms.current = Date.now();
    onTyping?.();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (is_empty || is_waiting || outbox === undefined) return;
    sendAll(outbox, props, text.trim(), media);
    clear();
    onReplied?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a character is being composed, Enter belongs to whatever composes it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <div className="write">
      {uploads.length === 0 ? null : (
        <ul className="uploads chat-sending" aria-label="Attached">
          {uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} onRemove={() => remove(upload.key)} />
          ))}
        </ul>
      )}
      <Answering reply={reply} onReplied={onReplied} />
      <form className="write-bar" onSubmit={submit}>
        {most_files > 0 ? <AttachButton onFiles={add} /> : null}
        <label className="visually-hidden" htmlFor={id}>
          Message
        </label>
        <textarea
          id={id}
          rows={1}
          dir="auto"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          maxLength={MOST_LETTERS}
          enterKeyHint="send"
          placeholder={`Write to ${to}`}
        />
        {extra?.(text, clear)}
        <button type="submit" className="ib solid" aria-disabled={is_empty || is_waiting}>
          <SendHorizontal aria-hidden="true" />
          <span className="visually-hidden">Send</span>
        </button>
      </form>
    </div>
  );
}

import type { DirectMessage } from '@asterism/sdk';
import { SendHorizontal } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { sdk } from '../../asterism.ts';
import { AttachButton } from '../calls/chat-media.tsx';
import { UploadItem } from '../files/upload-item.tsx';
import { useUploads } from '../files/use-uploads.ts';
import { SendLater } from '../scheduled/send-later.tsx';
import type { LaterDraft } from '../scheduled/send-later.tsx';

const MOST_LETTERS = 4_000;
const MOST_FILES = 10;
/** How often writing is told to the other. */
const TELL_EVERY_MS = 2_500;

interface ComposerProps {
  thread_id: string;
  /** Files may go along, and writing is told. */
  is_open: boolean;
  /** To whom it goes when it is sent later. */
  peer_id: string;
  onSend: (body: string, media: DirectMessage['media']) => void;
}

/** Where a message is written: Enter sends, Shift and Enter begin a new line. */
export function MessageComposer({ thread_id, peer_id, is_open, onSend }: ComposerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { uploads, add, remove, replace } = useUploads(MOST_FILES);
  const told_at_ms = useRef(0);
  const media = uploads.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const is_waiting = uploads.some(({ file, problem }) => file === undefined && problem === undefined);
  const is_empty = text.trim() === '' && media.length === 0;
  const type = (value: string) => {
    setText(value);
    if (!is_open || value === '' || Date.now() - told_at_ms.current < TELL_EVERY_MS) return;
    told_at_ms.current = Date.now();
    // Nobody misses a lost "is writing".
    sdk.dm.setThreadTyping({ path: { thread_id } }).catch(() => undefined);
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (is_empty || is_waiting) return;
    onSend(text.trim(), media);
    setText('');
    replace([]);
    told_at_ms.current = 0;
  };
  const readLater = (): LaterDraft | string => {
    if (uploads.length > 0) return 'Files cannot be sent later. Send them now, or take them out.';
    if (text.trim() === '') return 'Write a message first.';
    return { kind: 'text', target: { user_id: peer_id }, body: text.trim() };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a character is being composed, Enter belongs to whatever composes it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <div className="dm-composer">
      {uploads.length === 0 ? null : (
        <ul className="uploads chat-sending" aria-label="Attached">
          {uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} onRemove={() => remove(upload.key)} />
          ))}
        </ul>
      )}
      <form className="composer" onSubmit={submit}>
        {is_open ? <AttachButton onFiles={add} /> : null}
        <label className="visually-hidden" htmlFor={id}>
          Message
        </label>
        <div className="field-box">
          <textarea
            id={id}
            rows={1}
            value={text}
            onChange={(event) => type(event.target.value)}
            onKeyDown={onKeyDown}
            maxLength={MOST_LETTERS}
            enterKeyHint="send"
            placeholder="Write a message"
          />
        </div>
        {is_open ? <SendLater read={readLater} onScheduled={() => setText('')} /> : null}
        <button type="submit" className="button button-icon" aria-disabled={is_empty || is_waiting}>
          <SendHorizontal aria-hidden="true" />
          <span className="visually-hidden">Send</span>
        </button>
      </form>
    </div>
  );
}

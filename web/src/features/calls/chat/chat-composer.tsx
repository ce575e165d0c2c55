import type { Asterism } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import { useId, useRef } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useDraft } from '../../chat/use-draft.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { keepChatMessage } from './chat-queries.ts';

/** How often writing is told to the others. */
const TELL_EVERY_MS = 2_500;
const MOST_LETTERS = 4_000;

interface ComposerProps {
  join_code: string;
  /** The service as whoever writes: an account or a guest. */
  client: Asterism;
  /** What stands before the line, such as the way to files. */
  children?: ReactNode;
}

/** The line in which one writes to those in the call. */
export function ChatComposer({ join_code, client, children }: ComposerProps) {
  const id = useId();
  const queries = useQueryClient();
  const [text, setText] = useDraft(`call ${join_code}`);
  const told_at_ms = useRef(0);
  const text_now = useRef(text);
  text_now.current = text;
  const post = useMutation({
    mutationFn: (body: string) => client.calls.postCallChat({ path: { join_code }, body: { body } }),
    onSuccess: (message) => keepChatMessage(queries, join_code, message),
    onError: (error, body) => {
      // What was written is not lost: it goes back to where it can be sent again.
      setText(text_now.current || body);
      showToast(describeProblem(error));
    },
  });
  const type = (value: string) => {
    setText(value);
    if (value === '' || Date.now() - told_at_ms.current < TELL_EVERY_MS) return;
    told_at_ms.current = Date.now();
    // Nobody misses a lost "is writing".
    client.calls.setCallTyping({ path: { join_code } }).catch(() => undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = text.trim();
    if (body === '') return;
    setText('');
    told_at_ms.current = 0;
    post.mutate(body);
  };
  return (
    <form className="composer" onSubmit={submit}>
      {children}
      <label className="visually-hidden" htmlFor={id}>
        {i18n.t('Message')}
      </label>
      <div className="field-box">
        <input
          id={id}
          dir="auto"
          value={text}
          onChange={(event) => type(event.target.value)}
          maxLength={MOST_LETTERS}
          autoComplete="off"
          enterKeyHint="send"
          placeholder={i18n.t('Say something')}
        />
      </div>
      <button type="submit" className="button button-icon" disabled={text.trim() === ''}>
        <SendHorizontal aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Send')}</span>
      </button>
    </form>
  );
}

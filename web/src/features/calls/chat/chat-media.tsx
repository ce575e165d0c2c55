import type { ChatMessage } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp, Paperclip, RotateCcw, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { describeProblem, fieldProblems } from '../../../ui/problems/problem.ts';
import { keepChatMessage } from './chat-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** A file on its way into the chat. */
interface Sending {
  readonly key: number;
  readonly file: File;
  /** The picture itself, from this device; undefined for what is no picture. */
  readonly preview_url?: string | undefined;
  /** 0 to 1. */
  readonly sent: number;
  readonly problem?: string | undefined;
}

/** Sends files into a call's chat one after the other, each as a message of its own as soon as it is there. */
export function useChatMedia(join_code: string) {
  const queries = useQueryClient();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const stops = useRef(new Map<number, AbortController>());
  const next_key = useRef(1);
  const last = useRef(Promise.resolve());
  // Whoever leaves the call wants no more of what is on its way.
  useEffect(() => {
    const held = stops.current;
    return () => held.forEach((stop) => stop.abort());
  }, []);
  const change = (key: number, part: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const drop = (key: number) =>
    setSending((all) => {
      const gone = all.find((one) => one.key === key);
      if (gone?.preview_url !== undefined) URL.revokeObjectURL(gone.preview_url);
      return all.filter((one) => one.key !== key);
    });
  const send = async ({ key, file }: Sending, stop: AbortController) => {
    // It may have been taken back while others were sent before it.
    if (stop.signal.aborted) return;
    try {
      const message: ChatMessage = await sdk.calls.postCallChatMedia({
        path: { join_code },
        file,
        signal: stop.signal,
        onProgress: ({ sent_bytes, total_bytes }) => change(key, { sent: sent_bytes / Math.max(1, total_bytes) }),
      });
      keepChatMessage(queries, join_code, message);
      drop(key);
    } catch (error) {
      if (!stop.signal.aborted) change(key, { problem: fieldProblems(error)['file'] ?? describeProblem(error) });
    } finally {
      stops.current.delete(key);
    }
  };
  const enqueue = (one: Sending) => {
    const stop = new AbortController();
    stops.current.set(one.key, stop);
    last.current = last.current.then(() => send(one, stop));
  };
  return {
    sending,
    add(files: readonly File[]) {
      const begun = files.map((file) => ({
        key: next_key.current++,
        file,
        sent: 0,
        preview_url: file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined,
      }));
      setSending((all) => [...all, ...begun]);
      begun.forEach(enqueue);
    },
    again(one: Sending) {
      change(one.key, { problem: undefined, sent: 0 });
      enqueue(one);
    },
    cancel(key: number) {
      stops.current.get(key)?.abort();
      drop(key);
    },
  };
}

/** The way to pictures, sound and films of this device. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const id = useId();
  return (
    <label className="button button-plain button-icon file-button" htmlFor={id} title={i18n.t('Attach')}>
      <Paperclip aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Attach a picture, sound or film')}</span>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        accept="image/*,audio/*,video/*"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </label>
  );
}

function SendingLine({ one, onAgain, onCancel }: { one: Sending; onAgain: () => void; onCancel: () => void }) {
  const { name } = one.file;
  return (
    <li className="upload" data-bad={one.problem === undefined ? undefined : ''}>
      {one.preview_url === undefined ? (
        <FileUp aria-hidden="true" />
      ) : (
        <img src={one.preview_url} alt="" width={44} height={44} />
      )}
      <div className="list-main">
        <p className="small chat-file">{name}</p>
        {one.problem === undefined ? (
          <progress value={one.sent} max={1} aria-label={i18n.t('Sending {name}', { name })} />
        ) : (
          <p className="field-error" role="alert">
            {one.problem}
          </p>
        )}
      </div>
      {one.problem === undefined ? null : (
        <button type="button" className="button button-plain button-icon" onClick={onAgain}>
          <RotateCcw aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Send {name} again', { name })}</span>
        </button>
      )}
      <button type="button" className="button button-plain button-icon" onClick={onCancel}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Do not send {name}', { name })}</span>
      </button>
    </li>
  );
}

/** What is on its way into the chat, how far it is, and what is wrong with it. */
export function SendingList({ sending, again, cancel }: ReturnType<typeof useChatMedia>) {
  if (sending.length === 0) return null;
  return (
    <ul className="chat-sending" aria-label={i18n.t('On its way')}>
      {sending.map((one) => (
        <SendingLine key={one.key} one={one} onAgain={() => again(one)} onCancel={() => cancel(one.key)} />
      ))}
    </ul>
  );
}

import { useLocation } from '@tanstack/react-router';
import { Image } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import type { Me } from '../../data/queries/me-query.ts';
import { ComposeSheet } from './lazy-parts.ts';
import { useDraft } from './use-draft.ts';
import type { DraftState } from './use-draft.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

function ComposerBar({ me, draft, trigger, onOpen }: ComposerBarProps) {
  const name = draft.tags.find(({ id }) => id === draft.tag_id)?.name;
  return (
    <button ref={trigger} type="button" className="saybar" onClick={onOpen}>
      <Avatar name={me.username} called={nameOf(me)} url={me.avatar_url} />
      <span className="ph" dir="auto">
        {draft.body !== '' ? (
          draft.body
        ) : name === undefined ? (
          i18n.t('Say something')
        ) : (
          <RichMessage
            text={i18n.t('Say something to <tag>*{name}</tag>', { name })}
            parts={{ tag: (words) => <span className="tag">{words}</span> }}
          />
        )}
      </span>
      <Image aria-hidden="true" className="icon" />
    </button>
  );
}

interface ComposerBarProps {
  me: Me;
  draft: DraftState;
  trigger: RefObject<HTMLButtonElement | null>;
  onOpen: () => void;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the page opens with the composer, for a draft that was made elsewhere. */
    compose?: boolean;
  }
}

/** The entry to writing a status: a line that opens a sheet. */
export function Composer({ me }: { me: Me }) {
  const is_asked = useLocation({ select: ({ state }) => state.compose === true });
  const [open, setOpen] = useState(is_asked);
  const [was_open, setWasOpen] = useState(is_asked);
  const trigger = useRef<HTMLButtonElement>(null);
  const show = () => {
    setWasOpen(true);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const draft = useDraft(me, close, show);
  return (
    <>
      <ComposerBar me={me} draft={draft} trigger={trigger} onOpen={show} />
      {was_open ? (
        <Suspense fallback={null}>
          <ComposeSheet me={me} draft={draft} open={open} trigger={trigger} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}

import type { Status } from '@asterism/sdk';
import { MessageCircle, Phone, Star } from 'lucide-react';
import type { RefObject } from 'react';
import { useStartCall } from '../../data/start-call.ts';
import { useLike } from './status-mutations.ts';
import { StatusMenu } from './status-menu.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

function CallTag({ tag }: { tag: NonNullable<Status['tag']> }) {
  const start = useStartCall();
  return (
    <button
      type="button"
      className="action"
      disabled={start.isPending}
      onClick={() => start.mutate([{ tag: tag.name }])}
    >
      <Phone aria-hidden="true" />
      {i18n.t('Call')}
      <span className="visually-hidden"> *{tag.name}</span>
    </button>
  );
}

/** A star with the number of likes, gold when the reader's own is among them. */
function LikeButton({ status }: { status: Status }) {
  const like = useLike();
  const { liked, like_count } = status;
  return (
    <button type="button" className="action like" aria-pressed={liked} onClick={() => like(status)}>
      <Star aria-hidden="true" />
      {like_count === 0 ? (
        <span className="action-word">{i18n.t('Like')}</span>
      ) : (
        <RichMessage
          text={i18n.t('{count, plural, one {#<unit> like</unit>} other {#<unit> likes</unit>}}', {
            count: like_count,
          })}
          parts={{ unit: (words) => <span className="visually-hidden">{words}</span> }}
        />
      )}
    </button>
  );
}

interface StatusActionsProps {
  status: Status;
  is_mine: boolean;
  /** Whether the replies are shown, and the id of their element. */
  is_open: boolean;
  controls: string;
  onOpen: () => void;
  menu: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
}

/** Replying, liking, calling the tag of a status, and its menu. */
export function StatusActions({ status, is_mine, is_open, controls, onOpen, menu, onEdit }: StatusActionsProps) {
  return (
    <footer className="actions">
      <button type="button" className="action" aria-expanded={is_open} aria-controls={controls} onClick={onOpen}>
        <MessageCircle aria-hidden="true" />
        {status.reply_count === 0 ? (
          <span className="action-word">{i18n.t('Reply')}</span>
        ) : (
          <RichMessage
            text={i18n.t('{count, plural, one {#<unit> reply</unit>} other {#<unit> replies</unit>}}', {
              count: status.reply_count,
            })}
            parts={{ unit: (words) => <span className="visually-hidden">{words}</span> }}
          />
        )}
      </button>
      <LikeButton status={status} />
      {status.tag === null || is_mine ? null : <CallTag tag={status.tag} />}
      <span className="action-end">
        <StatusMenu status={status} is_mine={is_mine} trigger={menu} onEdit={onEdit} />
      </span>
    </footer>
  );
}

import { Pencil, Trash2 } from 'lucide-react';
import { useOnline } from '../../../ui/hooks/use-online.ts';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import { useUnsentFiles } from '../../files/unsent-files.ts';
import type { ShownMessage } from '../chat-message.ts';
import type { RunPosition } from '../unsent-runs.ts';
import type { Unsent } from '../unsent.ts';
import { clockTime } from '../../../i18n/clock-time.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { PendingMark } from './bubble.tsx';
import { isForBrowser } from './is-for-browser.ts';
import { MessageMenu } from './message-menu.tsx';
import { isVoice, MessageContent } from './message-content.tsx';

interface UnsentProps extends RunPosition {
  readonly unsent: Unsent;
  /** The message that it replies to, if it is loaded. */
  readonly quoted: ShownMessage | undefined;
  readonly onAgain: () => void;
  readonly onDrop: () => void;
  /** Edits the text. */
  readonly onEdit: (message: ShownMessage) => void;
}

/** An unsent message as it will look when it is sent. */
function preview({ key, body, written_at, forward, reply_to }: Unsent, files: ShownMessage['files']): ShownMessage {
  return {
    id: key,
    by: { id: '', name: i18n.t('You') },
    mine: true,
    body,
    mentions: [],
    files,
    created_at: written_at,
    deleted: false,
    ...(reply_to === undefined ? {} : { reply_to }),
    reactions: [],
    forwarded: forward !== undefined,
    edited: false,
  };
}

interface ProblemProps extends Pick<UnsentProps, 'unsent' | 'onAgain' | 'onDrop'> {
  /** Undefined where there is no text. */
  readonly onEdit: (() => void) | undefined;
}

/** What happens next with a message that could not be sent. */
function Problem({ unsent: { state, problem }, onAgain, onDrop, onEdit }: ProblemProps) {
  const is_online = useOnline();
  return (
    <div className="msg-problem">
      {state === 'refused' ? (
        <p role="alert">{i18n.t('Not sent. {problem}', { problem })}</p>
      ) : (
        <p>
          {is_online
            ? i18n.t('Not sent yet. It will be sent as soon as possible.')
            : i18n.t('Not sent yet. It will be sent as soon as you are connected.')}
        </p>
      )}
      {state === 'refused' ? (
        <button type="button" className="button quiet small" onClick={onAgain}>
          {i18n.t('Send again')}
        </button>
      ) : null}
      {onEdit === undefined ? null : (
        <button type="button" className="button plain small" onClick={onEdit}>
          {i18n.t('Edit')}
        </button>
      )}
      <button type="button" className="button plain small" onClick={onDrop}>
        {i18n.t('Discard')}
      </button>
    </div>
  );
}

/** A message that is being sent, with the error when the service refused it. */
export function UnsentBubble(props: UnsentProps) {
  const { unsent, is_first, is_last, tells_waiting, quoted, onDrop, onEdit } = props;
  const { media, files = [], state, written_at, body } = unsent;
  const kept = useUnsentFiles(files);
  const message = preview(unsent, [...media, ...kept.files]);
  const menu = useMenu();
  const hold = useLongPress(menu.open, isForBrowser);
  const look = ['msg out', is_first ? 'first' : '', is_last ? 'last' : '', message.files.length > 0 ? 'photo' : ''];
  const edit = body === '' || unsent.forward !== undefined ? undefined : () => onEdit(message);
  const can_drop = state === 'waiting' && !tells_waiting;
  const is_in_player = isVoice(message);
  const stamp = (
    <span className="at">
      {is_last ? clockTime(written_at) : null}
      <PendingMark state={state} />
    </span>
  );
  return (
    <div className="msg-line" data-mine="" data-state={state}>
      <div className={look.join(' ')} {...(can_drop ? hold : {})}>
        <span className="visually-hidden">{i18n.t('You')} </span>
        {body === '' && message.files.length === 0 ? null : (
          <MessageContent
            message={message}
            quoted={quoted}
            onQuoted={undefined}
            stamp={is_in_player ? stamp : undefined}
          />
        )}
        {files.length > 0 && state === 'sending' ? (
          <progress value={kept.sent} max={1} aria-label={i18n.t('Sending')} />
        ) : null}
        {is_in_player ? null : stamp}
      </div>
      {can_drop ? (
        <MessageMenu
          menu={menu}
          message={message}
          actions={[
            ...(edit === undefined
              ? []
              : [{ label: i18n.t('Edit'), icon: <Pencil aria-hidden="true" />, moves_focus: true, onSelect: edit }]),
            { label: i18n.t('Discard'), icon: <Trash2 aria-hidden="true" />, onSelect: onDrop },
          ]}
          onReact={undefined}
        />
      ) : null}
      {state === 'refused' || tells_waiting ? <Problem {...props} onEdit={edit} /> : null}
    </div>
  );
}

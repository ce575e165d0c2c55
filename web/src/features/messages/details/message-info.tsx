import { useQuery } from '@tanstack/react-query';
import type { Reply } from '@asterism/sdk';
import type { ReactNode, RefObject } from 'react';
import { sdk } from '../../../asterism.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { clockTime } from '../../../i18n/clock-time.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Failure } from '../../../ui/empty-state.tsx';
import { Sheet } from '../../../ui/overlay/sheet/sheet.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Row } from '../../../ui/row.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { describeDay } from '../../../ui/when.tsx';
import { Ticks } from '../../chat/bubble/bubble.tsx';
import { summarise } from '../../chat/formatting/summarise.ts';
import type { ShownMessage } from '../../chat/chat-message.ts';
import { receiptsKey } from './details-queries.ts';
import './details.css';

type Receipt = Reply<'chatDetails', 'listGroupChatReceipts'>['items'][number];

/** "Today, 15:04". */
function ReceiptTime({ at }: { at: string }) {
  return <time dateTime={at}>{i18n.t('{day}, {time}', { day: describeDay(new Date(at)), time: clockTime(at) })}</time>;
}

interface PartProps {
  title: string;
  sign: ReactNode;
  items: readonly Receipt[];
  /** Shown when there is nobody; without it the part is then left out. */
  empty?: string;
}

/** Those who have read a message, or only received it. */
function Part({ title, sign, items, empty }: PartProps) {
  if (items.length === 0 && empty === undefined) return null;
  return (
    <section aria-label={title}>
      <h3 className="receipts-head">
        {sign}
        {title}
      </h3>
      {items.length === 0 ? <p className="note">{empty}</p> : null}
      <ul className="receipts">
        {items.map(({ user, at }) => (
          <li key={user.id} className="row">
            <Row
              picture={<Avatar name={user.username} called={nameOf(user)} url={user.avatar_url} />}
              title={nameOf(user)}
              {...(at === null ? {} : { detail: <ReceiptTime at={at} /> })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Receipts({ items, reads_shown }: Reply<'chatDetails', 'listGroupChatReceipts'>) {
  const inState = (state: Receipt['state']) => items.filter((one) => one.state === state);
  return (
    <>
      {reads_shown ? (
        <Part
          title={i18n.t('Read by')}
          sign={<Ticks delivery="read" />}
          items={inState('read')}
          empty={i18n.t('Nobody yet.')}
        />
      ) : (
        <p className="note">{i18n.t('You have read receipts off, so you don’t see who has read this.')}</p>
      )}
      <Part title={i18n.t('Delivered to')} sign={<Ticks delivery="delivered" />} items={inState('delivered')} />
      <Part title={i18n.t('Not delivered yet')} sign={<Ticks delivery="sent" />} items={inState('sent')} />
    </>
  );
}

interface MessageInfoProps {
  group_id: string;
  message: ShownMessage;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Who has read one's own message of a group, and who has received it. */
export function MessageInfo({ group_id, message, onClose, returnTo }: MessageInfoProps) {
  const receipts = useQuery({
    queryKey: receiptsKey(group_id, message.id),
    queryFn: ({ signal }) =>
      sdk.chatDetails.listGroupChatReceipts({ path: { group_id, message_id: message.id }, signal }),
    gcTime: 0,
  });
  return (
    <Sheet open onClose={onClose} title={i18n.t('Message info')} returnTo={returnTo}>
      <p className="forwarding cut" dir="auto">
        {summarise(message)}
      </p>
      {receipts.isPending ? <Skeleton rows={3} what={i18n.t('Loading the receipts')} /> : null}
      {receipts.isError ? (
        <Failure text={describeProblem(receipts.error)} onRetry={() => void receipts.refetch()} />
      ) : null}
      {receipts.data === undefined ? null : <Receipts {...receipts.data} />}
    </Sheet>
  );
}

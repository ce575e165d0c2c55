import type { Notification } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import {
  AlarmClock,
  AtSign,
  Bell,
  CalendarDays,
  CalendarX,
  CheckCheck,
  Heart,
  Mail,
  SlidersHorizontal,
  MessageCircle,
  ShieldAlert,
  UserCheck,
  UserPlus,
  Users,
  UsersRound,
  X,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { useDeleteNotification, useReadAll, useReadNotification } from './notification-mutations.ts';
import { notificationText } from '../../i18n/notification-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import { notificationsKey } from '../../data/queries/notification-queries.ts';
import { notificationTarget } from '../../data/notification-target.ts';
import { useSeen } from '../../ui/hooks/use-seen.ts';
import './notifications.css';

/** The icon of each kind, beside the picture of the actor. */
const ICONS: Readonly<Record<Notification['kind'], LucideIcon>> = {
  follow: UserPlus,
  follow_request: Users,
  follow_accepted: UserCheck,
  reply: MessageCircle,
  like: Heart,
  comment: MessageCircle,
  mention: AtSign,
  group_mention: AtSign,
  message_request: Mail,
  group_invite: UsersRound,
  group_joined: UsersRound,
  invite_accepted: UserCheck,
  mobile_claimed: ShieldAlert,
  reminder: AlarmClock,
  job_failed: CalendarX,
  event_shared: CalendarDays,
  event_starting: CalendarDays,
  event_reminder: CalendarDays,
};

const useNotifications = () =>
  useList<Notification>({
    queryKey: notificationsKey,
    load: (query, signal) => sdk.notifications.listNotifications({ query, signal }),
  });

function Target({ notification, children }: { notification: Notification; children: ReactNode }) {
  const beside = useListBeside();
  const target = notificationTarget(notification);
  if (target === undefined) return <>{children}</>;
  return (
    <Link {...target} state={beside}>
      {children}
    </Link>
  );
}

function NotificationItem({ notification }: { notification: Notification }) {
  const { actor, actor_count, kind, read, subject_name, job_kind, minutes_before, created_at } = notification;
  const text = notificationText({
    kind,
    actor: actor?.display_name,
    actor_count,
    subject: subject_name ?? undefined,
    job_kind,
    minutes_before,
    text: notification.text,
  });
  const mark = useReadNotification();
  const remove = useDeleteNotification();
  const place = useSeen(!read, () => mark.mutate(notification));
  // A notification that was new when it appeared stays highlighted while the page is open, even when it has been read.
  const [was_new] = useState(!read);
  // A newer service may have further kinds.
  const Icon = (ICONS as Partial<typeof ICONS>)[kind] ?? Bell;
  return (
    <li ref={place} data-new={was_new ? '' : undefined}>
      <span className="notification-mark">
        <Avatar name={actor?.username ?? '?'} called={actor ? nameOf(actor) : undefined} url={actor?.avatar_url} />
        <Icon aria-hidden="true" size={16} />
      </span>
      <div className="list-main">
        <p>
          <Target notification={notification}>{text}</Target>
          {was_new ? <span className="visually-hidden"> {i18n.t('(new)')}</span> : null}
        </p>
        <When at={created_at} is_short />
      </div>
      <button type="button" className="icon-button" onClick={() => remove.mutate(notification)}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Delete: {text}', { text })}</span>
      </button>
    </li>
  );
}

/** Buttons for all notifications, beside the title of the list. */
export function NotificationActions() {
  const list = useNotifications();
  const all = useReadAll();
  const newest = list.items[0];
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-disabled={list.items.every(({ read }) => read)}
        onClick={() => {
          if (newest !== undefined) all.mutate(newest.id);
        }}
      >
        <CheckCheck aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Mark all as read')}</span>
      </button>
      <Link to="/settings/notifications" className="icon-button">
        <SlidersHorizontal aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Notification settings')}</span>
      </Link>
    </>
  );
}

/** What others did that concerns the reader. A notification that is visible for a moment is marked as read. */
export function NotificationList() {
  const list = useNotifications();
  return (
    <section className="card" aria-label={i18n.t('Activity')}>
      {list.isPending ? <Skeleton what={i18n.t('Loading your activity')} /> : null}
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState title={i18n.t('All caught up')} text={i18n.t('Follows, replies and mentions appear here.')}>
          <Link to="/search" className="button primary">
            {i18n.t('Find people')}
          </Link>
        </EmptyState>
      ) : null}
      <ul className="list notifications">
        {list.items.map((notification) => (
          <NotificationItem key={notification.id} notification={notification} />
        ))}
      </ul>
      <More list={list} what={i18n.t('notifications')} />
    </section>
  );
}

/** The page that a push opens. */
import { notificationTarget, type NotificationSubject } from '../data/notification-target.ts';
import type { Push } from './push-text.ts';

/** Whether a push names a call by its code. */
export const isJoinCode = (code: string | undefined): code is string => /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/.test(code ?? '');

/** The path below `/app` of an address of this client; undefined for any other address. */
function readOwnPath(url: string | undefined, own_origin: string): string | undefined {
  const { origin, pathname } = URL.parse(url ?? '') ?? {};
  return origin === own_origin && pathname?.startsWith('/app/') ? pathname.slice('/app'.length) : undefined;
}

/** A route of the client with its values; the types of the router allow more. */
interface Address {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
}

/** The path below `/app` of the page that a notification opens in the list as well. */
function readNotificationPath({ kind, subject_type, subject_id = '', message_id }: Push): string | undefined {
  const target = notificationTarget({
    kind,
    subject: { type: subject_type, id: subject_id },
    ...(message_id === undefined ? {} : { message_id }),
  } as NotificationSubject);
  if (target === undefined) return undefined;
  const { to, params = {}, search } = target as Address;
  const path = to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return search === undefined ? path : `${path}?${new URLSearchParams(search)}`;
}

/** The path below `/app` of the subject of a push. @param own_origin the origin of this client */
export function pathOf(push: Push, own_origin: string): string {
  const { type, subject_type, subject_id = '', join_code, url } = push;
  if (type === 'call.ringing') return isJoinCode(join_code) ? `/call/${join_code}` : '/';
  if (type === 'call.settled') return '/';
  if (type === 'notification.created') return readNotificationPath(push) ?? '/notifications';
  if (subject_type === 'thread') return `/messages/${encodeURIComponent(subject_id)}`;
  return readOwnPath(url, own_origin) ?? '/notifications';
}

/** The page that a push opens. */
import type { Push } from './push-text.ts';

/** Whether a push names a call by its code. */
export const isJoinCode = (code: string | undefined): code is string => /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/.test(code ?? '');

/** The path below `/app` of an address of this client; undefined for any other address. */
function readOwnPath(url: string | undefined, own_origin: string): string | undefined {
  const { origin, pathname } = URL.parse(url ?? '') ?? {};
  return origin === own_origin && pathname?.startsWith('/app/') ? pathname.slice('/app'.length) : undefined;
}

/** The path below `/app` of the subject of a push. @param own_origin the origin of this client */
export function pathOf(
  { type, kind, subject_type, subject_id = '', message_id = '', join_code, url }: Push,
  own_origin: string,
): string {
  if (type === 'call.ringing') return isJoinCode(join_code) ? `/call/${join_code}` : '/';
  if (type === 'call.settled') return '/';
  if (kind === 'follow_request') return '/people/requests';
  if (kind === 'group_mention')
    return `/messages/group/${encodeURIComponent(subject_id)}?at=${encodeURIComponent(message_id)}`;
  if (subject_type === 'status') return `/status/${encodeURIComponent(subject_id)}`;
  if (subject_type === 'thread') return `/messages/${encodeURIComponent(subject_id)}`;
  if (subject_type === 'tag') return `/tags/${encodeURIComponent(subject_id)}`;
  return readOwnPath(url, own_origin) ?? '/notifications';
}

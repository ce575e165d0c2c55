/** What a push becomes on the screen, and the page that opens when it is pressed. */
import { i18n } from '../i18n/i18n.ts';
import { pushText, type Push } from './push-text.ts';

/** What a notice carries to the moment when it is pressed. */
export interface NoticeData {
  readonly path: string;
  /** The call that rings. */
  readonly join_code?: string;
}

/** The parts of a notification's options that the DOM's types leave out (Notifications API, WHATWG). */
type Options = NotificationOptions & { renotify?: boolean; actions?: { action: string; title: string }[] };

export interface Notice {
  readonly title: string;
  readonly options: Options & { readonly tag: string; readonly data: NoticeData };
}

const NAME = 'Asterism';
const LOOK = { icon: '/app/icon-192.png', badge: '/app/badge-96.png' };

/** Reads a push. What is no push of the service is as one that says only that something happened. */
export function readPush(text: string | undefined): Push {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value === 'object' && value !== null && 'type' in value) return value as Push;
  } catch {
    // Falls through: a browser wants every push to be shown, whatever it holds.
  }
  return { type: 'unknown' };
}

/** The name under which one notice replaces another about the same thing. */
export function tagOf({ subject_type = 'news', subject_id = '' }: Push): string {
  return `${subject_type}:${subject_id}`;
}

const isJoinCode = (code: string | undefined): code is string => /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/.test(code ?? '');

/** The page that an address of this client names, below `/app`; undefined for any other address. */
function readOwnPath(url: string | undefined): string | undefined {
  const { origin, pathname } = URL.parse(url ?? '') ?? {};
  return origin === location.origin && pathname?.startsWith('/app/') ? pathname.slice('/app'.length) : undefined;
}

/** The page of the thing that a push is about, below `/app`. */
export function pathOf({ type, kind, subject_type, subject_id = '', join_code, url }: Push): string {
  if (type === 'call.ringing') return isJoinCode(join_code) ? `/call/${join_code}` : '/';
  if (type === 'call.settled') return '/';
  if (kind === 'follow_request') return '/people/requests';
  if (subject_type === 'status') return `/status/${encodeURIComponent(subject_id)}`;
  if (subject_type === 'thread') return `/messages/${encodeURIComponent(subject_id)}`;
  if (subject_type === 'tag') return `/tags/${encodeURIComponent(subject_id)}`;
  return readOwnPath(url) ?? '/notifications';
}

function ringNotice(push: Push): Notice {
  const { title = NAME, media, join_code } = push;
  const text = pushText(push);
  return {
    title,
    options: {
      ...LOOK,
      body: media === 'video' ? i18n.t('{text} with video', { text }) : text,
      tag: tagOf(push),
      data: { path: pathOf(push), ...(isJoinCode(join_code) ? { join_code } : {}) },
      requireInteraction: true,
      renotify: true,
      actions: [
        { action: 'accept', title: i18n.t('Accept') },
        { action: 'decline', title: i18n.t('Decline') },
      ],
    },
  };
}

/** What is shown of a push. */
export function noticeOf(push: Push): Notice {
  if (push.type === 'call.ringing') return ringNotice(push);
  const is_over = push.type === 'call.settled';
  const { title = NAME } = push;
  const body = pushText(push);
  const silent = is_over ? { silent: true } : {};
  return { title, options: { ...LOOK, ...silent, body, tag: tagOf(push), data: { path: pathOf(push) } } };
}

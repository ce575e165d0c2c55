/** What a push becomes on the screen, and the page that opens when it is pressed. */
import { notificationText } from '../features/notifications/notification-text.ts';
import { i18n } from '../i18n/i18n.ts';

/** What the service sends; without a title and a text the reader wants nothing said of it. */
export interface Push {
  readonly type: string;
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly title?: string;
  readonly text?: string;
  readonly kind?: string;
  /** Of a notification: how many did it, and what it is about is called. */
  readonly actor_count?: string;
  readonly subject_name?: string;
  /** Of one about a scheduled job that failed: what it was. */
  readonly job_kind?: string;
  /** Whether somebody calls, or one's own scheduled call has come. */
  readonly ring?: string;
  readonly join_code?: string;
  readonly media?: string;
  /** Where the service itself would open it. */
  readonly url?: string;
  /** What became of a ring. */
  readonly state?: string;
}

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

function ringText({ title: name, text, ring }: Push): string {
  if (ring === 'own') return i18n.t('Your scheduled call: answer to start it');
  if (ring === 'call' && name !== undefined) return i18n.t('{name} is calling you', { name });
  return text ?? i18n.t('Someone is calling you');
}

function ringNotice(push: Push): Notice {
  const { title = NAME, media, join_code } = push;
  const text = ringText(push);
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
  const { title = NAME, kind = '', subject_name: subject, job_kind, actor_count = '1' } = push;
  const facts = { kind, actor: push.title, actor_count: Number(actor_count), subject, job_kind };
  const text =
    push.text === undefined
      ? is_over
        ? i18n.t('A call for you is over')
        : i18n.t('There is something new')
      : notificationText({ ...facts, text: push.text });
  const silent = is_over ? { silent: true } : {};
  return { title, options: { ...LOOK, ...silent, body: text, tag: tagOf(push), data: { path: pathOf(push) } } };
}

/** The notification shown for a push, and the page that it opens. */
import { i18n } from '../i18n/i18n.ts';
import { isJoinCode, pathOf } from './push-path.ts';
import { pushText, type Push } from './push-text.ts';

/** The data that a notification keeps until it is clicked. */
export interface NoticeData {
  readonly path: string;
  /** The ringing call. */
  readonly join_code?: string;
}

/** Members of NotificationOptions that the DOM types lack (Notifications API, WHATWG). */
type Options = NotificationOptions & { renotify?: boolean; actions?: { action: string; title: string }[] };

/** A notification of the system. */
export interface Notice {
  readonly title: string;
  readonly options: Options & { readonly tag: string; readonly data: NoticeData };
}

const NAME = 'Asterism';
const LOOK = { icon: '/app/icon-192.png', badge: '/app/badge-96.png' };

/** Parses a push. Anything else is treated as a push that says only that something happened. */
export function readPush(text: string | undefined): Push {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value === 'object' && value !== null && 'type' in value) return value as Push;
  } catch {
    // Falls through: browsers require a notification for every push, also for one that cannot be parsed.
  }
  return { type: 'unknown' };
}

/** The tag of a notification, by which a newer one about the same subject replaces it. */
export function tagOf({ subject_type = 'news', subject_id = '' }: Push): string {
  return `${subject_type}:${subject_id}`;
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
      data: { path: pathOf(push, location.origin), ...(isJoinCode(join_code) ? { join_code } : {}) },
      requireInteraction: true,
      renotify: true,
      actions: [
        { action: 'accept', title: i18n.t('Accept') },
        { action: 'decline', title: i18n.t('Decline') },
      ],
    },
  };
}

/** The notification of a push. */
export function noticeOf(push: Push): Notice {
  if (push.type === 'call.ringing') return ringNotice(push);
  const is_over = push.type === 'call.settled';
  const { title = NAME } = push;
  const body = pushText(push);
  const silent = is_over ? { silent: true } : {};
  return {
    title,
    options: { ...LOOK, ...silent, body, tag: tagOf(push), data: { path: pathOf(push, location.origin) } },
  };
}

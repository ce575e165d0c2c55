/** The text of a push in the language of the reader; text written by people is not translated. */
import { plainText } from '../ui/text/format-text.ts';
import { countFiles } from '../i18n/file-count.ts';
import { notificationText } from '../i18n/notification-text.ts';
import { i18n } from '../i18n/i18n.ts';

/** The payload of a push; without title and text the reader has chosen to hide its content. */
export interface Push {
  readonly type: string;
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly title?: string;
  readonly text?: string;
  readonly kind?: string;
  /** Of a notification: how many people acted, and the name of its subject. */
  readonly actor_count?: string;
  readonly subject_name?: string;
  /** Of a mention in a group: the message. */
  readonly message_id?: string;
  /** Of a failed scheduled job: its kind. */
  readonly job_kind?: string;
  /** Of a reminder of an event: how long before its start it was due. */
  readonly minutes_before?: string;
  /** Of a message that is a file without text: its sender. */
  readonly file_from?: string;
  /** How many they are, if several, and of which kind. */
  readonly file_count?: string;
  readonly file_kind?: string;
  /** Whether it is an incoming call, or the reader's own scheduled call. */
  readonly ring?: string;
  readonly join_code?: string;
  readonly media?: string;
  /** The address that the service suggests to open. */
  readonly url?: string;
  /** The outcome of a ring. */
  readonly state?: string;
}

function ringText({ title: name, text, ring }: Push): string {
  if (ring === 'own') return i18n.t('Your scheduled call: answer to start it');
  if (ring === 'call' && name !== undefined) return i18n.t('{name} is calling you', { name });
  return text ?? i18n.t('Someone is calling you');
}

/** The outcome of a ring. */
function outcomeText({ title: name = '', state }: Push): string {
  if (state === 'no_answer') return i18n.t('You missed a call from {name}', { name });
  return state === 'declined' ? i18n.t('Declined on another device') : i18n.t('Answered on another device');
}

/** The sentence of a push; only that something has happened, where the reader hides the content. */
export function pushText(push: Push): string {
  if (push.type === 'call.ringing') return ringText(push);
  const { text = '' } = push;
  if (text === '')
    return push.type === 'call.settled' ? i18n.t('A call for you is over') : i18n.t('There is something new');
  const { type, title: name = '', kind = '', file_from } = push;
  if (type === 'call.settled') return outcomeText(push);
  if (file_from !== undefined && push.file_count !== undefined) {
    const what = countFiles(Number(push.file_count), push.file_kind);
    return type === 'dm.message' ? what : i18n.t('{name}: {what}', { name: file_from, what });
  }
  if (file_from !== undefined)
    return type === 'dm.message' ? i18n.t('Sent you a file') : i18n.t('{name}: Sent a file', { name: file_from });
  if (type === 'dm.message' || type === 'chat.message') return plainText(text);
  if (type === 'inbox.message' && kind === 'voicemail') return i18n.t('{name} left you a voicemail', { name });
  if (type === 'inbox.message' && kind === 'videomail') return i18n.t('{name} sent you a videomail', { name });
  const { subject_name: subject, job_kind, minutes_before, actor_count = '1' } = push;
  return notificationText({
    kind,
    actor: push.title,
    actor_count: Number(actor_count),
    subject,
    job_kind,
    minutes_before: minutes_before === undefined ? undefined : Number(minutes_before),
    text,
  });
}

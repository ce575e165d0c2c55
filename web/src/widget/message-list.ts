/** The messages of a widget as lines of a log, and a guest's actions on them: react, reply, edit, delete. */
import { isEmojiOnly } from '../ui/text/emoji-only.ts';
import { i18n } from '../i18n/i18n.ts';
import type { Message } from './api.ts';
import { element } from './dom.ts';

/** The actions on a message. */
export type MessageActions = {
  answer(message: Message): void;
  edit(message: Message): void;
  remove(message: Message): void;
  react(message: Message, emoji: string | null): void;
};

export type MessageList = {
  /** Shows a message, or updates it if it is already shown. */
  keep(message: Message): void;
  /** Changes a shown message. */
  change(id: string, part: Partial<Message>): void;
  /** The current state of a shown message. */
  read(id: string): Message | undefined;
};

const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏'];
/** The maximum number of messages in the log; the oldest are removed. */
const MAX = 300;
/** A reader this close to the end follows new messages. */
const NEAR_PX = 80;
/** How long the service allows editing a message. */
const EDITABLE_MS = 15 * 60_000;

const nameOf = ({ author }: Message): string =>
  author?.user
    ? author.user.display_name || author.user.username
    : author?.guest?.name_is_default
      ? i18n.t('Guest')
      : (author?.guest?.name ?? 'Asterism');

/** The time of a message, with its day unless that is today. */
function timeOf(created_at: string): string {
  const at = new Date(created_at);
  const day = at.toDateString() === new Date().toDateString() ? {} : ({ day: 'numeric', month: 'short' } as const);
  return at.toLocaleString(document.documentElement.lang || undefined, { hour: '2-digit', minute: '2-digit', ...day });
}

function press(label: string, onPress: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const button = element('button', { type: 'button', ...attributes });
  button.textContent = label;
  button.addEventListener('click', onPress);
  return button;
}

/** The reactions to a message with their counts; pressing one adds the guest's own, or removes it. */
function showReactions(message: Message, guest_id: string | undefined, actions: MessageActions): HTMLElement[] {
  const emoji = [...new Set(message.reactions.map((one) => one.emoji))];
  if (emoji.length === 0) return [];
  const row = element('div', { class: 'reactions' });
  for (const one of emoji) {
    const felt = message.reactions.filter((other) => other.emoji === one);
    const is_own = felt.some((other) => other.guest_id === guest_id);
    const words = felt.length === 1 ? one : `${one} ${felt.length}`;
    row.append(press(words, () => actions.react(message, is_own ? null : one), { 'aria-pressed': String(is_own) }));
  }
  return [row];
}

/** The actions on a message, behind one small button. */
function showActions(
  message: Message,
  is_mine: boolean,
  guest_id: string | undefined,
  actions: MessageActions,
): HTMLElement {
  const place = element('details', { class: 'actions' });
  const open = element('summary', {});
  open.textContent = '⋯';
  const name = element('span', { class: 'unseen' });
  name.textContent = i18n.t('More about “{message}”', { message: message.body.slice(0, 40) });
  open.append(name);
  const close = (work: () => void) => () => {
    place.open = false;
    work();
  };
  const own = message.reactions.find((one) => one.guest_id === guest_id)?.emoji;
  const feelings = element('div', { class: 'feelings', role: 'group', 'aria-label': i18n.t('React') });
  for (const emoji of EMOJI)
    feelings.append(
      press(
        emoji,
        close(() => actions.react(message, emoji === own ? null : emoji)),
        { 'aria-pressed': String(emoji === own) },
      ),
    );
  place.append(
    open,
    feelings,
    press(
      i18n.t('Reply'),
      close(() => actions.answer(message)),
    ),
  );
  if (!is_mine) return place;
  const is_editable = message.body !== '' && Date.now() - Date.parse(message.created_at) < EDITABLE_MS;
  if (is_editable)
    place.append(
      press(
        i18n.t('Edit'),
        close(() => actions.edit(message)),
      ),
    );
  // An irreversible action is confirmed by a second press of the same button.
  const remove = press(i18n.t('Delete'), () => {
    if (remove.dataset['sure'] === undefined) {
      remove.dataset['sure'] = '';
      remove.textContent = i18n.t('Delete it?');
    } else actions.remove(message);
  });
  place.append(remove);
  return place;
}

/** The text of a message, with the message that it replies to above it. */
function fillLine(line: HTMLElement, message: Message, answered: Message | undefined, is_mine: boolean): void {
  const by = element('span', { class: 'by' });
  by.textContent = is_mine ? i18n.t('You') : nameOf(message);
  line.replaceChildren(by);
  if (answered) {
    const quote = element('q', {});
    quote.textContent = answered.deleted_at ? i18n.t('Deleted') : answered.body.slice(0, 120);
    line.append(quote);
  }
  const is_large = !message.deleted_at && isEmojiOnly(message.body);
  const words = element('span', { dir: 'auto', ...(is_large ? { class: 'emoji' } : {}) });
  words.textContent = message.deleted_at ? i18n.t('Deleted') : message.body;
  line.append(words);
  const files = message.deleted_at ? [] : (message.files ?? [message.file]);
  for (const file of files) {
    if (!file) continue;
    const link = element('a', { href: file.stream_url, target: '_blank', rel: 'noopener' });
    link.textContent = i18n.t('Open the file');
    line.append(link);
  }
  const at = element('time', { datetime: message.created_at });
  at.textContent = timeOf(message.created_at);
  const foot = element('small', {});
  if (message.edited_at && !message.deleted_at) foot.append(i18n.t('Edited'), ' ');
  foot.append(at);
  line.append(foot);
}

/** Manages the lines of a log; a reader of older ones keeps their position. @param readGuest returns the reader */
export function createMessageList(
  log: HTMLElement,
  readGuest: () => string | undefined,
  actions: MessageActions,
): MessageList {
  const lines = new Map<string, { line: HTMLElement; message: Message }>();
  const show = (message: Message) => {
    const known = lines.get(message.id);
    const line = known?.line ?? element('li', {});
    const guest_id = readGuest();
    const is_mine = guest_id !== undefined && message.author?.guest?.id === guest_id;
    const is_at_end = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX;
    line.className = is_mine ? 'mine' : '';
    fillLine(line, message, lines.get(message.reply_to ?? '')?.message, is_mine);
    if (!message.deleted_at) {
      line.append(...showReactions(message, guest_id, actions));
      if (message.author) line.append(showActions(message, is_mine, guest_id, actions));
    }
    lines.set(message.id, { line, message });
    if (!known) log.append(line);
    for (const [id, { line: oldest }] of lines) {
      if (lines.size <= MAX) break;
      lines.delete(id);
      oldest.remove();
    }
    if (is_at_end || (!known && is_mine)) log.scrollTop = log.scrollHeight;
  };
  return {
    keep: show,
    change(id, part) {
      const known = lines.get(id);
      if (known) show({ ...known.message, ...part });
    },
    read: (id) => lines.get(id)?.message,
  };
}

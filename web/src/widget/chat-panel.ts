/** The chat of a guest: the log, the composer, and replying and editing there. */
import { newKey } from '../data/new-key.ts';
import { i18n } from '../i18n/i18n.ts';
import type { Api, Message, StreamEvent } from './api.ts';
import { element } from './dom.ts';
import { RefusedError } from './host.ts';
import { createMessageList, type MessageList } from './message-list.ts';

export type ChatPanel = {
  /** Fetches the latest messages. */
  reload(): Promise<void>;
  /** Handles an event of the chat from the stream. */
  onEvent(event: StreamEvent): void;
  /** Disables the composer, or enables it again. */
  setOver(is_over: boolean): void;
};

const SHOWN = 100;

/** Handles events about the messages of a widget. */
function applyMessageEvent({ type, data }: StreamEvent, lines: MessageList): void {
  if (type === 'chat.message' || type === 'chat.deleted') lines.keep(data['message'] as Message);
  const id = String(data['message_id']);
  if (type === 'chat.edited') lines.change(id, { body: String(data['body']), edited_at: String(data['edited_at']) });
  if (type !== 'chat.reaction') return;
  const { user_id, by_guest_id, emoji } = data as { user_id?: string; by_guest_id?: string; emoji: string | null };
  const who = user_id === undefined ? { guest_id: by_guest_id ?? '' } : { user_id };
  const others = (lines.read(id)?.reactions ?? []).filter(
    (one) => (one.user_id ?? one.guest_id) !== (user_id ?? by_guest_id),
  );
  lines.change(id, { reactions: emoji === null ? others : [...others, { emoji, ...who }] });
}

/** The message that is replied to or edited, above the field. */
function addOccasion(form: HTMLElement, words: HTMLTextAreaElement) {
  const bar = element('div', { class: 'occasion' });
  const text = element('span', { dir: 'auto' });
  const cancel = element('button', { type: 'button', class: 'plain', 'aria-label': i18n.t('Cancel') });
  cancel.textContent = '✕';
  bar.append(text, cancel);
  bar.hidden = true;
  form.before(bar);
  let about: { message: Message; is_edit: boolean } | undefined;
  let draft = '';
  const set = (next: typeof about) => {
    // The draft is restored when editing ends.
    if (next?.is_edit && !about?.is_edit) draft = words.value;
    if (next?.is_edit) words.value = next.message.body;
    else if (about?.is_edit) words.value = draft;
    about = next;
    bar.hidden = next === undefined;
    if (next)
      text.textContent = `${next.is_edit ? i18n.t('Edit') : i18n.t('Reply')}: ${next.message.body.slice(0, 80)}`;
    words.focus();
  };
  cancel.addEventListener('click', () => set(undefined));
  return { set, read: () => about };
}

/** The composer. */
function makeForm() {
  const form = element('form', {});
  const label = element('label', { class: 'unseen', for: 'words' });
  label.textContent = i18n.t('Message');
  const words = element('textarea', {
    id: 'words',
    dir: 'auto',
    maxlength: '4000',
    rows: '1',
    placeholder: i18n.t('Write a message'),
  });
  const send = element('button', { type: 'submit' });
  send.textContent = i18n.t('Send');
  form.append(label, words, send);
  return { form, words, send };
}

/** The error of an action on a message; being too late is not a failure of the widget. */
const whyNot = (error: unknown): unknown =>
  error instanceof RefusedError && [0, 429].includes(error.status) ? error : new RefusedError(-1);

/**
 * Adds the chat to the panel of a widget. `onResult` gets the error of a refused request, or undefined after a
 * successful one.
 */
export function addChat(
  panel: HTMLElement,
  api: Api,
  widget_id: string,
  onResult: (error?: unknown) => void,
): ChatPanel {
  const log = element('ol', { role: 'log', 'aria-label': i18n.t('Messages'), tabindex: '0' });
  const { form, words, send } = makeForm();
  panel.append(log, form);
  const occasion = addOccasion(form, words);
  const path = `/widgets/${widget_id}/chat`;
  const action = async (route: string, body?: unknown): Promise<void> => {
    const changed = await api.call<Message | undefined>(route, body);
    if (changed) lines.keep(changed);
  };
  const tryTo = (work: Promise<void>) => void work.then(() => onResult()).catch((error) => onResult(whyNot(error)));
  const lines = createMessageList(log, () => api.guest()?.guest.id, {
    answer: (message) => occasion.set({ message, is_edit: false }),
    edit: (message) => occasion.set({ message, is_edit: true }),
    remove: ({ id }) => tryTo(action(`DELETE ${path}/${id}`)),
    react: ({ id }, emoji) => tryTo(action(`PUT ${path}/${id}/reaction`, { emoji })),
  });
  const post = async () => {
    const body = words.value.trim();
    if (!body) return;
    send.disabled = true;
    const about = occasion.read();
    try {
      if (about?.is_edit) await action(`PATCH ${path}/${about.message.id}`, { body });
      else {
        const headers = { 'idempotency-key': newKey() };
        const answer = about ? { reply_to: about.message.id } : {};
        lines.keep(await api.call<Message>(`POST ${path}`, { body, ...answer }, headers));
        words.value = '';
      }
      occasion.set(undefined);
      onResult();
    } catch (error) {
      onResult(about?.is_edit ? whyNot(error) : error);
    }
    send.disabled = false;
    words.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void post();
  });
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void post();
  });
  return {
    async reload() {
      const { items } = await api.call<{ items: Message[] }>(`GET ${path}?limit=${SHOWN}`);
      for (const message of items.toReversed()) lines.keep(message);
    },
    onEvent: (event) => applyMessageEvent(event, lines),
    setOver(is_over) {
      words.disabled = send.disabled = is_over;
    },
  };
}

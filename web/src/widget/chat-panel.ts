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

/** The number of messages that are loaded. */
const SHOWN = 100;

/** Handles events about the messages of a widget. */
function applyMessageEvent({ type, data }: StreamEvent, messages: MessageList): void {
  if (type === 'chat.message' || type === 'chat.deleted') messages.keep(data['message'] as Message);
  const id = String(data['message_id']);
  if (type === 'chat.edited') messages.change(id, { body: String(data['body']), edited_at: String(data['edited_at']) });
  if (type !== 'chat.reaction') return;
  const { user_id, by_guest_id, emoji } = data as { user_id?: string; by_guest_id?: string; emoji: string | null };
  const who = user_id === undefined ? { guest_id: by_guest_id ?? '' } : { user_id };
  const others = (messages.read(id)?.reactions ?? []).filter(
    (one) => (one.user_id ?? one.guest_id) !== (user_id ?? by_guest_id),
  );
  messages.change(id, { reactions: emoji === null ? others : [...others, { emoji, ...who }] });
}

/** The message that is replied to or edited, above the field. */
function addComposeBanner(form: HTMLElement, field: HTMLTextAreaElement) {
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
    if (next?.is_edit && !about?.is_edit) draft = field.value;
    if (next?.is_edit) field.value = next.message.body;
    else if (about?.is_edit) field.value = draft;
    about = next;
    bar.hidden = next === undefined;
    if (next)
      text.textContent = `${next.is_edit ? i18n.t('Edit') : i18n.t('Reply')}: ${next.message.body.slice(0, 80)}`;
    field.focus();
  };
  cancel.addEventListener('click', () => set(undefined));
  return { set, read: () => about };
}

/** The composer. */
function makeForm() {
  const form = element('form', {});
  const label = element('label', { class: 'unseen', for: 'words' });
  label.textContent = i18n.t('Message');
  const field = element('textarea', {
    id: 'words',
    dir: 'auto',
    maxlength: '4000',
    rows: '1',
    placeholder: i18n.t('Write a message'),
  });
  const send = element('button', { type: 'submit' });
  send.textContent = i18n.t('Send');
  form.append(label, field, send);
  return { form, field, send };
}

/** The error of an action on a message; being too late is not a failure of the widget. */
const toActionError = (error: unknown): unknown =>
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
  const { form, field, send } = makeForm();
  panel.append(log, form);
  const banner = addComposeBanner(form, field);
  const path = `/widgets/${widget_id}/chat`;
  const action = async (route: string, body?: unknown): Promise<void> => {
    const changed = await api.call<Message | undefined>(route, body);
    if (changed) messages.keep(changed);
  };
  const tryTo = (work: Promise<void>) =>
    void work.then(() => onResult()).catch((error) => onResult(toActionError(error)));
  const messages = createMessageList(log, () => api.guest()?.guest.id, {
    answer: (message) => banner.set({ message, is_edit: false }),
    edit: (message) => banner.set({ message, is_edit: true }),
    remove: ({ id }) => tryTo(action(`DELETE ${path}/${id}`)),
    react: ({ id }, emoji) => tryTo(action(`PUT ${path}/${id}/reaction`, { emoji })),
  });
  const post = async () => {
    const body = field.value.trim();
    if (!body) return;
    send.disabled = true;
    const about = banner.read();
    try {
      if (about?.is_edit) await action(`PATCH ${path}/${about.message.id}`, { body });
      else {
        const headers = { 'idempotency-key': newKey() };
        const answer = about ? { reply_to: about.message.id } : {};
        messages.keep(await api.call<Message>(`POST ${path}`, { body, ...answer }, headers));
        field.value = '';
      }
      banner.set(undefined);
      onResult();
    } catch (error) {
      onResult(about?.is_edit ? toActionError(error) : error);
    }
    send.disabled = false;
    field.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void post();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void post();
  });
  return {
    async reload() {
      const { items } = await api.call<{ items: Message[] }>(`GET ${path}?limit=${SHOWN}`);
      for (const message of items.toReversed()) messages.keep(message);
    },
    onEvent: (event) => applyMessageEvent(event, messages),
    setOver(is_over) {
      field.disabled = send.disabled = is_over;
    },
  };
}

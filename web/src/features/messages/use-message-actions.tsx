import type { Asterism } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Copy, Flag, Forward, Info, Pencil, Pin, PinOff, Reply, SmilePlus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { readStored, writeStored } from '../../data/storage/stored-texts.ts';
import { copyText } from '../../ui/overlay/copy-text.ts';
import type { MessageAction } from '../chat/bubble/message-menu.tsx';
import { isMemberChat } from '../chat/chat-message.ts';
import type { ChatSource, ShownMessage } from '../chat/chat-message.ts';
import { keyOfPlace } from '../chat/chat-place.ts';
import type { ChatPlace } from '../chat/chat-place.ts';
import type { SelectionActions } from '../chat/selection/selection-bar.tsx';
import { isSelectable, useSelection } from '../chat/selection/use-selection.ts';
import type { Selection } from '../chat/selection/use-selection.ts';
import { replyName } from '../chat/composer/use-draft.ts';
import { workOf } from '../chat/message-work.ts';
import { useOutbox } from '../chat/outbox-context.tsx';
import { usePin, usePinned } from './pins/pins-query.ts';
import { MessageDialog } from './message-dialog.tsx';
import type { OpenDialog } from './message-dialog.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** How long the service allows editing a message. */
const EDITABLE_MS = 15 * 60_000;

interface MessageActionsOptions {
  readonly place: ChatPlace;
  /** The client of the reader; of the account by default. */
  readonly client?: Asterism;
  /** Whether the reader can write here, which replies and edits require. */
  readonly is_open?: boolean;
  /** Whether replying is possible; false where there are no new messages. */
  readonly may_reply?: boolean;
  /** The owner of a group or a widget may delete any message, others only their own. */
  readonly may_delete_all?: boolean;
  /** Whether messages of others can be reported. */
  readonly may_report?: boolean;
  /** The chat, where its messages can be forwarded. */
  readonly chat?: ChatSource;
  /** Whether several messages can be selected: a page with a header, where the bar is. */
  readonly may_select?: boolean;
  /** Whether the reader may pin messages of a thread or a group. */
  readonly may_pin?: boolean;
  /** For whom a deleted message disappears. */
  readonly readers: 'both of you' | 'everyone';
}

const icons = {
  reply: <Reply aria-hidden="true" />,
  copy: <Copy aria-hidden="true" />,
  forward: <Forward aria-hidden="true" />,
  edit: <Pencil aria-hidden="true" />,
  info: <Info aria-hidden="true" />,
  pin: <Pin aria-hidden="true" />,
  unpin: <PinOff aria-hidden="true" />,
  reactions: <SmilePlus aria-hidden="true" />,
  select: <CircleCheck aria-hidden="true" />,
  delete: <Trash2 aria-hidden="true" />,
  report: <Flag aria-hidden="true" />,
};

interface ActionContext extends MessageActionsOptions {
  readonly isEditable: (message: ShownMessage) => boolean;
  readonly selection: Selection | undefined;
  readonly openFor: (what: OpenDialog['what'], message: ShownMessage) => MessageAction['onSelect'];
  readonly isPinned: (message: ShownMessage) => boolean;
  readonly pin: (message: ShownMessage, pinned: boolean) => void;
  readonly write: (about: { reply?: ShownMessage; editing?: ShownMessage }) => void;
}

/** The actions that pin a message, select it, or look something up about it. */
function detailActions(message: ShownMessage, context: ActionContext): (MessageAction | false)[] {
  const { place, may_pin = false, isPinned, pin, selection, openFor } = context;
  const is_pinned = isPinned(message);
  return [
    may_pin &&
      message.pending === undefined && {
        label: is_pinned ? i18n.t('Unpin') : i18n.t('Pin'),
        icon: is_pinned ? icons.unpin : icons.pin,
        onSelect: () => pin(message, !is_pinned),
      },
    selection !== undefined &&
      isSelectable(message) && {
        label: i18n.t('Select'),
        icon: icons.select,
        moves_focus: true,
        onSelect: (returnTo) => selection.start(message.id, returnTo),
      },
    message.reactions.length > 0 && {
      label: i18n.t('Reactions'),
      icon: icons.reactions,
      onSelect: openFor('reactions', message),
    },
    place.kind === 'group' &&
      message.mine &&
      message.pending === undefined && {
        label: i18n.t('Info'),
        icon: icons.info,
        onSelect: openFor('info', message),
      },
  ];
}

/** The actions in the menu of a message. */
function actionsOf(message: ShownMessage, context: ActionContext): readonly MessageAction[] {
  const {
    is_open = true,
    may_reply = is_open,
    may_delete_all = false,
    may_report = false,
    chat,
    isEditable,
    openFor,
    write,
  } = context;
  const actions: (MessageAction | false)[] = [
    may_reply && {
      label: i18n.t('Reply'),
      icon: icons.reply,
      moves_focus: true,
      is_reply: true,
      onSelect: () => write({ reply: message }),
    },
    message.body !== '' && {
      label: i18n.t('Copy'),
      icon: icons.copy,
      onSelect: () => void copyText(message.body, i18n.t('Copied.')),
    },
    chat !== undefined &&
      (message.body !== '' || message.files.length > 0) && {
        label: i18n.t('Forward'),
        icon: icons.forward,
        onSelect: openFor('forward', message),
      },
    isEditable(message) && {
      label: i18n.t('Edit'),
      icon: icons.edit,
      moves_focus: true,
      onSelect: () => write({ editing: message }),
    },
    ...detailActions(message, context),
    (message.mine || may_delete_all) && {
      label: i18n.t('Delete'),
      icon: icons.delete,
      onSelect: openFor('delete', message),
    },
    may_report &&
      !message.mine && {
        label: i18n.t('Report this message'),
        icon: icons.report,
        onSelect: openFor('report', message),
      },
  ];
  return actions.filter((action) => action !== false);
}

interface Writing {
  readonly reply?: ShownMessage;
  readonly editing?: ShownMessage;
}

/** What the composer is used for; the message that is replied to is stored like the text of the draft. */
function useWriting(place: ChatPlace): [writing: Writing, write: (writing: Writing) => void] {
  const user_id = useMe()?.id ?? '';
  const name = replyName(keyOfPlace(place));
  const [writing, setWriting] = useState<Writing>(() => {
    const reply = readStored(user_id, name) as ShownMessage | undefined;
    return reply === undefined ? {} : { reply };
  });
  return [
    writing,
    (next) => {
      setWriting(next);
      writeStored(user_id, name, next.reply);
    },
  ];
}

/** The dialog that is open about messages, and how it is opened. */
function useMessageDialog({ end }: Selection) {
  const returnTo = useRef<HTMLElement>(null);
  const [opened, open] = useState<OpenDialog>();
  return {
    opened,
    open,
    returnTo,
    /** An action of a message's menu that opens it. */
    openFor: (what: OpenDialog['what'], message: ShownMessage) => (from: RefObject<HTMLElement | null>) => {
      returnTo.current = from.current;
      open({ what, messages: [message] });
    },
    /** Opens it about the selected messages, which are no longer selected once it is done. */
    openForSelected: (what: OpenDialog['what']) => (messages: readonly ShownMessage[]) => {
      returnTo.current = document.activeElement as HTMLElement | null;
      open({ what, messages, onDone: end });
    },
    /** Opens it about one reaction. */
    openReactions: (message: ShownMessage, emoji: string) => {
      returnTo.current = document.activeElement as HTMLElement | null;
      open({ what: 'reactions', messages: [message], emoji });
    },
  };
}

/** Which messages of a chat are pinned, and how the reader pins them. */
function usePins({ chat, may_pin = false }: MessageActionsOptions): Pick<ActionContext, 'isPinned' | 'pin'> {
  const of = may_pin && chat !== undefined && isMemberChat(chat) ? chat : undefined;
  const pin = usePin(of);
  const pinned = usePinned(of);
  return { pin, isPinned: ({ id }) => pinned.some((one) => one.id === id) };
}

/** The actions on the messages of a chat: react, reply, copy, edit, select, delete, report. */
export function useMessageActions(options: MessageActionsOptions) {
  const { place, client = sdk, is_open = true, may_select = false, may_delete_all = false, chat, readers } = options;
  const queries = useQueryClient();
  const outbox = useOutbox();
  const [{ reply, editing }, write] = useWriting(place);
  const isEditable = ({ mine, body, forwarded, created_at }: ShownMessage) =>
    is_open && mine && !forwarded && body !== '' && Date.now() - Date.parse(created_at) < EDITABLE_MS;
  const chosen = useSelection();
  const selection = may_select ? chosen : undefined;
  const { opened, open, returnTo, openFor, openForSelected, openReactions } = useMessageDialog(chosen);
  const pins = usePins(options);
  const context: ActionContext = { ...options, is_open, isEditable, selection, openFor, ...pins, write };
  return {
    dialog: opened && (
      <MessageDialog
        opened={opened}
        onClose={() => open(undefined)}
        returnTo={returnTo}
        // The earlier versions are the same for every reader.
        listEdits={(message_id) => workOf(queries, client, place, '').listEdits(message_id)}
        readers={readers}
        onDelete={(messages) => {
          for (const { id } of messages) outbox?.change(place, id, { kind: 'delete' });
        }}
        chat={chat}
        client={client}
      />
    ),
    /** For the list: the actions on its messages. */
    rows: {
      actionsOf: (message: ShownMessage) => actionsOf(message, context),
      onReact: is_open
        ? ({ id }: ShownMessage, emoji: string | null) => outbox?.change(place, id, { kind: 'react', emoji })
        : undefined,
      // Guests of a call have no session for the card that names people.
      onWho: client === sdk ? openReactions : undefined,
      onHistory: (message: ShownMessage) => open({ what: 'history', messages: [message] }),
      /** Starts editing a message that is not sent yet. */
      onEdit: (message: ShownMessage) => write({ editing: message }),
      selection,
    },
    /** For the top of the chat: what can be done with the selected messages. */
    several: {
      selection: chosen,
      onForward: chat === undefined ? undefined : openForSelected('forward'),
      onDelete: openForSelected('delete'),
      mayDelete: ({ mine }: ShownMessage) => mine || may_delete_all,
    } satisfies SelectionActions,
    /** For the composer: the message that is replied to or edited, and a function that ends this. */
    writing: {
      reply,
      editing,
      onEdited: (message: ShownMessage, body: string) => {
        if (body !== message.body) outbox?.change(place, message.id, { kind: 'edit', body });
        write({});
      },
      onWritten: () => write({}),
    },
    /** Starts editing the newest message that the reader may still change. */
    editNewest: (messages: readonly ShownMessage[]) => {
      const newest = messages.find((one) => !one.deleted && isEditable(one));
      if (newest !== undefined) write({ editing: newest });
    },
  };
}

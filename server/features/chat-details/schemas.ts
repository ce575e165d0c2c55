import { PublicUser } from '../../domain/accounts/accounts.ts';
import { ChatGuest } from '../../domain/chat/messages.ts';
import { File } from '../../domain/files/files.ts';
import { idPattern } from '../../kernel/id.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, moment, nullable, object, oneOf, Type } from '../../kernel/schema.ts';

const message_pattern = `${idPattern('dm')}|${idPattern('chat')}`;
const author_pattern = `${idPattern('usr')}|${idPattern('gst')}`;

/** The identifier of a message of any chat. */
export const MessageId = Type.String({ pattern: message_pattern });

/** The identifier of somebody who reacts: an account or a guest. */
export const ReactionAuthorId = Type.String({ pattern: author_pattern });

/** A reaction, and the account or guest who added it. */
export const MessageReaction = component(
  'MessageReaction',
  object({
    id: Type.String({ pattern: author_pattern, description: 'Of the account or guest; the cursor of the list.' }),
    emoji: Type.String(),
    user: nullable(PublicUser),
    guest: nullable(ChatGuest),
    reacted_at: moment,
  }),
);

export const receipt_states = ['read', 'delivered', 'sent'] as const;

/** Whether one member of a group has received or read a message. */
const GroupReceipt = component(
  'GroupReceipt',
  object({
    user: PublicUser,
    state: oneOf(...receipt_states),
    at: nullable(moment, { description: 'When it was read or delivered, where that is known.' }),
  }),
);

/** Who has received and read a message of a group. */
export const GroupReceipts = object({
  items: Type.Array(GroupReceipt, {
    maxItems: default_limits.group_members + 1,
    description: 'Those who can read it: first who has read it, then who has received it, the latest first.',
  }),
  reads_shown: Type.Boolean({
    description: 'False while you have read receipts switched off: nobody is shown as `read`.',
  }),
});

/** The fields of a message in a list about its chat, besides its files. */
const listed = {
  id: Type.String({ pattern: message_pattern, description: 'Of the message.' }),
  author: nullable(PublicUser),
  body: Type.String(),
  created_at: moment,
};

/** A message with pictures, files or links. */
export const ChatMedia = component(
  'ChatMedia',
  object({
    ...listed,
    files: Type.Array(File, { maxItems: default_limits.message_media, description: 'Only those of the list.' }),
  }),
);

/** A message that is pinned in its chat. */
export const PinnedMessage = component(
  'PinnedMessage',
  object({ ...listed, files: Type.Array(File, { maxItems: default_limits.message_media }) }),
);

/** Whether a message is pinned, in a request. */
export const PinBody = object({ pinned: Type.Boolean({ description: 'False unpins it.' }) });

export const GroupPath = object({ group_id: idOf('grp') });

export const GroupMessagePath = object({ group_id: idOf('grp'), message_id: idOf('chat') });

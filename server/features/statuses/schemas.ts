import { presentUser, PublicUser, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { Mentions, type MentionRow } from '../../domain/social/mentions.ts';
import type { AnyViewer } from '../../domain/visibility/viewer.ts';
import { component, idOf, moment, object, visibleText, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

/** At least one visible character. */
export const StatusBody = visibleText(1, 2000);
export const ReplyBody = visibleText(1, 1000);

export const Reply = component(
  'Reply',
  object({
    id: idOf('reply'),
    post_id: idOf('post'),
    author: PublicUser,
    body: Type.String(),
    mentions: Mentions,
    created_at: moment,
  }),
);

/** The columns of a reply. */
export type ReplyRow = {
  id: string;
  status_id: string;
  author: PublicUserRow;
  body: string;
  mentions: MentionRow[];
  created_at: Date;
};

/** A reply as those who may see its status see it. */
export function presentReply(row: ReplyRow, viewer: AnyViewer): Static<typeof Reply> {
  return {
    id: row.id,
    post_id: row.status_id,
    author: presentUser(row.author, viewer),
    body: row.body,
    mentions: row.mentions,
    created_at: wireTime(row.created_at),
  };
}

/** Messages that are sent on: what is taken of the first one, which stays as unnamed as whoever wrote it. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { invalid } from '../../kernel/errors.ts';
import { idPattern } from '../../kernel/id.ts';
import { idOf, object, optional, Type, type Static } from '../../kernel/schema.ts';
import { selectChatMessages } from '../chat/messages.ts';
import { mayReadGroupMessage } from '../visibility/groups.ts';
import { maySeeThread } from '../visibility/threads.ts';
import { selectDirectMessages } from './threads.ts';

/** Which message is sent on. */
export const Forward = object(
  {
    thread_id: optional(idOf('thr')),
    group_id: optional(idOf('grp')),
    message_id: Type.String({ pattern: `${idPattern('dm')}|${idPattern('chat')}` }),
    file_id: optional({
      ...idOf('file'),
      description: 'One of its files alone, with its words if it is the first: for a group, whose messages hold one.',
    }),
  },
  { description: 'A message of a thread or a group that you can read, instead of everything else.' },
);

/** The words and files of a message, as they are sent on. */
export type Forwarded = { body: string; file_ids: string[] };

/**
 * Reads what is sent on, as far as the viewer can read it now.
 * @param given the other members of the body, of which there may be none
 * @throws ApiError `validation_failed` that names `forward` or what is in it
 */
export async function readForwarded(
  db: Queryable,
  viewer_id: string,
  forward: Static<typeof Forward>,
  given: object,
): Promise<Forwarded> {
  const [other] = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) invalid({ [other]: 'cannot be used together with forward' });
  const whole = await readWhole(db, viewer_id, forward);
  if (!whole || (whole.body === '' && whole.file_ids.length === 0))
    return invalid({ 'forward.message_id': 'is not a message that you can read' });
  if (forward.file_id === undefined) return whole;
  const at = whole.file_ids.indexOf(forward.file_id);
  if (at < 0) invalid({ 'forward.file_id': 'is not a file of this message' });
  return { body: at === 0 ? whole.body : '', file_ids: [forward.file_id] };
}

async function readWhole(
  db: Queryable,
  viewer_id: string,
  { thread_id, group_id, message_id }: Static<typeof Forward>,
): Promise<Forwarded | undefined> {
  if ((thread_id === undefined) === (group_id === undefined))
    invalid({ 'forward.thread_id': 'is required unless group_id is given' });
  if (thread_id !== undefined) {
    const [row] = await selectDirectMessages(
      db,
      sql`m.id = ${message_id} and m.thread_id = ${thread_id} and m.deleted_at is null and exists (
        select 1 from dm_members d join users u on u.id = d.peer_id
        where d.thread_id = m.thread_id and ${maySeeThread(viewer_id)})`,
    );
    return row && { body: row.body, file_ids: row.media.map(({ id }) => id) };
  }
  const [row] = await selectChatMessages(
    db,
    sql`m.id = ${message_id} and m.group_id = ${group_id} and m.deleted_at is null and ${mayReadGroupMessage(viewer_id)}`,
    viewer_id,
  );
  return row && { body: row.body, file_ids: row.file ? [row.file.id] : [] };
}

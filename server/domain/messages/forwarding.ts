/** Forwarded messages: text and files are copied; neither the original nor its author is named. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { invalid } from '../../kernel/errors.ts';
import { idPattern } from '../../kernel/id.ts';
import { idOf, object, optional, Type, type Static } from '../../kernel/schema.ts';
import { selectCallMessages } from '../chat/call-chat.ts';
import { selectChatMessages } from '../chat/messages.ts';
import { mayReadPastMessage } from '../visibility/calls.ts';
import { mayReadGroupMessage } from '../visibility/groups.ts';
import { mayReadDirectMessage } from '../visibility/threads.ts';
import { mayReadWidgetMessage } from '../visibility/widgets.ts';
import { selectDirectMessages } from './direct-messages.ts';

/** The message to be forwarded. */
export const Forward = object(
  {
    thread_id: optional(idOf('thr')),
    group_id: optional(idOf('grp')),
    conference_id: optional(idOf('conf')),
    widget_id: optional(idOf('wid')),
    message_id: Type.String({ pattern: `${idPattern('dm')}|${idPattern('chat')}` }),
    file_id: optional({
      ...idOf('file'),
      description: 'Forwards a single file of a message that has several, with its text if it is the first file.',
    }),
  },
  {
    description:
      'The message to forward: from any thread, group, call or widget you can read. Excludes all other fields.',
  },
);

/** The text and files of a forwarded message. */
export type Forwarded = { body: string; file_ids: string[] };

/**
 * Reads the message to be forwarded, as far as the viewer can read it now.
 * @param given the other members of the body, which must be absent
 * @throws ApiError `validation_failed` that names `forward` or a member of it
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

/**
 * The content of a forwarded message for a call, a group or a widget.
 * @throws ApiError `validation_failed` that names `forward` or a member of it
 */
export async function readForwardedMessage(
  db: Queryable,
  viewer_id: string,
  forward: Static<typeof Forward>,
  given: object,
): Promise<{ kind: 'text' | 'media' } & Forwarded> {
  const forwarded = await readForwarded(db, viewer_id, forward, given);
  return { kind: forwarded.file_ids.length === 0 ? 'text' : 'media', ...forwarded };
}

async function readWhole(
  db: Queryable,
  viewer_id: string,
  { thread_id, group_id, conference_id, widget_id, message_id }: Static<typeof Forward>,
): Promise<Forwarded | undefined> {
  const places = [thread_id, group_id, conference_id, widget_id].filter((one) => one !== undefined);
  if (places.length !== 1)
    invalid({ 'forward.thread_id': 'is required unless one of group_id, conference_id and widget_id is given' });
  const stands = sql`m.id = ${message_id} and m.deleted_at is null`;
  if (thread_id !== undefined) {
    const [row] = await selectDirectMessages(
      db,
      sql`${stands} and m.thread_id = ${thread_id} and ${mayReadDirectMessage(viewer_id)}`,
    );
    return row && { body: row.body, file_ids: row.media.map(({ id }) => id) };
  }
  const read = (which: Sql) =>
    conference_id === undefined
      ? selectChatMessages(db, sql`${stands} and ${which}`, viewer_id)
      : selectCallMessages(db, sql`${stands} and ${which}`, viewer_id);
  const [row] = await read(
    conference_id !== undefined
      ? sql`m.call_id = ${conference_id} and ${mayReadPastMessage(viewer_id)}`
      : group_id !== undefined
        ? sql`m.group_id = ${group_id} and ${mayReadGroupMessage(viewer_id)}`
        : sql`m.widget_id = ${widget_id} and ${mayReadWidgetMessage(viewer_id)}`,
  );
  return row && { body: row.body, file_ids: row.files.map(({ id }) => id) };
}

/** The target of a job, checked when it is created; the run checks it again with the permissions of that time. */
import { requireGroup } from '../../../domain/contacts/groups.ts';
import { findCallees } from '../../../domain/calls/start/callees.ts';
import { requireShort } from '../../../domain/messages/text-targets.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { notFoundAsInvalid, ApiError, invalid } from '../../../kernel/errors.ts';
import type { Services } from '../../../kernel/services.ts';
import type { JobRow } from './scheduled-jobs.ts';

const max_status = 2000;
const max_reminder = 1000;

type Wanted = Pick<JobRow, 'kind' | 'target' | 'body' | 'tag_id' | 'visibility'>;

/** Refuses fields that a kind of job requires or does not support. @throws ApiError `validation_failed` */
export function requireFields({ kind, target, body, tag_id, visibility }: Wanted): void {
  const has_target = kind === 'text' || kind === 'call';
  const has_words = body !== null && body.trim() !== '';
  // As the operations count: an emoji is one character.
  const length = [...(body ?? '')].length;
  const fields: Record<string, string> = {};
  if (has_target && !target) fields['target'] = 'is required';
  if (!has_target && target) fields['target'] = `cannot be set for a ${kind}`;
  if (kind === 'call' && body !== null) fields['body'] = 'is not allowed for a call';
  if (kind !== 'call' && !has_words) fields['body'] = body === null ? 'is required' : 'must contain visible text';
  if (kind === 'status' && length > max_status) fields['body'] = `must have at most ${max_status} characters`;
  if (kind === 'reminder' && length > max_reminder) fields['body'] = `must have at most ${max_reminder} characters`;
  if (kind !== 'status' && tag_id !== null) fields['tag_id'] = `cannot be set for a ${kind}`;
  if (kind !== 'status' && visibility !== null) fields['visibility'] = `cannot be set for a ${kind}`;
  if (Object.keys(fields).length > 0) invalid(fields);
}

/** Refuses a target that the caller cannot write to or call at the moment. @throws ApiError `validation_failed` */
export async function requireReachableTarget(
  db: Queryable,
  services: Services,
  { kind, target, body, tag_id }: Wanted,
  { user_id, now }: { user_id: string; now: Date },
): Promise<void> {
  if (tag_id) await requireTagOwned(db, tag_id, user_id, () => invalid({ tag_id: 'is not one of your tags' }));
  if (!target) return;
  if (kind === 'text' && 'group_id' in target) {
    await requireGroup(db, target.group_id, user_id).catch(notFoundAsInvalid({ target: 'is not one of your groups' }));
    return;
  }
  const callees = await findCallees(db, services, target, { caller_id: user_id, now, field: 'target' }).catch(
    nameTarget,
  );
  if (kind === 'text' && callees.some(({ phone }) => phone !== null)) requireShort(body ?? '');
}

/** Refuses with one error for the whole target, whichever part of it is wrong. */
function nameTarget(error: unknown): never {
  if (error instanceof ApiError && error.code === 'validation_failed') {
    const [text = 'is not valid'] = Object.values(error.fields ?? {});
    invalid({ target: text });
  }
  throw error;
}

/** Refuses a tag that is not the user's own. */
export async function requireTagOwned(db: Queryable, id: string, user_id: string, refuse: () => never): Promise<void> {
  const own = await db.run(sql`select 1 from tags where id = ${id} and owner_id = ${user_id} and deleted_at is null`);
  if (own === 0) refuse();
}

import {
  Account,
  forEachKind,
  presentAccount,
  reach_words,
  requireAccount,
  type UserRow,
} from '../../domain/accounts.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { nullable, object, oneOf, optional, text, Type } from '../../kernel/schema.ts';

const word = optional(oneOf(...reach_words));

export const updateMe = endpoint({
  id: 'updateMe',
  route: 'PATCH /me',
  summary: 'Update your profile',
  gate: 'token',
  body: object({
    display_name: optional(text(1, 60)),
    bio: optional(text(0, 500)),
    timezone: optional(text(1, 64, 'A name of the IANA time zone database.')),
    locale: optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        maxLength: 35,
        description: 'A BCP 47 language tag.',
      }),
    ),
    reach: optional(object({ message: word, call: word, add: word, find: word })),
    notifications: optional(object(forEachKind(optional(Type.Boolean())))),
    push_text: optional(Type.Boolean()),
    do_not_disturb_until: optional(
      nullable(Type.String({ format: 'date-time', description: 'Calls do not ring until then.' })),
    ),
  }),
  reply: Account,
  async run({ caller, body, db, services }) {
    if (body.timezone !== undefined && !isTimeZone(body.timezone)) invalid({ timezone: 'is not a known time zone' });
    const { muted_kinds } = await requireAccount(db, caller.user_id);
    const row = await db.one<UserRow>(sql`
      update users set
        display_name = coalesce(${body.display_name ?? null}, display_name),
        bio = coalesce(${body.bio ?? null}, bio),
        timezone = coalesce(${body.timezone ?? null}, timezone),
        locale = coalesce(${body.locale ?? null}, locale),
        muted_kinds = ${muteKinds(muted_kinds, body.notifications ?? {})}::text[],
        do_not_disturb_until = case when ${body.do_not_disturb_until !== undefined}::boolean
          then ${body.do_not_disturb_until ?? null}::timestamptz else do_not_disturb_until end,
        push_text = coalesce(${body.push_text ?? null}::boolean, push_text),
        reach = reach || ${JSON.stringify(body.reach ?? {})}::jsonb
      where id = ${caller.user_id} returning *`);
    return presentAccount(row, services.public_url);
  },
});

/** The kinds that are switched off after some were switched on or off. */
function muteKinds(muted: string[], wanted: Record<string, boolean | undefined>): string[] {
  const off = new Set(muted);
  for (const [kind, on] of Object.entries(wanted)) {
    if (on === false) off.add(kind);
    if (on === true) off.delete(kind);
  }
  return [...off];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

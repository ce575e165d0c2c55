import { Account, presentAccount, reach_words, requireAccount, type UserRow } from '../../domain/accounts.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, oneOf, optional, text, Type } from '../../kernel/schema.ts';

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
    locale: optional(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description: 'A BCP 47 language tag.' })),
    reach: optional(object({ message: word, call: word, add: word, find: word })),
  }),
  reply: Account,
  async run({ caller, body, db, services }) {
    if (body.timezone !== undefined && !isTimeZone(body.timezone)) invalid({ timezone: 'is not a known time zone' });
    await requireAccount(db, caller.user_id);
    const row = await db.one<UserRow>(sql`
      update users set
        display_name = coalesce(${body.display_name ?? null}, display_name),
        bio = coalesce(${body.bio ?? null}, bio),
        timezone = coalesce(${body.timezone ?? null}, timezone),
        locale = coalesce(${body.locale ?? null}, locale),
        reach = reach || ${JSON.stringify(body.reach ?? {})}::jsonb
      where id = ${caller.user_id} returning *`);
    return presentAccount(row, services.public_url);
  },
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}


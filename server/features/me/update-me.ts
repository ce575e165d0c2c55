import { forgetLastSeen } from '../../domain/accounts/presence.ts';
import { Account, forEachKind, presentAccount, reach_values } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found, invalid } from '../../kernel/errors.ts';
import { expected_key, nullable, object, oneOf, optional, text, lineText, Type } from '../../kernel/schema.ts';
import { readMoment } from '../../kernel/time.ts';
import { meUpdated } from './events.ts';
import { updateProfile } from './queries.ts';

const word = optional(oneOf(...reach_values));

export const updateMe = endpoint({
  id: 'updateMe',
  route: 'PATCH /me',
  summary: 'Update your profile',
  gate: 'token',
  body: object({
    display_name: optional(lineText(1, 60)),
    bio: optional(text(0, 500)),
    timezone: optional(text(1, 64, 'A name of the IANA time zone database.')),
    locale: optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        maxLength: 35,
        description: 'A BCP 47 language tag.',
        [expected_key]: 'a language, such as en or de-CH',
      }),
    ),
    reach: optional(object({ message: word, call: word, add: word, find: word })),
    notifications: optional(object(forEachKind(optional(Type.Boolean())))),
    push_text: optional(Type.Boolean()),
    read_receipts: optional(Type.Boolean()),
    last_seen: optional(Type.Boolean()),
    do_not_disturb_until: optional(
      nullable(Type.String({ format: 'date-time', description: 'Calls do not ring until then.' })),
    ),
  }),
  reply: Account,
  async run({ caller, body, db, now, services, emit }) {
    if (body.timezone !== undefined && !isTimeZone(body.timezone)) invalid({ timezone: 'is not a known time zone' });
    const { on, off } = sortKinds(body.notifications ?? {});
    const until = readUntil(body.do_not_disturb_until);
    const row = await updateProfile(db, caller.user_id, body, { on, off, until, now });
    if (body.last_seen === false) await forgetLastSeen(db, caller.user_id);
    const account = presentAccount(found(row), { services });
    const fields = Object.keys(body);
    if (fields.length > 0) emit(meUpdated, [`user:${caller.user_id}`], { fields });
    return account;
  },
});

/** The kinds that are switched on, and those that are switched off. */
function sortKinds(wanted: Record<string, boolean | undefined>): { on: string[]; off: string[] } {
  const kindsOf = (state: boolean) => Object.keys(wanted).filter((kind) => wanted[kind] === state);
  return { on: kindsOf(true), off: kindsOf(false) };
}

/** Until when calls are silenced; null to end that, undefined when unspecified. */
function readUntil(typed: string | null | undefined): Date | null | undefined {
  if (typed === null || typed === undefined) return typed;
  return readMoment(typed) ?? invalid({ do_not_disturb_until: 'is not a valid date and time' });
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

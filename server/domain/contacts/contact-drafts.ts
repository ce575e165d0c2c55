/** Drafts of contacts: input fields, and their normalisation. */
import type { Fields } from '../../kernel/errors.ts';
import { normaliseNumber, regionOf } from '../../kernel/formats/phone.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { headingText, nullable, object, optional, text, Type, type Static } from '../../kernel/schema.ts';
import { Email } from '../accounts/accounts.ts';
import type { ContactDraft } from './contacts.ts';
import { TagName } from '../social/tags.ts';
import {
  no_details,
  normaliseDetails,
  typedDetails,
  type ContactDetails,
  type FoundDetails,
} from './contact-details.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The maximum of numbers, addresses and handles of one contact. */
export const max_contact_values = default_limits.contact_values;
/** The label of a number or address without one. */
export const plain_label = 'other';

const label = optional(text(0, 40, 'For example `mobile`, `home` or `work`; `other` by default.'));

/** The name of a contact in a request. */
export const ContactName = headingText(1, 200);

/** The input fields of a contact besides its name. */
export const contactFields = {
  phones: optional(
    Type.Array(
      object({
        label,
        number: text(
          2,
          40,
          'As dialled in the region of your own number, or in international format; stored in E.164.',
        ),
      }),
      { maxItems: max_contact_values },
    ),
  ),
  emails: optional(Type.Array(object({ label, address: Email }), { maxItems: max_contact_values })),
  tag_name: optional(nullable(TagName)),
  im: optional(
    Type.Array(
      object({
        network: Type.String({
          pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$',
          description: 'For example matrix, signal or xmpp.',
        }),
        handle: text(1, 200),
      }),
      { maxItems: max_contact_values },
    ),
  ),
  note: optional(text(0, 5000)),
  ...typedDetails,
  favourite: optional(Type.Boolean()),
};

const AllFields = object({ name: optional(ContactName), ...contactFields });

/** A contact as typed: validated against its schema, not yet normalised. */
export type ContactInput = Static<typeof AllFields>;

/** A contact as found in a file, before validation. */
export type FoundContact = {
  name: string;
  phones: { label: string; number: string }[];
  emails: { label: string; address: string }[];
  im: { network: string; handle: string }[];
  tag_name: string;
  note: string;
  favourite: boolean;
  details: FoundDetails;
  /** The embedded picture of a card in Base64; empty without one. */
  photo: string;
};

/** An empty found contact. */
export const emptyFoundContact = (): FoundContact => ({
  name: '',
  phones: [],
  emails: [],
  im: [],
  tag_name: '',
  note: '',
  favourite: false,
  details: { organization: '', job_title: '', birthday: '', addresses: [] },
  photo: '',
});

/** The region whose dialling rules an account uses; undefined when unknown. */
export async function selectRegion(db: Queryable, user_id: string): Promise<string | undefined> {
  const row = await db.maybe<{ mobile_number: string | null; locale: string }>(
    sql`select mobile_number, locale from users where id = ${user_id}`,
  );
  return row && regionOf(row.mobile_number, row.locale);
}

/** Only the fields that were typed. */
export type PartialDraft = Partial<Omit<ContactDraft, 'details'>> & {
  details?: Partial<ContactDetails>;
};

/**
 * Normalises a typed contact: numbers to E.164 by the rules of a region (ITU-T E.164), e-mail addresses and tag names
 * to lower case, without duplicates (the first label is kept). Invalid fields are added to `wrong`.
 */
export function normaliseContact(
  typed: ContactInput,
  region: string | undefined,
): { draft: PartialDraft; wrong: Fields } {
  const wrong: Fields = {};
  const draft: PartialDraft = { details: normaliseDetails(typed, wrong) };
  if (typed.name !== undefined) draft.name = typed.name.trim();
  if (typed.phones) {
    const phones = typed.phones.map(({ label: named, number }, at) => {
      const normal = normaliseNumber(number, region);
      if (!normal) wrong[`phones.${at}.number`] = 'is not valid: write it as you dial it, or like +14155550123';
      return { label: labelOf(named), number: normal ?? number };
    });
    draft.phones = uniqueBy(phones, ({ number }) => number);
  }
  if (typed.emails) {
    const emails = typed.emails.map((email) => ({
      label: labelOf(email.label),
      address: email.address.toLowerCase(),
    }));
    draft.emails = uniqueBy(emails, ({ address }) => address);
  }
  if (typed.tag_name !== undefined) draft.tag_name = typed.tag_name?.toLowerCase() ?? null;
  if (typed.im) {
    const handles = typed.im.map(({ network, handle }) => ({ network: network.toLowerCase(), handle }));
    draft.im = uniqueBy(handles, ({ network, handle }) => `${network} ${handle.toLowerCase()}`);
  }
  if (typed.note !== undefined) draft.note = typed.note;
  if (typed.favourite !== undefined) draft.favourite = typed.favourite;
  return { draft, wrong };
}

/** A new contact with the given fields, and defaults for the others. */
export function completeDraft({ details, ...draft }: PartialDraft): ContactDraft {
  const blank = { name: '', phones: [], emails: [], tag_name: null, im: [], note: '', favourite: false };
  return { ...blank, ...draft, details: { ...no_details, ...details } };
}

/** Consumes the budget for looking up addresses among the accounts. @throws ApiError `rate_limited` */
export async function consumeLookupBudget(
  consume: (name: 'contact_addresses', key: string, amount: number) => Promise<void>,
  user_id: string,
  addresses: number,
): Promise<void> {
  if (addresses > 0) await consume('contact_addresses', user_id, addresses);
}

/** The number of phone numbers, e-mails and tags by which an account may be found. */
export const countAddresses = ({
  phones = [],
  emails = [],
  tag_name,
}: Partial<Pick<ContactDraft, 'phones' | 'emails' | 'tag_name'>>): number =>
  phones.length + emails.length + (tag_name ? 1 : 0);

const labelOf = (typed: string | undefined): string => typed?.trim() || plain_label;

/** The items with distinct keys, the first of each. */
function uniqueBy<T>(items: T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size);
}

/**
 * Contacts: the entries of an address book, and the account that each of them matches, as far as the owner may know.
 */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { found } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { maySeeUser, mayReach } from '../visibility/people.ts';
import { mayOpenTag } from '../visibility/tags.ts';
import { type AnyViewer, row_by_row, type ViewerId } from '../visibility/viewer.ts';
import { no_details, shownDetails, type ContactDetails } from './contact-details.ts';
import { photoUrl } from './contact-photos.ts';
import { default_limits } from '../../kernel/load/limits.ts';

const labelled = { label: Type.String() };
const few = { maxItems: default_limits.contact_values };

export const Contact = component(
  'Contact',
  object({
    id: idOf('con'),
    name: Type.String(),
    phones: Type.Array(object({ ...labelled, number: Type.String({ description: 'In E.164.' }) }), few),
    emails: Type.Array(object({ ...labelled, address: Type.String() }), few),
    tag_name: nullable(Type.String({ description: 'Without the sigil.' })),
    im: Type.Array(object({ network: Type.String(), handle: Type.String() }), few),
    note: Type.String(),
    ...shownDetails,
    photo_url: nullable(Type.String()),
    favourite: Type.Boolean(),
    user: nullable(PublicUser),
    created_at: moment,
    updated_at: moment,
  }),
);

export const contactUpdated = event(
  'contact.updated',
  'A contact was created or edited on any of your devices.',
  object({ contact: Contact }),
);
export const contactDeleted = event('contact.deleted', 'A contact was deleted.', object({ id: idOf('con') }));

/** The stored fields of a contact; numbers in E.164, addresses and the tag name in lower case. */
export type ContactDraft = {
  name: string;
  phones: { label: string; number: string }[];
  emails: { label: string; address: string }[];
  tag_name: string | null;
  im: { network: string; handle: string }[];
  note: string;
  favourite: boolean;
  details: ContactDetails;
};

/** A contact as its owner sees it. */
export type ContactRow = ContactDraft & {
  id: string;
  revision: number;
  /** The account that the contact matches, if it allows the owner to find it. */
  user: PublicUserRow | null;
  created_at: Date | string;
  updated_at: Date | string;
};

/**
 * The account that contact `c` of an owner matches, as JSON, or null: the one linked to it by an invite, or whose
 * verified number, verified e-mail or tag it contains, in this order, and whose reach allows the owner to find it. It
 * is looked up at each read, so that it follows what others verify, allow and block. An account that does not allow it
 * is the same as none. Accounts are checked one by one: planned as a join, a database without statistics checks the
 * reach of all accounts first.
 */
export const matchedUser = (owner_id: ViewerId): Sql => sql`(
  select ${publicUserJson('u')} from (
    select c.linked_user_id as id, 0 as place where c.linked_user_id is not null
    union all
    select u.id, a.place from contact_addresses a join users u on u.mobile_number = a.address
      where a.contact_id = c.id and u.mobile_verified and u.deleted_at is null
    union all
    select u.id, a.place from contact_addresses a join users u on u.email = a.address
      where a.contact_id = c.id and u.email_verified and u.deleted_at is null
    union all
    select t.owner_id, 200 from tags t join users u on u.id = t.owner_id
      where t.name = c.tag_name and ${mayOpenTag(owner_id)}) known
  cross join lateral (select * from users k where k.id = known.id ${row_by_row}) u
  where u.id <> ${owner_id} and ${maySeeUser(owner_id)} and ${mayReach(owner_id, 'find')}
  order by known.place limit 1)`;

/** The columns of ContactRow as its owner sees it, over `contacts c`. */
export const contactColumns = (owner_id: ViewerId): Sql => sql`
  c.id, c.name, c.phones, c.emails, c.tag_name, c.im, c.note, c.favourite, c.details, c.revision, c.created_at, c.updated_at,
  ${matchedUser(owner_id)} as user`;

/** A contact `c` with the columns of ContactRow as one JSON value, for joins. */
export const contactJson = (owner_id: ViewerId): Sql => sql`json_build_object(
  'id', c.id, 'name', c.name, 'phones', c.phones, 'emails', c.emails, 'tag_name', c.tag_name, 'im', c.im, 'note', c.note,
  'favourite', c.favourite, 'details', c.details, 'revision', c.revision, 'created_at', c.created_at, 'updated_at', c.updated_at,
  'user', ${matchedUser(owner_id)})`;

/** A contact as its owner sees it. */
export function presentContact(row: ContactRow, viewer: AnyViewer): Static<typeof Contact> {
  const { photo, ...details } = { ...no_details, ...row.details };
  return {
    id: row.id,
    name: row.name,
    phones: row.phones,
    emails: row.emails,
    tag_name: row.tag_name,
    im: row.im,
    note: row.note,
    ...details,
    photo_url: photoUrl(photo, viewer.services.public_url),
    favourite: row.favourite,
    user: row.user && presentUser(row.user, viewer),
    created_at: wireTime(new Date(row.created_at)),
    updated_at: wireTime(new Date(row.updated_at)),
  };
}

/** A contact of an owner; others' contacts are reported like unknown ones. @throws ApiError `not_found` */
export async function requireContact(db: Queryable, id: string, owner_id: string): Promise<ContactRow> {
  return found(
    await db.maybe<ContactRow>(
      sql`select ${contactColumns(owner_id)} from contacts c where c.id = ${id} and c.owner_id = ${owner_id}`,
    ),
  );
}

/**
 * Locks a contact until the end of the transaction, so that it is not deleted meanwhile.
 * @returns whether it is one of the owner's
 */
export async function lockContact(db: Queryable, id: string, owner_id: string): Promise<boolean> {
  return (await db.run(sql`select 1 from contacts where id = ${id} and owner_id = ${owner_id} for key share`)) > 0;
}

/** The number on which a contact is called, in E.164; undefined when it has none. */
export function phoneOf({ phones }: Pick<ContactDraft, 'phones'>): string | undefined {
  return phones[0]?.number;
}

/**
 * The step `book` of a statement that inserts into an address book: the number of its contacts, with the lock of its
 * counter until the end of the transaction. It is the newest number even if the statement had to wait for the lock.
 */
export const bookStep = (owner_id: string): Sql => sql`
  book as (
    insert into contact_counts as kept (owner_id, count) values (${owner_id}, 0)
    on conflict (owner_id) do update set count = kept.count returning count)`;

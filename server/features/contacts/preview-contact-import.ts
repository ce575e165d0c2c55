import { blank_address } from '../../domain/contacts/contact-details.ts';
import { emptyFoundContact, selectRegion, type FoundContact } from '../../domain/contacts/contact-drafts.ts';
import { acceptContacts, planPreview, readContactFile, selectBook } from '../../domain/contacts/contact-imports.ts';
import { photoBlob, photoOwner, registerPhotos, type EncodedPhoto } from '../../domain/contacts/contact-photos.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { endpoint, jsonText } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { invalid } from '../../kernel/errors.ts';
import { nullable, object, optional, text, Type, type Static } from '../../kernel/schema.ts';
import { change as inChange, type Services } from '../../kernel/services.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { insertPreview } from './queries.ts';
import { ImportPreview, preview_term_s } from './schemas.ts';

const few = { maxItems: default_limits.contact_values };
const loose = text(0, 500);
const loose_label = optional(loose);
/** In the form of a file: an invalid value is reported in its row, and does not fail the request. */
const Typed = object({
  name: optional(loose),
  phones: optional(Type.Array(object({ label: loose_label, number: loose }), few)),
  emails: optional(Type.Array(object({ label: loose_label, address: loose }), few)),
  tag_name: optional(nullable(loose)),
  im: optional(Type.Array(object({ network: loose, handle: loose }), few)),
  note: optional(text(0, 5000)),
  organization: optional(loose),
  job_title: optional(loose),
  birthday: optional(nullable(loose)),
  addresses: optional(
    Type.Array(
      object({
        label: loose_label,
        street: optional(loose),
        locality: optional(loose),
        region: optional(loose),
        postal_code: optional(loose),
        country: optional(loose),
      }),
      few,
    ),
  ),
  favourite: optional(Type.Boolean()),
});

/** Stores the photos of a file, to which its contacts may refer after the commit. */
async function storePhotos(services: Services, owner_id: string, photos: EncodedPhoto[]): Promise<void> {
  if (photos.length === 0) return;
  // A file may contain a photo several times.
  const sizes = new Map(photos.map(({ key, bytes }) => [key, bytes.length]));
  const sized = [...sizes].map(([key, size_bytes]) => ({ key, size_bytes }));
  await inChange(services, (registered) => registerPhotos(registered, owner_id, sized));
  const type = { content_type: 'image/webp' };
  await Promise.all(photos.map(({ key, bytes }) => services.blobs.put(photoBlob(key), bytes, type)));
}

export const previewContactImport = endpoint({
  id: 'previewContactImport',
  route: 'POST /contacts/import/preview',
  summary: 'Preview a contact import',
  description: 'vCard 3 or 4, CSV with the column names of Google or Outlook, or JSON.',
  kind: 'either',
  throttle: 'import',
  max_file_bytes: default_limits.import_bytes,
  body: object({
    contacts: optional(Type.Array(Typed, { minItems: 1, maxItems: default_limits.import_rows })),
  }),
  reply: ImportPreview,
  errors: ['plan_limit_reached'],
  async prepare({ body, file, caller, origin, services }) {
    if (file ? body.contacts : !body.contacts)
      invalid({ contacts: 'is required unless a file is given, and cannot be combined with one' });
    const { db } = services;
    const region = await selectRegion(db, caller.user_id);
    const language = languageOfOrigin(origin);
    const read = await services.decoder.use(caller.user_id, async (decode) => {
      const { source, rows, photos } = file
        ? await readContactFile(decode, file.bytes, region, photoOwner(services.secrets, caller.user_id))
        : await acceptContacts(decode, (body.contacts ?? []).map(foundIn), region);
      const plan = await planPreview(decode, rows, await selectBook(db, caller.user_id), language);
      return { source, photos, plan };
    });
    await storePhotos(services, caller.user_id, read.photos);
    return { source: read.source, ...read.plan };
  },
  async run({ caller, prepared: { source, kept, shown, counts }, ...change }) {
    const preview = { id: change.id('imp'), source, rows: kept, expires_at: after(change.now, preview_term_s) };
    await insertPreview(change, preview, caller.user_id);
    const { id: preview_id, expires_at } = preview;
    return jsonText(200, { preview_id, expires_at: wireTime(expires_at), source, counts }, { rows: shown });
  },
});

/** Contacts sent as JSON, in the form of a file. */
function foundIn(typed: Static<typeof Typed>): FoundContact {
  return {
    ...emptyFoundContact(),
    name: typed.name ?? '',
    phones: (typed.phones ?? []).map(({ label = '', number }) => ({ label, number })),
    emails: (typed.emails ?? []).map(({ label = '', address }) => ({ label, address })),
    im: typed.im ?? [],
    tag_name: typed.tag_name ?? '',
    note: typed.note ?? '',
    favourite: typed.favourite ?? false,
    details: {
      organization: typed.organization ?? '',
      job_title: typed.job_title ?? '',
      birthday: typed.birthday ?? '',
      addresses: (typed.addresses ?? []).map((one) => ({ ...blank_address, ...one })),
    },
  };
}

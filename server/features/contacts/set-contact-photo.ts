import { Contact, contactUpdated, presentContact, requireContact } from '../../domain/contacts/contacts.ts';
import { photoBlob, photoKey, photoOwner, registerPhotos } from '../../domain/contacts/contact-photos.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { decodeAvatar } from '../../kernel/media/media.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { change as inChange } from '../../kernel/services.ts';
import { lockContactForChange, updateContact } from './queries.ts';

export const setContactPhoto = endpoint({
  id: 'setContactPhoto',
  route: 'PUT /contacts/{contact_id}/photo',
  summary: 'Set the photo of a contact',
  description: 'It is cropped to a square and re-encoded without metadata.',
  extension: true,
  kind: 'upload',
  max_file_bytes: 5 * 1024 * 1024,
  path: object({ contact_id: idOf('con') }),
  reply: Contact,
  errors: ['plan_limit_reached'],
  async prepare({ caller, path, file, services }) {
    await requireContact(services.db, path.contact_id, caller.user_id);
    const bytes = file?.bytes ?? invalid({ file: 'is required' });
    const picture = await services.decoder.use(caller.user_id, (decode) => decodeAvatar(decode, bytes));
    const key = photoKey(photoOwner(services.secrets, caller.user_id), picture.hash);
    const photo = { key, size_bytes: picture.bytes.length };
    await inChange(services, (registered) => registerPhotos(registered, caller.user_id, [photo]));
    await services.blobs.put(photoBlob(key), picture.bytes, { content_type: 'image/webp' });
    return photo;
  },
  async run({ caller, path, prepared: photo, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await lockContactForChange(db, path.contact_id, me);
    const before = await requireContact(db, path.contact_id, me);
    await registerPhotos(change, me, [photo]);
    if (before.details.photo !== photo.key)
      await updateContact(db, before.id, { ...before, details: { ...before.details, photo: photo.key } }, now);
    const contact = presentContact(await requireContact(db, before.id, me), change);
    change.emit(contactUpdated, [`user:${me}`], { contact });
    return contact;
  },
});

import { isPhotoShown, photoBlob } from '../../domain/contacts/contact-photos.ts';
import { picture_name, sendPicture } from '../../domain/files/stored-picture.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, Type } from '../../kernel/schema.ts';

export const getContactPhoto = endpoint({
  id: 'getContactPhoto',
  route: 'GET /contact-photos/{photo}',
  summary: 'Get the photo of a contact',
  description: 'By its signed address, which is part of the contact and known only to its owner.',
  gate: 'public',
  kind: 'stream',
  extension: true,
  path: object({ photo: Type.String({ pattern: picture_name }) }),
  async run({ path: { photo }, db, services }) {
    if (!(await isPhotoShown(db, photo))) fail('not_found');
    return sendPicture(services.blobs, photoBlob(photo), photo, false);
  },
});

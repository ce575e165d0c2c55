import { File, presentFile, attachFiles } from '../../domain/files/files.ts';
import { discardUpload, storeUpload, stageUpload } from '../../domain/files/uploads.ts';
import { requireTag, requireOwnTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { countMedia, lockOwnTag, selectLastPosition } from './queries.ts';

/** The maximum of media of a tag. */
const max_files = default_limits.tag_media;

export const addTagMedia = endpoint({
  id: 'addTagMedia',
  route: 'POST /xtags/{xtag_id}/media',
  summary: 'Add media to a tag',
  description: 'Accepts an upload, or the identifier of one of your files.',
  kind: 'either',
  path: object({ xtag_id: idOf('tag') }),
  body: object({ file_id: optional(idOf('file')) }),
  reply: File,
  status: [201, 200],
  errors: ['forbidden', 'limit_reached', 'plan_limit_reached'],
  async prepare({ path, body, file, ...input }) {
    if (!file && !body.file_id) invalid({ file_id: 'is required unless a file is given' });
    if (file && body.file_id) invalid({ file_id: 'cannot be combined with a file' });
    if (!file) return undefined;
    // Checked before decoding; the transaction checks again.
    const viewer = viewerOf(input);
    await requireOwnTag(input.services.db, path.xtag_id, viewer);
    return stageUpload(input.services, viewer.id, file);
  },
  discard: async (staged, services) => staged && discardUpload(services, staged),
  async run({ path, body, prepared: staged, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    const tag = await lockOwnTag(db, path.xtag_id, viewer);
    const id = staged ? (await storeUpload(change, staged)).id : (body.file_id ?? '');
    const known = tag.media.find((one) => one.id === id);
    if (known) return reply(200, presentFile(known, viewer));
    if (tag.media.length >= max_files) fail('limit_reached', { message: `A tag can show up to ${max_files} files.` });
    const place = await selectLastPosition(db, tag.id);
    const own = { owner_id: viewer.id, file_ids: [id], place };
    await attachFiles(change, { type: 'tag', id: tag.id }, own).catch(nameField);
    await countMedia(db, tag.id, 1);
    const after = await requireTag(db, tag.id, viewer);
    return presentFile(found(after.media.find((one) => one.id === id)), viewer);
  },
});

/** Names the form field of the single file, where `attachFiles` names an item of a list. @throws ApiError */
function nameField(error: unknown): never {
  if ((error as { code?: string }).code === 'validation_failed') invalid({ file_id: 'is not one of your files' });
  throw error;
}

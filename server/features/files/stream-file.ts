import { saveAs } from '../../domain/files/file-names.ts';
import { readStreamToken, requireFile } from '../../domain/files/files.ts';
import { blobKey } from '../../domain/files/uploads.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { isHolder } from '../../kernel/security/grant.ts';

/** A browser that opens any file with this policy runs and loads nothing. */
const content_security_policy = "default-src 'none'; sandbox";

export const streamFile = endpoint({
  id: 'streamFile',
  route: 'GET /files/{id}/stream',
  summary: 'Stream a file',
  description: 'Whole or in part, with a signed address or by a caller who can see it.',
  gate: 'optional',
  kind: 'stream',
  path: object({ id: idOf('file') }),
  query: object({ token: optional(Type.String({ maxLength: 500, description: 'From stream_url.' })) }),
  status: [200, 206, 304],
  errors: ['unauthenticated', 'token_invalid', 'range_not_satisfiable'],
  async run({ caller, path, query, db, now, services }) {
    const granted =
      query.token === undefined
        ? caller && { viewer_id: caller.user_id, variant: 'main', session_id: undefined }
        : readStreamToken(services, path.id, query.token, now);
    if (!granted) fail(query.token === undefined ? 'unauthenticated' : 'token_invalid');
    const [file, is_open] = await Promise.all([
      requireFile(db, path.id, granted.viewer_id),
      granted.session_id === undefined ||
        isHolder({ db, clock: services.clock }, { user_id: granted.viewer_id, session_id: granted.session_id }),
    ]);
    if (!is_open) fail('token_invalid');
    const part = found(
      granted.variant === 'main'
        ? { content_type: file.content_type, size_bytes: Number(file.main_bytes) }
        : file.variants.find(({ name }) => name === granted.variant),
    );
    const key = blobKey(file.id, granted.variant);
    return reply(
      200,
      {
        content: {
          size_bytes: part.size_bytes,
          etag: `"${file.id}.${granted.variant}"`,
          open: async (range?: { first: number; last: number }) => (await services.blobs.get(key, range))?.body,
        },
      },
      {
        'content-type': part.content_type,
        'content-disposition': file.kind === 'other' ? saveAs(file) : 'inline',
        'content-security-policy': content_security_policy,
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'private, max-age=600',
      },
    );
  },
});

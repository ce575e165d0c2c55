import { presentFile, requireFile } from '../../domain/files/files.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { component, idOf, moment, object, Type } from '../../kernel/schema.ts';

const StreamAddress = component(
  'StreamAddress',
  object({
    stream_url: Type.String({ description: 'Signed for the caller; needs no authorization header.' }),
    stream_expires_at: moment,
  }),
);

export const createStreamToken = endpoint({
  id: 'createStreamToken',
  route: 'POST /files/{file_id}/stream-token',
  summary: 'Refresh a stream URL',
  idempotent: false,
  path: object({ file_id: idOf('file') }),
  reply: StreamAddress,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    const file = presentFile(await requireFile(db, path.file_id, viewer.id), viewer);
    return { stream_url: file.stream_url, stream_expires_at: file.stream_expires_at };
  },
});

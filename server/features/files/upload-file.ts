import { File, presentFile } from '../../domain/files/files.ts';
import { discardUpload, storeUpload, stageUpload } from '../../domain/files/uploads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';

export const uploadFile = endpoint({
  id: 'uploadFile',
  route: 'POST /files',
  summary: 'Upload a file',
  description: 'Use it in a status or a message within 24 hours.',
  kind: 'upload',
  extension: true,
  reply: File,
  status: [201],
  errors: ['plan_limit_reached'],
  prepare: ({ caller, file, services }) =>
    stageUpload(services, caller.user_id, file ?? invalid({ file: 'is required' })),
  discard: (staged, services) => discardUpload(services, staged),
  run: async ({ prepared: staged, ...change }) => presentFile(await storeUpload(change, staged), viewerOf(change)),
});

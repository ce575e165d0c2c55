import { feature } from '../../kernel/endpoint.ts';
import { createStreamToken } from './create-stream-token.ts';
import { collectFiles, removeBlobs, sweepBlobs } from './jobs.ts';
import { streamFile } from './stream-file.ts';
import { uploadFile } from './upload-file.ts';
import { lifecycle } from './lifecycle.ts';

export const files = feature({
  area: 'files',
  title: 'Media',
  endpoints: [uploadFile, createStreamToken, streamFile],
  jobs: [collectFiles, removeBlobs, sweepBlobs],
  lifecycle,
});

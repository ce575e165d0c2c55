import { feature } from '../../kernel/endpoint.ts';
import { createStreamToken } from './create-stream-token.ts';
import { createTranscript } from './create-transcript.ts';
import { fileTranscribed } from './events.ts';
import { collectFiles, removeBlobs, sweepBlobs, transcribeFile } from './jobs.ts';
import { streamFile } from './stream-file.ts';
import { uploadFile } from './upload-file.ts';
import { lifecycle } from './lifecycle.ts';

export const files = feature({
  area: 'files',
  title: 'Media',
  endpoints: [uploadFile, createStreamToken, streamFile, createTranscript],
  events: [fileTranscribed],
  jobs: [collectFiles, removeBlobs, sweepBlobs, transcribeFile],
  lifecycle,
});

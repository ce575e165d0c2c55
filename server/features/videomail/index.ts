import { transcribeMessage } from '../../domain/messages/transcripts.ts';
import { feature } from '../../kernel/endpoint.ts';
import { lifecycle } from './lifecycle.ts';
import { sendVideomail } from './send-videomail.ts';

export const videomail = feature({
  area: 'videomail',
  title: 'Push, realtime, videomail',
  endpoints: [sendVideomail],
  jobs: [transcribeMessage],
  lifecycle,
});

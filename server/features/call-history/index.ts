import { feature } from '../../kernel/endpoint.ts';
import { lifecycle } from './lifecycle.ts';
import { listCallHistory } from './list-call-history.ts';
import { listCallTranscript } from './list-call-transcript.ts';

export const callHistory = feature({
  area: 'call-history',
  title: 'Call history',
  endpoints: [listCallHistory, listCallTranscript],
  lifecycle,
});

import { feature } from '../../kernel/endpoint.ts';
import { createRealtimeGrant } from './create-realtime-grant.ts';
import { presenceUpdated } from './events.ts';
import { getPresence } from './get-presence.ts';
import { listPresence } from './list-presence.ts';
import { streamRealtime } from './stream-realtime.ts';
import { lifecycle } from './lifecycle.ts';

export const realtime = feature({
  area: 'realtime',
  title: 'Realtime',
  endpoints: [createRealtimeGrant, streamRealtime, listPresence, getPresence],
  events: [presenceUpdated],
  lifecycle,
});

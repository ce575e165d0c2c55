import type { Call, RealtimeStream } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { catchUp } from '../../../data/cache.ts';
import { callMessagesKey, subscribeToMessagesOf } from '../../chat/chat-queries.ts';
import { OutboxOf } from '../../chat/outbox-context.tsx';
import { StreamContext, useStreamState } from '../../../data/stream.ts';
import { localizeNames } from '../../../i18n/default-names.ts';
import type { CallGuest, GuestClient } from './guest-session.ts';
import { guestCallKey, guestKey } from '../state/guest-queries.ts';

/** Updates a guest's page from their realtime stream. */
function follow(stream: RealtimeStream, queries: QueryClient, { join_code, guest_id }: Place): void {
  subscribeToMessagesOf(stream, queries, () => guest_id);
  stream.on('call.guest_decided', ({ data }) => {
    if (data.guest.id === guest_id) queries.setQueryData<CallGuest>(guestKey(join_code), data.guest);
  });
  const keep = ({ data }: { data: { call: Call } }) => {
    if (data.call.join_code === join_code)
      queries.setQueryData<Call>(guestCallKey(join_code), localizeNames(data.call));
  };
  stream.on('call.updated', keep);
  stream.on('call.ended', keep);
  const refetch = () => catchUp(queries, [guestKey(join_code), guestCallKey(join_code), callMessagesKey(join_code)]);
  stream.onSignal('reset', refetch);
  stream.onSignal('ready', ({ resumed }) => {
    if (!resumed) refetch();
  });
  // The token has expired, with the call or a decline: a fetch shows which.
  stream.onSignal('state', (state) => {
    if (state === 'stopped') refetch();
  });
}

interface Place {
  readonly join_code: string;
  readonly guest_id: string;
}

interface GuestRealtimeProps extends Place {
  client: GuestClient;
  children: ReactNode;
}

function GuestOutbox({ guest_id, client, children }: Omit<GuestRealtimeProps, 'join_code'>) {
  return (
    <OutboxOf owner_id={guest_id} client={client.sdk} is_open={useStreamState() === 'open'}>
      {children}
    </OutboxOf>
  );
}

/** Keeps a guest's stream open while they wait and while they are in the call. */
export function GuestRealtime({ join_code, guest_id, client, children }: GuestRealtimeProps) {
  const queries = useQueryClient();
  const [stream, setStream] = useState<RealtimeStream>();
  useEffect(() => {
    const opened = client.sdk.openRealtime();
    follow(opened, queries, { join_code, guest_id });
    setStream(opened);
    return () => {
      opened.close();
      setStream(undefined);
    };
  }, [client, queries, join_code, guest_id]);
  return (
    <StreamContext value={stream}>
      <GuestOutbox guest_id={guest_id} client={client}>
        {children}
      </GuestOutbox>
    </StreamContext>
  );
}

import { useConnectionState } from '@livekit/components-react';
import { ConnectionState } from 'livekit-client';
import { useOnline } from '../../../ui/hooks/use-online.ts';

/**
 * Whether the media server reaches the reader now. Otherwise who speaks and how good connections are is only what was last
 * known, also while the client resumes a lost signalling connection.
 */
export function useIsConnected(): boolean {
  const [is_online, state] = [useOnline(), useConnectionState()];
  return is_online && state === ConnectionState.Connected;
}

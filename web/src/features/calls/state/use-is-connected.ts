import { useConnectionState } from '@livekit/components-react';
import { ConnectionState } from 'livekit-client';
import { useOnline } from '../../../ui/hooks/use-online.ts';

/**
 * Whether the media server reaches the reader now. While it does not, also while the client resumes
 * a lost signalling connection, active speakers and connection qualities are outdated.
 */
export function useIsConnected(): boolean {
  const [is_online, state] = [useOnline(), useConnectionState()];
  return is_online && state === ConnectionState.Connected;
}

import { useLocalParticipant } from '@livekit/components-react';
import { useState } from 'react';
import type { Source } from '../state/wanted-sources.ts';
import { useShortcuts } from './use-shortcuts.ts';

interface CallKeys {
  /** Whether the call is shown in full size. */
  is_page: boolean;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
  /** Shows or hides the chat. */
  onSide: () => void;
  /** Raises the reader's hand, or lowers it. */
  onHand: () => void;
}

/** The keyboard shortcuts of a call: those that need its page wait until it is open. */
export function useCallKeys({ is_page, onSwitch, onLeave, onSide, onHand }: CallKeys) {
  const { isMicrophoneEnabled, isCameraEnabled } = useLocalParticipant();
  const [talks, setTalks] = useState(false);
  const [listed, setListed] = useState(false);
  useShortcuts((key, is_down) => {
    if (key === 'microphone') onSwitch('microphone', !isMicrophoneEnabled);
    else if (key === 'camera') onSwitch('camera', !isCameraEnabled);
    else if (key === 'leave') onLeave();
    else if (key === 'chat' && is_page) onSide();
    else if (key === 'hand' && is_page) onHand();
    else if (key === 'keys' && is_page) setListed(true);
    else if (key === 'talk' && (talks || !isMicrophoneEnabled)) {
      setTalks(is_down);
      onSwitch('microphone', is_down);
    }
  }, is_page);
  return { listed, onListed: setListed };
}

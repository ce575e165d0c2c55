import { useLocalParticipant } from '@livekit/components-react';
import { MonitorUp } from 'lucide-react';
import { i18n } from '../../../i18n/i18n.ts';

/** Says that the others see the reader's screen, while that is so. */
export function OwnScreen({ onStop }: { onStop: () => void }) {
  const { isScreenShareEnabled } = useLocalParticipant();
  return (
    <div role="status">
      {isScreenShareEnabled ? (
        <div className="notice call-notice own-screen">
          <MonitorUp aria-hidden="true" size={20} />
          <p>{i18n.t('Everyone in the call sees your screen.')}</p>
          <button type="button" className="button quiet" onClick={onStop}>
            {i18n.t('Stop sharing')}
          </button>
        </div>
      ) : null}
    </div>
  );
}

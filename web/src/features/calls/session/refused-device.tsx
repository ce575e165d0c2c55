import { i18n } from '../../../i18n/i18n.ts';
import type { Source } from '../state/wanted-sources.ts';
import type { Refusal } from './use-sources.ts';

interface RefusedDeviceProps {
  refusal: Refusal | undefined;
  onAgain: (source: Source) => void;
}

/** Why devices could not be started, with a button to try again and one to go on without them. */
export function RefusedDevice({ refusal, onAgain }: RefusedDeviceProps) {
  if (refusal === undefined) return null;
  return (
    <div className="notice call-notice" data-tone="danger" role="alert">
      {refusal.texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <button type="button" className="button quiet" onClick={() => refusal.sources.forEach(onAgain)}>
        {i18n.t('Try again')}
      </button>
      <button type="button" className="button quiet" onClick={refusal.dismiss}>
        {i18n.t('Close')}
      </button>
    </div>
  );
}

import { Phone, PhoneMissed, Video } from 'lucide-react';
import type { ShownCall } from '../chat-message.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { clockTime } from '../../../i18n/clock-time.ts';

/** A call between the messages, with a button to call again. */
export function CallRow({ call: { words, is_missed, is_video, onAgain }, at }: { call: ShownCall; at: string }) {
  const Icon = is_missed ? PhoneMissed : is_video ? Video : Phone;
  return (
    <div className="call-row" data-missed={is_missed ? '' : undefined}>
      <Icon aria-hidden="true" size={18} />
      <span className="call-words">{words}</span>
      <time dateTime={at}>{clockTime(at)}</time>
      {onAgain === undefined ? null : (
        <button type="button" className="button quiet small" onClick={onAgain}>
          {is_missed ? i18n.t('Call back') : i18n.t('Call again')}
        </button>
      )}
    </div>
  );
}

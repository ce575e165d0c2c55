import { i18n } from '../i18n/i18n.ts';

interface RestoredNoticeProps {
  /** What was entered before and not saved; undefined for nothing. */
  restored: unknown;
  onDiscard: () => void;
}

/** Says that a form contains what was entered before and not saved. */
export function RestoredNotice({ restored, onDiscard }: RestoredNoticeProps) {
  if (restored === undefined) return null;
  return (
    <div className="notice cluster span" role="status">
      <p style={{ flex: '1 1 12rem' }}>{i18n.t('Your unsaved changes are back.')}</p>
      <button type="button" className="button plain small" onClick={onDiscard}>
        {i18n.t('Discard')}
      </button>
    </div>
  );
}

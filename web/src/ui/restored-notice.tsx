import { i18n } from '../i18n/i18n.ts';

/** Says that a form contains what was entered before and not saved. */
export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className="notice cluster span" role="status">
      <p style={{ flex: '1 1 12rem' }}>{i18n.t('Your unsaved changes are back.')}</p>
      <button type="button" className="button plain small" onClick={onDiscard}>
        {i18n.t('Discard')}
      </button>
    </div>
  );
}

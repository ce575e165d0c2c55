import { Sheet } from '../../../ui/overlay/sheet/sheet.tsx';
import { CALL_KEYS } from './use-shortcuts.ts';
import { i18n } from '../../../i18n/i18n.ts';
import './shortcuts.css';

/** The list of keyboard shortcuts in a call. */
export function ShortcutsSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={i18n.t('Keyboard shortcuts')} width_px={420}>
      <dl className="shortcuts">
        {CALL_KEYS.map(({ key, keys, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              {keys.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}

import { Search } from 'lucide-react';
import './search-button.css';
import { openCommands } from './open-commands.ts';
import { i18n } from '../../i18n/i18n.ts';

const is_mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button that opens the command bar, in the shape of a search field. */
export function SearchButton() {
  return (
    <button
      type="button"
      className="search search-line"
      aria-keyshortcuts={is_mac ? 'Meta+K' : 'Control+K'}
      onClick={() => openCommands(true)}
    >
      <Search aria-hidden="true" size={20} />
      <span>{i18n.t('Search or ask')}</span>
      <kbd aria-hidden="true">{is_mac ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}

/** The button that opens the command bar, as an icon where there is no room for a field. */
export function SearchIconButton() {
  return (
    <button type="button" className="icon-button" onClick={() => openCommands(true)}>
      <Search aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Search or ask')}</span>
    </button>
  );
}

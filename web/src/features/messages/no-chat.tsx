import { Link } from '@tanstack/react-router';
import { NothingOpen } from '../../ui/panes/panes.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The placeholder beside the list while no chat is open. */
export function NoChat() {
  return (
    <NothingOpen title={i18n.t('Select a chat')} text={i18n.t('Or find someone and say hello.')}>
      <Link to="/search" className="button quiet">
        {i18n.t('Find people')}
      </Link>
    </NothingOpen>
  );
}

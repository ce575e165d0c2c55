import { useCanGoBack, useRouter } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { i18n } from '../../i18n/i18n.ts';

/** Leaves the page of a call, which goes on in a small window: back to where the reader came from, else Home. */
export function MinimizeCall() {
  const router = useRouter();
  const can_go_back = useCanGoBack();
  const label = i18n.t('Small window');
  return (
    <button
      type="button"
      className="icon-button"
      title={label}
      onClick={() => (can_go_back ? router.history.back() : void router.navigate({ to: '/' }))}
    >
      <ChevronDown aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

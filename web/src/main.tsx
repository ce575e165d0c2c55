import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { sdk } from './asterism.ts';
import { createQueries } from './queries.ts';
import { preloadPages, router } from './router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/people.css';
import './styles/call.css';
import { applyTheme } from './ui/theme.tsx';

applyTheme();

const queries = createQueries({
  onMobileUnverified: () => {
    const { pathname, href } = router.state.location;
    if (pathname === '/verify-mobile') return;
    void router.navigate({ to: '/verify-mobile', search: { next: href } });
  },
});

/** Leaves what belongs to the ended session; also when another tab has ended it. */
function leaveSession(): void {
  queries.clear();
  void router.navigate({ to: '/sign-in' });
}

sdk.session.onChange((pair) => {
  if (pair === undefined) leaveSession();
});
addEventListener('storage', (event) => {
  if (event.key === 'asterism.session' && event.newValue === null) leaveSession();
});

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no #root.');
createRoot(place).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);

// After what is shown first has come.
addEventListener('load', () => setTimeout(preloadPages, 1_000), { once: true });

/** What a list of statuses needs only once something is done with one of them; fetched then, or ahead by `preload`. */
import { lazyRouteComponent } from '@tanstack/react-router';

export const ComposeSheet = lazyRouteComponent(() => import('./compose-sheet.tsx'), 'ComposeSheet');
export const OpenStatusMenu = lazyRouteComponent(() => import('./open-status-menu.tsx'), 'OpenStatusMenu');
export const Replies = lazyRouteComponent(() => import('./replies.tsx'), 'Replies');

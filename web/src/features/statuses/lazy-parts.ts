/**
 * Parts of a list of statuses that are needed only for an action on one of them; loaded then, or earlier by `preload`.
 */
import { lazyRouteComponent } from '@tanstack/react-router';

export const ComposeSheet = lazyRouteComponent(() => import('./compose-sheet.tsx'), 'ComposeSheet');
export const EditStatus = lazyRouteComponent(() => import('./edit-status.tsx'), 'EditStatus');
export const OpenStatusMenu = lazyRouteComponent(() => import('./open-status-menu.tsx'), 'OpenStatusMenu');
export const Replies = lazyRouteComponent(() => import('./replies.tsx'), 'Replies');

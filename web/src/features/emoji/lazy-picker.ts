import { lazyRouteComponent } from '@tanstack/react-router';

/** The picker, loaded when the first one is opened. */
export const EmojiPicker = lazyRouteComponent(() => import('./emoji-picker.tsx'), 'EmojiPicker');

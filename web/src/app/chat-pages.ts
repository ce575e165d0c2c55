/** The pages of chats, places, invites and widgets, each fetched when it is first opened. */
import { lazyRouteComponent } from '@tanstack/react-router';

export const MapPage = lazyRouteComponent(() => import('../features/location/map-page.tsx'), 'MapPage');
export const InvitesPage = lazyRouteComponent(() => import('../features/invites/invites-page.tsx'), 'InvitesPage');
export const WidgetsPage = lazyRouteComponent(() => import('../features/widgets/widgets-page.tsx'), 'WidgetsPage');
export const WidgetPage = lazyRouteComponent(() => import('../features/widgets/widget-page.tsx'), 'WidgetPage');
export const ChatsLayout = lazyRouteComponent(() => import('../features/messages/chats-layout.tsx'), 'ChatsLayout');
export const NoChat = lazyRouteComponent(() => import('../features/messages/no-chat.tsx'), 'NoChat');
export const GroupChatPage = lazyRouteComponent(
  () => import('../features/messages/group-chat-page.tsx'),
  'GroupChatPage',
);
export const WidgetChatPage = lazyRouteComponent(
  () => import('../features/messages/widget-chat-page.tsx'),
  'WidgetChatPage',
);
export const ThreadPage = lazyRouteComponent(() => import('../features/messages/thread-page.tsx'), 'ThreadPage');

import {
  notificationCreated,
  notificationsRead,
  notificationUpdated,
} from '../../domain/notifications/notifications.ts';
import { pushNotification } from '../../domain/notifications/notify.ts';
import { notificationsCleared } from '../../domain/notifications/clear-notifications.ts';
import { feature } from '../../kernel/endpoint.ts';
import { countUnreadNotifications } from './count-unread-notifications.ts';
import { deleteNotification } from './delete-notification.ts';
import { listNotifications } from './list-notifications.ts';
import { readAllNotifications } from './read-all-notifications.ts';
import { updateNotification } from './update-notification.ts';
import { lifecycle } from './lifecycle.ts';

export const notifications = feature({
  area: 'notifications',
  title: 'Notifications',
  endpoints: [
    listNotifications,
    readAllNotifications,
    countUnreadNotifications,
    updateNotification,
    deleteNotification,
  ],
  jobs: [pushNotification],
  events: [notificationCreated, notificationUpdated, notificationsRead, notificationsCleared],
  lifecycle,
});

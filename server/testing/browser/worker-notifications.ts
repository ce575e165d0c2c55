/** Scripts for the service worker of the client: what it shows, and clicks on it. */

export type ShownNotification = { title: string; body: string; tag: string; silent: boolean; actions: string[] };

/** Lists the shown notifications. */
export const list_notifications = `self.registration.getNotifications().then((all) =>
  all.map(({ title, body, tag, silent, actions }) =>
    ({ title, body, tag, silent: Boolean(silent), actions: actions.map(({ action }) => action) })))`;

/** Closes the shown notifications. */
export const close_notifications =
  'self.registration.getNotifications().then((all) => all.forEach((notification) => notification.close()))';

/**
 * Clicks a notification. A script's event is not permitted to open or focus windows, unlike a user's click: what
 * would be opened is returned instead.
 */
export const clickOn = (tag: string, action: string) => `(async () => {
  const opened = [];
  Clients.prototype.openWindow = async (path) => { opened.push(path); return null; };
  WindowClient.prototype.focus = async function () { opened.push('focus'); return this; };
  const [notification] = await self.registration.getNotifications({ tag: '${tag}' });
  const event = new NotificationEvent('notificationclick', { notification, action: '${action}' });
  const work = [];
  event.waitUntil = (promise) => work.push(promise);
  self.dispatchEvent(event);
  await Promise.all(work);
  return opened;
})()`;

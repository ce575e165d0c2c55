/**
 * A browser subscribes at its vendor's push service, an external host. This mock replaces only that: the subscription
 * is stored with the origin, as in a browser, and leads to the push service of the test.
 */
export const mockSubscription = (subscription: object) => `
  const key = 'test.subscribed-with';
  const subscriptionOf = () => {
    const given = localStorage.getItem(key);
    return given === null ? null : {
      endpoint: ${JSON.stringify(subscription)}.endpoint,
      options: { applicationServerKey: Uint8Array.from(given.split(',').map(Number)).buffer },
      toJSON: () => (${JSON.stringify(subscription)}),
      unsubscribe: async () => { localStorage.removeItem(key); return true; },
    };
  };
  PushManager.prototype.getSubscription = async () => subscriptionOf();
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (userVisibleOnly !== true) throw new DOMException('every push must be shown', 'NotAllowedError');
    localStorage.setItem(key, String([...new Uint8Array(applicationServerKey)]));
    return subscriptionOf();
  };
`;

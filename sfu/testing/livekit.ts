/** The real LiveKit server of the wide tests, from `LIVEKIT_TEST_URL`: `http://KEY:SECRET@HOST:PORT`. */
export type LiveKitAddress = { url: string; api_key: string; api_secret: string };

/** Reads the address; undefined when none is set, and the tests that need it are skipped. */
export function findLiveKit(address = process.env['LIVEKIT_TEST_URL'] ?? ''): LiveKitAddress | undefined {
  if (address === '') return undefined;
  const { host, username, password } = new URL(address);
  return { url: `http://${host}`, api_key: username, api_secret: password };
}

/** The port on loopback to which that server sends its webhooks, from `LIVEKIT_TEST_WEBHOOK_PORT`. */
export function findWebhookPort(port = process.env['LIVEKIT_TEST_WEBHOOK_PORT'] ?? '0'): number {
  return Number(port);
}

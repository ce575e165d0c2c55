import type { IncomingMessage } from 'node:http';

/**
 * The address of a client, before its request is parsed any further: that of its connection, or the last entry of
 * `X-Forwarded-For`, which the nearest proxy has added. Entries before it were written by the client.
 */
export function addressOf({ headers, socket }: IncomingMessage, trust_proxy: boolean): string {
  const forwarded = trust_proxy ? headers['x-forwarded-for'] : undefined;
  // Several such headers are joined by commas.
  const last = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return last || (socket.remoteAddress ?? '');
}

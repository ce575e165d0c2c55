/** What every media server must answer to the service's own calls, the embedded one and LiveKit alike. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Media } from '../../engines/ports.ts';

/** Declares the suite's tests. @param connect makes the adapter towards a media server that runs. */
export function testMedia(connect: () => Promise<Media>): void {
  let media: Media;
  beforeEach(async () => {
    media = await connect();
  });
  afterEach(() => media.close());

  it('takes the absence of a room or of a person as an answer, not as an error', async () => {
    const room = `test-${randomUUID()}`;
    expect(await media.participants(room)).toEqual([]);
    expect(await media.hasRoom(room)).toBe(false);
    await media.remove(room, 'nobody');
    await media.closeRoom(room);
  });

  it('gives a grant which the media server itself takes as valid', async () => {
    const rights = { publish: true, subscribe: true, data: true, admin: false };
    const room = `test-${randomUUID()}`;
    const { url, token } = await media.grant({ room, identity: 'usr_1', name: 'Ann', rights, ttl_s: 60 });
    const address = new URL('/rtc/validate', url.replace(/^ws/, 'http'));
    // https://docs.livekit.io/reference/internals/client-protocol/: the token travels as a query parameter.
    const ask = (access_token: string) => fetch(`${address.href}?${new URLSearchParams({ access_token })}`);
    expect((await ask(token)).status).toBe(200);
    expect((await ask(`${token.slice(0, -4)}AAAA`)).status).toBe(401);
  });
}

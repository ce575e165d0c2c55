/** Phones in rooms while the media server restarts, and while it is unavailable. */
import { Room } from '@livekit/rtc-node';
import { afterEach, describe, expect, it } from 'vitest';
import { startSfu } from '../../../sfu/index.ts';
import { createLiveKitMedia } from '../../engines/media/livekit.ts';
import { freePort, poll } from '../../testing/running/running-service.ts';
import { openPhoneParticipants } from './phone-participants.ts';

const key = { api_key: 'embedded', api_secret: 'a-secret-of-thirty-two-characters' };
const who = { room: 'conf_1', identity: 'part_1', name: 'Gran' };

describe('a phone participant', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const resource of opened.splice(0).toReversed()) await resource.close();
  });

  async function open() {
    const port = await freePort();
    const start = async () => {
      const sfu = await startSfu({ host: '127.0.0.1', port, ...key });
      opened.push(sfu);
      return sfu;
    };
    const stop = () => opened.pop()?.close();
    const sfu = await start();
    const media = await createLiveKitMedia({ api_url: sfu.url, client_url: sfu.url.replace('http', 'ws'), ...key });
    const ends: string[] = [];
    const phone_participants = openPhoneParticipants({ api_url: sfu.url }, media);
    const join = () => phone_participants.join(who, { onAudio: () => undefined, onEnd: () => void ends.push('end') });
    return { stop, start, media, join, ends };
  }

  it('rejoins after a restart of the media server, and does not rejoin after leave()', async () => {
    const { stop, start, media, join, ends } = await open();
    const phone = await join();
    expect(await media.participants('conf_1')).toEqual(['part_1']);
    await stop();
    await start();
    await poll(async () => (await media.participants('conf_1')).includes('part_1'), 'the phone to rejoin');
    phone.leave();
    await poll(async () => (await media.participants('conf_1')).length === 0, 'the phone to leave');
    expect(ends).toEqual([]);
  });

  it('calls onEnd when it is removed from the room, and does not rejoin', async () => {
    const { media, join, ends } = await open();
    const phone = await join();
    const { token, url } = await media.grant({
      ...who,
      identity: 'usr_1',
      rights: { publish: true, subscribe: true, data: true, admin: false },
      ttl_s: 60,
    });
    const client = new Room();
    await client.connect(url, token, { autoSubscribe: true, dynacast: false });
    await media.remove('conf_1', 'part_1');
    await poll(async () => ends.length === 1, 'the call of onEnd');
    expect(await media.participants('conf_1')).toEqual(['usr_1']);
    phone.leave();
    phone.speak(new Int16Array(160));
    expect(ends).toEqual(['end']);
    await client.disconnect();
  });

  it('stops rejoining when it hangs up while the media server is unavailable', async () => {
    const { stop, start, media, join, ends } = await open();
    const phone = await join();
    await stop();
    phone.leave();
    await start();
    const second = await join();
    expect([await media.participants('conf_1'), ends]).toEqual([['part_1'], []]);
    second.leave();
  });
});

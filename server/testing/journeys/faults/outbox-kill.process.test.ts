/** The outbox under kill -9 at each step of an event, and under heavy writes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeStream } from '../../../../sdk/index.ts';
import type { FaultPoint } from '../../running/fault-points.ts';
import {
  collectDirectMessages,
  openAcceptedThread,
  requestStreamGrant,
  signUp,
  type RunningPerson,
} from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

/** Each step, and whether the change is committed after a kill there. */
const steps: [FaultPoint, boolean][] = [
  ['before-commit', false],
  ['after-commit', true],
  ['before-frame', true],
  ['after-frame', true],
];
const storm_messages = 400;
const storm_writers = 16;
const storm_kills = 3;

describe('the outbox under kill -9', () => {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  let thread_id = '';
  const streams: RealtimeStream[] = [];
  beforeAll(async () => {
    service = await startService({ faults: true });
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
    thread_id = await openAcceptedThread(service, ada, ben);
  });
  afterAll(async () => {
    for (const stream of streams) stream.close();
    await service.close();
  });

  function listen(person: RunningPerson): { stream: RealtimeStream; texts_received: string[]; resets: unknown[] } {
    const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(service, person.token), backoff_ms: 20 });
    streams.push(stream);
    const resets: unknown[] = [];
    stream.onSignal('reset', (signal) => resets.push(signal));
    return { stream, texts_received: collectDirectMessages(stream), resets };
  }

  const post = (body: string, key = body) =>
    service.call(`POST /dm/threads/${thread_id}/chat`, {
      token: ada.token,
      body: { body },
      headers: { 'idempotency-key': key },
    });

  async function chat(): Promise<string[]> {
    const found: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const route = `GET /dm/threads/${thread_id}/chat?limit=100&offset=${offset}`;
      const { body } = await service.call(route, { token: ben.token });
      found.push(...body.items.map((message: { body: string }) => message.body));
      if (!body.has_more) return found.toReversed();
    }
  }

  it.each(steps)(
    '%s: a committed message is delivered once and in order, an uncommitted one never',
    async (point, is_committed) => {
      const { stream, texts_received, resets } = listen(ben);
      await poll(async () => stream.state === 'open', 'the stream');
      const [first, killed, last] = [`${point} 1`, `${point} 2`, `${point} 3`];
      expect((await post(first)).status).toBe(201);
      await service.arm({ point, containing: killed });
      // Where the kill follows the commit, the reply may or may not have been sent before it.
      await post(killed).catch(() => undefined);
      expect(await service.ended()).toBe('SIGKILL');
      await service.killAndRestart();

      const messagesOfPoint = async () => (await chat()).filter((text) => text.startsWith(point));
      expect(await messagesOfPoint()).toEqual(is_committed ? [first, killed] : [first]);
      expect((await post(last)).status).toBe(201);
      const expected = is_committed ? [first, killed, last] : [first, last];
      await poll(async () => texts_received.includes(last), 'the last message');
      expect(texts_received).toEqual(expected);
      // The sender, who received no reply, sends it again with the same key: it is stored once.
      expect((await post(killed)).status).toBe(201);
      await poll(async () => texts_received.includes(killed), 'the repeated message');
      expect(texts_received).toEqual(is_committed ? expected : [...expected, killed]);
      expect(await messagesOfPoint()).toEqual(texts_received);
      expect(resets).toEqual([]);
      stream.close();
    },
  );

  it('many writes with keys: each is stored and delivered once, and two receivers agree on the order', async () => {
    const receivers = [listen(ada), listen(ben)];
    for (const { stream } of receivers) await poll(async () => stream.state === 'open', 'a stream');
    const texts = Array.from({ length: storm_messages }, (_, at) => `storm ${at}`);
    const queue = [...texts];
    let written = 0;
    let repeats = 0;
    const write = async () => {
      for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
        const sent = text;
        let attempts = 0;
        await poll(async () => {
          attempts += 1;
          const answer = await post(sent).catch(() => undefined);
          return answer?.status === 201;
        }, `the writing of ${text}`);
        repeats += attempts - 1;
        written += 1;
      }
    };
    const writers = Array.from({ length: storm_writers }, write);
    for (let kill = 1; kill <= storm_kills; kill++) {
      const at = (storm_messages * kill) / (storm_kills + 1);
      await poll(async () => written >= at, 'the next kill');
      await service.killAndRestart();
    }
    await Promise.all(writers);
    expect(repeats).toBeGreaterThan(0);

    const stored = (await chat()).filter((text) => text.startsWith('storm'));
    expect(stored.toSorted()).toEqual(texts.toSorted());
    for (const { texts_received } of receivers)
      await poll(async () => texts_received.length >= texts.length, 'all messages');
    const [first_texts, second_texts] = receivers.map(({ texts_received }) => texts_received);
    expect(first_texts?.toSorted()).toEqual(texts.toSorted());
    expect(second_texts).toEqual(first_texts);
    for (const { resets } of receivers) expect(resets).toEqual([]);
  });
});

/** What every implementation of a push service must do. */
import { expect, it } from 'vitest';
import type { PushMessage, PushService, PushTarget } from '../../engines/ports.ts';

/** A push with text. */
export const push_message: PushMessage = {
  id: 'out_1',
  to: 'alice',
  topic: 'a-topic',
  title: 'Bob',
  text: 'Bob mentioned you',
  data: { type: 'notification.created', subject_type: 'status', subject_id: 'post_1' },
  urgent: false,
  ttl_s: 86_400,
};

/** A push that rings. */
export const ring_message: PushMessage = { ...push_message, id: 'out_2', urgent: true, ttl_s: 40 };

/** A push without text, which only wakes the app. */
export const silent_message: PushMessage = {
  id: 'out_3',
  to: 'alice',
  topic: 'a-topic',
  data: push_message.data,
  urgent: false,
  ttl_s: 60,
};

/** The push service under test, and devices of it: registered, unregistered, failing, and one that is never answered for. */
export type PushHarness = {
  service: PushService;
  target(device: 'known' | 'gone' | 'failing' | 'silent'): PushTarget;
};

/** Declares the suite's tests. @param harness is read by each test, so that it may be created before them */
export function testPush(harness: () => PushHarness): void {
  it('sends to a registered device, with text and without', async () => {
    const { service, target } = harness();
    for (const message of [push_message, ring_message, silent_message])
      expect(await service.send(target('known'), message)).toBe('sent');
  });
}

/** What a service that sends to a provider must do as well. @param harness with the same service with a short time limit */
export function testPushProvider(harness: () => PushHarness & { with_short_timeout: PushService }): void {
  testPush(harness);

  it('reports an unregistered device as gone', async () => {
    const { service, target } = harness();
    expect(await service.send(target('gone'), push_message)).toBe('gone');
  });

  it('fails where a retry makes sense, with neither device nor text in the error', async () => {
    const { service, target } = harness();
    const failing = target('failing');
    const error = await service.send(failing, push_message).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    const name = failing.platform === 'web' ? failing.subscription.endpoint : failing.token;
    for (const secret of [name, push_message.text ?? '']) expect(String(error)).not.toContain(secret);
  });

  it('fails when the service does not answer in time', async () => {
    const { with_short_timeout, target } = harness();
    await expect(with_short_timeout.send(target('silent'), push_message)).rejects.toThrow();
    await with_short_timeout.close();
  });
}

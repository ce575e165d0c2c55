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

/** The push service under test, and devices of it. */
export type PushHarness = {
  service: PushService;
  /** A registered device, an unregistered one, and one for which the service fails. */
  known: PushTarget;
  gone: PushTarget | undefined;
  failing: PushTarget | undefined;
  /** The service with a short time limit, and a device for which it never answers. */
  silent: { service: PushService; target: PushTarget } | undefined;
};

/** Declares the suite's tests. @param harness is read by each test, so that it may be created before them */
export function testPush(harness: () => PushHarness): void {
  it('sends to a registered device, with text and without', async () => {
    const { service, known } = harness();
    for (const message of [push_message, ring_message, silent_message])
      expect(await service.send(known, message)).toBe('sent');
  });

  it('reports an unregistered device as gone', async () => {
    const { service, gone } = harness();
    if (gone) expect(await service.send(gone, push_message)).toBe('gone');
  });

  it('fails where a retry makes sense, with neither device nor text in the error', async () => {
    const { service, failing } = harness();
    if (!failing) return;
    const error = await service.send(failing, push_message).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    const name = failing.platform === 'web' ? failing.subscription.endpoint : failing.token;
    for (const secret of [name, push_message.text ?? '']) expect(String(error)).not.toContain(secret);
  });

  it('fails when the service does not answer in time', async () => {
    const { silent } = harness();
    if (!silent) return;
    await expect(silent.service.send(silent.target, push_message)).rejects.toThrow();
    await silent.service.close();
  });
}

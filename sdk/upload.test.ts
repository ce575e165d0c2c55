import { afterEach, expect, test } from 'vitest';
import { createAsterism } from './client.ts';
import { NetworkError } from './errors.ts';
import type { UploadProgress } from './operation-types.ts';

type Outcome = 'answer' | 'no answer' | 'silence';
const browser = globalThis as { XMLHttpRequest?: unknown };
afterEach(() => {
  delete browser.XMLHttpRequest;
});

const progressOf = (loaded: number) => Object.assign(new Event('progress'), { loaded, total: 10 });

/** A mock XMLHttpRequest with one given outcome per request; returns the keys that were sent. */
function mockBrowser(outcomes: Outcome[], status = 201, text = '{"id":"usr_1"}'): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  browser.XMLHttpRequest = class extends EventTarget {
    readonly headers: Record<string, string> = {};
    readonly upload = new EventTarget();
    readonly status = status;
    readonly responseText = text;
    open() {}
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    getAllResponseHeaders() {
      return 'content-type: application/json\r\nx-request-id: req-1\r\n';
    }
    abort() {
      this.dispatchEvent(new Event('abort'));
    }
    send() {
      keys.push(this.headers['idempotency-key']);
      const outcome = outcomes.shift();
      this.upload.dispatchEvent(progressOf(5));
      if (outcome === 'no answer') this.dispatchEvent(new Event('error'));
      if (outcome !== 'answer') return;
      this.upload.dispatchEvent(progressOf(10));
      this.dispatchEvent(new Event('load'));
    }
  };
  return keys;
}

const file = new Blob(['picture'], { type: 'image/png' });

test('reports upload progress in a browser, and retries a lost upload with the same key', async () => {
  const keys = mockBrowser(['no answer', 'answer']);
  const progress_events: UploadProgress[] = [];
  const sdk = createAsterism({ base_url: '/v1', retry_delay_ms: 1 });
  const reply = await sdk.me.uploadAvatar({ file, onProgress: (progress) => progress_events.push(progress) });
  expect(reply).toEqual({ id: 'usr_1' });
  expect(progress_events.map(({ sent_bytes, total_bytes }) => sent_bytes / total_bytes)).toEqual([0.5, 0.5, 1]);
  expect(keys.length).toBe(2);
  expect(new Set(keys).size).toBe(1);
});

test('throws an ApiError when an upload is rejected, and a NetworkError when there is no response', async () => {
  const body = JSON.stringify({ error: { code: 'payload_too_large', message: 'Too large.' } });
  mockBrowser(['answer'], 413, body);
  const sdk = createAsterism({ base_url: '/v1', retry_delay_ms: 1, max_retries: 1 });
  const refused = sdk.me.uploadAvatar({ file, onProgress: () => undefined });
  await expect(refused).rejects.toMatchObject({ status: 413, code: 'payload_too_large', request_id: 'req-1' });
  const keys = mockBrowser(['no answer', 'no answer']);
  await expect(sdk.me.uploadAvatar({ file, onProgress: () => undefined })).rejects.toBeInstanceOf(NetworkError);
  expect(keys.length).toBe(2);
});

test('stops an upload that is aborted in progress, and sends nothing when already aborted', async () => {
  const keys = mockBrowser(['silence']);
  const controller = new AbortController();
  const sdk = createAsterism({ base_url: '/v1' });
  const started = sdk.me.uploadAvatar({ file, signal: controller.signal, onProgress: () => controller.abort() });
  await expect(started).rejects.toMatchObject({ name: 'AbortError' });
  const late = sdk.me.uploadAvatar({ file, signal: controller.signal, onProgress: () => undefined });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
  expect(keys.length).toBe(1);
});

test('uses fetch where there is no XMLHttpRequest, and reports progress at the start and at the end', async () => {
  const progress_events: UploadProgress[] = [];
  const answer = () => Promise.resolve(new Response('{"id":"usr_1"}', { status: 201 }));
  const sdk = createAsterism({ base_url: 'http://localhost/v1', fetch: answer });
  await sdk.me.uploadAvatar({ file, onProgress: (progress) => progress_events.push(progress) });
  expect(progress_events).toEqual([
    { sent_bytes: 0, total_bytes: 7 },
    { sent_bytes: 7, total_bytes: 7 },
  ]);
});

/** Interrupted uploads, by the client or by kill -9 of the service: the result is a whole file or, finally, nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawPng } from '../../samples/media.ts';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';
import { multipart } from '../../samples/upload.ts';

describe('interrupted uploads', () => {
  let service: Service;
  let dora: RunningPerson;
  beforeAll(async () => {
    service = await startService({ faults: true });
  });
  // A sign-in for each: one test moves the clock beyond the end of sessions.
  let count = 0;
  beforeEach(async () => {
    count++;
    dora = await signUp(service, `dora${count}`, `+1415555013${count}`);
  });
  afterAll(() => service.close());

  /** The ids of the files with stored bytes. */
  const stored = () => {
    const folder = join(service.data_dir, 'files', 'files');
    const keys = existsSync(folder) ? readdirSync(folder) : [];
    return [...new Set(keys.map((key) => key.split('.')[0] ?? ''))].toSorted();
  };
  const upload = async () => {
    const { raw, headers } = multipart(await drawPng(20, 10));
    const response = await fetch(`${service.url}/v1/files`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${dora.token}` },
      body: new Uint8Array(raw),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: string; stream_url: string };
  };
  const attach = async (id: string) =>
    (await service.call('POST /statuses', { token: dora.token, body: { body: 'Look', media: [id] } })).status;

  it('leaves nothing of an incomplete body', async () => {
    const { raw, headers } = multipart(await drawPng(400, 300));
    const sent = request(`${service.url}/v1/files`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${dora.token}`, 'content-length': String(raw.length) },
    });
    sent.on('error', () => undefined);
    await new Promise((resolve) => sent.write(raw.subarray(0, raw.length - 100), resolve));
    sent.destroy();
    const before = stored();
    const { stream_url } = await upload();
    expect(stored()).toHaveLength(before.length + 1);
    const whole = Buffer.from(await (await fetch(stream_url)).arrayBuffer());
    const head = await fetch(stream_url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
    const part = await fetch(stream_url, { headers: { range: 'bytes=4-9' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(4, 10)]);
  });

  it('keeps a file when the service is killed directly after the commit', async () => {
    await service.arm({ point: 'after-commit', containing: 'image/webp' });
    const before = stored();
    await upload().catch(() => undefined);
    expect(await service.ended()).toBe('SIGKILL');
    await service.killAndRestart();
    const [id = ''] = stored().filter((key) => !before.includes(key));
    expect(await attach(id)).toBe(201);
  });

  it('leaves no row when the service is killed before the commit, and no bytes after a day', async () => {
    const whole = await upload();
    const before = stored();
    await service.arm({ point: 'before-commit', containing: 'image/webp' });
    await expect(upload()).rejects.toThrow('fetch failed');
    expect(await service.ended()).toBe('SIGKILL');
    const [orphan = '', ...others] = stored().filter((id) => !before.includes(id));
    expect([orphan.startsWith('file_'), others]).toEqual([true, []]);
    await service.killAndRestart();
    expect([await attach(orphan), await attach(whole.id)]).toEqual([422, 201]);
    const clock = await fetch(`${service.url}/console/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_s: 26 * 3600 }),
    });
    expect(clock.status).toBe(200);
    await poll(async () => !stored().includes(orphan), 'the sweep');
    expect(stored()).toContain(whole.id);
  });
});

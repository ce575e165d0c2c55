import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { poll, startService, type Service } from '../../running/running-service.ts';
import { missing_small_disk, mountSmallDisk, type SmallDisk } from '../../running/small-disk.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const disk_bytes = 192 * 1024 * 1024;

describeUnlessMissing(missing_small_disk, 'a disk that becomes full while the service runs', () => {
  let disk: SmallDisk;
  let data_dir: string;
  let service: Service;
  let token: string;

  beforeAll(async () => {
    disk = mountSmallDisk(disk_bytes);
    // The service's temporary files are on the same disk.
    service = await startService({ folder: disk.folder, environment: { TMPDIR: disk.folder } });
    data_dir = service.data_dir;
    const email = 'ann@example.org';
    const registration = await service.call('POST /auth/register', {
      body: { username: 'ann', password: 'a warm copper lantern', email },
    });
    const { registration_id } = registration.body;
    const code = await service.codeFor(email);
    ({ token } = (await service.call('POST /auth/register/verify', { body: { registration_id, code } })).body);
    const mobile_number = '+14155550123';
    await service.call('PUT /me/mobile', { token, body: { mobile_number } });
    await service.call('POST /me/mobile/codes', { token, body: {} });
    await service.call('POST /me/mobile/verify', { token, body: { code: await service.codeFor(mobile_number) } });
  });
  afterEach(() => disk.free());
  afterAll(async () => {
    await service?.close();
    disk.unmount();
  });

  const write = (bio: string) => service.call('PATCH /me', { token, body: { bio } });
  const bio = async (): Promise<string> => (await service.call('GET /me', { token })).body.bio;
  const upload = async () => {
    // Noise makes the file large.
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#246', noise } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(picture)]), 'me.png');
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${service.url}/v1/me/avatar`, { method: 'POST', headers, body: form });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };

  it('returns 503 for writes, keeps acknowledged data, and recovers by itself', async () => {
    const call = await service.call('POST /calls', { token, body: { to: [], privacy: 'public' } });
    expect(call.status).toBe(201);
    const chat = `/calls/${call.body.join_code}/chat`;
    const post = (body: string) => service.call(`POST ${chat}`, { token, body: { body } });
    expect((await post('before')).status).toBe(201);
    const acknowledged = ['before'];
    disk.fill();
    let refused: Awaited<ReturnType<typeof post>> | undefined;
    while (!refused && acknowledged.length < 2000) {
      // Long and different each time, so that the tables soon need another page.
      const text = randomBytes(400).toString('hex');
      const answer = await post(text);
      if (answer.status === 201) acknowledged.push(text);
      else refused = answer;
    }
    expect([refused?.status, refused?.body.error.code]).toEqual([503, 'unavailable']);
    // Requests that need no write succeed.
    expect((await service.call('GET /me', { token })).status).toBe(200);
    disk.free();
    await poll(async () => (await post('there is room again')).status === 201, 'a write');
    const { body } = await service.call(`GET ${chat}?limit=2`, { token });
    const texts = body.items.map((message: { body: string }) => message.body);
    expect(texts.toSorted()).toEqual([acknowledged.at(-1), 'there is room again'].toSorted());
  });

  it('returns 503 for uploads, leaves no partial file, and accepts uploads when there is space again', async () => {
    const files = () => readdirSync(join(data_dir, 'files'), { recursive: true }).map(String).toSorted();
    const before = files();
    disk.fill();
    const refused = await upload();
    expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([503, true]);
    expect(refused.body).toEqual({ error: { code: 'unavailable', message: expect.any(String) } });
    // A folder that was created for it may remain; no part of the file does.
    expect(files().filter((name) => name !== 'avatars')).toEqual(before.filter((name) => name !== 'avatars'));
    expect((await service.call('GET /me', { token })).body.avatar_url).toBeNull();
    disk.free();
    expect((await upload()).status).toBe(201);
  });

  it('recovers after the database ended because its log could not grow', async () => {
    const last_bio = randomBytes(20).toString('hex');
    expect((await write(last_bio)).status).toBe(200);
    disk.fill();
    const client = new pg.Client({ host: join(data_dir, 'postgres'), user: 'asterism', database: 'asterism' });
    client.on('error', () => undefined);
    await client.connect();
    const panic = (async () => {
      for (;;) {
        await client.query(`select pg_logical_emit_message(true, 'fill', repeat('x', 100000))`);
        await client.query('select pg_switch_wal()');
      }
    })();
    await expect(panic).rejects.toThrow();
    await client.end().catch(() => undefined);
    const statuses = new Set<number>();
    for (let count = 0; count < 20; count++) statuses.add((await write(`while full ${count}`)).status);
    for (const status of statuses) expect([200, 503]).toContain(status);
    expect(statuses).toContain(503);
    disk.free();
    await poll(async () => (await service.call('GET /me', { token })).status === 200, 'the database');
    expect(await bio()).toMatch(new RegExp(`^(${last_bio}|while full \\d+)$`));
    await poll(async () => (await write('back')).status === 200, 'a write');
    expect(await bio()).toBe('back');
  });
});

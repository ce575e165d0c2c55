/** Contact files that would cost much memory or time: they are rejected, and the service continues unaffected. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { startService, type Service } from '../../running/running-service.ts';
import { multipart } from '../../samples/upload.ts';

const mebibyte = 2 ** 20;
const card = (line: string) => `BEGIN:VCARD\nVERSION:4.0\nFN:Sam\n${line}\nEND:VCARD\n`;

describe('hostile imports', () => {
  let service: Service;
  let dora: RunningPerson;
  let eve: RunningPerson;
  beforeAll(async () => {
    service = await startService({ is_program: true });
    dora = await signUp(service, 'dora', '+14155550133');
    eve = await signUp(service, 'eve', '+14155550134');
  });
  afterAll(() => service.close());

  async function preview(text: string) {
    const { raw, headers } = multipart(Buffer.from(text), 'contacts', 'application/octet-stream');
    const response = await fetch(`${service.url}/v1/contacts/import/preview`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${dora.token}` },
      body: new Uint8Array(raw),
    });
    const body = (await response.json()) as { error?: { code: string; fields?: Record<string, string> } };
    return [response.status, body.error?.fields ?? body.error?.code];
  }

  it.each([
    ['24 MiB of columns', () => `name,phone\n${','.repeat(24 * mebibyte)}`, 413, 'payload_too_large'],
    ['24 MiB of categories', () => card(`CATEGORIES:${','.repeat(24 * mebibyte)}`), 413, 'payload_too_large'],
    ['a row of 5 million columns', () => `name,phone\n${','.repeat(5_000_000)}`, 422, { file: /columns in row 2/ }],
    ['a card of 5 million values', () => card(`CATEGORIES:${','.repeat(5_000_000)}`), 422, { file: /characters/ }],
    ['a value in a million lines', () => card(`NOTE:a${'\n a'.repeat(1_500_000)}`), 422, { file: /characters/ }],
    ['a card of a million lines', () => card('TEL:1\n'.repeat(800_000)), 422, { file: /lines in a card/ }],
    [
      'a contact of 300,000 numbers',
      () => `[{"phones":[${'"+1415555",'.repeat(300_000)}1]}]`,
      422,
      { file: /numbers/ },
    ],
    ['a list of a million', () => `[${'{},'.repeat(1_000_000)}{}]`, 422, { file: /10000 contacts/ }],
    ['JSON of a million levels', () => '['.repeat(2_000_000), 422, { file: /JSON/ }],
  ])('rejects %s', async (_title, write, status, refusal) => {
    const { pid } = service.process;
    const sent = preview(write());
    // Another account receives its reply meanwhile.
    expect((await service.call('GET /me', { token: eve.token })).status).toBe(200);
    const [refused, why] = await sent;
    expect(refused).toBe(status);
    if (typeof refusal === 'string') expect(why).toBe(refusal);
    else expect(why).toEqual({ file: expect.stringMatching(refusal.file) });
    expect((await service.call('GET /me', { token: dora.token })).status).toBe(200);
    expect([service.process.pid, service.process.exitCode, service.process.signalCode]).toEqual([pid, null, null]);
  });
});

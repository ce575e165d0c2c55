import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOutage } from '../../kernel/http/http-refusal.ts';
import { testBlobs } from '../../testing/contracts/blobs.contract.ts';
import { endless_answers } from '../../testing/providers/endless-server.ts';
import { connectS3Blobs } from './s3.ts';

/** What a storage does that fails: accept a request and never answer it, stop in the middle, reset the connection, answer garbage. */
const failures: Record<string, (response: ServerResponse) => unknown> = {
  'never answers': () => undefined,
  'stops in the middle of an answer': (response) => response.writeHead(200, { 'content-length': 1000 }).write('half'),
  'resets the connection': ({ socket }) => socket?.resetAndDestroy(),
  'returns 500 with 10 MB': (response) => response.writeHead(500).end(Buffer.alloc(10 * 1024 * 1024, 'x')),
  'returns garbage': (response) => response.writeHead(503).end('<<<'),
  'returns 500 without an end': (response) => endless_answers.flood(response.writeHead(500)),
  'returns 404 little by little': (response) => endless_answers.drip(response.writeHead(404)),
};

type S3Server = { run(): Promise<{ port: number }>; close(): Promise<void> };
type S3ServerClass = new (options: object) => S3Server;

describe('blobs in S3', () => {
  const directory = mkdtempSync(join(tmpdir(), 'asterism-test-'));
  let server: S3Server;
  let endpoint: string;
  // The only key pair of the test server.
  const key = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' };

  beforeAll(async () => {
    // The package has no types.
    const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3ServerClass;
    const configureBuckets = [{ name: 'asterism-test' }];
    // Its computation of signatures differs from that of the SDK: a real server verifies signatures in the wide test.
    const settings = { allowMismatchedSignatures: true, silent: true, directory, configureBuckets };
    server = new S3rver({ address: '127.0.0.1', port: 0, ...settings });
    endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  });
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  testBlobs(() => connectS3Blobs({ endpoint, bucket: 'asterism-test', region: 'us-east-1', ...key }));

  it('reports an absent bucket in one sentence, without the key', async () => {
    const refused = connectS3Blobs({ endpoint, bucket: 'no-such-bucket', region: 'us-east-1', ...key });
    const message = await refused.catch((error: Error) => error.message);
    expect(message).toMatch(
      /^The bucket no-such-bucket at http:\/\/127\.0\.0\.1:\d+ does not answer \(\w+\): check S3_/,
    );
    expect(message).not.toContain('S3RVER');
  });

  it.each(Object.keys(failures))('fails as an outage, in time, if the storage %s', async (failure) => {
    const storage = createServer((request, response) => {
      request.resume();
      if (request.method === 'HEAD') response.end();
      else failures[failure]?.(response);
    }).listen(0, '127.0.0.1');
    await once(storage, 'listening');
    const address = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
    const blobs = await connectS3Blobs({
      endpoint: address,
      bucket: 'asterism-test',
      region: 'us-east-1',
      ...key,
      answer_ms: 200,
      idle_ms: 400,
    });
    const read = async () => {
      const { body } = (await blobs.get('a')) ?? {};
      return body && text(body);
    };
    const list = async () => {
      for await (const one of blobs.list('a')) expect(one).toBe('nothing');
    };
    const uses = {
      put: () => blobs.put('a', Buffer.alloc(10), { content_type: 'text/plain' }),
      'put in parts': () =>
        blobs.put('a', Readable.from([Buffer.alloc(9 * 1024 * 1024), Buffer.alloc(10)]), {
          content_type: 'text/plain',
        }),
      read,
      remove: () => blobs.remove('a'),
      list,
    };
    try {
      for (const [name, use] of Object.entries(uses)) {
        const error: unknown = await use().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        // An answer to other requests than reading is complete with its status.
        if (failure === 'stops in the middle of an answer' && error === undefined) continue;
        expect([name, isOutage(error)]).toEqual([name, true]);
      }
    } finally {
      await blobs.close();
      storage.closeAllConnections();
      storage.close();
    }
  });
});

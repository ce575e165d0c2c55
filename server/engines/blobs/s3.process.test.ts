import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testBlobs } from '../../testing/contracts/blobs.contract.ts';
import { connectS3Blobs } from './s3.ts';

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
    const text = await refused.catch((error: Error) => error.message);
    expect(text).toMatch(/^The bucket no-such-bucket at http:\/\/127\.0\.0\.1:\d+ does not answer \(\w+\): check S3_/);
    expect(text).not.toContain('S3RVER');
  });
});

import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testBlobs } from '../../testing/contracts/blobs.contract.ts';
import { openDiskBlobs } from './disk.ts';

describe('blobs on disk', () => {
  const parent_dir = mkdtempSync(join(tmpdir(), 'asterism-test-'));
  const dir = join(parent_dir, 'files');
  afterAll(() => rmSync(parent_dir, { recursive: true, force: true }));

  testBlobs(() => openDiskBlobs({ dir }));

  it('rejects keys outside of its folder', async () => {
    const blobs = await openDiskBlobs({ dir });
    writeFileSync(join(parent_dir, 'secret'), 'kept from them');
    for (const key of [
      '../secret',
      'a/../../secret',
      '/etc/passwd',
      'a//b',
      '.',
      '',
      'a\0b',
      'A',
      'a\\b',
      'UNFINISHED/x',
    ]) {
      await expect(blobs.get(key), key).rejects.toThrow('Not a key');
      await expect(blobs.put(key, Buffer.from('x'), { content_type: 'text/plain' }), key).rejects.toThrow('Not a key');
      await expect(blobs.remove(key), key).rejects.toThrow('Not a key');
    }
    expect(existsSync(join(parent_dir, 'secret'))).toBe(true);
  });

  it('is readable by its owner only, and removes unfinished files after a crash', async () => {
    writeFileSync(join(dir, 'UNFINISHED', 'half'), 'half');
    const blobs = await openDiskBlobs({ dir });
    await blobs.put('private/one', Buffer.from('1'), { content_type: 'text/plain' });
    expect(readdirSync(join(dir, 'UNFINISHED'))).toEqual([]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'private')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'private', 'one')).mode & 0o777).toBe(0o600);
  });

  it('closes the source when no file can be created, as on a full disk', async () => {
    const blobs = await openDiskBlobs({ dir: join(parent_dir, 'full') });
    rmSync(join(parent_dir, 'full', 'UNFINISHED'), { recursive: true });
    const source = createReadStream(import.meta.filename);
    await expect(blobs.put('one', source, { content_type: 'text/plain' })).rejects.toThrow('ENOENT');
    expect(source.destroyed).toBe(true);
  });
});

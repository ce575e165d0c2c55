import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addEndpoint } from './new-endpoint.ts';

describe('new-endpoint', () => {
  let root: string;
  const tags = 'server/features/tags';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'asterism-new-'));
    cpSync(join(dirname(import.meta.dirname), tags), join(root, tags), { recursive: true });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('writes the operation and its test, and adds it to the area', () => {
    const request = {
      area: 'tags',
      name: 'praise-tag',
      route: 'POST /xtags/{xtag_id}/praise',
      summary: 'Praise a tag',
    };
    expect(addEndpoint(root, request)).toEqual([
      `${tags}/praise-tag.ts`,
      `${tags}/praise-tag.test.ts`,
      `${tags}/index.ts`,
    ]);
    const read = (path: string) => readFileSync(join(root, tags, path), 'utf8');
    expect(read('praise-tag.ts')).toContain(`export const praiseTag = endpoint({
  id: 'praiseTag',
  route: 'POST /xtags/{xtag_id}/praise',
  summary: 'Praise a tag',
  path: object({ xtag_id: Type.String() }),`);
    expect(read('praise-tag.test.ts')).toContain("world.call('POST /xtags/unknown/praise', { token })");
    const imported = [...`${read('praise-tag.ts')}${read('praise-tag.test.ts')}`.matchAll(/ from '(\..+)'/g)];
    expect(imported).toHaveLength(4);
    const repository = dirname(import.meta.dirname);
    for (const [, path = ''] of imported)
      expect([path, existsSync(join(repository, tags, path))]).toEqual([path, true]);
    expect(read('index.ts')).toMatch(/import \{ praiseTag \} from '\.\/praise-tag\.ts';\nimport /);
    expect(read('index.ts')).toMatch(/endpoints: \[[^\]]*\bpraiseTag,?\s*\]/);
  });

  it.each([
    ['tags', 'create-tag', 'GET /new', 'create-tag.ts exists already'],
    ['tags', 'make-tag', 'POST /xtags', 'is already defined in server/features/tags/create-tag.ts'],
    ['hens', 'lay-egg', 'POST /eggs', 'There is no area "hens"'],
    ['tags', 'tag', 'POST /tags', 'is not verb-noun'],
    ['tags', 'mend-tag', 'FIX /tags', "is not 'METHOD /path'"],
  ])('rejects %s %s %s and writes nothing', (area, name, route, reason) => {
    const before = readdirSync(join(root, tags));
    expect(() => addEndpoint(root, { area, name, route, summary: 'A summary' })).toThrow(reason);
    expect(readdirSync(join(root, tags))).toEqual(before);
  });
});

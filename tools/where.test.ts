import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findWhereabouts } from './where.ts';

const tree: Record<string, string> = {
  'server/migrations/0001-hens.sql':
    'create table hens (\n);\ncreate table eggs (\n);\ncreate table foxes (\n);\ncreate table nests (\n);\n',
  'server/domain/hens.ts': `import { sql } from '../kernel/database.ts';
export const henLaid = event(
  'hen.laid',
  'A hen has laid.',
);
export const henLost = event('hen.lost', 'A fox came.');
/** Not from nests. */
export async function countEggs(db) {
  return db.many(sql\`select 1 from eggs join hens on true\`);
}
export async function meetFox(db) {
  return db.many(sql\`select 1 from foxes\`);
}
`,
  'server/features/hens/lay-egg.ts': `import { countEggs, henLaid } from '../../domain/hens.ts';
import { insertEgg } from './queries.ts';
export const layEgg = endpoint({
  route: 'POST /hens/{hen_id}/eggs',
  async run({ db, emit }) {
    await insertEgg(db);
    await countEggs(db);
    emit(henLaid, [], {});
  },
});
`,
  'server/features/hens/queries.ts': `export async function insertEgg(db) {
  await db.run(sql\`insert into eggs values (1)\`);
}
`,
  'server/features/hens/lay-egg.test.ts': 'world.call(`POST /hens/${hen.id}/eggs`)',
  'server/features/hens/other.test.ts': "world.call('POST /hens/7/eggs?x=1')",
  'server/features/hens/unlike.test.ts': "world.call('POST /hens/7/eggs/9')",
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'asterism-where-'));
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('findWhereabouts returns file, test, the tables and events within reach, and the tests that call the operation', () => {
  expect(findWhereabouts(root, 'POST /hens/{hen_id}/eggs')).toEqual({
    file: 'server/features/hens/lay-egg.ts',
    test: 'server/features/hens/lay-egg.test.ts',
    tables: ['eggs', 'hens'],
    events: ['hen.laid'],
    tests: ['server/features/hens/lay-egg.test.ts', 'server/features/hens/other.test.ts'],
  });
});

it('findWhereabouts fails for an unknown route', () => {
  expect(() => findWhereabouts(root, 'GET /hens')).toThrow("No operation has the route 'GET /hens'.");
});

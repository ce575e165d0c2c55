import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listWithoutGit, readRepository } from './repository.ts';
import { rules } from './rules.ts';
import { slow } from '../../testing/slow-tests.ts';

const lines = (count: number, line = 'x();') => `${line}\n`.repeat(count);
const handler = 'server/features/blocks/create-block.ts';
const test = 'server/features/blocks/create-block.test.ts';

/** For each rule: a bad example with the findings that it must produce, and a good one. */
const examples: Record<string, { bad: Record<string, string>; found: string[]; good: Record<string, string> }> = {
  'area-readmes': {
    bad: {
      'server/features/blocks/index.ts': '',
      'server/features/tags/index.ts': '',
      'server/features/tags/README.md': '# Tags',
      'server/features/calls/index.ts': '',
      'server/features/calls/README.md': lines(20, 'words'),
    },
    found: [
      'server/features/blocks/README.md:1',
      'server/features/tags/README.md:1',
      'server/features/calls/README.md:1',
    ],
    good: {
      'server/features/index.ts': '',
      'server/features/blocks/index.ts': '',
      'server/features/blocks/README.md': `| thing | states and transitions |\nWho may do what: all.\n${lines(15, 'words')}`,
    },
  },
  circles: {
    bad: {
      'server/kernel/id.ts': "import type { A } from './time.ts';",
      'server/kernel/time.ts': "import { b } from './http/http.ts';",
      'server/kernel/http/http.ts': "import { c } from '../id.ts';",
    },
    found: ['server/kernel/http/http.ts:1'],
    good: {
      'server/kernel/id.ts': "import type { A } from './time.ts';",
      'server/kernel/time.ts': "import { b } from './http/http.ts';",
      'server/kernel/http/http.ts': '',
    },
  },
  clock: {
    bad: { [handler]: 'a;\nconst now = Date.now();\nconst other = new Date();' },
    found: [`${handler}:2`, `${handler}:3`],
    good: { 'server/kernel/time.ts': 'Date.now()', [handler]: 'new Date(0)', [test]: 'Date.now()' },
  },
  colours: {
    bad: {
      'web/src/styles/call.css': '.tile {\n  color: #fff;\n  background: rgb(8 10 20 / 78%);\n}',
      'web/src/features/me/me.css': '.me { border-color: rgba(1, 2, 3, 0.5) }',
    },
    found: ['web/src/styles/call.css:2', 'web/src/styles/call.css:3', 'web/src/features/me/me.css:1'],
    good: {
      'web/src/styles/tokens.css': ':root { --ink: #191c33; }',
      'web/src/styles/call.css':
        '#root > .tile {\n  color: var(--ink);\n  background: color-mix(in srgb, var(--ink) 78%, transparent);\n}',
      'web/src/styles/parts.css': '.face { background: hsl(var(--hue) 38% 32%); }',
    },
  },
  'dead-exports': {
    bad: {
      'server/kernel/id.ts': 'export const used = 1;\nexport function alone() {}\nalone();',
      'server/kernel/time.ts': "import { used } from './id.ts';\nexport class Alone {}",
    },
    found: ['server/kernel/id.ts:2', 'server/kernel/time.ts:2'],
    good: {
      'server/kernel/id.ts': 'export const used = 1;\nexport type Alone = string;\nfunction alone() {}',
      'server/kernel/time.ts': "import { used } from './id.ts';",
    },
  },
  docstrings: {
    bad: {
      'server/kernel/id.ts': 'export function one(): void {}\n\nexport const two = (): number => 1;',
      'sdk/client.ts': 'const a = 1;\nexport async function three() {}',
    },
    found: ['server/kernel/id.ts:1', 'server/kernel/id.ts:3', 'sdk/client.ts:2'],
    good: {
      'server/kernel/id.ts': '/** One. */\nexport function one(): void {}\nexport const two = 2;\nfunction three() {}',
      'server/kernel/id.test.ts': 'export function one() {}',
    },
  },
  dependencies: {
    bad: {
      'package.json': '{\n"dependencies": {\n"left-pad": "1.0.0" } }',
      'docs/dependencies.md': '| `left-pad` | MIT | |',
    },
    found: ['package.json:3'],
    good: {
      'package.json': '{ "devDependencies": { "pg": "1" } }',
      'docs/dependencies.md': '| `pg` | MIT | Speaks. |',
    },
  },
  documents: {
    bad: {
      'CONTRIBUTING.md': 'Kinds are in `server/domain/kinds.ts`.\nAdd one to `old_kinds`, then call `notifyAll`.',
      'server/domain/notifications/kinds.ts': '/** Their texts are in `texts.ts`. */\nexport const kinds = [];',
    },
    found: ['CONTRIBUTING.md:1', 'CONTRIBUTING.md:2', 'CONTRIBUTING.md:2', 'server/domain/notifications/kinds.ts:1'],
    good: {
      'CONTRIBUTING.md': 'Add `kinds.ts` or `domain/kinds.ts` to `all_kinds`; files are named `NNNN-name.sql`.',
      'docs/decisions/0001-kinds.md': 'There was a `kinds-table.ts` with `old_kinds`.',
      'server/domain/kinds.ts': '// As `kinds.ts` says of `what_is_gone`.\nexport const all_kinds = [`texts.ts`];',
    },
  },
  'endpoint-files': {
    bad: { [handler]: '', 'server/features/blocks/stuff.ts': '', 'server/features/blocks/list-blocks.test.ts': '' },
    found: [`${handler}:1`, 'server/features/blocks/stuff.ts:1', 'server/features/blocks/list-blocks.test.ts:1'],
    good: {
      [handler]: '',
      [test]: '',
      'server/features/blocks/index.ts': '',
      'server/features/blocks/rules/recurrence.ts': '',
      'server/features/blocks/rules/time/zones.ts': '',
      'server/features/index.ts': '',
    },
  },
  environment: {
    bad: { [handler]: '\nprocess.env.PORT' },
    found: [`${handler}:2`],
    good: { 'server/app/config/config.ts': 'process.env', 'tools/x.ts': 'process.env', [test]: 'process.env' },
  },
  skips: {
    bad: { [test]: "describe('x', () => {});\nit.skipIf(missing)('y', () => {});" },
    found: [`${test}:2`],
    good: { 'testing/skip.ts': 'it.skipIf(missing)', [test]: "itUnlessMissing(missing, 'y', () => {});" },
  },
  'file-names': {
    bad: { 'server/kernel/httpServer.ts': '', 'server/kernel/utils.ts': '', 'web/src/common/x.tsx': '' },
    found: ['server/kernel/httpServer.ts:1', 'server/kernel/utils.ts:1', 'web/src/common/x.tsx:1'],
    good: { 'server/engines/bus/redis.wide.test.ts': '', 'docs/README.md': '' },
  },
  folders: {
    bad: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`server/domain/calls/part-${at}.ts`, ''])),
    found: ['server/domain/calls:1'],
    good: Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`server/domain/calls/part-${at}${at < 20 ? '' : '.test'}.ts`, '']),
    ),
  },
  'one-way': {
    bad: {
      'web/src/features/calls/ring.ts': "import { a } from '../chat/chat.ts';\nimport { b } from '../chat/send.ts';",
      'web/src/features/chat/chat.ts': '',
      'web/src/features/chat/send.ts': "\nimport { c } from '../calls/state/calls.ts';",
      'web/src/features/calls/state/calls.ts': '',
    },
    found: ['web/src/features/chat/send.ts:2'],
    good: {
      'web/src/features/calls/ring.ts': "import { a } from '../chat/chat.ts';",
      'web/src/features/chat/chat.ts': "import { c } from '../../data/calls.ts';",
      'web/src/data/calls.ts': '',
      'web/src/features/chat/chat.test.ts': "import { b } from '../calls/ring.ts';",
    },
  },
  imports: {
    bad: {
      [handler]:
        "import { a } from '../tags/queries.ts';\nimport { b } from '../../kernel/id.ts';\nimport c from 'fastify';",
      'server/kernel/id.ts': "import { a } from '../domain/shapes.ts';",
      'server/domain/shapes.ts': "import pg from 'pg';",
      'server/engines/bus/redis.ts': "import { a } from './memory.ts';",
      'server/features/tags/list-tags.ts': "const b = await import('../../engines/bus.memory.ts');",
      'sdk/client.ts': "import type { Bus } from '../server/engines/ports.ts';",
    },
    found: [
      `${handler}:1`,
      `${handler}:3`,
      'server/kernel/id.ts:1',
      'server/domain/shapes.ts:1',
      'server/engines/bus/redis.ts:1',
      'server/features/tags/list-tags.ts:1',
      'sdk/client.ts:1',
    ],
    good: {
      'server/features/home/get-home.ts': "import { feed } from '../feed/index.ts';",
      'server/features/index.ts': "import { feed } from './feed/index.ts';",
      'server/engines/bus/redis.link.ts': "import { a } from './redis.ts';\nimport type { Bus } from '../ports.ts';",
      'server/app/app.ts': "import { a } from '../engines/bus/redis.ts';",
      [test]: "import { world } from '../../testing/world.ts';",
    },
  },
  lengths: {
    bad: {
      'web/src/generated/lengths.ts': 'export const MAX_LENGTH = {\n  status: 500,\n  alone: 40,\n} as const;',
      'web/src/features/statuses/composer.tsx': '<textarea maxLength={MAX_LENGTH.status} />',
      'server/kernel/id.ts': 'MAX_LENGTH.alone',
    },
    found: ['web/src/generated/lengths.ts:3'],
    good: {
      'web/src/generated/lengths.ts': 'export const MAX_LENGTH = {\n  status: 500,\n} as const;',
      'web/src/features/statuses/composer.tsx': '<textarea maxLength={MAX_LENGTH.status} />',
    },
  },
  migrations: {
    bad: {
      'server/migrations/0001-a.sql': '-- accounts: sessions and codes',
      'server/migrations/a.sql': '-- accounts',
    },
    found: ['server/migrations/0001-a.sql:1', 'server/migrations/a.sql:1'],
    good: { 'server/migrations/0001-a.sql': '-- owner: accounts' },
  },
  'private-paths': {
    bad: { 'a.md': `fine\nsee ${'/ho'}me/ann/x`, '.npmrc': `registry=https://${'registry.npm'}js.org` },
    found: ['a.md:2', '.npmrc:1'],
    good: { 'a.md': 'GET /v1/home and web/src/home/page.tsx' },
  },
  parameters: {
    bad: {
      [handler]: 'export async function emitTag(\n  change: Change,\n  services: Services,\n): Promise<void> {',
      'server/domain/social/tags.ts': 'function presentTag(row: TagRow, public_url: string): Tag {',
      'server/domain/social/links.ts': 'const presentLink = (row: LinkRow, services: Services) => row;',
    },
    found: [`${handler}:2`, 'server/domain/social/tags.ts:1', 'server/domain/social/links.ts:1'],
    good: {
      [handler]: 'export async function emitTag(change: Change): Promise<void> {',
      'server/domain/social/tags.ts': 'function presentTag(row: TagRow, viewer: Viewer): Tag {',
    },
  },
  'query-keys': {
    bad: {
      'web/src/features/tags/tag-page.tsx': [
        "useQuery({ queryKey: ['tag', id] });",
        "useMutation({ mutationKey: ['post-tag'] });",
        'queries.invalidateQueries({ queryKey: [',
        "  ...tagKey, 'media'] });",
        "const ownKey = ['own-tags'] as const;",
        "const followersKey = (id: string) => ['followers', id];",
        "queries.setQueryData<Tag>(['tag', id], tag);",
        "updateCached<Tag>(queries, ['tag'], change);",
        "catchUp(queries, [tagKey, ['profile']]);",
        "const TOUCHED = [['tag'], profileKey];",
        "const archived = [...tagKey, 'archived'];",
      ].join('\n'),
    },
    found: [1, 2, 3, 5, 6, 7, 8, 9, 10, 11].map((line) => `web/src/features/tags/tag-page.tsx:${line}`),
    good: {
      'web/src/data/queries/tag-queries.ts': "export const tagKey = ['tag'] as const;",
      'web/src/data/queries/me-query.ts': "export const meQuery = queryOptions({ queryKey: ['me'] });",
      'web/src/features/tags/tag-page.tsx': [
        'useQuery({ queryKey: tagKey });',
        'catchUp(queries, [tagKey, profileKey]);',
        "formProblem(error, ['body']);",
        "const tabs = [['scheduled', i18n.t('Upcoming')]];",
      ].join('\n'),
      'web/src/features/statuses/status-cache.test.ts': "queries.setQueryData(['feed'], feed);",
    },
  },
  'regular-expressions': {
    bad: { [handler]: "a;\nb.replace(/=+$/, '');", 'sfu/limits.ts': 'const email = /^[^@]+@[^@]+\\.[^@]+$/;' },
    found: [`${handler}:2`, 'sfu/limits.ts:1'],
    good: { [handler]: "b.replace(/(?<!=)=+$/, ''); // /=+$/", [test]: 'c = /=+$/;', 'web/src/a.ts': 'c = /=+$/;' },
  },
  routes: {
    bad: { [handler]: "'POST /blocks'", 'server/features/tags/create-tag.ts': "\n'POST /blocks'" },
    found: ['server/features/tags/create-tag.ts:2'],
    good: { [handler]: "'POST /blocks'", [test]: "'POST /blocks'", 'server/features/tags/a-b.ts': "'GET /blocks'" },
  },
  sizes: {
    bad: {
      [handler]: lines(151),
      'server/kernel/id.ts': lines(301),
      [test]: lines(401),
    },
    found: [`${handler}:151`, 'server/kernel/id.ts:301', `${test}:401`],
    good: { [handler]: lines(150), 'server/kernel/time.ts': lines(300) },
  },
  statements: {
    bad: {
      [handler]: 'await db.run(\n  sql`delete from blocks`);',
      'server/features/blocks/jobs.ts': 'const known = sql`select 1`;',
    },
    found: [`${handler}:2`, 'server/features/blocks/jobs.ts:1'],
    good: {
      [handler]: 'await removeBlock(db, id);',
      [test]: 'await db.run(sql`select 1`);',
      'server/features/blocks/queries.ts': 'db.run(sql`delete from blocks`);',
      'server/features/blocks/lifecycle.ts': 'db.run(sql`delete from blocks`);',
      'server/features/blocks/rules/expiry.ts': 'db.run(sql`delete from blocks`);',
    },
  },
  visibility: {
    bad: {
      'server/features/push/queries.ts': 'where u.id = x\n and u.deleted_at is null and u.suspended_at is null',
      'server/domain/chat/group-chats.ts': 'not exists (select 1 from blocked_pairs a where a.user_id = x)',
    },
    found: ['server/features/push/queries.ts:2', 'server/domain/chat/group-chats.ts:1'],
    good: {
      'server/features/push/queries.ts': 'where u.id = x and ${isActive()} and t.deleted_at is null',
      'server/domain/visibility/people.ts': 'at.deleted_at is null and at.suspended_at is null',
      'server/domain/moderation/suspension.ts': 'where deleted_at is null and suspended_at is null',
    },
  },
};

describe('tidy', () => {
  it('has a bad example for every rule', () => {
    expect(Object.keys(examples).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
  });

  it.each(rules)('$name finds the bad example and accepts the good one', ({ name, check }) => {
    const { bad, found, good } = examples[name]!;
    expect(check(new Map(Object.entries(bad))).map(({ path, line }) => `${path}:${line}`)).toEqual(found);
    expect(check(new Map(Object.entries(good)))).toEqual([]);
  });
});

describe('the linter', () => {
  it('rejects functions and methods of over 70 lines, with any parameters', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asterism-lint-'));
    const body = lines(70, '    call();');
    const bad = `export class One {\n  two(): void {\n${body}  }\n}\nexport function three({\n  a,\n}: {\n  a: number;\n}): void {\n${body}}\n`;
    writeFileSync(join(folder, 'bad.ts'), bad);
    writeFileSync(join(folder, 'good.ts'), `export function four(): void {\n${lines(68, '  call();')}}\n`);
    const root = join(import.meta.dirname, '..', '..');
    const linter = join(root, 'node_modules', '.bin', 'oxlint');
    const flags = ['-c', join(root, '.oxlintrc.json'), '--format', 'unix', folder];
    const { stdout } = spawnSync(linter, flags, { encoding: 'utf8', cwd: folder });
    rmSync(folder, { recursive: true });
    const found = stdout.split('\n').filter((line) => line.includes('too many lines'));
    expect(found.map((line) => /(\w+\.ts):(\d+)/.exec(line)?.slice(1))).toEqual([
      ['bad.ts', '2'],
      ['bad.ts', String(2 + 70 + 3)],
    ]);
  });
});

describe('the files that tidy reads', () => {
  it('are the same where git is not installed', slow, () => {
    const root = join(import.meta.dirname, '..', '..');
    expect(listWithoutGit(root).toSorted()).toEqual([...readRepository(root).keys()].toSorted());
  });
});

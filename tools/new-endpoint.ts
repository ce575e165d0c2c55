/**
 * npm run new-endpoint AREA verb-noun 'METHOD /path' 'Summary': creates an operation with its test, and registers it.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The operation to create, as in the arguments of `npm run new-endpoint`. */
export type NewEndpoint = { area: string; name: string; route: string; summary: string };

const line_width = 120;

/**
 * Writes the files of an operation that returns 204 to every verified user, as a starting point for its rules. Writes
 * nothing when any argument is refused.
 * @returns the written paths, relative to the repository's root
 * @throws an error in one sentence: an invalid name, or something that already exists
 */
export function addEndpoint(root: string, { area, name, route, summary }: NewEndpoint): string[] {
  const folder = join('server', 'features', area);
  const paths = [join(folder, `${name}.ts`), join(folder, `${name}.test.ts`), join(folder, 'index.ts')] as const;
  const [file, test, index] = paths;
  if (!/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name)) throw new Error(`"${name}" is not verb-noun in kebab-case.`);
  if (!/^(GET|POST|PUT|PATCH|DELETE) (\/([a-z0-9_-]+|\{[a-z0-9_]+\}))+$/.test(route))
    throw new Error(`"${route}" is not 'METHOD /path' with parameters as {name}.`);
  if (summary.trim() === '' || /['\\\n]/.test(summary)) throw new Error('The summary is one line without quotes.');
  if (!existsSync(join(root, index))) throw new Error(`There is no area "${area}": ${index} does not exist.`);
  for (const path of [file, test]) if (existsSync(join(root, path))) throw new Error(`${path} exists already.`);
  const id = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  for (const path of globSync('server/features/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue;
    const content = readFileSync(join(root, path), 'utf8');
    if (content.includes(`'${route}'`)) throw new Error(`'${route}' is already defined in ${path}.`);
    if (content.includes(`id: '${id}'`)) throw new Error(`${id} is already defined in ${path}.`);
  }
  const registered = register(readFileSync(join(root, index), 'utf8'), id, name);
  writeFileSync(join(root, file), endpointText(id, route, summary), { flag: 'wx' });
  writeFileSync(join(root, test), testText(route), { flag: 'wx' });
  writeFileSync(join(root, index), registered);
  return [...paths];
}

function endpointText(id: string, route: string, summary: string): string {
  const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: Type.String()`);
  const has_path = parameters.length > 0;
  return `import { endpoint } from '../../kernel/endpoint.ts';
${has_path ? `import { object, Type } from '../../kernel/schema.ts';\n` : ''}
export const ${id} = endpoint({
  id: '${id}',
  route: '${route}',
  summary: '${summary}',
${has_path ? `  path: object({ ${parameters.join(', ')} }),\n` : ''}  async run() {},
});
`;
}

function testText(route: string): string {
  const called = route.replace(/\{\w+\}/g, 'unknown');
  return `import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('${route}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('answers the verified and nobody else', async () => {
    const { alice, uma } = people;
    const answers = [];
    for (const { token } of [alice, uma]) answers.push(await world.call('${called}', { token }));
    expect(answers.map(({ status }) => status)).toEqual([204, 403]);
  });
});
`;
}

/** The area's manifest with the operation added: its import in order, and its entry at the end. */
function register(manifest: string, id: string, name: string): string {
  const lines = manifest.split('\n');
  const added = `import { ${id} } from './${name}.ts';`;
  const from = (line: string) => /from '(\.\/[^']+)'/.exec(line)?.[1];
  const after = lines.findIndex((line) => (from(line) ?? '') > `./${name}.ts`);
  const last = lines.findLastIndex((line) => /^import |^\} from /.test(line));
  lines.splice(after >= 0 && lines[after]?.startsWith('import ') ? after : last + 1, 0, added);
  let found = false;
  const registered = lines.join('\n').replace(/^( *)endpoints: \[([^\]]*)\]/m, (_, indent: string, listed: string) => {
    found = true;
    const names = [...listed.split(',').map((one) => one.trim()), id].filter(Boolean);
    const line = `${indent}endpoints: [${names.join(', ')}]`;
    if (line.length < line_width) return line;
    return `${indent}endpoints: [\n${names.map((one) => `${indent}  ${one},\n`).join('')}${indent}]`;
  });
  if (!found) throw new Error('The manifest of the area has no list of endpoints.');
  return registered;
}

if (import.meta.main) {
  try {
    const [area, name, route, summary, ...rest] = process.argv.slice(2);
    if (!area || !name || !route || !summary || rest.length > 0)
      throw new Error(`Usage: npm run new-endpoint AREA verb-noun 'METHOD /path' 'Summary'`);
    for (const path of addEndpoint(dirname(import.meta.dirname), { area, name, route, summary })) console.log(path);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

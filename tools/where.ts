/**
 * npm run where 'METHOD /path': where an operation is implemented, which tables and events it uses, and which tests
 * cover it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

/** Where an operation is: its files, the tables that it names, the events that it emits, and the tests that call it. */
export type EndpointPlace = {
  file: string;
  test: string | undefined;
  tables: string[];
  events: string[];
  tests: string[];
};

/** One declaration at the top level of a file, or its imports. */
type Declaration = { name: string; text: string };
type Source = { declarations: Declaration[]; imports: Map<string, string> };

/**
 * Finds the answer in the source: declarations are followed from the operation through its own folder and the domain,
 * so that a table counts only when a reachable statement names it.
 * @param root the repository
 * @throws an error in one sentence when no operation has this route
 */
export function findWhereabouts(root: string, route: string): EndpointPlace {
  const server = listFiles(join(root, 'server')).map((path) => posix.join('server', path));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const isTest = (path: string) => path.endsWith('.test.ts');
  const file = server.find(
    (path) => /^server\/features\/.*\.ts$/.test(path) && !isTest(path) && read(path).includes(`route: '${route}'`),
  );
  if (!file) throw new Error(`No operation has the route '${route}'.`);
  const text = collectText(root, file);
  const known = server
    .filter((path) => path.endsWith('.sql'))
    .flatMap((path) =>
      [...read(path).matchAll(/^create table (?:if not exists )?(\w+)/gm)].map(([, name = '']) => name),
    );
  const named = new Set([...text.matchAll(/\b(?:from|join|into|update|using)\s+(\w+)/gi)].map(([, name]) => name));
  const events = [...text.matchAll(/\bevent\(\s*'([^']+)'/g)].map(([, type = '']) => type);
  const test = file.replace(/\.ts$/, '.test.ts');
  const mention = mentionOf(route);
  return {
    file,
    test: existsSync(join(root, test)) ? test : undefined,
    tables: known.filter((name) => named.has(name)).sort(),
    events: [...new Set(events)].sort(),
    tests: server.filter((path) => isTest(path) && mention.test(read(path))).sort(),
  };
}

/** A route as it appears in tests: any value in place of a parameter, and possibly a query. */
function mentionOf(route: string): RegExp {
  const parts = route.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`['"\`]${parts.join('(?:\\$\\{[^}]*\\}|[\\w-]+)')}['"\`?]`);
}

/** The text of everything that is reachable from an operation's file. */
function collectText(root: string, file: string): string {
  const sources = new Map<string, Source>();
  const load = (path: string): Source => {
    const loaded = sources.get(path) ?? parseSource(path, readFileSync(join(root, path), 'utf8'));
    sources.set(path, loaded);
    return loaded;
  };
  const reached = new Map<string, string>();
  const visit = (path: string, declaration: Declaration): void => {
    const key = `${path}#${declaration.name}`;
    if (reached.has(key)) return;
    reached.set(key, declaration.text);
    const { declarations, imports } = load(path);
    for (const word of new Set(declaration.text.match(/[A-Za-z_$][\w$]*/g) ?? [])) {
      const local = declarations.find(({ name }) => name === word);
      if (local) visit(path, local);
      const from = imports.get(word);
      if (from === undefined || !existsSync(join(root, from))) continue;
      const imported = load(from).declarations.find(({ name }) => name === word);
      if (imported) visit(from, imported);
    }
  };
  for (const declaration of load(file).declarations) visit(file, declaration);
  return [...reached.values()].join('\n');
}

/** Declarations start in the first column, as the formatter ensures. Comments are omitted. */
function parseSource(path: string, content: string): Source {
  const code = content.replace(/^\s*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '');
  const imports = new Map<string, string>();
  for (const [, names = '', from = ''] of code.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)) {
    const target = posix.join(posix.dirname(path), from);
    if (!/^server\/(features|domain)\//.test(target)) continue;
    for (const name of names.split(',')) if (!name.trim().startsWith('type ')) imports.set(name.trim(), target);
  }
  const start = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm;
  const starts = [...code.matchAll(start)];
  const declarations = starts.map((match, at) => ({
    name: match[1] ?? '',
    text: code.slice(match.index, starts[at + 1]?.index),
  }));
  return { declarations, imports };
}

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

if (import.meta.main) {
  try {
    const [route] = process.argv.slice(2);
    if (!route) throw new Error(`Usage: npm run where 'METHOD /path'`);
    const { file, test, tables, events, tests } = findWhereabouts(dirname(import.meta.dirname), route);
    const row = (title: string, values: string[]) => console.log(`${title.padEnd(8)}${values.join(', ') || 'none'}`);
    row('file', [file]);
    row('test', test ? [test] : []);
    row('tables', tables);
    row('events', events);
    row('tests', tests);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

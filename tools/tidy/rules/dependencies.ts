import type { Rule } from '../repository.ts';

const LIST = 'docs/dependencies.md';
type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>;

export const dependencies: Rule = {
  name: 'dependencies',
  reason: `Every package is listed in ${LIST} with its licence and reason.`,
  check: (repository) => {
    // A row is: | `name` | licence | reason |
    const rows = [...(repository.get(LIST) ?? '').matchAll(/^\| `([^`]+)` +\| *([^| ][^|]*)\| *([^| ][^|]*)\|$/gm)];
    const listed = new Set(rows.map(([, name]) => name));
    return [...repository].flatMap(([path, content]) => {
      if (!/(^|\/)package\.json$/.test(path)) return [];
      const { dependencies: needed, devDependencies, optionalDependencies } = JSON.parse(content) as Manifest;
      const names = Object.keys({ ...needed, ...devDependencies, ...optionalDependencies });
      const lines = content.split('\n');
      return names
        .filter((name) => !name.startsWith('@asterism/') && !listed.has(name))
        .map((name) => {
          const line = lines.findIndex((text) => text.includes(`"${name}":`)) + 1;
          return { path, line, text: `${name} is not listed in ${LIST} with licence and reason` };
        });
    });
  },
};

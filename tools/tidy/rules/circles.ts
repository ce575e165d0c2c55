import { importsOf } from '../imports-of.ts';
import { isCode, isTest, type Finding, type Repository, type Rule } from '../repository.ts';

/** Groups of files that import each other, directly or indirectly (Tarjan, 1972). */
function findCircles(repository: Repository, paths: string[]): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const on_stack = new Set<string>();
  const circles: string[][] = [];
  function visit(path: string): void {
    index.set(path, index.size);
    low.set(path, index.size - 1);
    stack.push(path);
    on_stack.add(path);
    for (const { to } of importsOf(repository, path)) {
      if (!index.has(to)) visit(to);
      if (on_stack.has(to)) low.set(path, Math.min(low.get(path) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(path) !== index.get(path)) return;
    const members = stack.splice(stack.indexOf(path));
    for (const member of members) on_stack.delete(member);
    if (members.length > 1) circles.push(members.sort());
  }
  for (const path of paths) if (!index.has(path)) visit(path);
  return circles;
}

export const circles: Rule = {
  name: 'circles',
  reason: 'No circular imports, types included.',
  check: (repository) => {
    const paths = [...repository.keys()].filter((path) => isCode(path) && !isTest(path));
    return findCircles(repository, paths).map((members): Finding => {
      const path = members[0] ?? '';
      return { path, line: 1, text: `a circle of imports: ${members.join(', ')}` };
    });
  },
};

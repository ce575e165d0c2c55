import { findCircles } from '../../find-circles.ts';
import { importsOf } from '../../imports-of.ts';
import { isCode, isTest, type Finding, type Rule } from '../../repository.ts';

export const circles: Rule = {
  name: 'circles',
  reason: 'No circular imports, types included.',
  check: (repository) => {
    const paths = [...repository.keys()].filter((path) => isCode(path) && !isTest(path));
    const found = findCircles(paths, (path) => importsOf(repository, path).map(({ to }) => to));
    return found.map((members): Finding => {
      const path = members[0] ?? '';
      return { path, line: 1, text: `a circle of imports: ${members.join(', ')}` };
    });
  },
};

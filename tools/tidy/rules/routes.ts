import { isTest, type Finding, type Rule } from '../repository.ts';

const ROUTE = /'((?:GET|POST|PUT|PATCH|DELETE) \/[^']*)'/g;

export const routes: Rule = {
  name: 'routes',
  reason: 'Each route is defined once in server/features.',
  check: (repository) => {
    const homes = new Map<string, string>();
    const findings: Finding[] = [];
    for (const [path, content] of repository) {
      if (!path.startsWith('server/features/') || !path.endsWith('.ts') || isTest(path)) continue;
      content.split('\n').forEach((line, index) => {
        for (const [, route = ''] of line.matchAll(ROUTE)) {
          const home = homes.get(route);
          if (home === undefined) homes.set(route, `${path}:${index + 1}`);
          else findings.push({ path, line: index + 1, text: `'${route}' is already defined in ${home}` });
        }
      });
    }
    return findings;
  },
};

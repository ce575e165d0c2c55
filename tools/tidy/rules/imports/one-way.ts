import { findCircles } from '../../find-circles.ts';
import { importsOf } from '../../imports-of.ts';
import { isCode, isTest, type Finding, type Repository, type Rule } from '../../repository.ts';

/** An import between two parts of a folder: its files and the folders in it. */
type Arrow = { folder: string; from: string; to: string; path: string; line: number };

/** The imports between the parts of each folder, by the folder. */
function arrowsByFolder(repository: Repository): Map<string, Arrow[]> {
  const arrows: Arrow[] = [];
  for (const path of repository.keys()) {
    if (!isCode(path) || isTest(path)) continue;
    for (const { to, line } of importsOf(repository, path)) {
      const [source, target] = [path.split('/'), to.split('/')];
      const depth = source.findIndex((part, at) => part !== target[at]);
      const folder = source.slice(0, depth).join('/');
      if (depth >= 0) arrows.push({ folder, from: source[depth] ?? '', to: target[depth] ?? '', path, line });
    }
  }
  return Map.groupBy(arrows, ({ folder }) => folder);
}

/** The imports that run against the others in a circle of parts: those between the two parts with the fewest. */
function fewestOf(members: string[], arrows: Arrow[]): Arrow[] {
  const inside = arrows.filter(({ from, to }) => members.includes(from) && members.includes(to));
  const pairs = Map.groupBy(inside, ({ from, to }) => `${from} ${to}`);
  return [...pairs.values()].toSorted((one, other) => one.length - other.length)[0] ?? [];
}

export const oneWay: Rule = {
  name: 'one-way',
  reason: 'Between the files and folders of a folder, imports run in one direction.',
  check: (repository) =>
    [...arrowsByFolder(repository)].flatMap(([folder, arrows]) => {
      const targets = Map.groupBy(arrows, ({ from }) => from);
      const found = findCircles(targets.keys(), (part) => (targets.get(part) ?? []).map(({ to }) => to));
      return found.flatMap((members) =>
        fewestOf(members, arrows).map(({ from, to, path, line }): Finding => {
          const circle = `${members.join(', ')} of ${folder || 'the repository'} import each other`;
          return { path, line, text: `${circle}; the fewest imports are from ${from} to ${to}, such as this one` };
        }),
      );
    }),
};

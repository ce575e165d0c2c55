import { findLines, type Rule } from '../repository.ts';

/** Written with brackets, so that this file does not match itself. */
const REGISTRIES = [
  'registry\\.[n]pmjs\\.org',
  'registry\\.[y]arnpkg\\.com',
  'proxy\\.[g]olang\\.org',
  '"[r]esolved": "http',
];
// The API has a route `/home/group-chat`.
const HOMES = ['/[h]ome/(?!group-chat)[a-z]', '/[U]sers/[A-Za-z]', '/[r]oot/'];
const PATTERN = new RegExp(`${REGISTRIES.join('|')}|(?<![\\w.:/}*-])(?:${HOMES.join('|')})`);

export const privatePaths: Rule = {
  name: 'private-paths',
  reason: 'The repository contains no host of a private registry and no path of one machine.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      findLines(path, content, PATTERN, 'names a registry or a path of one machine'),
    ),
};

import type { Rule } from '../repository.ts';

export const migrations: Rule = {
  name: 'migrations',
  reason: 'Each table has one owner: the first line of a migration names the area.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) => {
      if (!path.startsWith('server/migrations/') || !path.endsWith('.sql')) return [];
      if (!/^server\/migrations\/\d{4}-[a-z0-9-]+\.sql$/.test(path)) {
        return [{ path, line: 1, text: 'is not named NNNN-name.sql' }];
      }
      return /^-- owner: [a-z-]+(\n|$)/.test(content)
        ? []
        : [{ path, line: 1, text: 'the first line does not name the owning area (-- owner: area)' }];
    }),
};

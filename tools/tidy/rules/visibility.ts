import { isCode, isTest, type Rule } from '../repository.ts';

const PATTERNS = [
  // u.deleted_at is null and u.suspended_at is null: isActive
  /\bdeleted_at is null and (?:\w+\.)?suspended_at is null|\bsuspended_at is null and (?:\w+\.)?deleted_at is null/g,
  // not exists (select 1 from blocked_pairs where …): areNotBlocked
  /exists \(\s*select 1 from blocked_pairs\b/g,
];

export const visibility: Rule = {
  name: 'visibility',
  reason:
    'Whether an account is active, and whether a block separates two people, are predicates of domain/visibility.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      /^server\/(?:domain\/(?!visibility\/|moderation\/)|features\/)/.test(path) && isCode(path) && !isTest(path)
        ? PATTERNS.flatMap((pattern) => [...content.matchAll(pattern)]).map(({ index }) => ({
            path,
            line: content.slice(0, index).split('\n').length,
            text: 'states a rule of visibility again',
          }))
        : [],
    ),
};

import { isCode, isTest, type Rule } from '../repository.ts';

const PATTERNS = [
  // function notify(change: Change, services: Services)
  /\bchange: (?:Change\b|Pick<Change\b)[^()]*,\s*services: Services\b/g,
  // function presentTag(row: TagRow, public_url: string), const presentLink = (row: LinkRow, services: Services)
  /\bpresent[A-Z]\w*(?: = )?\([^()]*(?:\bpublic_url: string|\bservices: Services)\b/g,
];

export const parameters: Rule = {
  name: 'parameters',
  reason: 'The services travel in the change, not beside it, and presenters take a viewer.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      /^server\/(?:domain|features)\//.test(path) && isCode(path) && !isTest(path)
        ? PATTERNS.flatMap((pattern) => [...content.matchAll(pattern)]).map(({ index }) => ({
            path,
            line: content.slice(0, index).split('\n').length,
            text: 'takes the services, or their address, as a parameter of their own',
          }))
        : [],
    ),
};

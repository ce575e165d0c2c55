import { isCode, isTest, type Finding, type Rule } from '../repository.ts';

/** Where a key is expected, and one is written out. */
const PATTERNS = [
  // queryKey: ['feed']
  /\b(?:queryKey|mutationKey):\s*\[/g,
  // const feedKey = ['feed'], const statusKey = (post_id: string) => ['status', post_id]
  /\bconst \w*[kK]ey\b[^=\n]*=\s*(?:\([^)]*\)[^=\n]*=>\s*)?\[/g,
  // queries.setQueryData<Status>(['status', id]), queries.getQueryData(['feed'])
  /\.(?:get|set)Quer(?:y|ies)(?:Data|State)\s*(?:<[^(]*>)?\(\s*\[/g,
  // removeItem(queries, ['feed'], id), updateCached<Tag>(queries, ['tag'], change)
  /\b(?:changeItem|changeLists|cutLists|fetchAgain|insertItem|removeItem|updateCached)(?:<[^(]*>)?\(\s*\w+,\s*\[/g,
  // catchUp(queries, [feedKey, ['status']])
  /\b(?:catchUp|invalidate)\(\s*\w+,\s*\[[^\];]*\[/g,
  // const TOUCHED = [['feed'], profileKey]
  /\[\s*\['[a-z-]+'\]/g,
  // [...feedKey, 'archived'], [...groupQuery(id).queryKey, 'archived']
  /\[\.\.\.\w+(?:Key|Query(?:\([^)]*\))?\.queryKey)\s*,/g,
];

const isDefinition = (path: string): boolean => /[-/]quer(?:y|ies)\.ts$/.test(path);

function findKeys(path: string, content: string): Finding[] {
  const lines = PATTERNS.flatMap((pattern) =>
    [...content.matchAll(pattern)].map(({ index }) => content.slice(0, index).split('\n').length),
  );
  return [...new Set(lines)]
    .toSorted((one, other) => one - other)
    .map((line) => ({ path, line, text: 'writes a query key out' }));
}

export const queryKeys: Rule = {
  name: 'query-keys',
  reason: 'Each key of a query is defined once, in the `*-queries.ts` or `*-query.ts` of its feature, and imported.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      path.startsWith('web/src/') && isCode(path) && !isTest(path) && !isDefinition(path)
        ? findKeys(path, content)
        : [],
    ),
};

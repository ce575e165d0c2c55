import { isCode, type Finding, type Rule } from '../repository.ts';

const LENGTHS = 'web/src/generated/lengths.ts';

export const lengths: Rule = {
  name: 'lengths',
  reason: 'Each length that tools/generate/write-lengths.ts writes bounds a field of the web client.',
  check: (repository) => {
    const used = new Set<string>();
    for (const [path, content] of repository)
      if (path.startsWith('web/') && isCode(path))
        for (const [, name = ''] of content.matchAll(/\bMAX_LENGTH\.(\w+)/g)) used.add(name);
    return (repository.get(LENGTHS) ?? '').split('\n').flatMap((line, index): Finding[] => {
      const name = /^ {2}(\w+): \d+,$/.exec(line)?.[1];
      return name === undefined || used.has(name)
        ? []
        : [{ path: LENGTHS, line: index + 1, text: `no field is bound by ${name}` }];
    });
  },
};

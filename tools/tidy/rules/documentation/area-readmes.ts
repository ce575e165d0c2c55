import type { Rule } from '../../repository.ts';

const SHORTEST = 15;
const LONGEST = 40;

export const areaReadmes: Rule = {
  name: 'area-readmes',
  reason: 'Each area has a README.md of 15 to 40 lines: its states and transitions, and who may do what.',
  check: (repository) =>
    [...repository.keys()].flatMap((path) => {
      const area = /^server\/features\/([^/]+)\/index\.ts$/.exec(path)?.[1];
      if (area === undefined) return [];
      const readme = `server/features/${area}/README.md`;
      const content = repository.get(readme);
      const finding = (text: string) => [{ path: readme, line: 1, text }];
      if (content === undefined) return finding('is missing');
      const lines = content.trimEnd().split('\n').length;
      if (lines < SHORTEST || lines > LONGEST) return finding(`has ${lines} lines`);
      return /states and transitions/i.test(content) && /who may do what|\| who /i.test(content)
        ? []
        : finding('has no section about states and transitions and who may do what');
    }),
};

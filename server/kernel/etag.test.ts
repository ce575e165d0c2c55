import { describe, expect, it } from 'vitest';
import { etagOf, matchesEtag } from './etag.ts';

describe('entity tags', () => {
  it('are equal for the same text, and match in lists and as weak tags', () => {
    const tag = etagOf('words');
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect([etagOf('words') === tag, etagOf('Words') === tag]).toEqual([true, false]);
    for (const header of [tag, `W/${tag}`, `"a",  W/${tag}`, ' * '])
      expect([header, matchesEtag(header, tag)]).toEqual([header, true]);
    for (const header of [undefined, '', '"a"', tag.slice(1, -1)])
      expect([header, matchesEtag(header, tag)]).toEqual([header, false]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../../../testing/seed.ts';
import { compileCommands, wordsOf } from './forms.ts';
import { commands } from './grammar.ts';
import { parseCommand } from './parse.ts';
import { distance, max_suggestions, suggest } from './suggest.ts';
import { slow } from '../../../../testing/slow-tests.ts';

const grammar = compileCommands(commands);
const context = { now: new Date('2026-11-22T10:00:00Z'), timezone: 'Europe/Vienna' };
const nameOf = (text: string) => {
  const result = parseCommand(text, grammar, context);
  return 'parsed' in result ? result.parsed.name : undefined;
};
const examples = commands.flatMap(({ name, examples: texts }) => texts.map((text) => ({ name, text })));
const { seed, label } = seedOf(11);

describe('parseCommand', () => {
  it.each(examples)('parses "$text"', ({ name, text }) => {
    expect(nameOf(text)).toBe(name);
  });

  it('reads one-word names, and returns longer candidates with the remaining text', () => {
    const result = parseCommand('text Anna Smith see you', grammar, context);
    expect(result).toMatchObject({
      parsed: {
        values: {
          to: {
            named: [
              {
                text: 'Anna',
                longer: [
                  { text: 'Anna Smith', rest: 'see you' },
                  { text: 'Anna Smith see', rest: 'you' },
                ],
              },
            ],
          },
          body: { text: 'Smith see you' },
        },
      },
    });
  });

  it('treats quoted text literally', () => {
    expect(parseCommand('call "Book and Club", Ann and +1 415 555 0123', grammar, context)).toMatchObject({
      parsed: { values: { to: { named: [{ text: 'Book and Club' }, { text: 'Ann' }, { kind: 'phone' }] } } },
    });
  });

  it.each([
    ['at 9 text Zed hi', '2026-11-22T20:00:00Z'],
    ['schedule text Zed hi for 9', '2026-11-22T20:00:00Z'],
    ['schedule text Zed hi at 9', '2026-11-22T20:00:00Z'],
    ['at 9am text Zed hi', '2026-11-23T08:00:00Z'],
    ['on Monday at 9 text Zed hi', '2026-11-23T08:00:00Z'],
    ['tomorrow at 9 text Zed hi', '2026-11-23T08:00:00Z'],
    ['tomorrow 5pm text Zed hi', '2026-11-23T16:00:00Z'],
    ['in 5 minutes text Zed hi', '2026-11-22T10:05:00Z'],
    ['share location with @bob until 6', '2026-11-22T17:00:00Z'],
  ])('reads the time after the word that announces it: %s', (text, expected) => {
    const result = parseCommand(text, grammar, context);
    const values = 'parsed' in result ? (result.parsed.values as Record<string, { when?: { at: Date } }>) : {};
    expect((values['at'] ?? values['until'])?.when?.at.toISOString()).toBe(expected.replace('Z', '.000Z'));
  });

  it('returns where it stopped and what it expected', () => {
    expect(parseCommand('remind me tomorrow', grammar, context)).toEqual({
      failure: { at: 18, end: 18, expected: expect.arrayContaining(['to']), words: new Set(['to']) },
    });
    expect(parseCommand('', grammar, context)).toMatchObject({ failure: { at: 0, end: 0 } });
  });

  it(`parses or rejects 100,000 texts in less than 0.5 ms each (${label})`, { ...slow, timeout: 60_000 }, () => {
    const random = randomFrom(seed);
    const vocabulary = [
      ...wordsOf(grammar),
      '*jazz',
      '@bob',
      'anna',
      '"',
      ':',
      ',',
      'tomorrow',
      'at',
      '5pm',
      '🙂',
      '+14155550123',
      '\u0000',
      'job_1',
    ];
    const wrong: string[] = [];
    const started_ms = performance.now();
    for (let at = 0; at < 100_000; at++) {
      const length = 1 + Math.floor(random() * 8);
      const text = Array.from({ length }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(
        random() < 0.9 ? ' ' : '',
      );
      const result = parseCommand(text, grammar, context);
      // Three assertions per text would take longer than the parser.
      if ('failure' in result) {
        const { at: from, end, expected } = result.failure;
        if (!(from <= end && end <= text.length && expected.length > 0)) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
    expect((performance.now() - started_ms) / 100_000).toBeLessThan(0.5);
  });

  it(`does not throw for any text (${label})`, { ...slow, timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        parseCommand(text, grammar, context);
        suggest(text, grammar, context);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('parses long texts in less than 500 ms in total', () => {
    const started_ms = performance.now();
    for (const piece of [
      'remind me to word at 5 ',
      'schedule text bob for at ',
      'call a and b, ',
      'share location with ',
      'add a to group ',
    ])
      parseCommand(piece.repeat(2000).slice(0, 2000), grammar, context);
    expect(performance.now() - started_ms).toBeLessThan(500);
  });
});

describe('Suggestions', () => {
  it('suggests complete commands, and never one that would run at once what was to be scheduled', () => {
    expect(suggest('where @bob', grammar, context)[0]).toBe('where');
    for (const text of ['schedule text Zed hi for soonish', 'remind call Bob', 'at some point text Zed hi']) {
      const suggestions = suggest(text, grammar, context);
      expect(suggestions).toEqual(suggestions.map((one) => one.trim()));
      expect(suggestions.filter((one) => /^(text|call)/.test(one) && text.endsWith(one))).toEqual([]);
    }
  });

  it(`contain the right command for 95% of typing errors (${label})`, { ...slow, timeout: 60_000 }, () => {
    const random = randomFrom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    let tried = 0;
    let right = 0;
    while (tried < 2000) {
      const { name, text } = pick(examples);
      const at = Math.floor(random() * text.length);
      const letter = pick([...'abcdefghijklmnopqrstuvwxyz']);
      const [before, rest] = [text.slice(0, at), text.slice(at + 1)];
      const typed = pick([
        before + rest,
        before + letter + text.slice(at),
        before + letter + rest,
        before + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2),
      ]);
      if (nameOf(typed) !== undefined) continue;
      tried += 1;
      const suggestions = suggest(typed, grammar, context);
      expect(suggestions.length).toBeLessThanOrEqual(max_suggestions);
      const names = suggestions.map(nameOf);
      expect(names).not.toContain(undefined);
      if (names.includes(name)) right += 1;
    }
    expect(right / tried).toBeGreaterThanOrEqual(0.95);
  });

  it('are ranked by edit distance', () => {
    expect([
      distance('call', 'call'),
      distance('cal', 'call'),
      distance('clal', 'call'),
      distance('bell', 'call'),
    ]).toEqual([0, 1, 1, 2]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { isSuperLinear } from '../../tools/tidy/rules/regular-expressions.ts';
import { headingText, idOf, nullable, lineText, object, Type, visibleText } from './schema.ts';
import { compileValidator } from './validation.ts';

const right_to_left_override = '\u202e';

describe('lineText', () => {
  const check = compileValidator(object({ title: lineText(1, 60) }));
  const checkOptional = compileValidator(object({ title: lineText(0, 60) }));

  it.each(['Ada', 'Zoë Müller', 'אדה', 'آدا', '山田', '👩‍👩‍👧', 'a b', '.', 'e\u0301', '\u200fאדה'])(
    'accepts %j',
    (title) => {
      expect(check({ title })).toBeUndefined();
    },
  );

  it.each([
    '   ',
    '\u00a0',
    '\u200b\u200d',
    '\u3164',
    '\u2800',
    '\ufe0f',
    '\u0301',
    '\u{e0041}\u{e0042}',
    'two\nlines',
    'a\tb',
    'bell\u0007',
    'null\u0000',
    'c1\u0085',
    'line\u2028',
    `ada${right_to_left_override}gpj.exe`,
    'isolate\u2066',
  ])('refuses %j', (title) => {
    expect(check({ title })?.['title']).toMatch(/^is not valid: must be one line/);
    expect(checkOptional({ title })?.['title']).toMatch(/^is not valid: must be one line/);
  });

  it('may be empty only with a minimum length of 0', () => {
    expect(checkOptional({ title: '' })).toBeUndefined();
    expect(check({ title: '' })).toBeDefined();
  });
});

describe('visibleText', () => {
  const check = compileValidator(object({ body: visibleText(1, 60) }));
  it('requires visible characters', () => {
    expect(check({ body: 'one\n\ntwo' })).toBeUndefined();
    expect(check({ body: '\u200b \n\u3164' })).toEqual({ body: 'is not valid: must contain visible text' });
  });
});

describe('headingText', () => {
  const check = compileValidator(object({ title: headingText(1, 60) }));

  it.each(['Ada', 'two\nlines\tand a tab', '\u200fאדה', 'Zoë'])('accepts %j', (title) => {
    expect(check({ title })).toBeUndefined();
  });

  it.each(['\n \n', '\u200b', `ada${right_to_left_override}gpj.exe`, 'isolate\u2066', 'bell\u0007', 'c1\u0085'])(
    'refuses %j',
    (title) => {
      expect(check({ title })?.['title']).toMatch(/^is not valid: must contain visible text, without control/);
    },
  );
});

describe('patterns of the contract', () => {
  function collect(node: unknown, found = new Set<string>()): Set<string> {
    if (typeof node !== 'object' || node === null) return found;
    for (const [key, value] of Object.entries(node))
      if (key === 'pattern' && typeof value === 'string') found.add(value);
      else collect(value, found);
    return found;
  }

  it('take linear time', () => {
    const patterns = collect(JSON.parse(readFileSync('docs/generated/openapi.json', 'utf8')));
    expect(patterns.size).toBeGreaterThan(30);
    expect([...patterns].filter((pattern) => isSuperLinear(pattern, 'u'))).toEqual([]);
  });

  it('are not evaluated for texts that are too long; the length is reported', () => {
    const body = object({
      name: Type.String({ maxLength: 5, pattern: '^a+$' }),
      code: Type.String({ pattern: '^b+$' }),
    });
    const check = compileValidator(body);
    const evaluated: string[] = [];
    const exec = vi.spyOn(RegExp.prototype, 'test').mockImplementation((given) => evaluated.push(given) > 0);
    const fields = check({ name: 'abcdefgh', code: 'b' });
    exec.mockRestore();
    expect(fields).toEqual({ name: 'must have at most 5 characters' });
    expect(evaluated).not.toContain('abcdefgh');
  });
});

describe('the errors of a union', () => {
  const Target = Type.Union([
    object({ user_id: idOf('usr') }),
    object({ group_id: idOf('grp') }),
    object({ contact_id: idOf('con') }),
    object({ phone: Type.String({ pattern: '^[+]' }) }),
    object({ tag: Type.String({ pattern: '^[a-z]+$' }) }),
  ]);
  const check = compileValidator(
    object({
      reminders: Type.Optional(nullable(Type.Array(object({ minutes_before: Type.Integer({ minimum: 0 }) })))),
      target: Type.Optional(Target),
      targets: Type.Optional(Type.Array(Target)),
    }),
  );
  it.each([
    [{ reminders: [{ minutes_before: -1 }] }, { 'reminders.0.minutes_before': 'must be at least 0' }],
    [{ reminders: 'soon' }, { reminders: 'must be a list' }],
    [{ target: { user_id: 'foo' } }, { 'target.user_id': 'is not valid: begins with usr_' }],
    [{ target: { tag: '*x' } }, { 'target.tag': 'is not valid' }],
    [{ target: { tag: 'x', more: 1 } }, { 'target.more': 'is not a known field' }],
    [
      { targets: [{ tag: '*' }, { user_id: 'x' }] },
      { 'targets.0.tag': 'is not valid', 'targets.1.user_id': 'is not valid: begins with usr_' },
    ],
    [{ target: {} }, { target: 'is not one of the allowed values' }],
    [{ target: 'x' }, { target: 'must be an object' }],
  ])('are those of the schema that %j is meant for', (value, fields) => {
    expect(check(value)).toEqual(fields);
  });
});

describe('a validation error', () => {
  const checkValue = compileValidator(
    object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      password: Type.Optional(Type.String({ minLength: 8 })),
      count: Type.Optional(Type.Integer({ minimum: 2, maximum: 9 })),
      share: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
      names: Type.Optional(Type.Array(Type.String(), { minItems: 2, maxItems: 3, uniqueItems: true })),
      edit: Type.Optional(Type.Object({ one: Type.Optional(Type.String()) }, { minProperties: 1 })),
      at: Type.Optional(Type.String({ format: 'date-time' })),
      open: Type.Optional(Type.Boolean()),
    }),
  );
  it.each([
    [{ name: '' }, 'must not be empty'],
    [{ name: 'long' }, 'must have at most 3 characters'],
    [{ name: 3 }, 'must be a string'],
    [{ password: 'short' }, 'must have at least 8 characters'],
    [{ count: 1 }, 'must be at least 2'],
    [{ count: 10 }, 'must be at most 9'],
    [{ count: 2.5 }, 'must be a whole number'],
    [{ share: 0 }, 'must be greater than 0'],
    [{ share: 1 }, 'must be less than 1'],
    [{ names: ['a'] }, 'must have at least 2 items'],
    [{ names: ['a', 'b', 'c', 'd'] }, 'must have at most 3 items'],
    [{ names: ['a', 'a'] }, 'must not contain duplicates'],
    [{ edit: {} }, 'must not be empty'],
    [{ at: 'soon' }, 'is not a valid date and time'],
    [{ open: 'yes' }, 'must be true or false'],
  ])('of %j is worded for people', (value, text) => {
    expect(Object.values(checkValue(value) ?? {})).toEqual([text]);
  });

  it('names the field, also when nested, and describes the expected value', () => {
    const Code = Type.String({ pattern: '^\\d{6}$', description: '6 digits.' });
    const check = compileValidator(
      object({ codes: Type.Array(object({ code: Code, 'a/b': Type.String({ pattern: 'x' }) })) }),
    );
    expect(check({ codes: [{ code: '12', 'a/b': 'y' }] })).toEqual({
      'codes.0.code': 'is not valid: 6 digits',
      'codes.0.a/b': 'is not valid',
    });
  });
});

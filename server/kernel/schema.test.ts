import { describe, expect, it } from 'vitest';
import { compileValidator, headingText, lineText, object, Type, visibleText } from './schema.ts';

const right_to_left_override = '\u202e';

describe('one line of text', () => {
  const check = compileValidator(object({ title: lineText(1, 60) }));
  const checkOptional = compileValidator(object({ title: lineText(0, 60) }));

  it.each(['Ada', 'Zoë Müller', 'אדה', 'آدا', '山田', '👩‍👩‍👧', 'a b', '.', 'e\u0301', '\u200fאדה'])(
    'takes %j',
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

  it('may be empty only where it may be left out', () => {
    expect(checkOptional({ title: '' })).toBeUndefined();
    expect(check({ title: '' })).toBeDefined();
  });
});

describe('text of several lines', () => {
  const check = compileValidator(object({ body: visibleText(1, 60) }));
  it('has something that is seen', () => {
    expect(check({ body: 'one\n\ntwo' })).toBeUndefined();
    expect(check({ body: '\u200b \n\u3164' })).toEqual({ body: 'is not valid: must contain visible text' });
  });
});

describe('text beside others', () => {
  const check = compileValidator(object({ title: headingText(1, 60) }));

  it.each(['Ada', 'two\nlines\tand a tab', '\u200fאדה', 'Zoë'])('takes %j', (title) => {
    expect(check({ title })).toBeUndefined();
  });

  it.each(['\n \n', '\u200b', `ada${right_to_left_override}gpj.exe`, 'isolate\u2066', 'bell\u0007', 'c1\u0085'])(
    'refuses %j',
    (title) => {
      expect(check({ title })?.['title']).toMatch(/^is not valid: must contain visible text, without control/);
    },
  );
});

describe('what a refusal says', () => {
  it('names the field, also deep within, and what it takes', () => {
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

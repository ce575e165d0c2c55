import { expect, it } from 'vitest';
import { formatText, plainText } from './format-text.ts';
import type { TextPiece } from './format-text.ts';

/** The pieces as HTML, to be read at a glance. */
const html = (text: string): string => {
  const names = { bold: 'b', italic: 'i', strike: 's', code: 'code', block: 'pre' } as const;
  const write = (pieces: readonly TextPiece[]): string =>
    pieces
      .map((one) =>
        typeof one === 'string' ? one : `<${names[one.format]}>${write(one.pieces)}</${names[one.format]}>`,
      )
      .join('');
  return write(formatText(text));
};

it('formats what is between marks, also one within another', () => {
  expect(html('**Tomorrow**, _not_ ~~today~~')).toBe('<b>Tomorrow</b>, <i>not</i> <s>today</s>');
  expect(html('**at _nine_, not ~~ten~~**!')).toBe('<b>at <i>nine</i>, not <s>ten</s></b>!');
  expect(html('Run `npm start` first')).toBe('Run <code>npm start</code> first');
  expect(html('First:\n```\nlet a = 1;\nlet b_c = a ** 2;\n```\nDone')).toBe(
    'First:\n<pre>let a = 1;\nlet b_c = a ** 2;</pre>Done',
  );
  expect(html('(_so_)')).toBe('(<i>so</i>)');
});

it('leaves what is no formatting as it was written', () => {
  for (const text of [
    '2 ** 3 and 4 ** 5',
    'snake_case_name and __init__',
    '***',
    '_______',
    '~~~~~',
    '** not bold **',
    '_ no _',
    '**never closed',
    'https://example.org/a_b_c_d and **https://example.org/x_y',
    '*jazz and *blues',
    '****',
    '``',
    'a ~ b ~~ c',
  ])
    expect(html(text)).toBe(text);
});

it('formats neither marks in code nor in addresses', () => {
  expect(html('`a **b** c`')).toBe('<code>a **b** c</code>');
  expect(html('_see https://example.org/a_b_')).toBe('_see https://example.org/a_b_');
  expect(html('**see https://example.org/a_b **no')).toBe('**see https://example.org/a_b **no');
});

it('is without its marks in one line', () => {
  expect(plainText('**Tomorrow** at `nine`, _or_ 2 ** 3')).toBe('Tomorrow at nine, or 2 ** 3');
});

it('takes time in proportion to the text', () => {
  const texts = ['**a ', '_a ', '`', '```', '**_~~', '** _', 'a** '].map((one) => one.repeat(4000 / one.length));
  const started_ms = performance.now();
  for (const text of texts) expect(plainText(text).length).toBeGreaterThan(100);
  expect(performance.now() - started_ms).toBeLessThan(1_000);
});

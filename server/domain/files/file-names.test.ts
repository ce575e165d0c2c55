import { expect, it } from 'vitest';
import { nameOfDocument, saveAs } from './file-names.ts';

it('keeps the name of a document without paths, control characters and forbidden characters', () => {
  expect(nameOfDocument('Set list, third version (final).pdf')).toBe('Set list, third version (final).pdf');
  expect(nameOfDocument('C:\\Users\\ada\\..\\plan.odt')).toBe('plan.odt');
  expect(nameOfDocument('../../etc/passwd')).toBe('passwd');
  // A right-to-left override would show another extension than the real one.
  expect(nameOfDocument('photo\u202Egpj.exe')).toBe('photo gpj.exe');
  expect(nameOfDocument('a\r\nb: "c"<d>|e?.txt')).toBe('a b c d e .txt');
  expect(nameOfDocument('قائمة.pdf')).toBe('قائمة.pdf');
  for (const empty_name of [undefined, '', '...', ' / ', '\u0000']) expect(nameOfDocument(empty_name)).toBeNull();
});

it('truncates a long name before its extension', () => {
  const truncated = nameOfDocument(`${'a'.repeat(300)}.tar`);
  expect(truncated).toBe(`${'a'.repeat(156)}.tar`);
  expect(nameOfDocument(`${'🌙'.repeat(200)}.pdf`)).toBe(`${'🌙'.repeat(156)}.pdf`);
  expect(nameOfDocument(`a.${'b'.repeat(300)}`)).toHaveLength(160);
});

it('sets the name under which a browser saves a file', () => {
  expect(saveAs({ id: 'file_1', name: null })).toBe('attachment; filename="file_1"');
  expect(saveAs({ id: 'file_1', name: "Ada's plan (ü).pdf" })).toBe(
    `attachment; filename="file_1"; filename*=UTF-8''Ada%27s%20plan%20%28%C3%BC%29.pdf`,
  );
});

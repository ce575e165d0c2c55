import { describe, expect, it } from 'vitest';
import { readTable, TableError } from './csv.ts';

const rowsOf = async (text: string) => Array.fromAsync(readTable(text));

describe('readTable', () => {
  it('reads commas, semicolons, tabs, and quoted fields with line breaks', async () => {
    expect(await rowsOf('\uFEFFName,Note\r\n"Dora, the ""great""","two\nlines"\r\n\r\nSam,\r\n')).toEqual([
      ['Name', 'Note'],
      ['Dora, the "great"', 'two\nlines'],
      ['Sam', ''],
    ]);
    expect(await rowsOf('Name;"a, b, c";Note\nSam;1,2;x\n')).toEqual([
      ['Name', 'a, b, c', 'Note'],
      ['Sam', '1,2', 'x'],
    ]);
    expect(await rowsOf('Name\tNote\nSam\tsays "hi"')).toEqual([
      ['Name', 'Note'],
      ['Sam', 'says "hi"'],
    ]);
  });

  it('accepts rows that are longer or shorter than the header', async () => {
    expect(await rowsOf('a,b\n1\n1,2,3')).toEqual([['a', 'b'], ['1'], ['1', '2', '3']]);
  });

  it('reads a field that is longer than one slice', async () => {
    const long = 'x'.repeat(70_000);
    expect(await rowsOf(`a,b\n"${long}\n",2\n3,4`)).toEqual([
      ['a', 'b'],
      [`${long}\n`, '2'],
      ['3', '4'],
    ]);
  });

  it('throws TableError for an unclosed quote', async () => {
    await expect(rowsOf('a,b\n"1,2\n3,4')).rejects.toThrow(TableError);
  });
});

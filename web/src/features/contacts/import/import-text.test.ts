/** What the web client shows of a file of contacts, and which of its rows it imports. */
import { no_details } from '../../../../../server/domain/contacts/contact-details.ts';
import { describe, expect, it } from 'vitest';
import { describeLeftOut, describeRollback, describeRow, nameRow, rowsToTake, type ImportRow } from './import-text.ts';
import { describeMembers } from '../../../i18n/group-text.ts';

const contact = {
  name: 'May',
  phones: [],
  emails: [],
  tag_name: null,
  im: [],
  note: '',
  ...no_details,
  favourite: false,
};
const row = (part: Partial<ImportRow> & Pick<ImportRow, 'row'>): ImportRow => ({ action: 'create', contact, ...part });

describe('the rows of an import file', () => {
  it('are all imported unless some are deselected, except rows that the service skips', () => {
    const rows = [
      row({ row: 1 }),
      row({ row: 2, action: 'update' }),
      row({ row: 3, action: 'skip', reason: 'duplicate' }),
    ];
    expect(rowsToTake(rows, new Set())).toBeUndefined();
    expect(rowsToTake(rows, new Set([3]))).toBeUndefined();
    expect(rowsToTake(rows, new Set([1]))).toEqual([2]);
    expect(rowsToTake(rows, new Set([1, 2, 3]))).toEqual([]);
  });

  it('have a text for what happens to each and why, and for what is omitted', () => {
    expect(describeRow(row({ row: 1, action: 'skip', reason: 'unchanged' }))).toBe('You already have all of it.');
    expect(describeRow(row({ row: 1, action: 'update' }))).toMatch(/^Adds missing details/);
    expect(describeLeftOut({ 'phones.1.number': 'is not a number', tag_name: 'is cut', odd: 'is odd' })).toEqual([
      'Phone number 2 is not a number.',
      'Tag is cut.',
      'odd is odd.',
    ]);
    expect(describeLeftOut(undefined)).toEqual([]);
  });

  it('are named by the name, the address or the number of the row', () => {
    expect(nameRow(row({ row: 4 }))).toBe('May');
    const nameless = { ...contact, name: '', emails: [{ label: 'home', address: 'may@example.org' }] };
    expect(nameRow(row({ row: 4, contact: nameless }))).toBe('may@example.org');
    expect(nameRow(row({ row: 4, contact: null, action: 'skip', reason: 'invalid' }))).toBe('Row 4');
  });

  it('have a text for what a rollback left unchanged', () => {
    expect(describeRollback(0)).toMatch(/as they were before/);
    expect(describeRollback(1)).toMatch(/^Undone\. One contact stays/);
    expect(describeRollback(3)).toMatch(/^Undone\. 3 contacts stay/);
  });
});

describe('the members of a group in one line', () => {
  const members = (...names: string[]) =>
    names.map((name) => ({ name })) as Parameters<typeof describeMembers>[0]['members'];

  it.each([
    [members(), 0, 'No one yet'],
    [members('May'), 1, 'May'],
    [members('May', 'ben'), 2, 'May and ben'],
    [members('May', 'ben', 'cleo'), 3, 'May, ben and cleo'],
    [members('May', 'ben', 'cleo', 'dara'), 4, 'May, ben, cleo and one other'],
    [members('May', 'ben', 'cleo', 'dara'), 40, 'May, ben, cleo and 37 others'],
  ])('%#', (of, member_count, text) => {
    expect(describeMembers({ members: of, member_count })).toBe(text);
  });
});

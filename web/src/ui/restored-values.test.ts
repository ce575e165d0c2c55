import { expect, it } from 'vitest';
import { changedFields } from './restored-values.ts';

it('changed fields are those with another value, lists and objects included', () => {
  const before = { title: 'Concert', reminders: [{ minutes: 5 }], from: { date: '2026-12-01' }, note: undefined };
  expect(changedFields(before, structuredClone(before))).toEqual({});
  expect(changedFields(before, { ...before, title: '', reminders: [], from: { date: '2026-12-02' } })).toEqual({
    title: '',
    reminders: [],
    from: { date: '2026-12-02' },
  });
});

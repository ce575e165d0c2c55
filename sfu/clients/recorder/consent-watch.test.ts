import { expect, test } from 'vitest';
import { ConsentWatch } from './consent-watch.ts';

function watch(answers: (string[] | Error)[]) {
  const changes: number[] = [];
  const errors: unknown[] = [];
  let selects = 0;
  const select = () => {
    const answer = answers[Math.min(selects++, answers.length - 1)] ?? [];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const consent = new ConsentWatch(
    select,
    () => changes.push(selects),
    (error) => errors.push(error),
  );
  return { consent, changes, errors, selects: () => selects };
}

test('withholds every participant until the first review', async () => {
  const { consent, changes } = watch([['ben']]);
  expect(['ann', 'ben'].map((identity) => consent.isWithheld(identity))).toEqual([true, true]);
  await consent.review();
  await consent.review();
  expect(changes.length).toBeGreaterThan(0);
  expect(['ann', 'ben'].map((identity) => consent.isWithheld(identity))).toEqual([false, true]);
});

test('follows consent that is given and withdrawn, and reports each change once', async () => {
  const { consent, changes } = watch([['ben'], [], [], ['ben']]);
  consent.isWithheld('ben');
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(true);
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(false);
  await consent.review();
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(true);
  expect(changes).toEqual([1, 2, 4]);
});

test('changes nothing when a review fails, and reviews new participants again', async () => {
  const { consent, errors, selects } = watch([[], new Error('no database'), []]);
  consent.isWithheld('ann');
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(true);
  await consent.review();
  expect([errors.length, selects()]).toEqual([1, 2]);
  expect([consent.isWithheld('ann'), consent.isWithheld('ben')]).toEqual([false, true]);
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(false);
});

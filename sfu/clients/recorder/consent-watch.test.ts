import { expect, test } from 'vitest';
import { ConsentWatch } from './consent-watch.ts';

function watch(answers: (string[] | Error)[]) {
  const changes: number[] = [];
  const errors: unknown[] = [];
  let asked = 0;
  const select = () => {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const consent = new ConsentWatch(
    select,
    () => changes.push(asked),
    (error) => errors.push(error),
  );
  return { consent, changes, errors, asked: () => asked };
}

test('takes nothing of anybody before it was told of them', async () => {
  const { consent, changes } = watch([['ben']]);
  expect(['ann', 'ben'].map((identity) => consent.isWithheld(identity))).toEqual([true, true]);
  await consent.review();
  await consent.review();
  expect(changes.length).toBeGreaterThan(0);
  expect(['ann', 'ben'].map((identity) => consent.isWithheld(identity))).toEqual([false, true]);
});

test('follows who agrees and who takes that back, and says so once', async () => {
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

test('leaves all as it was while it cannot ask, and asks about newcomers again', async () => {
  const { consent, errors, asked } = watch([[], new Error('no database'), []]);
  consent.isWithheld('ann');
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(true);
  await consent.review();
  expect([errors.length, asked()]).toEqual([1, 2]);
  expect([consent.isWithheld('ann'), consent.isWithheld('ben')]).toEqual([false, true]);
  await consent.review();
  expect(consent.isWithheld('ben')).toBe(false);
});

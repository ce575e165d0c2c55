/** What the client says about errors of the service. */
import { ApiError } from '@asterism/sdk';
import { expect, it } from 'vitest';
import { asSentence, describeProblem, formProblem } from './problem.ts';

const refusal = (code: string, message: string, fields: Record<string, string> = {}) =>
  new ApiError({ status: 422, code, message, fields });

it('describeProblem says what is wrong with a field, where there is no form to show it in', () => {
  const error = refusal('validation_failed', 'Some fields are not valid.', { 'to.0': 'is not someone you can call' });
  expect(describeProblem(error)).toBe('This is not someone you can call.');
  expect(formProblem(error, ['to.0'])).toBeUndefined();
  expect(describeProblem(refusal('not_found', 'Not found.'))).toBe('Not found.');
});

it('asSentence reads a predicate after its label, and leaves a sentence in another language unchanged', () => {
  expect(asSentence('This number', 'is taken')).toBe('This number is taken.');
  expect(asSentence('Diese Nummer', 'Das ist vergeben.')).toBe('Das ist vergeben.');
});

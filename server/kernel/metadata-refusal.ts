import { invalid } from './errors.ts';

/** Refuses a recording whose structure contradicts itself. @throws ApiError `validation_failed` with `file` */
export function refuseRecording(): never {
  return invalid({ file: 'is sound or video that cannot be read to its end' });
}

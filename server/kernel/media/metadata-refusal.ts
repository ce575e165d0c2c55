import { invalid } from '../errors.ts';

/** Refuses a recording whose structure contradicts itself. @throws ApiError `validation_failed` with `file` */
export function refuseRecording(): never {
  return invalid({ file: 'is audio or video that could not be read completely' });
}

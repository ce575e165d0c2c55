import { invalid } from '../errors.ts';

/** Refuses audio or video whose structure is inconsistent. @throws ApiError `validation_failed` with `file` */
export function refuseMalformedMedia(): never {
  return invalid({ file: 'is audio or video that could not be read completely' });
}

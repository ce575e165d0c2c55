import { summarise } from './summarise.ts';
import { plainText } from '../../../ui/text/format-text.ts';

/** A message as one short line, without the marks of its formatting. */
export const excerptOf = ({ body, ...message }: Parameters<typeof summarise>[0]): string =>
  summarise({ ...message, body: plainText(body) });

/** The log: JSON lines by pino, without anything that would let a reader act as somebody. */
import pino, { type Logger } from 'pino';

export type Log = Logger;

const secret_names = [
  'password',
  'token',
  'refresh_token',
  'code',
  'authorization',
  'secret',
  'new_password',
  'current_password',
  'subscription',
];

/** A log at a level of pino's, or `silent`. `fields` are asked for each line. */
export function createLog(level: string, fields?: () => object): Log {
  const paths = secret_names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(fields ? { mixin: fields } : {}),
    redact: { paths, censor: '[redacted]' },
  });
}

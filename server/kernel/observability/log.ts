/** The log: JSON lines by pino, without anything with which a reader could impersonate a user. */
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** The structured log of the service. */
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

/** An error's own code (PostgreSQL's, the system's) is not a secret, unlike the codes sent to people. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, ...rest } = pino.stdSerializers.err(error) as { code?: unknown };
  return code === undefined ? rest : { ...rest, error_code: code };
}

/** A log with a level of pino's, or `silent`. `fields` is called for each line; lines go to stdout by default. */
export function createLog(level: string, fields?: () => object, destination?: DestinationStream): Log {
  const paths = secret_names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const options: LoggerOptions = {
    level,
    serializers: { err: describeError, cause: describeError },
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(fields ? { mixin: fields } : {}),
    redact: { paths, censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

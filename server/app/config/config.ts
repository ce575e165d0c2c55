/** Configuration: the only reader of the environment. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { media_variables, readMedia, type MediaConfig } from './config-media.ts';
import { provider_variables, readProviders, type ProviderConfig } from './config-providers.ts';
import { phone_variables, readPhones, type PhoneConfig } from './config-phones.ts';
import { readPush, type PushConfig } from './config-push.ts';
import { ConfigError, createReader, type Environment, type Reader, type Variable } from './reader.ts';

/** Every variable; `npm start -- --help` prints this table. */
export const variables: Variable[] = [
  { name: 'PORT', default: '8080', meaning: 'TCP port' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'PUBLIC_URL', default: 'http://localhost:PORT', meaning: 'base of all links that the service sends' },
  { name: 'DATA_DIR', default: 'data', meaning: 'folder of the embedded database, files and keys, mode 0700' },
  { name: 'DATABASE_URL', default: 'embedded', meaning: 'PostgreSQL 15 or newer' },
  { name: 'REDIS_URL', default: 'in process', meaning: 'Redis or Valkey, for several nodes' },
  ...provider_variables,
  {
    name: 'VAPID_PUBLIC_KEY',
    default: 'generated in DATA_DIR/keys',
    meaning: 'public key for Web Push, base64url; with VAPID_PRIVATE_KEY; the same on all nodes',
  },
  { name: 'VAPID_PRIVATE_KEY', default: '', meaning: 'private key for Web Push, base64url' },
  {
    name: 'VAPID_SUBJECT',
    default: 'PUBLIC_URL',
    meaning: 'contact address for push services, mailto: or https:; if set, Web Push is sent and not simulated',
  },
  {
    name: 'APNS_KEY_FILE',
    default: 'simulator',
    meaning: 'path of the APNs key, .p8; with APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC',
  },
  { name: 'APNS_KEY_ID', default: '', meaning: 'identifier of the APNs key' },
  { name: 'APNS_TEAM_ID', default: '', meaning: 'identifier of the Apple developer team' },
  { name: 'APNS_TOPIC', default: '', meaning: 'bundle identifier of the app' },
  { name: 'APNS_SANDBOX', default: 'off', meaning: 'on for apps signed for development' },
  {
    name: 'FCM_SERVICE_ACCOUNT',
    default: 'simulator',
    meaning: 'path of the service account file of Firebase Cloud Messaging, for Android devices',
  },
  {
    name: 'POCKETSPHINX',
    default: 'pocketsphinx_continuous on the PATH, where installed',
    meaning: 'path of the speech recogniser PocketSphinx; off for none',
  },
  ...phone_variables,
  {
    name: 'FFMPEG',
    default: 'ffmpeg on the PATH, where installed',
    meaning: 'path of ffmpeg, for videos of calls, posters of videos and more audio formats; off for none',
  },
  {
    name: 'SERVICE_KEY',
    default: 'generated in DATA_DIR/keys',
    meaning: 'secret of at least 32 characters from which all keys derive; the same on all nodes',
  },
  { name: 'THROTTLE_FACTOR', default: '1', meaning: 'multiplies every rate budget' },
  {
    name: 'CONSOLE',
    default: 'on',
    meaning: 'on or off: the simulators and /console; off by default with NODE_ENV=production',
  },
  { name: 'NODE_ENV', default: 'development', meaning: 'development, production or test' },
  {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning: 'on behind a proxy that sets or extends X-Forwarded-For; only its last entry is used',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent' },
  { name: 'METRICS_TOKEN', default: '', meaning: 'bearer token for /metrics from other addresses than loopback' },
  { name: 'DATABASE_POOL', default: '10', meaning: 'connections to the database' },
  ...media_variables,
];

/** The whole configuration, validated, with defaults applied. */
export type Config = ProviderConfig &
  PushConfig &
  MediaConfig &
  PhoneConfig & {
    port: number;
    host: string;
    public_url: string;
    data_dir: string;
    database_url: string | undefined;
    redis_url: string | undefined;
    /** The path of the program; undefined when it is not installed. */
    pocketsphinx: string | undefined;
    /** The path of the program; undefined when it is not installed. */
    ffmpeg: string | undefined;
    service_key: string | undefined;
    throttle_factor: number;
    console: boolean;
    trust_proxy: boolean;
    log_level: string;
    metrics_token: string | undefined;
    database_pool: number;
  };

/** Reads the configuration. Relative folders are resolved against `root`. @throws ConfigError naming the variable */
export function readConfig(environment: Environment, root: string): Config {
  const read = createReader(environment);
  const port = read.number('PORT', 8080, 0, 65_535);
  const host = read.text('HOST') ?? '127.0.0.1';
  const production = read.word('NODE_ENV', 'development', ['development', 'production', 'test']) === 'production';
  const public_url = read.url('PUBLIC_URL', ['http', 'https']) ?? `http://localhost:${port}`;
  const data_dir = read.text('DATA_DIR') ?? 'data';
  const providers = readProviders(read);
  const service_key = read.text('SERVICE_KEY');
  if (service_key !== undefined && service_key.length < 32)
    throw new ConfigError('SERVICE_KEY must have at least 32 characters.');
  return {
    port,
    host,
    public_url,
    data_dir: isAbsolute(data_dir) ? data_dir : resolve(root, data_dir),
    database_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
    redis_url: read.url('REDIS_URL', ['redis', 'rediss', 'valkey', 'valkeys']),
    ...providers,
    ...readPhones(read, { livekit: !!providers.livekit, twilio: !!providers.twilio }, public_url),
    ...readPush(read, public_url),
    ffmpeg: findProgram('FFMPEG', 'ffmpeg', read),
    pocketsphinx: findProgram('POCKETSPHINX', 'pocketsphinx_continuous', read),
    service_key,
    throttle_factor: read.number('THROTTLE_FACTOR', 1, 0.01, 1_000_000),
    console: read.word('CONSOLE', production ? 'off' : 'on', ['on', 'off']) === 'on',
    trust_proxy: read.word('TRUST_PROXY', 'off', ['on', 'off']) === 'on',
    log_level: read.word('LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    metrics_token: read.text('METRICS_TOKEN'),
    database_pool: read.number('DATABASE_POOL', 10, 2, 200),
    ...readMedia(read, host, port),
  };
}

/** The path of a program: the one that a variable names, or the first in `PATH`. @throws ConfigError */
function findProgram(variable: string, program: string, { text, need }: Reader): string | undefined {
  const named = text(variable);
  if (named === 'off') return undefined;
  if (named === undefined)
    return need('PATH')
      .split(delimiter)
      .map((folder) => join(folder, program))
      .find(existsSync);
  if (isAbsolute(named) && existsSync(named)) return named;
  throw new ConfigError(`${variable} must be off or the absolute path of the program, but is "${named}".`);
}

/** The table of variables, formatted for a terminal. */
export function printHelp(): string {
  const width = Math.max(...variables.map(({ name }) => name.length));
  const lines = variables.map(
    ({ name, default: fallback, meaning }) =>
      `  ${name.padEnd(width)}  ${meaning}${fallback ? ` (default: ${fallback})` : ''}`,
  );
  return `Asterism: a social calling and messaging service.\n\nUsage: npm start\n\nConfiguration by environment variables:\n${lines.join('\n')}\n`;
}

/**
 * The secret from which all keys are derived: configured, or generated once and stored in the data folder, readable
 * only by its owner.
 */
export function loadServiceKey(config: Pick<Config, 'service_key' | 'data_dir'>): Uint8Array {
  if (config.service_key) return Buffer.from(config.service_key);
  const folder = join(config.data_dir, 'keys');
  const file = join(folder, 'service.key');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return Buffer.from(readFileSync(file, 'utf8').trim());
}

/** The configuration of this process. @throws ConfigError naming the variable */
export function readOwnConfig(root: string): Config {
  return readConfig(process.env, root);
}

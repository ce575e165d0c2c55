/** Configuration of push notifications. */
import type { ApnsOptions } from '../../engines/push/apns.ts';
import type { ServiceAccount } from '../../engines/push/fcm.ts';
import type { Reader } from './reader.ts';

/** The configuration of the push services; undefined ones are not used. */
export type PushConfig = {
  /** `is_named` when a variable explicitly enables Web Push. */
  vapid: { keys: { public_key: string; private_key: string } | undefined; subject: string; is_named: boolean };
  apns: ApnsOptions | undefined;
  fcm: ServiceAccount | undefined;
};

const apns_sandbox = 'https://api.sandbox.push.apple.com';

/** Reads the push variables. @throws ConfigError naming the variable */
export function readPush(read: Reader, public_url: string): PushConfig {
  const has_keys = read.together(['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']);
  const keys = { public_key: read.need('VAPID_PUBLIC_KEY'), private_key: read.need('VAPID_PRIVATE_KEY') };
  if (has_keys && sizeOf(keys.public_key) !== 65) read.refuse('VAPID_PUBLIC_KEY must be 65 bytes as base64url.');
  if (has_keys && sizeOf(keys.private_key) !== 32) read.refuse('VAPID_PRIVATE_KEY must be 32 bytes as base64url.');
  const named = read.text('VAPID_SUBJECT');
  if (named !== undefined && !/^(mailto:.+@|https:\/\/.)/.test(named))
    read.refuse(`VAPID_SUBJECT must begin with mailto: or https://, but is "${named}".`);
  // Push services require a contact address; without a usable one, any that they accept is sent.
  const own = public_url.startsWith('https://') ? public_url : 'mailto:operator@localhost.invalid';
  return {
    vapid: { keys: has_keys ? keys : undefined, subject: named ?? own, is_named: has_keys || named !== undefined },
    apns: readApns(read),
    fcm: readFcm(read),
  };
}

const sizeOf = (base64url: string) => Buffer.from(base64url, 'base64url').length;

function readApns(read: Reader): ApnsOptions | undefined {
  const is_sandbox = read.word('APNS_SANDBOX', 'off', ['on', 'off']) === 'on';
  if (!read.together(['APNS_KEY_FILE', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC'])) return undefined;
  const private_key = read.file('APNS_KEY_FILE');
  if (!private_key.includes('BEGIN PRIVATE KEY')) read.refuse('APNS_KEY_FILE must hold a private key as PEM.');
  return {
    private_key,
    key_id: read.need('APNS_KEY_ID'),
    team_id: read.need('APNS_TEAM_ID'),
    topic: read.need('APNS_TOPIC'),
    ...(is_sandbox ? { base_url: apns_sandbox } : {}),
  };
}

function readFcm(read: Reader): ServiceAccount | undefined {
  if (read.text('FCM_SERVICE_ACCOUNT') === undefined) return undefined;
  const account = parse(read.file('FCM_SERVICE_ACCOUNT'));
  const { project_id = '', client_email = '', private_key = '', token_uri = '' } = account ?? {};
  if (!account || [project_id, client_email, private_key, token_uri].includes(''))
    read.refuse('FCM_SERVICE_ACCOUNT must name the JSON file of a service account.');
  return { project_id, client_email, private_key, token_uri };
}

function parse(text: string): Partial<ServiceAccount> | undefined {
  try {
    return JSON.parse(text) as Partial<ServiceAccount>;
  } catch {
    return undefined;
  }
}

/** Chooses the push service of each platform: a provider, a simulator where the console is enabled, or none. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConsolePush } from '../engines/push/console.ts';
import type { OutboxSink, Push, PushPlatform, PushService } from '../engines/ports.ts';
import { createFairQueue } from '../kernel/load/fair-queue.ts';
import { createOutboundAgent, isOutboundUrl } from '../kernel/security/outbound.ts';
import { type Config } from './config/config.ts';
import { ConfigError } from './config/reader.ts';

/** Opens the push service of each platform. Devices of other platforms are not accepted. @throws ConfigError */
export async function openPush(config: Config, outbox_sink: OutboxSink): Promise<Push> {
  const simulator = config.console ? createConsolePush(outbox_sink) : undefined;
  const vapid = await loadVapidKeys(config);
  const own = {
    ios: config.apns && (await import('../engines/push/apns.ts')).createApnsPush(config.apns),
    android: config.fcm && (await import('../engines/push/fcm.ts')).createFcmPush({ account: config.fcm }),
    // Browsers' push services need no account, so that without a simulator they are always supported.
    web: config.vapid.is_named || !simulator ? await openWebPush(config, vapid) : undefined,
  };
  const served = Object.entries(own).flatMap(([platform, service]) => {
    const chosen = service ?? simulator;
    return chosen ? [[platform as PushPlatform, chosen] as const] : [];
  });
  return combinePush(new Map(served), vapid.public_key);
}

const isPublic = (url: string) => isOutboundUrl(url);

/** The push services of the browsers that nearly everybody uses. */
const known_hosts =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)*(?:push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com))$/;

/** Pushes to other hosts at once and waiting: fewer than the workers of pushes. */
const other_hosts = { running: 4, running_per_account: 2, waiting: 4 };

/**
 * Bounds the pushes to hosts other than those of the known browsers. An endpoint is user input: a host that accepts
 * connections and never answers must not occupy all workers of pushes, however many accounts and hosts take part.
 */
export function limitUnknownHosts(
  service: PushService,
  isKnown = (host: string) => known_hosts.test(host),
): PushService {
  const queue = createFairQueue(other_hosts, () => {
    throw new Error('too many pushes to hosts of unknown push services are being sent');
  });
  return {
    ...service,
    send(target, message) {
      const is_other = target.platform === 'web' && !isKnown(new URL(target.subscription.endpoint).hostname);
      const send = () => service.send(target, message);
      return is_other ? queue.run(message.to, send) : send();
    },
  };
}

/** Combines the services of several platforms in one engine. */
export function combinePush(
  served: Map<PushPlatform, PushService>,
  vapid_public_key: string | undefined,
  isAllowed = isPublic,
): Push {
  return {
    platforms: [...served.keys()],
    vapid_public_key: served.has('web') ? vapid_public_key : undefined,
    isAllowed,
    // A device of a platform that is no longer supported is skipped.
    send: async (target, message) => served.get(target.platform)?.send(target, message) ?? 'gone',
    async close() {
      for (const service of new Set(served.values())) await service.close();
    },
  };
}

type VapidKeys = { public_key: string; private_key: string };

async function openWebPush({ vapid }: Config, keys: VapidKeys): Promise<PushService> {
  const { createWebPush } = await import('../engines/push/web.ts');
  const agent = createOutboundAgent();
  return limitUnknownHosts(createWebPush({ ...keys, subject: vapid.subject, agent, isAllowed: isPublic }));
}

/** The VAPID key of the service: configured, or generated once and stored, readable only by its owner. */
async function loadVapidKeys({ vapid, data_dir }: Config): Promise<VapidKeys> {
  if (vapid.keys) return vapid.keys;
  const file = join(data_dir, 'keys', 'vapid.json');
  if (!existsSync(file)) {
    const { generateVapidKeys } = await import('../engines/push/web.ts');
    mkdirSync(join(data_dir, 'keys'), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(generateVapidKeys()), { mode: 0o600, flag: 'wx' });
  }
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<VapidKeys>;
  if (!kept.public_key || !kept.private_key)
    throw new ConfigError(`${file} holds no keys: remove it to make new ones.`);
  return { public_key: kept.public_key, private_key: kept.private_key };
}

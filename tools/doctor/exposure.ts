/** Whether the service is configured safely for the internet: what a stranger could reach or read. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../server/app/config/config.ts';
import { fail, isLocalName, ok, warn, type Finding } from './checks.ts';

type Environment = Record<string, string | undefined>;

/**
 * The console shows every code that is sent. It is served only to this machine, for which a misconfigured proxy can be
 * mistaken.
 */
function checkConsole({ console: is_on, public_url }: Config): Finding {
  if (!is_on) return ok('The console and the simulators are off.');
  return isLocalName(new URL(public_url).hostname)
    ? ok('The console is on, for a service of this machine or network.')
    : fail('The console is on, which shows every code that is sent. Set NODE_ENV=production or CONSOLE=off.');
}

/** Behind a proxy, rate budgets use the client address that the proxy sets; without one, clients could forge it. */
function checkProxy({ trust_proxy, host, public_url }: Config): Finding {
  const is_loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (trust_proxy && !is_loopback)
    return warn(
      `TRUST_PROXY is on and HOST is ${host}: anybody who reaches PORT without the proxy can forge their address. Set HOST=127.0.0.1, or let the firewall pass the proxy alone.`,
    );
  if (!trust_proxy && new URL(public_url).protocol === 'https:')
    return fail(
      'PUBLIC_URL is https and TRUST_PROXY is off: all people share the budgets of the proxy’s one address. Set TRUST_PROXY=on.',
    );
  return ok(trust_proxy ? 'Addresses are those that the proxy names.' : 'Addresses are those of the connections.');
}

/** Keys and data must be accessible only to their owner. */
export function checkSecrets({ data_dir, service_key }: Config): Finding[] {
  const findings: Finding[] = [];
  for (const path of [data_dir, join(data_dir, 'keys')]) {
    if (!existsSync(path)) continue;
    const others = statSync(path).mode & 0o077;
    // When the service runs as root, the database's own account must reach its folder.
    const is_shared = path === data_dir ? (others & 0o066) !== 0 : others !== 0;
    if (is_shared && process.platform !== 'win32')
      findings.push(fail(`${path} can be read by other accounts of this machine: chmod 700 ${path}`));
  }
  findings.push(
    service_key
      ? ok('SERVICE_KEY is set: keep it where backups are not.')
      : warn(`SERVICE_KEY is not set: ${join(data_dir, 'keys')} holds it. Keep a copy apart from the backups.`),
  );
  return findings;
}

/** Variables with addresses of other machines. */
const outward = [
  'DATABASE_URL',
  'REDIS_URL',
  'S3_ENDPOINT',
  'SMTP_URL',
  'SPEECH_URL',
  'LIVEKIT_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];

/** Connections to other machines that carry messages or secrets must be encrypted. */
function checkConnections(environment: Environment): Finding[] {
  return outward.flatMap((name) => {
    const value = environment[name];
    if (!value || !URL.canParse(value)) return [];
    const { protocol, hostname, searchParams } = new URL(value);
    const is_encrypted =
      /^(https|wss|rediss|valkeys|smtps):$/.test(protocol) ||
      // Without it, TLS is used only when it is offered, which a man in the middle can prevent.
      searchParams.get('requireTLS') === 'true' ||
      ['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '');
    if (is_encrypted || hostname === '' || isLocalName(hostname)) return [];
    return [warn(`${name} goes to ${hostname} without TLS: everybody on the way can read along.`)];
  });
}

/** How far the rate budgets differ from their defaults. */
function checkBudgets({ throttle_factor }: Config): Finding {
  return throttle_factor > 10
    ? fail(
        `THROTTLE_FACTOR is ${throttle_factor}: guesses, messages and calls are hardly limited. It is for load tests.`,
      )
    : ok('Rate budgets are in force (docs/generated/throttles.md).');
}

/** All of the above. */
export function examineExposure(config: Config, environment: Environment): Finding[] {
  return [
    checkConsole(config),
    checkProxy(config),
    ...checkSecrets(config),
    ...checkConnections(environment),
    checkBudgets(config),
  ];
}

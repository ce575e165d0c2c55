/** Chooses one adapter for each port: the embedded default, or what the configuration names. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { createMixdown } from '../../sfu/mixdown/mixdown.ts';
import type { Engines, OutboxSink, Tracing, PhoneParticipants } from '../engines/ports.ts';
import { openDiskBlobs } from '../engines/blobs/disk.ts';
import { createMemoryBus } from '../engines/bus/memory.ts';
import { startEmbeddedDatabase } from '../engines/database/embedded.ts';
import { findRunningDatabase } from '../engines/database/embedded.running.ts';
import { connectDatabase } from '../engines/database/server.ts';
import { createConsoleMail } from '../engines/mail/console.ts';
import { createLiveKitMedia } from '../engines/media/livekit.ts';
import { createOutboxSink } from '../engines/outbox-sink/memory.ts';
import { createConsolePayment } from '../engines/payment/console.ts';
import { createNoPayment } from '../engines/payment/none.ts';
import { createConsoleSms } from '../engines/sms/console.ts';
import { createNoSpeech } from '../engines/speech/none.ts';
import { createFfmpegTranscoder } from '../engines/transcoder/ffmpeg.ts';
import { createNoTranscoder } from '../engines/transcoder/none.ts';
import type { Clock } from '../kernel/time.ts';
import { loadServiceKey, type Config } from './config/config.ts';
import { ConfigError } from './config/reader.ts';
import { admissionUrl, clientUrl, ownUrl } from './config/config-media.ts';
import { openPush } from './push.ts';
import { openRecorder } from './media/recorder.ts';
import { openTelephony, requireTelephony } from './media/telephony.ts';
import { openPhoneParticipants } from './media/phone-participants.ts';
import { default_limits } from '../kernel/load/limits.ts';

/** Starts or connects to everything outside the process. `log` receives a line for each step. */
export async function openEngines(config: Config, clock: Clock, log: (line: string) => void): Promise<Engines> {
  const engines: Partial<Engines> = {};
  try {
    const outbox_sink = (engines.outbox_sink = createOutboxSink({ now: clock.now }));
    // Providers are opened first, so that a missing setting is found before a database is started.
    const mail = (engines.mail = await openMail(config, outbox_sink));
    const sms = (engines.sms = await openSms(config, outbox_sink));
    requireTelephony(config);
    const push = (engines.push = await openPush(config, outbox_sink));
    const payment = (engines.payment = await openPayment(config, clock));
    const database = (engines.database = await openDatabase(config, log));
    const bus = (engines.bus = config.redis_url
      ? await (await import('../engines/bus/redis.ts')).connectRedisBus({ url: config.redis_url })
      : createMemoryBus());
    const blobs = (engines.blobs = await openBlobs(config));
    const { media, recorder, phone_participants } = await openMedia(config, clock, log);
    Object.assign(engines, { media, recorder });
    const telephony = (engines.telephony = await openTelephony(config, outbox_sink, phone_participants));
    const transcoder = openTranscoder(config, log);
    const speech = (engines.speech = await openSpeech(config, transcoder));
    return {
      database,
      bus,
      blobs,
      mail,
      sms,
      push,
      media,
      telephony,
      payment,
      recorder,
      speech,
      transcoder,
      outbox_sink,
    };
  } catch (error) {
    await closeEngines(engines).catch(() => undefined);
    throw error;
  }
}

/** Closes all engines that were opened, the database last. */
export async function closeEngines(engines: Partial<Engines>): Promise<void> {
  const { telephony, payment, recorder, speech, media, mail, sms, push, blobs, bus, database } = engines;
  // Recordings and phones are ended while the media server still runs.
  for (const engine of [telephony, payment, recorder, speech, media, mail, sms, push, blobs, bus, database])
    await engine?.close();
}

async function openMail(config: Config, outbox_sink: OutboxSink): Promise<Engines['mail']> {
  return config.smtp_url
    ? (await import('../engines/mail/smtp.ts')).createSmtpMail({ url: config.smtp_url, from: config.mail_from })
    : simulated(config, 'SMTP_URL', () => createConsoleMail(outbox_sink));
}

async function openSms(config: Config, outbox_sink: OutboxSink): Promise<Engines['sms']> {
  return config.twilio
    ? (await import('../engines/sms/twilio.ts')).createTwilioSms(config.twilio)
    : simulated(config, 'TWILIO_ACCOUNT_SID', () => createConsoleSms(outbox_sink));
}

/** The payment provider: Stripe, the console, or none, since plans can be free. */
async function openPayment({ stripe, console, public_url }: Config, { now }: Clock): Promise<Engines['payment']> {
  if (stripe) return (await import('../engines/payment/stripe.ts')).createStripePayment({ ...stripe, now });
  return console ? createConsolePayment({ public_url, now }) : createNoPayment();
}

/** The trace exporter; undefined, and not loaded, unless a collector is configured. */
export async function openTracing(config: Config): Promise<Tracing | undefined> {
  return config.otlp && (await import('../engines/tracing/otlp.ts')).openOtlpTracing(config.otlp);
}

/** The database only, for the service and for backup and restore. */
export function openDatabase(config: Config, log: (line: string) => void): Promise<Engines['database']> {
  return config.database_url
    ? connectDatabase(config.database_url)
    : startEmbeddedDatabase({ data_dir: config.data_dir, log });
}

/** The database of the running service with this configuration, or the database itself when none runs. */
export async function reachDatabase(config: Config, log: (line: string) => void): Promise<Engines['database']> {
  return (config.database_url ? undefined : findRunningDatabase(config.data_dir)) ?? openDatabase(config, log);
}

/** The file storage only. A folder has one owner at a time: opening it discards incomplete files of another. */
export async function openBlobs(config: Config): Promise<Engines['blobs']> {
  return config.s3
    ? (await import('../engines/blobs/s3.ts')).connectS3Blobs(config.s3)
    : openDiskBlobs({ dir: join(config.data_dir, 'files') });
}

/** The speech engine: the configured server, else the installed program, else none. */
async function openSpeech(
  { speech, pocketsphinx }: Config,
  transcoder: Engines['transcoder'],
): Promise<Engines['speech']> {
  if (speech) return (await import('../engines/speech/openai.ts')).createOpenAiSpeech(speech);
  if (pocketsphinx)
    return (await import('../engines/speech/pocketsphinx.ts')).createPocketSphinx({
      program: pocketsphinx,
      transcoder,
    });
  return createNoSpeech();
}

/** ffmpeg where it is installed; recordings are mixed without it, too. */
function openTranscoder({ ffmpeg }: Config, log: (line: string) => void): Engines['transcoder'] {
  const { transcoding_ms: timeout_ms, transcoding_memory_kib: memory_kib } = default_limits;
  if (ffmpeg) return createFfmpegTranscoder({ program: ffmpeg, timeout_ms, memory_kib });
  return { ...createNoTranscoder(), mix: createMixdown({ log: (message) => log(`mixdown: ${message}`) }) };
}

/** A simulator instead of a provider, where the console is enabled. @throws ConfigError naming what is missing */
function simulated<T>(config: Config, variable: string, make: () => T): T {
  if (!config.console) throw new ConfigError(`Set ${variable}, or CONSOLE=on to run with a simulator instead.`);
  return make();
}

type MediaEngines = Pick<Engines, 'media' | 'recorder'> & { phone_participants: PhoneParticipants };

/** The configured media server or the embedded one, with its recorder and phone participants. */
async function openMedia(config: Config, clock: Clock, log: (line: string) => void): Promise<MediaEngines> {
  const folder = join(config.data_dir, 'recordings');
  if (!config.livekit) return openEmbeddedMedia(config, clock.now(), folder, log);
  return (await import('./media/livekit.ts')).openLiveKit(config, config.livekit, folder, log);
}

/** TURN servers get credentials for each client. */
async function openIceServers({ ice }: Config) {
  return (await import('../../sfu/signal/turn.ts')).createIceServers(ice.urls, ice.secret);
}

/** The media server, as a child process. Its secret is derived from the service's, so that grants survive a restart. */
async function openEmbeddedMedia(
  config: Config,
  began_at: Date,
  folder: string,
  log: (line: string) => void,
): Promise<MediaEngines> {
  const { startSfuProcess } = await import('../../sfu/child-process.ts');
  const api_key = 'embedded';
  const iceServersFor = await openIceServers(config);
  const api_secret = createHmac('sha256', loadServiceKey(config)).update('embedded media server').digest('base64url');
  const options = {
    host: config.host,
    port: config.media_port,
    api_key,
    api_secret,
    node_ip: config.media_node_ip,
    for_this_machine: config.media_for_this_machine,
    udp_port: config.media_udp_port,
    tcp_port: config.media_tcp_port,
    threads: config.media_threads,
    trust_proxy: config.trust_proxy,
    ice: config.ice,
    auto_create: false,
    webhook_url: `${ownUrl(config)}/v1/media/webhook`,
    admission_url: admissionUrl(config),
  };
  const sfu = await startSfuProcess(options, ({ level, message, ...details }) => {
    if (level !== 'info') log(`media server: ${message} ${JSON.stringify(details)}`);
  });
  const media = await createLiveKitMedia({
    api_url: sfu.url,
    client_url: clientUrl(config, Number(new URL(sfu.url).port)),
    api_key,
    api_secret,
    iceServersFor,
  });
  return {
    media: {
      ...media,
      grant(input) {
        // The client connects as soon as it has the grant.
        sfu.prepare();
        return media.grant(input);
      },
      began_at,
      counts: () => sfu.stats(),
      close: () => sfu.close(),
    },
    recorder: await openRecorder({ api_url: sfu.url, api_key, api_secret }, folder, log),
    phone_participants: openPhoneParticipants({ api_url: sfu.url }, media),
  };
}

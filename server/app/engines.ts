/** Chooses one adapter for each port: the embedded default, or what the configuration names. */
import { join } from 'node:path';
import { createMixdown } from '../../sfu/mixdown/mixdown.ts';
import type { Engines, OutboxSink, Tracing } from '../engines/ports.ts';
import { openDiskBlobs } from '../engines/blobs/disk.ts';
import { createMemoryBus } from '../engines/bus/memory.ts';
import { startEmbeddedDatabase } from '../engines/database/embedded.ts';
import { findRunningDatabase } from '../engines/database/embedded.running.ts';
import { connectDatabase } from '../engines/database/server.ts';
import { createConsoleMail } from '../engines/mail/console.ts';
import { createOutboxSink } from '../engines/outbox-sink/memory.ts';
import { createConsolePayment } from '../engines/payment/console.ts';
import { createNoPayment } from '../engines/payment/none.ts';
import { createConsoleSms } from '../engines/sms/console.ts';
import { createNoSpeech } from '../engines/speech/none.ts';
import { createFfmpegTranscoder } from '../engines/transcoder/ffmpeg.ts';
import { createNoTranscoder } from '../engines/transcoder/none.ts';
import type { Clock } from '../kernel/time.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/reader.ts';
import { openPush } from './push.ts';
import { openEmbeddedMedia } from './media/embedded.ts';
import type { MediaEngines } from './media/media-engines.ts';
import { openTelephony, requireTelephony } from './media/telephony.ts';
import { default_limits } from '../kernel/load/limits.ts';

/** Starts or connects to everything outside the process. `log` receives a line for each step. */
export async function openEngines(config: Config, clock: Clock, log: (line: string) => void): Promise<Engines> {
  const opened: Partial<Engines> = {};
  /** Remembers an engine, so that it is closed when a later one cannot be opened. */
  function add<Port extends keyof Engines>(port: Port, engine: Engines[Port]): Engines[Port] {
    opened[port] = engine;
    return engine;
  }
  try {
    const outbox_sink = createOutboxSink({ now: clock.now });
    // Providers are opened first, so that a missing setting is found before a database is started.
    const mail = add('mail', await openMail(config, outbox_sink));
    const sms = add('sms', await openSms(config, outbox_sink));
    requireTelephony(config);
    const push = add('push', await openPush(config, outbox_sink));
    const payment = add('payment', await openPayment(config, clock));
    const database = add('database', await openDatabase(config, log));
    const bus = add('bus', await openBus(config));
    const blobs = add('blobs', await openBlobs(config));
    const { phone_participants, ...media_engines } = await openMedia(config, clock, log);
    const media = add('media', media_engines.media);
    const recorder = add('recorder', media_engines.recorder);
    const telephony = add('telephony', await openTelephony(config, outbox_sink, phone_participants));
    const transcoder = openTranscoder(config, log);
    const speech = add('speech', await openSpeech(config, transcoder));
    const calls = { media, recorder, telephony, speech, transcoder };
    return { database, bus, blobs, mail, sms, push, payment, ...calls, outbox_sink };
  } catch (error) {
    await closeEngines(opened).catch(() => undefined);
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

async function openBus({ redis_url }: Config): Promise<Engines['bus']> {
  return redis_url ? (await import('../engines/bus/redis.ts')).connectRedisBus({ url: redis_url }) : createMemoryBus();
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

/** The configured media server or the embedded one, with its recorder and phone participants. */
async function openMedia(config: Config, clock: Clock, log: (line: string) => void): Promise<MediaEngines> {
  const folder = join(config.data_dir, 'recordings');
  return config.livekit
    ? (await import('./media/livekit.ts')).openLiveKit(config, config.livekit, folder, log)
    : openEmbeddedMedia(config, clock.now(), folder, log);
}

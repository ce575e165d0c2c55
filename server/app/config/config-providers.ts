/** Configuration of external servers and providers. */
import type { Reader, Variable } from './reader.ts';

/** The configured providers; undefined ones are replaced by embedded engines and simulators. */
export type ProviderConfig = {
  livekit: { url: string; api_key: string; api_secret: string } | undefined;
  s3:
    | { endpoint: string; bucket: string; region: string; access_key_id: string; secret_access_key: string }
    | undefined;
  smtp_url: string | undefined;
  mail_from: string;
  speech: { url: string; key: string | undefined; model: string } | undefined;
  twilio: { account_sid: string; auth_token: string; from: string } | undefined;
  stripe: { secret_key: string; webhook_secret: string; price: string } | undefined;
  map_provider: { style_url: string; token: string | null } | undefined;
  otlp: { endpoint: string; service_name: string } | undefined;
};

/** The variables of servers and providers, as printed by `config.ts`. */
export const provider_variables: Variable[] = [
  { name: 'LIVEKIT_URL', default: 'embedded', meaning: 'LiveKit server; with LIVEKIT_API_KEY and LIVEKIT_API_SECRET' },
  { name: 'LIVEKIT_API_KEY', default: '', meaning: 'key of the LiveKit server' },
  { name: 'LIVEKIT_API_SECRET', default: '', meaning: 'secret of the LiveKit server' },
  { name: 'S3_ENDPOINT', default: 'DATA_DIR', meaning: 'S3-compatible storage of files; with S3_BUCKET and both keys' },
  { name: 'S3_BUCKET', default: '', meaning: 'bucket of the files' },
  { name: 'S3_REGION', default: 'us-east-1', meaning: 'region of the bucket' },
  { name: 'S3_ACCESS_KEY_ID', default: '', meaning: 'access key of the storage' },
  { name: 'S3_SECRET_ACCESS_KEY', default: '', meaning: 'secret key of the storage' },
  { name: 'SMTP_URL', default: 'simulator', meaning: 'mail server, smtp:// or smtps://' },
  { name: 'MAIL_FROM', default: 'Asterism <asterism@localhost>', meaning: 'sender of mails' },
  {
    name: 'TWILIO_ACCOUNT_SID',
    default: 'simulator',
    meaning: 'Twilio account; with TWILIO_AUTH_TOKEN and TWILIO_FROM',
  },
  { name: 'TWILIO_AUTH_TOKEN', default: '', meaning: 'token of the Twilio account' },
  { name: 'TWILIO_FROM', default: '', meaning: 'number from which SMS are sent' },
  {
    name: 'STRIPE_SECRET_KEY',
    default: 'simulator; without the console no plan can be bought',
    meaning: 'secret key of the Stripe account; with STRIPE_WEBHOOK_SECRET and STRIPE_PRICE',
  },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    default: '',
    meaning: 'signing secret of the webhook to PUBLIC_URL/v1/billing/webhook',
  },
  { name: 'STRIPE_PRICE', default: '', meaning: 'recurring price of the paid plan, price_…' },
  {
    name: 'SPEECH_URL',
    default: 'pocketsphinx, where installed',
    meaning: 'OpenAI-compatible speech-to-text server, such as http://127.0.0.1:9000/v1; with SPEECH_KEY, SPEECH_MODEL',
  },
  { name: 'SPEECH_KEY', default: '', meaning: 'bearer token of the speech-to-text server' },
  { name: 'SPEECH_MODEL', default: 'whisper-1', meaning: 'model of the speech-to-text server' },
  {
    name: 'MAP_STYLE_URL',
    default: 'built-in world map',
    meaning: 'MapLibre style of another provider, https://; with MAP_TOKEN',
  },
  { name: 'MAP_TOKEN', default: '', meaning: 'public token that clients send to the map provider' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'no traces',
    meaning: 'collector of traces (OTLP over HTTP), such as http://127.0.0.1:4318',
  },
  { name: 'OTEL_SERVICE_NAME', default: 'asterism', meaning: 'name of this service in traces' },
];

/** Reads the variables of servers and providers. @throws ConfigError naming the variable */
export function readProviders({ text, need, url, together }: Reader): ProviderConfig {
  const has_s3 = together(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  const has_livekit = together(['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET']);
  const speech_url = url('SPEECH_URL', ['http', 'https']);
  const otlp_endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']);
  const map_style_url = url('MAP_STYLE_URL', ['https', 'http']);
  const has_twilio = together(['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
  const has_stripe = together(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE']);
  return {
    livekit: has_livekit
      ? {
          url: url('LIVEKIT_URL', ['http', 'https', 'ws', 'wss']) ?? '',
          api_key: need('LIVEKIT_API_KEY'),
          api_secret: need('LIVEKIT_API_SECRET'),
        }
      : undefined,
    s3: has_s3
      ? {
          endpoint: url('S3_ENDPOINT', ['http', 'https']) ?? '',
          bucket: need('S3_BUCKET'),
          region: text('S3_REGION') ?? 'us-east-1',
          access_key_id: need('S3_ACCESS_KEY_ID'),
          secret_access_key: need('S3_SECRET_ACCESS_KEY'),
        }
      : undefined,
    otlp: otlp_endpoint
      ? { endpoint: otlp_endpoint, service_name: text('OTEL_SERVICE_NAME') ?? 'asterism' }
      : undefined,
    map_provider: map_style_url ? { style_url: map_style_url, token: text('MAP_TOKEN') ?? null } : undefined,
    smtp_url: url('SMTP_URL', ['smtp', 'smtps']),
    mail_from: text('MAIL_FROM') ?? 'Asterism <asterism@localhost>',
    speech: speech_url
      ? { url: speech_url.replace(/\/$/, ''), key: text('SPEECH_KEY'), model: text('SPEECH_MODEL') ?? 'whisper-1' }
      : undefined,
    twilio: has_twilio
      ? { account_sid: need('TWILIO_ACCOUNT_SID'), auth_token: need('TWILIO_AUTH_TOKEN'), from: need('TWILIO_FROM') }
      : undefined,
    stripe: has_stripe
      ? {
          secret_key: need('STRIPE_SECRET_KEY'),
          webhook_secret: need('STRIPE_WEBHOOK_SECRET'),
          price: need('STRIPE_PRICE'),
        }
      : undefined,
  };
}

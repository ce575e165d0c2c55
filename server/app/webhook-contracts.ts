/** Incoming webhooks, as described in the OpenAPI document: outside of the API, signed, and never called by clients. */

type Webhook = {
  path: string;
  summary: string;
  content_type: string;
  signed_by: string;
  answers: Record<string, string>;
};

const common = { '200': 'Accepted or ignored.', '401': 'The signature is not valid.' };

/** The webhooks that the service receives, by name. */
export const webhooks: Record<string, Webhook> = {
  mediaWebhook: {
    path: '/media/webhook',
    summary: 'Receive an event of the media server',
    content_type: 'application/webhook+json',
    signed_by: 'A JWT of the media server’s key in `Authorization`, over the SHA-256 of the body (LiveKit).',
    answers: common,
  },
  mediaAdmission: {
    path: '/media/admission',
    summary: 'Check whether a client may join a room',
    content_type: 'application/json',
    signed_by: 'A token of the media server’s secret in `Authorization`.',
    answers: { '204': 'It may.', '403': 'It may not.' },
  },
  telephonyWebhook: {
    path: '/telephony/webhook',
    summary: 'Receive a report of the telephone carrier',
    content_type: 'application/x-www-form-urlencoded',
    signed_by: '`X-Twilio-Signature` over the address and the fields (Twilio).',
    answers: common,
  },
  smsWebhook: {
    path: '/sms/webhook',
    summary: 'Receive a text message sent to a number of the service',
    content_type: 'application/x-www-form-urlencoded',
    signed_by: '`X-Twilio-Signature` over the address and the fields (Twilio).',
    answers: {
      ...common,
      '200':
        'Accepted: a reply to a text or invite that a user sent through the service to that number within 14 days appears in their inbox as `text`. Other messages are dropped.',
    },
  },
  billingWebhook: {
    path: '/billing/webhook',
    summary: 'Receive an event of the payment provider',
    content_type: 'application/json',
    signed_by: '`Stripe-Signature` over every byte of the body (Stripe).',
    answers: common,
  },
};

/** The `webhooks` of the OpenAPI document (OpenAPI 3.1, section 4.8.1). */
export function describeWebhooks(base_url: string): Record<string, object> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([name, { path, summary, content_type, signed_by, answers }]) => [
      name,
      {
        post: {
          operationId: name,
          summary,
          description: `Sent to ${base_url}${path}. ${signed_by}`,
          security: [],
          requestBody: { required: true, content: { [content_type]: { schema: {} } } },
          responses: Object.fromEntries(
            Object.entries(answers).map(([status, description]) => [status, { description }]),
          ),
        },
      },
    ]),
  );
}

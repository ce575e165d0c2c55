/** Writes the maximum lengths of inputs of the web client, from the contracts of the operations. */
import type { Feature } from '../../server/kernel/endpoint.ts';

/** The client's name of a length: the operation that accepts the text, and its field; `*` is an entry of a list. */
const fields: Readonly<Record<string, readonly [operation: string, field: string]>> = {
  address_part: ['createContact', 'addresses.*.street'],
  command: ['runCommand', 'text'],
  comment: ['postComment', 'body'],
  contact_name: ['createContact', 'name'],
  dialled_name: ['bridgePhone', 'name'],
  event_description: ['createEvent', 'description'],
  event_location: ['createEvent', 'location'],
  event_title: ['createEvent', 'title'],
  follow_message: ['followTag', 'message'],
  group_description: ['createGroup', 'description'],
  group_name: ['createGroup', 'name'],
  guest_name: ['createCallGuest', 'name'],
  invite_message: ['createInvite', 'message'],
  job_title: ['createContact', 'job_title'],
  message: ['postThreadMessage', 'body'],
  message_search: ['searchMessages', 'q'],
  organization: ['createContact', 'organization'],
  password: ['register', 'password'],
  phone_number: ['bridgePhone', 'number'],
  reply: ['postReply', 'body'],
  report_note: ['createAbuseReport', 'note'],
  scheduled_message: ['createScheduledJob', 'body'],
  status: ['postStatus', 'body'],
  tag_description: ['createTag', 'description'],
  tag_name: ['createTag', 'name'],
  tag_search: ['searchTags', 'q'],
  tag_title: ['createTag', 'title'],
  username: ['register', 'username'],
  videomail_text: ['sendVideomail', 'body'],
  widget_title: ['createWidget', 'title'],
};

type Node = {
  maxLength?: number;
  pattern?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
};

/** The maximum number of characters that a schema accepts; for a pattern, from its quantifiers. */
function lengthOf(node: Node | undefined, path: readonly string[]): number | undefined {
  if (node === undefined) return undefined;
  const [step, ...rest] = path;
  if (step === '*') return lengthOf(node.items, rest);
  if (step !== undefined && node.properties) return lengthOf(node.properties[step], rest);
  for (const one of node.anyOf ?? []) {
    const found = lengthOf(one, path);
    if (found !== undefined) return found;
  }
  if (step !== undefined) return undefined;
  const by_pattern = /\{\d+,(\d+)\}\$$/.exec(node.pattern ?? '')?.[1];
  return node.maxLength ?? (by_pattern === undefined ? undefined : Number(by_pattern));
}

/**
 * @param features every area of the service
 * @returns a module of the web client
 * @throws Error when a contract has no such operation or field, or does not bound it
 */
export function writeLengths(features: readonly Feature[]): string {
  const endpoints = new Map(features.flatMap((one) => one.endpoints.map((endpoint) => [endpoint.id, endpoint])));
  const lines = Object.entries(fields).map(([name, [operation, field]]) => {
    const endpoint = endpoints.get(operation);
    const path = field.split('.');
    const length =
      lengthOf(endpoint?.body as Node | undefined, path) ?? lengthOf(endpoint?.query as Node | undefined, path);
    if (length === undefined) throw new Error(`${operation} does not bound ${field}`);
    return `  ${name}: ${length},`;
  });
  return `/** How many letters the service takes of what is typed. */\nexport const MAX_LENGTH = {\n${lines.join('\n')}\n} as const;\n`;
}

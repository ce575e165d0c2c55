/**
 * Phones by LiveKit's SIP service (https://docs.livekit.io/sip/), which dials through a trunk and adds them to rooms.
 */
import { openLiveKitClients } from '../livekit-rpc.ts';
import type { Admitted, DialIn, LegReport, MediaEvent, Telephony } from '../ports.ts';

/** LiveKit's SIP service, which adds phones to rooms itself. */
export type LiveKitSipOptions = {
  /** The room-service API, `http:` or `https:`. */
  api_url: string;
  api_key: string;
  api_secret: string;
  /** An existing trunk, or the settings of one that is created at the first start. */
  trunk: { id: string } | { address: string; numbers: string[]; username?: string; password?: string };
  /** The number of an inbound trunk, in E.164; without it there is no dial-in. */
  dial_in_number?: string | undefined;
};

/** The polling interval of a leg: webhooks only report joining and leaving, not answering. */
const poll_every_s = { ringing: 1, answered: 30 };
const trunk_name = 'asterism';

/** Twirp errors (https://twitchtv.github.io/twirp/docs/errors.html) with which LiveKit refuses to dial. */
const refusals: ReadonlySet<string> = new Set([
  'unavailable',
  'not_found',
  'invalid_argument',
  'failed_precondition',
  'permission_denied',
  'unauthenticated',
  'resource_exhausted',
  'deadline_exceeded',
  'unimplemented',
  'internal',
]);

/** Disconnect reasons: all others mean the end of a conversation; a migrating participant continues. */
const reported_reasons: ReadonlySet<string> = new Set([
  'user_unavailable',
  'user_rejected',
  'sip_trunk_failure',
  'media_failure',
  'join_failure',
  'connection_timeout',
]);

/**
 * `sip.callStatus` (https://docs.livekit.io/sip/reference/sip-participant/); a missing or unknown one changes nothing.
 */
const statuses: ReadonlySet<string> = new Set(['dialing', 'ringing', 'automation', 'active', 'hangup']);
const statusOf = ({ 'sip.callStatus': status = '' }: Record<string, string>) =>
  statuses.has(status) ? status : 'dialing';

/** Every code of this adapter, besides SIP responses to a dial. */
export const livekit_codes = [...statuses, ...reported_reasons, ...refusals, 'refused'].map(
  (word) => `livekit:${word}`,
);

/** The carrier's identifier of a leg: room and identity. */
const placeOf = (room: string, identity: string) => `${room}/${identity}`;

function readCarrierId(carrier_id: string | null): { room: string; identity: string } | undefined {
  const slash = carrier_id?.indexOf('/') ?? -1;
  return carrier_id && slash > 0
    ? { room: carrier_id.slice(0, slash), identity: carrier_id.slice(slash + 1) }
    : undefined;
}

type SdkError = { code?: string; status?: number; sipStatusCode?: number };

const isAbsent = (error: unknown) => (error as SdkError).code === 'not_found' || (error as SdkError).status === 404;

/** Twirp's `not_found` as undefined. */
const unlessAbsent = async <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });

/** The code of a refused dial; undefined when LiveKit could not be reached. */
function refusalOf(error: unknown): string | undefined {
  const { code, status, sipStatusCode } = error as SdkError;
  if (sipStatusCode) return `sip:${sipStatusCode}`;
  if (code !== undefined && refusals.has(code)) return `livekit:${code}`;
  return typeof status === 'number' ? 'livekit:refused' : undefined;
}

type Clients = Awaited<ReturnType<typeof openLiveKitClients>>;

/** The outbound trunk: the configured one, the one created earlier, or a new one. */
async function findTrunk({ sip }: Clients, trunk: LiveKitSipOptions['trunk']): Promise<string> {
  if ('id' in trunk) return trunk.id;
  const { address, numbers, username, password } = trunk;
  const known = (await sip.listSipOutboundTrunk()).find(
    (one) =>
      one.name === trunk_name &&
      one.address === address &&
      one.numbers.join() === numbers.join() &&
      one.authUsername === (username ?? '') &&
      one.authPassword === (password ?? ''),
  );
  if (known) return known.sipTrunkId;
  const made = await sip.createSipOutboundTrunk(trunk_name, address, numbers, {
    // LiveKit follows the address, and uses UDP otherwise.
    transport: 0,
    ...(username ? { authUsername: username } : {}),
    ...(password ? { authPassword: password } : {}),
  });
  return made.sipTrunkId;
}

/** The inbound trunk: one with the number, or a new one. */
async function findInboundTrunk({ sip }: Clients, number: string): Promise<string> {
  const known = (await sip.listSipInboundTrunk()).find(({ numbers }) => numbers.includes(number));
  return (known ?? (await sip.createSipInboundTrunk(trunk_name, [number]))).sipTrunkId;
}

/** The report about a leg in a webhook about a phone. */
function reportOf({ kind, reason }: MediaEvent, leg_id: string, status: string): LegReport | undefined {
  if (kind === 'participant_joined') return { leg_id, code: `livekit:${status}` };
  if (kind !== 'participant_left' || reason === 'migration') return undefined;
  return { leg_id, code: `livekit:${reason !== undefined && reported_reasons.has(reason) ? reason : 'hangup'}` };
}

const removeFrom = ({ rooms }: Clients, room: string, identity: string) =>
  unlessAbsent(rooms.removeParticipant(room, identity));

/** Gives a phone that was admitted by a dispatch rule of the service the identity created for it. */
async function admitPhone(
  clients: Clients,
  { room, attributes = {} }: MediaEvent,
  admit: (dial_in: DialIn) => Promise<Admitted | undefined>,
): Promise<void> {
  const { 'sip.identity': identity = '', 'asterism.pin': pin = '' } = attributes;
  const found = await unlessAbsent(clients.rooms.getParticipant(room, identity));
  // A repeated webhook concerns a phone that was admitted already, or has left.
  if (!found || found.attributes['asterism.leg']) return;
  const admitted = await admit({ from: identity, pin, carrier_id: placeOf(room, identity) });
  if (admitted?.room !== room) return void (await removeFrom(clients, room, identity));
  await clients.rooms.updateParticipant(room, identity, {
    name: admitted.name,
    attributes: { 'asterism.identity': admitted.identity, 'asterism.leg': admitted.leg_id },
  });
}

/** A dispatch rule for each room: LiveKit checks the PIN, and hides the caller's number. */
function createDialInRoute({ sip }: Clients, inbound: () => Promise<string>): NonNullable<Telephony['dial_in_route']> {
  const rulesOf = async (room: string, trunk_id: string) =>
    (await sip.listSipDispatchRule({ trunkIds: [trunk_id] })).filter(({ name }) => name === room);
  return {
    async open(room, pin) {
      const trunk_id = await inbound();
      const rules = await rulesOf(room, trunk_id);
      // An earlier PIN is no longer valid.
      for (const { sipDispatchRuleId, attributes } of rules)
        if (attributes['asterism.pin'] !== pin) await unlessAbsent(sip.deleteSipDispatchRule(sipDispatchRuleId));
      // A retried job finds the rule that it created; a second rule with the same PIN would be refused.
      if (rules.some(({ attributes }) => attributes['asterism.pin'] === pin)) return;
      await sip.createSipDispatchRule(
        { type: 'direct', roomName: room, pin },
        { name: room, trunkIds: [trunk_id], hidePhoneNumber: true, attributes: { 'asterism.pin': pin } },
      );
    },
    async close(room) {
      for (const { sipDispatchRuleId } of await rulesOf(room, await inbound()))
        await unlessAbsent(sip.deleteSipDispatchRule(sipDispatchRuleId));
    },
  };
}

/** Runs something once, on first use; a failure is retried. */
function createOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Creates the trunks now if possible; while LiveKit is down, the first phone creates them. */
export async function createLiveKitTelephony(options: LiveKitSipOptions): Promise<Telephony> {
  const clients = await openLiveKitClients(options);
  const { sip, rooms } = clients;
  const { dial_in_number } = options;
  const trunk = createOnce(() => findTrunk(clients, options.trunk));
  const inbound = dial_in_number ? createOnce(() => findInboundTrunk(clients, dial_in_number)) : undefined;
  await Promise.allSettled([trunk(), inbound?.()]);
  const remove = (room: string, identity: string) => removeFrom(clients, room, identity);

  return {
    dial_in_number,
    poll_every_s,
    async dial({ leg_id, to, room, identity, name, ring_s, max_duration_s }) {
      const trunk_id = await trunk();
      try {
        await sip.createSipParticipant(trunk_id, to, room, {
          participantIdentity: identity,
          participantName: name,
          participantAttributes: { 'asterism.leg': leg_id },
          hidePhoneNumber: true,
          ringingTimeout: ring_s,
          maxCallDuration: max_duration_s,
          waitUntilAnswered: false,
        });
      } catch (error) {
        const refused = refusalOf(error);
        if (refused) return { refused };
        // The phone may still ring, if only the answer was lost.
        await remove(room, identity).catch(() => undefined);
        throw error;
      }
      return { carrier_id: placeOf(room, identity) };
    },
    async hangUp(_leg_id, carrier_id) {
      const phone = readCarrierId(carrier_id);
      if (phone) await remove(phone.room, phone.identity);
    },
    async fetchLegState(leg_id, carrier_id) {
      const phone = readCarrierId(carrier_id);
      const found = phone && (await unlessAbsent(rooms.getParticipant(phone.room, phone.identity)));
      return found && { leg_id, code: `livekit:${statusOf(found.attributes)}` };
    },
    async handleMediaEvent(event, admit) {
      const { attributes } = event;
      if (!attributes) return undefined;
      const { 'asterism.leg': leg_id, 'asterism.pin': pin } = attributes;
      if (leg_id) return reportOf(event, leg_id, statusOf(attributes));
      if (pin && event.kind === 'participant_joined') await admitPhone(clients, event, admit);
      return undefined;
    },
    ...(inbound ? { dial_in_route: createDialInRoute(clients, inbound) } : {}),
    // LiveKit reports phones by the webhooks of the media server.
    receive: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

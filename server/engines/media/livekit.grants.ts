/** Grants as LiveKit's access tokens (JWT, https://docs.livekit.io/home/get-started/authentication/). */
import type { Media, ReadGrant } from '../ports.ts';

/** The key and the secrets that sign access tokens of LiveKit (JWT with HS256). */
export type GrantSecrets = {
  api_key: string;
  /** Signs the grants of the service itself, and the media server's own tokens. */
  api_secret: string;
  /** Signs clients' grants. */
  client_secret: string;
};

type GrantInput = Parameters<Media['grant']>[0];

/** Signs and reads media grants; `read` is as in `Media.readGrant`. */
export type Grants = {
  sign(input: GrantInput): Promise<string>;
  read(token: string, authorization: string | undefined): Promise<ReadGrant | undefined>;
};

const algorithm = 'HS256';
/** The tolerated clock skew between two machines, in seconds. */
const clock_tolerance_s = 10;

/** Creates and reads grants; the holder of one is in its `jti`, which media servers neither read nor change. */
export async function createGrants({ api_key, api_secret, client_secret }: GrantSecrets): Promise<Grants> {
  const { jwtVerify, SignJWT } = await import('jose');
  const bytes = (secret: string) => new TextEncoder().encode(secret);
  const keys = { own: bytes(api_secret), client: bytes(client_secret) };
  const verify = (token: string, key: Uint8Array) =>
    jwtVerify(token, key, { algorithms: [algorithm], issuer: api_key, clockTolerance: clock_tolerance_s }).then(
      ({ payload }) => payload,
      () => undefined,
    );
  return {
    sign({ room, identity, name, rights, ttl_s, holder }) {
      const video = {
        room,
        roomJoin: true,
        roomAdmin: rights.admin,
        canPublish: rights.publish,
        canSubscribe: rights.subscribe,
        canPublishData: rights.data,
      };
      const now_s = Date.now() / 1000;
      const token = new SignJWT({ name, video })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuer(api_key)
        .setSubject(identity)
        // With fractions, to decide whether it was issued before a removal.
        .setIssuedAt(now_s)
        .setNotBefore(Math.floor(now_s) - clock_tolerance_s)
        .setExpirationTime(Math.floor(now_s) + ttl_s);
      if (holder) token.setJti(`${holder.session_id}.${holder.generation}`);
      return token.sign(holder ? keys.client : keys.own);
    },
    async read(token, authorization) {
      const asking = await verify((authorization ?? '').replace(/^Bearer /, ''), keys.own);
      if (asking?.sub !== 'admission') return undefined;
      const claims = await verify(token, keys.client);
      const [, session_id, generation] = /^(\w+)\.(\d{1,9})$/.exec(claims?.jti ?? '') ?? [];
      const room = (claims?.['video'] as { room?: string } | undefined)?.room;
      if (!claims?.sub || !room || !session_id) return undefined;
      return { room, identity: claims.sub, session_id, generation: Number(generation) };
    },
  };
}

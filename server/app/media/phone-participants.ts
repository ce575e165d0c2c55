/**
 * Adapts the phone participants of `sfu/` to their port: they join with grants of the media server, and rejoin after
 * its restart.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Media, PhoneParticipants } from '../../engines/ports.ts';

/** The media server whose rooms phones join. */
export type MediaServerAddress = {
  /** The address of the media server for this process, `http:` or `https:`. */
  api_url: string;
};

/** How long reconnection is tried, and at which interval, in ms. */
const return_within_ms = 60_000;
const return_every_ms = 1_000;
const rights = { publish: true, subscribe: true, data: true, admin: false };

/** Creates phone participants for one media server; nothing is loaded before the first phone joins. */
export function openPhoneParticipants(
  { api_url }: MediaServerAddress,
  media: Pick<Media, 'grant' | 'openRoom'>,
  log: (line: string) => void = () => undefined,
): PhoneParticipants {
  return {
    async join({ room, identity, name }, { onAudio, onEnd }) {
      const { PhoneParticipant } = await import('../../../sfu/clients/phone/phone-participant.ts');
      const left = new AbortController();
      let voice: Awaited<ReturnType<typeof enter>> | undefined;

      async function enter() {
        await media.openRoom(room);
        const { token } = await media.grant({ room, identity, name, rights, ttl_s: 60 });
        return PhoneParticipant.join(api_url, token, {
          onFrame: onAudio,
          onRefusal: (refusal) => log(`phone participant: ${String(refusal)}`),
          onEnd: (may_return) => void (may_return ? comeBack() : end()),
        });
      }

      async function comeBack(): Promise<void> {
        voice = undefined;
        const until_ms = performance.now() + return_within_ms;
        while (!left.signal.aborted && performance.now() < until_ms) {
          await wait(return_every_ms, undefined, { signal: left.signal }).catch(() => undefined);
          const found = left.signal.aborted ? undefined : await enter().catch(() => undefined);
          // If `leave` was called meanwhile, there was nothing to disconnect yet.
          if (left.signal.aborted) return found?.leave();
          voice = found;
          if (found) return;
        }
        end();
      }

      function end(): void {
        voice = undefined;
        if (left.signal.aborted) return;
        left.abort();
        onEnd();
      }

      voice = await enter();
      return {
        speak: (samples) => voice?.speak(samples),
        sendDigits: (digits) => voice?.sendDigits(digits),
        leave() {
          left.abort();
          voice?.leave();
          voice = undefined;
        },
      };
    },
  };
}

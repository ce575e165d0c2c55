/** The voices of `sfu/` as the port has them: joined with grants of the media server, and back after it was restarted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Media, Voices } from '../../engines/ports.ts';

export type VoiceAddress = {
  /** Where this process reaches the media server, `http:` or `https:`. */
  api_url: string;
};

/** How long a line that was lost is taken up again, and how often that is tried, in ms. */
const return_within_ms = 60_000;
const return_every_ms = 1_000;
const rights = { publish: true, subscribe: true, data: true, admin: false };

/** Makes the voices of one media server; nothing is loaded before the first phone is in. */
export function openVoices({ api_url }: VoiceAddress, media: Pick<Media, 'grant' | 'openRoom'>): Voices {
  return {
    async join({ room, identity, name }, { onSound, onEnd }) {
      const { PhoneParticipant } = await import('../../../sfu/clients/phone/phone-participant.ts');
      const left = new AbortController();
      let voice: Awaited<ReturnType<typeof enter>> | undefined;

      async function enter() {
        await media.openRoom(room);
        const { token } = await media.grant({ room, identity, name, rights, ttl_s: 60 });
        return PhoneParticipant.join(api_url, token, {
          onFrame: onSound,
          onEnd: (may_return) => void (may_return ? comeBack() : end()),
        });
      }

      async function comeBack(): Promise<void> {
        voice = undefined;
        const until_ms = performance.now() + return_within_ms;
        while (!left.signal.aborted && performance.now() < until_ms) {
          await wait(return_every_ms, undefined, { signal: left.signal }).catch(() => undefined);
          const found = left.signal.aborted ? undefined : await enter().catch(() => undefined);
          // Whoever left meanwhile had nothing yet to leave.
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

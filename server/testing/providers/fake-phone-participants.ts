/**
 * PhoneParticipants without a media server: a test reads the audio that phones send, and provides the audio that they
 * receive.
 */
import type { PhoneParticipants } from '../../engines/ports.ts';

type JoinOptions = Parameters<PhoneParticipants['join']>[0];

/** One phone that is in a room. */
export type FakePhone = {
  options: JoinOptions;
  sent_audio: Int16Array[];
  digits: string[];
  left: boolean;
  receive(samples: Int16Array): void;
  /** Disconnects it, as the media server does. */
  end(): void;
  /** Resolves after `count` pieces of audio were sent. */
  waitForAudio(count: number): Promise<void>;
};

/** Creates them; `joined` has the phones in the order in which they joined. */
export function createFakePhoneParticipants(): { phone_participants: PhoneParticipants; joined: FakePhone[] } {
  const joined: FakePhone[] = [];
  return {
    joined,
    phone_participants: {
      async join(who, { onAudio, onEnd }) {
        let notify: () => void = () => undefined;
        const phone: FakePhone = {
          options: who,
          sent_audio: [],
          digits: [],
          left: false,
          receive: onAudio,
          end: onEnd,
          waitForAudio: (count) =>
            new Promise((resolve) => {
              notify = () => {
                if (phone.sent_audio.length >= count) resolve();
              };
              notify();
            }),
        };
        joined.push(phone);
        return {
          speak(samples) {
            phone.sent_audio.push(samples);
            notify();
          },
          sendDigits: (digits) => void phone.digits.push(digits),
          leave() {
            phone.left = true;
          },
        };
      },
    },
  };
}

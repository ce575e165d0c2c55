/** PhoneParticipants without a media server: a test hears what phones say, and says what they hear. */
import type { PhoneParticipants } from '../engines/ports.ts';

type Who = Parameters<PhoneParticipants['join']>[0];

/** One phone that is in a room. */
export type FakePhone = {
  who: Who;
  said: Int16Array[];
  digits: string[];
  left: boolean;
  hear(samples: Int16Array): void;
  /** The media server sends it away. */
  end(): void;
  /** Resolves once it has said so many pieces. */
  spoken(count: number): Promise<void>;
};

export function createFakePhoneParticipants(): { phone_participants: PhoneParticipants; joined: FakePhone[] } {
  const joined: FakePhone[] = [];
  return {
    joined,
    phone_participants: {
      async join(who, { onAudio, onEnd }) {
        let tell: () => void = () => undefined;
        const voice: FakePhone = {
          who,
          said: [],
          digits: [],
          left: false,
          hear: onAudio,
          end: onEnd,
          spoken: (count) =>
            new Promise((resolve) => {
              tell = () => {
                if (voice.said.length >= count) resolve();
              };
              tell();
            }),
        };
        joined.push(voice);
        return {
          speak(samples) {
            voice.said.push(samples);
            tell();
          },
          sendDigits: (digits) => void voice.digits.push(digits),
          leave() {
            voice.left = true;
          },
        };
      },
    },
  };
}

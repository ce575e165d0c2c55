/** Voices without a media server: a test hears what phones say, and says what they hear. */
import type { Voices } from '../engines/ports.ts';

type Who = Parameters<Voices['join']>[0];

/** One phone that is in a room. */
export type JoinedVoice = {
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

export function createFakeVoices(): { voices: Voices; joined: JoinedVoice[] } {
  const joined: JoinedVoice[] = [];
  return {
    joined,
    voices: {
      async join(who, { onSound, onEnd }) {
        let tell: () => void = () => undefined;
        const voice: JoinedVoice = {
          who,
          said: [],
          digits: [],
          left: false,
          hear: onSound,
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

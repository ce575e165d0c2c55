/** Simulated phones: the console shows them and operates their other end, with audio if there is a media server. */
import { createHash } from 'node:crypto';
import type { Admitted, OutboxSink, Telephony, JoinedPhone, PhoneParticipants } from '../ports.ts';

/** What simulated phones need. */
export type ConsoleTelephonyOptions = {
  outbox_sink: OutboxSink;
  /** In E.164; a fictional one by default. */
  dial_in_number?: string | undefined;
  /** Without it, phones are silent. */
  phone_participants?: PhoneParticipants | undefined;
};

/** Reserved for fiction (North American Numbering Plan, line numbers 0100 to 0199). */
const fictional_number = '+14155550199';

const RATE_HZ = 8_000;
const FRAME_SAMPLES = 160;
const FRAME_MS = 20;
/** Below this level it counts as silent, in dB below full scale. */
const SILENT_DB = 70;
/** The decay of the displayed level, in dB per frame of 20 ms. */
const FALL_DB = 2;

/** The default tone of a phone: 400 to 1,990 Hz in steps of 10, by its leg. */
export function toneOf(leg_id: string): number {
  return 400 + 10 * (createHash('sha256').update(leg_id).digest().readUInt16BE() % 160);
}

/** A tone modulated four times a second, so that it counts as speech. */
function createTone(hertz: number): () => Int16Array {
  let at = 0;
  return () =>
    Int16Array.from({ length: FRAME_SAMPLES }, () => {
      const time_s = at++ / RATE_HZ;
      const swell = 0.75 + 0.25 * Math.sin(2 * Math.PI * 4 * time_s);
      return Math.round(10_000 * swell * Math.sin(2 * Math.PI * hertz * time_s));
    });
}

const decibels = (samples: Int16Array): number => {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return energy === 0 ? 127 : Math.min(127, -10 * Math.log10(energy / samples.length / 32_768 ** 2));
};

/** One phone in a room. */
class Phone {
  readonly tone_hz: number;
  #voice: JoinedPhone | undefined;
  #clock: NodeJS.Timeout | undefined;
  #level_db = 127;

  constructor(tone_hz: number) {
    this.tone_hz = tone_hz;
  }

  async enter(phone_participants: PhoneParticipants, leg: Admitted, onEnd: () => void): Promise<void> {
    const onAudio = (samples: Int16Array) => {
      this.#level_db = Math.min(decibels(samples), this.#level_db + FALL_DB);
    };
    this.#voice = await phone_participants.join(leg, { onAudio, onEnd });
    const nextPiece = createTone(this.tone_hz);
    let due_ms = performance.now();
    this.#clock = setInterval(() => {
      // A timer alone drifts; frames missed while this process was busy are skipped.
      const now_ms = performance.now();
      if (now_ms - due_ms > 10 * FRAME_MS) due_ms = now_ms;
      for (; due_ms <= now_ms; due_ms += FRAME_MS) this.#voice?.speak(nextPiece());
    }, FRAME_MS);
  }

  type(digits: string): void {
    this.#voice?.sendDigits(digits);
  }

  hears(): number | null {
    return this.#level_db < SILENT_DB ? -Math.round(this.#level_db) : null;
  }

  leave(): void {
    clearInterval(this.#clock);
    this.#voice?.leave();
    this.#voice = undefined;
  }
}

/** Creates the simulator. Its codes are `console:` and the state. */
export function createConsoleTelephony({
  outbox_sink,
  dial_in_number,
  phone_participants,
}: ConsoleTelephonyOptions): Telephony {
  const phones = new Map<string, Promise<Phone>>();
  const sounding = new Map<string, Phone>();

  async function leave(leg_id: string): Promise<void> {
    const phone = phones.get(leg_id);
    phones.delete(leg_id);
    sounding.delete(leg_id);
    // A phone that could not join has nothing to leave.
    (await phone?.catch(() => undefined))?.leave();
  }

  async function enter(leg: Admitted, tone_hz: number): Promise<Phone> {
    const phone = new Phone(tone_hz);
    if (phone_participants) await phone.enter(phone_participants, leg, () => void leave(leg.leg_id));
    return phone;
  }

  return {
    dial_in_number: dial_in_number ?? fictional_number,
    dial({ leg_id, to, name }) {
      outbox_sink.add({ id: leg_id, channel: 'call', to, text: `A phone rings for ${name}.`, links: [] });
      return Promise.resolve({ carrier_id: leg_id });
    },
    hangUp: leave,
    fetchLegState: () => Promise.resolve(undefined),
    // There is no carrier that could send requests.
    receive: () => Promise.resolve(undefined),
    simulator: {
      async setState(leg, state, { digits, tone_hz } = {}) {
        const { leg_id } = leg;
        if (state !== 'answered' && state !== 'ringing') return leave(leg_id);
        if (state !== 'answered') return;
        const known = phones.get(leg_id) ?? enter(leg, tone_hz ?? toneOf(leg_id));
        phones.set(leg_id, known);
        try {
          const phone = await known;
          // If the phone hung up while it was joining, it could not be disconnected yet.
          if (phones.get(leg_id) !== known) return phone.leave();
          if (phone_participants) sounding.set(leg_id, phone);
          if (digits) phone.type(digits);
        } catch (error) {
          await leave(leg_id);
          throw error;
        }
      },
      audioOf(leg_id) {
        const phone = sounding.get(leg_id);
        return phone && { tone_hz: phone.tone_hz, hears_dbov: phone.hears() };
      },
    },
    async close() {
      await Promise.all([...phones.keys()].map(leave));
    },
  };
}

/** What somebody chose for calls on this device. */
export interface Choices {
  readonly microphone: boolean;
  readonly camera: boolean;
  readonly layout: 'gallery' | 'speaker';
  /** Whether what is behind the reader is blurred. */
  readonly is_blurred: boolean;
  readonly suppresses_noise: boolean;
  readonly audioinput?: string | undefined;
  readonly videoinput?: string | undefined;
  readonly audiooutput?: string | undefined;
}

const KEY = 'asterism.calls';
const FIRST: Choices = {
  microphone: true,
  camera: false,
  layout: 'gallery',
  is_blurred: false,
  suppresses_noise: true,
};

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What was chosen the last time; a microphone that is on and a camera that is off where nothing was. */
export function readChoices(): Choices {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    return {
      microphone: kept['microphone'] !== false,
      camera: kept['camera'] === true,
      layout: kept['layout'] === 'speaker' ? 'speaker' : 'gallery',
      is_blurred: kept['is_blurred'] === true,
      suppresses_noise: kept['suppresses_noise'] !== false,
      audioinput: textIn(kept['audioinput']),
      videoinput: textIn(kept['videoinput']),
      audiooutput: textIn(kept['audiooutput']),
    };
  } catch {
    return FIRST;
  }
}

/** Keeps a choice for the next time. */
export function keepChoices(part: Partial<Choices>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readChoices(), ...part }));
  } catch {
    // The choice then holds for this once.
  }
}

/** The saved call settings of this device. */
export interface Choices {
  readonly microphone: boolean;
  readonly camera: boolean;
  readonly layout: 'gallery' | 'speaker';
  /** Whether the background is blurred. */
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

/** The saved settings; by default the microphone is on and the camera off. */
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

/** Saves a setting. */
export function saveChoices(part: Partial<Choices>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readChoices(), ...part }));
  } catch {
    // If saving fails, the setting applies this once.
  }
}

/** Browsers that know it separate the voice from everything else, which is more than the suppression of steady noise. */
interface SoundConstraints {
  readonly noiseSuppression: boolean;
  readonly voiceIsolation: boolean;
  readonly echoCancellation: true;
  readonly autoGainControl: true;
}

/** How a microphone is to be opened. What a browser does not know it passes over. */
export function soundConstraints(suppresses_noise: boolean): SoundConstraints {
  return {
    noiseSuppression: suppresses_noise,
    voiceIsolation: suppresses_noise,
    // Without these the others hear themselves, and some people hardly at all: no choice is offered.
    echoCancellation: true,
    autoGainControl: true,
  };
}

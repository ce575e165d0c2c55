/** Browsers with voice isolation remove everything but the voice, which is more than suppressing steady noise. */
interface SoundConstraints {
  readonly noiseSuppression: boolean;
  readonly voiceIsolation: boolean;
  readonly echoCancellation: true;
  readonly autoGainControl: true;
}

/** The constraints for opening a microphone. Browsers ignore unknown ones. */
export function soundConstraints(suppresses_noise: boolean): SoundConstraints {
  return {
    noiseSuppression: suppresses_noise,
    voiceIsolation: suppresses_noise,
    // Always on: without these, others hear an echo, and some people are hardly audible.
    echoCancellation: true,
    autoGainControl: true,
  };
}

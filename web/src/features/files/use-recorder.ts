import { useEffect, useRef, useState } from 'react';

type Recording = 'no' | 'asking' | 'yes' | 'refused';

/** Records the microphone; the recording is passed on as a file when it is stopped. */
export function useRecorder(onRecorded: (file: File) => void) {
  const [state, setState] = useState<Recording>('no');
  const [length_s, setLength] = useState(0);
  const recorder = useRef<MediaRecorder>(undefined);
  const is_left = useRef(false);
  useEffect(() => {
    is_left.current = false;
    return () => {
      is_left.current = true;
      recorder.current?.stream.getTracks().forEach((track) => track.stop());
    };
  }, []);

  useEffect(() => {
    if (state !== 'yes') return;
    setLength(0);
    const begun_ms = performance.now();
    const timer = setInterval(() => setLength(Math.floor((performance.now() - begun_ms) / 1000)), 250);
    return () => clearInterval(timer);
  }, [state]);

  const start = async () => {
    setState('asking');
    try {
      if (navigator.mediaDevices === undefined) throw new Error('This page is served without TLS and has no devices.');
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const parts: Blob[] = [];
      const made = new MediaRecorder(stream);
      made.addEventListener('dataavailable', ({ data }) => parts.push(data));
      made.addEventListener('stop', () => {
        stream.getTracks().forEach((track) => track.stop());
        if (is_left.current) return;
        const type = made.mimeType.split(';')[0] ?? 'audio/webm';
        onRecorded(new File(parts, `recording.${type.split('/')[1] ?? 'webm'}`, { type }));
        setState('no');
      });
      recorder.current = made;
      made.start();
      setState('yes');
    } catch {
      setState('refused');
    }
  };
  const stop = () => recorder.current?.stop();
  return { state, length_s, start, stop };
}

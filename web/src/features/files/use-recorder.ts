import { useEffect, useRef, useState } from 'react';
import { measures } from './local-file.ts';

type Recording = 'no' | 'asking' | 'yes' | 'refused';

/** One recording, from the request for the microphone to its end. */
interface Session {
  is_wanted: boolean;
  recorder?: MediaRecorder;
}

/** Ends a recording without a file, and releases the microphone. */
function discard(session: Session | undefined): void {
  if (session === undefined) return;
  session.is_wanted = false;
  session.recorder?.stream.getTracks().forEach((track) => track.stop());
}

/** Records the microphone; the recording is passed on as a file when it is stopped, and discarded when it is cancelled. */
export function useRecorder(onRecorded: (file: File) => void) {
  const [state, setState] = useState<Recording>('no');
  const [length_s, setLength] = useState(0);
  const current = useRef<Session>(undefined);
  useEffect(() => () => discard(current.current), []);

  useEffect(() => {
    if (state !== 'yes') return;
    setLength(0);
    const begun_ms = performance.now();
    const timer = setInterval(() => setLength(Math.floor((performance.now() - begun_ms) / 1000)), 250);
    return () => clearInterval(timer);
  }, [state]);

  const start = async () => {
    const session: Session = { is_wanted: true };
    current.current = session;
    setState('asking');
    try {
      if (navigator.mediaDevices === undefined) throw new Error('This page is served without TLS and has no devices.');
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const parts: Blob[] = [];
      const made = new MediaRecorder(stream);
      session.recorder = made;
      if (!session.is_wanted) return discard(session);
      made.addEventListener('dataavailable', ({ data }) => parts.push(data));
      made.addEventListener('stop', () => {
        stream.getTracks().forEach((track) => track.stop());
        if (!session.is_wanted) return;
        const type = made.mimeType.split(';')[0] ?? 'audio/webm';
        const file = new File(parts, `recording.${type.split('/')[1] ?? 'webm'}`, { type });
        measures.set(file, { duration_s: (performance.now() - begun_ms) / 1000 });
        onRecorded(file);
        setState('no');
      });
      const begun_ms = performance.now();
      made.start();
      setState('yes');
    } catch {
      if (session.is_wanted) setState('refused');
    }
  };
  const stop = () => current.current?.recorder?.stop();
  const cancel = () => {
    discard(current.current);
    setState('no');
  };
  return { state, length_s, start, stop, cancel };
}

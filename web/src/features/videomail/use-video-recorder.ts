import { useEffect, useRef, useState, type RefObject } from 'react';

/** The maximum duration that the service accepts. */
export const MAX_DURATION_S = 180;

/** From asking for the devices to the finished recording; `refused` when the browser denies them. */
export type VideoRecorderState = 'idle' | 'asking' | 'ready' | 'recording' | 'done' | 'refused';

/** Records camera and microphone, or audio only, and previews the camera in an element. */
export function useVideoRecorder(seen: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<VideoRecorderState>('idle');
  const [length_s, setLength] = useState(0);
  const [recording, setRecording] = useState<{ file: File; url: string }>();
  const stream = useRef<MediaStream>(undefined);
  const recorder = useRef<MediaRecorder>(undefined);

  const close = () => {
    stream.current?.getTracks().forEach((track) => track.stop());
    stream.current = undefined;
  };
  useEffect(() => close, []);
  useEffect(() => () => (recording === undefined ? undefined : URL.revokeObjectURL(recording.url)), [recording]);
  useEffect(() => {
    if (state !== 'recording') return;
    const begun_ms = performance.now();
    const timer = setInterval(() => {
      const now_s = Math.floor((performance.now() - begun_ms) / 1000);
      setLength(now_s);
      if (now_s >= MAX_DURATION_S) recorder.current?.stop();
    }, 250);
    return () => clearInterval(timer);
  }, [state]);

  const open = async (with_camera: boolean) => {
    setState('asking');
    setRecording(undefined);
    try {
      if (navigator.mediaDevices === undefined) throw new Error('This page is served without TLS and has no devices.');
      close();
      const video = with_camera ? { width: { ideal: 640 }, height: { ideal: 480 } } : false;
      const opened = await navigator.mediaDevices.getUserMedia({ audio: true, video });
      stream.current = opened;
      if (seen.current !== null) seen.current.srcObject = with_camera ? opened : null;
      setState('ready');
    } catch {
      setState('refused');
    }
  };
  const start = () => {
    const from = stream.current;
    if (from === undefined) return;
    const parts: Blob[] = [];
    // Three minutes at this rate are well below the size that the service accepts.
    const made = new MediaRecorder(from, { videoBitsPerSecond: 800_000, audioBitsPerSecond: 64_000 });
    made.addEventListener('dataavailable', ({ data }) => parts.push(data));
    made.addEventListener('stop', () => {
      close();
      const type = made.mimeType.split(';')[0] ?? 'video/webm';
      const file = new File(parts, `message.${type.split('/')[1] ?? 'webm'}`, { type });
      setRecording({ file, url: URL.createObjectURL(file) });
      setState('done');
    });
    recorder.current = made;
    setLength(0);
    made.start();
    setState('recording');
  };
  return { state, length_s, recording, open, start, stop: () => recorder.current?.stop() };
}

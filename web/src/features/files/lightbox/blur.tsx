import { useEffect, useRef } from 'react';
import { decodeBlurhash } from '../../../ui/brand/blurhash.ts';

const BLUR_PX = 32;

/** The blurred placeholder until the picture is loaded. */
export function Blur({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pixels = decodeBlurhash(hash, BLUR_PX, BLUR_PX);
    if (pixels !== undefined) canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, BLUR_PX), 0, 0);
  }, [hash]);
  return <canvas ref={canvas} width={BLUR_PX} height={BLUR_PX} aria-hidden="true" />;
}

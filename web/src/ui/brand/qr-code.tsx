import { encode } from 'uqr';

/**
 * An address as a QR code: dark on light in both themes, as scanners expect.
 * @param label what it opens, for screen readers
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 1 });
  const path = data.flatMap((row, y) => row.flatMap((is_dark, x) => (is_dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <span className="qr" role="img" aria-label={label}>
      <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" aria-hidden="true">
        <path d={path} fill="currentColor" />
      </svg>
    </span>
  );
}

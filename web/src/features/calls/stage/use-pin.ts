import { useCallback, useState } from 'react';
import type { Corner } from './arrange-tiles.ts';

/** The tile that the reader keeps large, and where the small one of a call of two is. */
export interface PinChoice {
  readonly pinned_key: string | undefined;
  readonly onPin: (key: string | undefined) => void;
  readonly corner: Corner;
  readonly onCorner: (corner: Corner) => void;
}

/** The pinned tile of a call. It is remembered while its participant is away, such as while they reconnect. */
export function usePin(): PinChoice {
  const [pinned_key, onPin] = useState<string>();
  // A drag that ends in the same corner renders as well, so that the tile moves back.
  const [place, setPlace] = useState<{ corner: Corner }>({ corner: 'bottom end' });
  const onCorner = useCallback((corner: Corner) => setPlace({ corner }), []);
  return { pinned_key, onPin, corner: place.corner, onCorner };
}

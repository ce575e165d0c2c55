import { useState } from 'react';

/** The tile that the reader keeps large. */
export interface PinChoice {
  readonly pinned_key: string | undefined;
  readonly onPin: (key: string | undefined) => void;
}

/** The pinned tile of a call. It is remembered while its participant is away, such as while they reconnect. */
export function usePin(): PinChoice {
  const [pinned_key, onPin] = useState<string>();
  return { pinned_key, onPin };
}

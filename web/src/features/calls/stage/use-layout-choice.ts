import { useState } from 'react';
import { readChoices, saveChoices } from '../../../media/saved-choices.ts';
import type { Choices } from '../../../media/saved-choices.ts';

/** The layout of the stage and the change of it. */
export interface LayoutChoice {
  readonly layout: Choices['layout'];
  readonly onLayout: (layout: Choices['layout']) => void;
}

/** The layout that the reader has chosen, also for the next call on this device. */
export function useLayoutChoice(): LayoutChoice {
  const [layout, setLayout] = useState(() => readChoices().layout);
  const onLayout = (chosen: Choices['layout']) => {
    saveChoices({ layout: chosen });
    setLayout(chosen);
  };
  return { layout, onLayout };
}

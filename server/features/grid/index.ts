import { feature } from '../../kernel/endpoint.ts';
import { addToGrid } from './add-to-grid.ts';
import { callGrid } from './call-grid.ts';
import { endGridCall } from './end-grid-call.ts';
import { gridUpdated } from './events.ts';
import { getGrid } from './get-grid.ts';
import { removeFromGrid } from './remove-from-grid.ts';

export const grid = feature({
  area: 'grid',
  title: 'Calls and grid',
  endpoints: [getGrid, addToGrid, removeFromGrid, callGrid, endGridCall],
  events: [gridUpdated],
});

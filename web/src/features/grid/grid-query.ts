import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

export type Tile = Reply<'grid', 'getGrid'>['members'][number];

export const gridQuery = queryOptions({
  queryKey: ['grid'],
  queryFn: ({ signal }) => sdk.grid.getGrid({ signal }),
});

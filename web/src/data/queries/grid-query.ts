import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../home-start.ts';

export type Tile = Reply<'grid', 'getGrid'>['members'][number];

export const gridQuery = queryOptions({
  queryKey: ['grid'],
  queryFn: ({ client, signal }) =>
    readFromHome(
      client,
      ({ grid }) => grid,
      () => sdk.grid.getGrid({ signal }),
    ),
});

import { feature } from '../../kernel/endpoint.ts';
import { createBlock } from './create-block.ts';
import { deleteBlock } from './delete-block.ts';
import { listBlocks } from './list-blocks.ts';
import { lifecycle } from './lifecycle.ts';

export const blocks = feature({
  area: 'blocks',
  title: 'Blocks',
  endpoints: [listBlocks, createBlock, deleteBlock],
  lifecycle,
});

import { feature } from '../../kernel/endpoint.ts';
import { createTag } from './create-tag.ts';
import { getTag } from './get-tag.ts';
import { listTags } from './list-tags.ts';
import { searchTags } from './search-tags.ts';

export const tags = feature({
  area: 'tags',
  title: 'Tags and follow graph',
  endpoints: [listTags, createTag, searchTags, getTag],
});

import { purgeTag } from './rules/delete-content.ts';
import { feature } from '../../kernel/endpoint.ts';
import { addTagMedia } from './add-tag-media.ts';
import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { editTag } from './edit-tag.ts';
import { followTag } from './follow-tag.ts';
import { getTag } from './get-tag.ts';
import { listTagFollowers } from './list-tag-followers.ts';
import { listTags } from './list-tags.ts';
import { removeTagMedia } from './remove-tag-media.ts';
import { searchTags } from './search-tags.ts';
import { unfollowTag } from './unfollow-tag.ts';
import { lifecycle } from './lifecycle.ts';

export const tags = feature({
  area: 'tags',
  title: 'Tags and follow graph',
  endpoints: [
    listTags,
    createTag,
    searchTags,
    getTag,
    editTag,
    deleteTag,
    followTag,
    unfollowTag,
    listTagFollowers,
    addTagMedia,
    removeTagMedia,
  ],
  jobs: [purgeTag],
  lifecycle,
});

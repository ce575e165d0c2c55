import { job } from '../../kernel/job.ts';

/** Removes a stored file that nothing names any more, after the change that let go of it. */
export const removeBlob = job<{ key: string }>({
  name: 'me.remove-blob',
  max_attempts: 10,
  async run({ key }, services) {
    await services.blobs.remove(key);
  },
});

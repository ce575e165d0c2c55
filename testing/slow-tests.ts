/**
 * The option of a test that takes more than a fifth of a second: `npm test` runs it, `npm run check` does not. The tag is
 * defined in `vitest.config.ts`.
 */
export const slow = { tags: ['slow'] };

import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-json';

// `npm run messages` writes what the client says into these files; the widget's frame and the worker have small ones of their own.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'es', 'fr', 'ar'],
  catalogs: [
    { path: 'src/locales/{locale}', include: ['src'], exclude: ['src/widget/**', 'src/worker/**'] },
    { path: 'src/widget/locales/{locale}', include: ['src/widget'] },
    { path: 'src/worker/locales/{locale}', include: ['src/worker'] },
  ],
  format: formatter({ style: 'minimal' }),
  orderBy: 'messageId',
});

import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-json';
import { languages } from '../sdk/languages.ts';

// `npm run messages` writes what the client says into these files; the widget's frame and the worker have small ones of their own.
export default defineConfig({
  sourceLocale: 'en',
  locales: Object.keys(languages),
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['<rootDir>/src/widget/**', '<rootDir>/src/worker/**', '<rootDir>/src/**/*.test.ts'],
    },
    { path: '<rootDir>/src/widget/locales/{locale}', include: ['<rootDir>/src/widget'] },
    {
      path: '<rootDir>/src/worker/locales/{locale}',
      include: ['<rootDir>/src/worker', '<rootDir>/src/i18n/notification-text.ts', '<rootDir>/src/i18n/file-count.ts'],
    },
    // What the service says: letters and text messages, the pages that it renders, and answers to commands.
    {
      path: '<rootDir>/../server/locales/{locale}',
      include: [
        '<rootDir>/../server/domain/delivery',
        '<rootDir>/../server/domain/inbox',
        '<rootDir>/../server/domain/messages',
        '<rootDir>/../server/app/pages',
        '<rootDir>/../server/features/commands',
      ],
    },
  ],
  format: formatter({ style: 'minimal' }),
  orderBy: 'messageId',
});

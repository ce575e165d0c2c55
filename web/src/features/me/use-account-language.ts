import { useEffect } from 'react';
import { followAccountLocale } from '../../i18n/language.ts';
import { useMe } from './me-query.ts';

/** Keeps the client in the language of the account, also when it is changed on another device. */
export function useAccountLanguage(): void {
  const locale = useMe()?.locale;
  useEffect(() => {
    // Where its file cannot be fetched the client stays in the language that it speaks.
    if (locale !== undefined) void followAccountLocale(locale).catch(() => undefined);
  }, [locale]);
}

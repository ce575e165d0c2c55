import { useEffect } from 'react';
import { followAccountLocale } from '../../i18n/language.ts';
import { useCallSession } from '../calls/session/call-session.ts';
import { useMe } from './me-query.ts';

/**
 * Keeps the client in the language of the account, also when it is changed on another device. Since the pages are made again with
 * it, it waits for the end of a call that goes on in this window.
 */
export function useAccountLanguage(): void {
  const locale = useMe()?.locale;
  const is_free = useCallSession().session === undefined;
  useEffect(() => {
    // Where its file cannot be fetched the client stays in the language that it speaks.
    if (locale !== undefined && is_free) void followAccountLocale(locale).catch(() => undefined);
  }, [locale, is_free]);
}

import { useEffect } from 'react';
import { followAccountLocale } from '../../i18n/language.ts';
import { readSession, useCallSession } from '../calls/session/call-session.ts';
import { useMe } from '../../data/queries/me-query.ts';

const isFree = () => readSession() === undefined;

/**
 * Applies the account's language, also when it is changed on another device. All pages are rendered again, so a change
 * waits for the end of a call in this window.
 */
export function useAccountLanguage(): void {
  const locale = useMe()?.locale;
  const is_free = useCallSession().session === undefined;
  useEffect(() => {
    // If its catalogue cannot be loaded, the current language remains.
    if (locale !== undefined && is_free) void followAccountLocale(locale, isFree).catch(() => undefined);
  }, [locale, is_free]);
}

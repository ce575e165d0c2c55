/**
 * Texts for people, in their language: `i18n.t('{name} is typing…', { name })`. The English text is the key of a
 * message.
 */
import { i18n } from '@lingui/core';
import { parseMessage } from './parse-message.ts';

i18n.setMessagesCompiler(parseMessage);
i18n.loadAndActivate({ locale: 'en', locales: undefined, messages: {} });

export { i18n };

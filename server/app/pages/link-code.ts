/** The part of a public page that leads others there: its address as text and as a QR code. */
import { renderSVG } from 'uqr';
import { i18nOf, type Language } from '../../kernel/language/i18n.ts';
import { escapeHtml } from './public-page.ts';

function writeQr(address: string, language: Language): string {
  const i18n = i18nOf(language);
  const label = escapeHtml(i18n.t('QR code of this page'));
  const drawing = renderSVG(address, { ecc: 'M', border: 1, blackColor: '#191c33' });
  return `<span class="qr" role="img" aria-label="${label}">${drawing}</span>`;
}

/** @param address of the page */
export function writeShareSection(address: string, language: Language): string {
  const i18n = i18nOf(language);
  const place = `<bdi dir="ltr">${escapeHtml(address.replace(/^https?:\/\//, ''))}</bdi>`;
  return (
    `<section class="bring">${writeQr(address, language)}<div><strong>${i18n.t('Bring someone along')}</strong>` +
    `<p class="quiet">${i18n.t('Scan the code, or send {place}', { place })}</p></div></section>`
  );
}

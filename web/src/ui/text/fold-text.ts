/** Normalises text as the service does for comparison: without case and accents. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase();

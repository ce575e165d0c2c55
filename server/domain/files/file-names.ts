/** Names of documents: what they are saved under, and what a name may not do. */

/** How long a name may be, in characters; its ending is kept. */
const max_length = 160;
const max_ending_length = 16;

/** What no name may hold: control characters, what turns the direction of words around, and what file systems give a meaning. */
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}"*/:<>?\\|]+/gu;

/** The name under which a document is kept, from what a client calls it; null where that says nothing. */
export function nameOfDocument(filename: string | undefined): string | null {
  const last = (filename ?? '').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replaceAll(forbidden, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.]+/, '')
    .trim();
  if (name === '') return null;
  const letters = [...name];
  if (letters.length <= max_length) return name;
  const at = name.lastIndexOf('.');
  const ending = at > 0 && name.length - at <= max_ending_length ? name.slice(at) : '';
  return `${letters.slice(0, max_length - [...ending].length).join('')}${ending}`;
}

/** The header that has a browser save a file: under its name, or by its identifier (RFC 6266, RFC 8187). */
export function saveAs(file: { id: string; name: string | null }): string {
  if (file.name === null) return `attachment; filename="${file.id}"`;
  const encoded = encodeURIComponent(file.name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${file.id}"; filename*=UTF-8''${encoded}`;
}

/** File names of documents: cleaning names from clients, and the header for saving a file. */

/** The maximum length of a name, in characters; its extension is preserved. */
const max_length = 160;
const max_ending_length = 16;

/** Characters removed from names: controls, bidirectional formatting, and those special to file systems. */
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}"*/:<>?\\|]+/gu;

/** The stored name of a document, derived from the name that the client sent; null when nothing usable remains. */
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

/** The header with which a browser saves a file under its name, or else its identifier (RFC 6266, RFC 8187). */
export function saveAs(file: { id: string; name: string | null }): string {
  if (file.name === null) return `attachment; filename="${file.id}"`;
  const encoded = encodeURIComponent(file.name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${file.id}"; filename*=UTF-8''${encoded}`;
}

/**
 * Subject and text of a letter as a mail server received it: quoted-printable (RFC 2045) and an encoded subject (RFC
 * 2047).
 */
export function readLetter(source: string): { subject: string; text: string } {
  const letter = source.replaceAll('\r\n', '\n');
  const end = letter.indexOf('\n\n');
  const headers = letter.slice(0, end).replaceAll(/\n[ \t]+/g, ' ');
  const [, subject = ''] = /^Subject: (.*)$/m.exec(headers) ?? [];
  const body = letter.slice(end + 2);
  const is_quoted = /^Content-Transfer-Encoding: quoted-printable$/im.test(headers);
  const decoded_subject = subject.replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=\s*/gi, (_, encoded: string) =>
    unquote(encoded.replaceAll('_', ' ')),
  );
  return { subject: decoded_subject, text: is_quoted ? unquote(body.replaceAll('=\n', '')) : body };
}

const unquote = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString();

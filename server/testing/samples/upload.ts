/** A multipart body with one part `file`, as a browser sends it (RFC 7578). */
export function multipart(
  bytes: Buffer,
  filename = 'picture.png',
  content_type = 'image/png',
  fields: Record<string, string> = {},
) {
  const boundary = 'a-boundary-that-no-picture-holds';
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${content_type}\r\n\r\n`;
  return {
    raw: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

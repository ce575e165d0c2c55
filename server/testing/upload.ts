/** A multipart body with one part `file`, as a browser sends it (RFC 7578). */
export function multipart(bytes: Buffer, filename = 'picture.png', content_type = 'image/png') {
  const boundary = 'a-boundary-that-no-picture-holds';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${content_type}\r\n\r\n`;
  return {
    raw: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

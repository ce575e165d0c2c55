/** Explains why the service could not start. */

/**
 * One sentence when the operator can fix it. Every adapter fails with a complete sentence; any other error is a bug,
 * and is shown with its stack.
 */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as Error & { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port ?? ''} is taken: stop what listens there, or set PORT (and MEDIA_PORT, MEDIA_UDP_PORT, MEDIA_TCP_PORT) to free ones.`;
  if (code === 'EACCES' && port !== undefined)
    return `No right to listen on port ${port}: set PORT to one above 1023, or give the right to this account.`;
  if (code === 'EADDRNOTAVAIL') return 'HOST is no address of this machine: set HOST to one that is, such as 0.0.0.0.';
  return isSentence(error.message) ? error.message : (error.stack ?? error.message);
}

function isSentence(message: string): boolean {
  return /^[A-Z].*[.!]$/s.test(message) && message.includes(' ');
}

/** The host of a request, as the service checks it: one, valid, and the same in a target in absolute form (RFC 9112, section 3.2). */
import type { IncomingMessage } from 'node:http';

const HOST_FIELD = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;
const ABSOLUTE_FORM = /^(https?):\/\/([^/?#]*)/i;

/** Omits a port that is empty or the default one of the scheme, with which a host is equivalent (RFC 9110, section 4.2.3). */
const omitDefaultPort = (scheme: string, host: string): string =>
  host.toLowerCase().replace(scheme.toLowerCase() === 'http' ? /:(?:0*80)?$/ : /:(?:0*443)?$/, '');

/** Whether a request has a host that a proxy before the server reads in the same way; otherwise it is refused with 400. */
export function hasValidHost({ rawHeaders, httpVersion, headers, url = '' }: IncomingMessage): boolean {
  const fields = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (fields > 1 || (fields === 0 && httpVersion !== '1.0')) return false;
  const { host = '' } = headers;
  if (!HOST_FIELD.test(host)) return false;
  const [, scheme = '', target_host] = ABSOLUTE_FORM.exec(url) ?? [];
  return target_host === undefined || omitDefaultPort(scheme, target_host) === omitDefaultPort(scheme, host);
}

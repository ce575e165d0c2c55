/** The host of a request: one, valid, and the same in the target and in the Host field (RFC 9112, section 3.2). */
import type { IncomingMessage } from 'node:http';

const host_field = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;
const absolute_form = /^(https?):\/\/([^/?#]*)/i;

/**
 * Checks the host of a request, and gives a target in absolute form the origin form, so that everything after this
 * reads the same path, the load gate included.
 * @returns whether the request may be answered; otherwise it is to be refused with 400
 */
export function acceptHost(request: IncomingMessage): boolean {
  const { rawHeaders, httpVersion, headers } = request;
  let fields = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) fields += 1;
  if (fields > 1 || (fields === 0 && httpVersion !== '1.0')) return false;
  const host = headers.host ?? '';
  if (!host_field.test(host)) return false;
  const { url = '' } = request;
  const [start = '', scheme = '', target_host] = absolute_form.exec(url) ?? [];
  if (target_host === undefined) return true;
  if (omitDefaultPort(scheme, target_host) !== omitDefaultPort(scheme, host)) return false;
  const rest = url.slice(start.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}

const isHost = (name = '') => name.length === 4 && name.toLowerCase() === 'host';

/** Omits a port that is empty or the default one of the scheme, with which a host is equivalent (RFC 9110, section 4.2.3). */
const omitDefaultPort = (scheme: string, host: string) =>
  host.toLowerCase().replace(scheme.toLowerCase() === 'http' ? /:(?:0*80)?$/ : /:(?:0*443)?$/, '');

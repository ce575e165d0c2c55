/** The errors that the OpenAPI document describes, which every answer in a world is compared with. */
import { endpoints } from '../../app/app.ts';
import { routeOf, type Endpoint } from '../../kernel/endpoint.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { errorsOf } from '../../kernel/http/documents/openapi.ts';

/** Refusals of requests that no operation has read: of the path, the host, the headers or the load. */
const before_operations: readonly string[] = ['bad_request', 'method_not_allowed', 'overloaded'];

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The routes, those without parameters first, as the service prefers them. */
const routes = endpoints
  .map((endpoint) => ({ endpoint, ...routeOf(endpoint), codes: new Set(errorsOf(endpoint)) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((route) => ({ ...route, pattern: toPattern(route.path) }));

/** The operation that a request is for; undefined when there is none. */
function findRoute(method: string, path: string): { endpoint: Endpoint; codes: ReadonlySet<ErrorCode> } | undefined {
  const [bare = ''] = path.split('?');
  return routes.find((route) => route.method === method && route.pattern.test(bare));
}

/** Fails where an operation answers with an error that the document does not describe, so that every test verifies it. */
export function requireDocumented(method: string, path: string, code: string): void {
  const route = findRoute(method, path);
  if (!route || before_operations.includes(code) || route.codes.has(code as ErrorCode)) return;
  throw new Error(`${route.endpoint.id} answers ${code}, which its contract does not name.`);
}

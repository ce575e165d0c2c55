import { posix } from 'node:path';
import { isCode, isTest, type Finding, type Rule } from '../../repository.ts';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/;
/** The list of languages, which the client imports as well. */
const LANGUAGES = 'sdk/languages.ts';
/** The ports, as types only, in one file or a few. */
const isPorts = (path: string): boolean => /^server\/engines\/ports(\.[a-z-]+)?\.ts$/.test(path);

/** An adapter in several files shares its folder and first name: `database/embedded.lock.ts` belongs to `database/embedded.ts`. */
const adapterOf = (path: string): string => `${posix.dirname(path)}/${posix.basename(path).split('.')[0]}`;

/**
 * Code that several adapters of one provider share is next to their folders: `twilio-signature.ts` is for each
 * `twilio.ts`.
 */
const isOfProvider = (from: string, to: string): boolean =>
  posix.dirname(to) === 'server/engines' && posix.basename(to).startsWith(`${posix.basename(adapterOf(from))}-`);

/** What adapters read the answers of outside providers with. */
const ANSWERS = 'server/engines/answers.ts';

/** Why an import is forbidden; undefined when it is allowed. `to` is a path of the repository or a package's name. */
function forbid(from: string, to: string): string | undefined {
  const inside = to.startsWith('server/') || /^(sdk|sfu|testing|tools|web)\//.test(to);
  if (from.startsWith('server/kernel/')) {
    const allowed = to.startsWith('server/kernel/') || isPorts(to) || to === LANGUAGES;
    if (inside && !allowed) return 'kernel imports kernel, the ports and the list of languages only';
  } else if (from.startsWith('server/engines/')) {
    const own = adapterOf(to) === adapterOf(from) || isOfProvider(from, to) || to === ANSWERS;
    if (inside && !isPorts(to) && !own) return 'an adapter imports the ports and its own package only';
  } else if (from.startsWith('server/domain/')) {
    if (!/^server\/(kernel|domain)\//.test(to) && !isPorts(to) && !to.startsWith('node:')) {
      return 'domain imports kernel, port types and domain only';
    }
  } else if (from.startsWith('server/features/')) {
    return forbidFeature(from, to);
  } else if (/^(sdk|sfu|web)\//.test(from)) {
    if (to.startsWith('server/')) return `${from.split('/')[0]} imports nothing of the server`;
    if (from.startsWith('web/') && to.startsWith('sfu/')) return 'web imports the SDK only';
  }
  return undefined;
}

function forbidFeature(from: string, to: string): string | undefined {
  const area = from.split('/')[2] ?? '';
  const manifest = /^server\/features\/[^/]+\/index\.ts$/.test(to);
  if (/^server\/(kernel|domain)\//.test(to) || to.startsWith('node:')) return undefined;
  if (to.startsWith(`server/features/${area}/`)) return undefined;
  // The list of all areas is in features/index.ts; home and commands run other areas' endpoints in process.
  if (manifest && ['index.ts', 'home', 'commands'].includes(area)) return undefined;
  return 'a feature imports kernel, domain and its own folder only';
}

export const imports: Rule = {
  name: 'imports',
  reason: 'Import boundaries are listed in docs/architecture.md.',
  check: (repository) => {
    const findings: Finding[] = [];
    for (const [path, content] of repository) {
      if (!isCode(path) || isTest(path)) continue;
      content.split('\n').forEach((line, index) => {
        const specifier = IMPORT.exec(line)?.[1];
        if (specifier === undefined || /^\s*(\*|\/\/)/.test(line)) return;
        const to = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
        const text = forbid(path, to);
        if (text !== undefined) findings.push({ path, line: index + 1, text: `${text}, not ${to}` });
      });
    }
    return findings;
  },
};

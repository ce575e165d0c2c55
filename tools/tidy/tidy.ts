/**
 * Checks the structure of the repository. Prints `path:line: rule: text`; the exit code is 1 when anything was found.
 */
import { dirname } from 'node:path';
import { readRepository } from './repository.ts';
import { rules } from './rules.ts';

const root = dirname(dirname(import.meta.dirname));
const repository = readRepository(root);
for (const rule of rules) {
  const findings = rule.check(repository);
  for (const { path, line, text } of findings) console.log(`${path}:${line}: ${rule.name}: ${text}`);
  if (findings.length === 0) continue;
  console.log(`  ${rule.reason}`);
  process.exitCode = 1;
}

/**
 * npm run doctor: reports whether the service is configured safely for the internet, and whether people outside can
 * reach its media, one line per finding. Reads the same configuration as the service, can be run beside it, and changes
 * nothing. The exit code is 1 when something must be fixed.
 */
import { dirname } from 'node:path';
import { readOwnConfig } from '../server/app/config/config.ts';
import { ConfigError } from '../server/app/config/reader.ts';
import { examineMedia } from './doctor/checks.ts';
import { examineExposure } from './doctor/exposure.ts';

try {
  const config = readOwnConfig(dirname(import.meta.dirname));
  const findings = [...examineExposure(config, process.env), ...(await examineMedia(config))];
  for (const { level, text } of findings) console.log(`${level.padEnd(4)}  ${text}`);
  const count = (level: string) => findings.filter((finding) => finding.level === level).length;
  console.log(`${count('fail')} to mend, ${count('warn')} to know`);
  process.exitCode = count('fail') > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.log(`fail  ${error.message}`);
  process.exitCode = 1;
}

import type { Rule } from './repository.ts';
import { areaReadmes } from './rules/documentation/area-readmes.ts';
import { circles } from './rules/imports/circles.ts';
import { clock } from './rules/clock.ts';
import { colours } from './rules/colours.ts';
import { deadExports } from './rules/imports/dead-exports.ts';
import { dependencies } from './rules/dependencies.ts';
import { docstrings } from './rules/documentation/docstrings.ts';
import { documents } from './rules/documentation/documents.ts';
import { endpointFiles } from './rules/endpoint-files.ts';
import { environment } from './rules/environment.ts';
import { fileNames } from './rules/file-names.ts';
import { folders } from './rules/folders.ts';
import { imports } from './rules/imports/imports.ts';
import { lengths } from './rules/lengths.ts';
import { migrations } from './rules/migrations.ts';
import { oneWay } from './rules/imports/one-way.ts';
import { parameters } from './rules/parameters.ts';
import { privatePaths } from './rules/private-paths.ts';
import { queryKeys } from './rules/query-keys.ts';
import { regularExpressions } from './rules/regular-expressions.ts';
import { routes } from './rules/routes.ts';
import { sizes } from './rules/sizes.ts';
import { skips } from './rules/skips.ts';
import { statements } from './rules/statements.ts';
import { visibility } from './rules/visibility.ts';

/** All rules; each is in a file of its own. */
export const rules: Rule[] = [
  areaReadmes,
  circles,
  clock,
  colours,
  deadExports,
  dependencies,
  docstrings,
  documents,
  endpointFiles,
  environment,
  fileNames,
  folders,
  imports,
  lengths,
  migrations,
  oneWay,
  parameters,
  privatePaths,
  queryKeys,
  regularExpressions,
  routes,
  sizes,
  skips,
  statements,
  visibility,
];

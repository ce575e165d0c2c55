import type { Rule } from '../repository.ts';
import { areaReadmes } from './area-readmes.ts';
import { circles } from './circles.ts';
import { clock } from './clock.ts';
import { deadExports } from './dead-exports.ts';
import { dependencies } from './dependencies.ts';
import { endpointFiles } from './endpoint-files.ts';
import { environment } from './environment.ts';
import { fileNames } from './file-names.ts';
import { folders } from './folders.ts';
import { imports } from './imports.ts';
import { lengths } from './lengths.ts';
import { migrations } from './migrations.ts';
import { oneWay } from './one-way.ts';
import { privatePaths } from './private-paths.ts';
import { queryKeys } from './query-keys.ts';
import { regularExpressions } from './regular-expressions.ts';
import { routes } from './routes.ts';
import { sizes } from './sizes.ts';
import { skips } from './skips.ts';

export const rules: Rule[] = [
  areaReadmes,
  circles,
  clock,
  deadExports,
  dependencies,
  endpointFiles,
  environment,
  fileNames,
  folders,
  imports,
  lengths,
  migrations,
  oneWay,
  privatePaths,
  queryKeys,
  regularExpressions,
  routes,
  sizes,
  skips,
];

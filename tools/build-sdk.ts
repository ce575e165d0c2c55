/**
 * Compiles the SDK to JavaScript with types in its `dist`, as `npm pack` ships it; the repository itself runs its
 * source.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [sdk, bin] = [join(root, 'sdk'), join(root, 'node_modules', '.bin')];

rmSync(join(sdk, 'dist'), { recursive: true, force: true });
const built = spawnSync(join(bin, 'tsc'), ['-p', join(sdk, 'tsconfig.build.json')], { encoding: 'utf8' });
if (built.status !== 0) throw new Error(`the SDK cannot be built: ${built.stdout}${built.stderr}`);
// The compiler leaves `.ts` in type imports, but no such file is shipped.
for (const path of globSync(join(sdk, 'dist', '**', '*.d.ts'))) {
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']*?)(?<!\.d)\.ts'/g, "$1.js'"));
}
// The compiler does not copy declaration files.
cpSync(join(sdk, 'generated', 'openapi.d.ts'), join(sdk, 'dist', 'generated', 'openapi.d.ts'));

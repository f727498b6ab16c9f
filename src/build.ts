import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// `npm run build`: everything that the image runs, in the folder `dist`. `node dist/server.js` starts the server, `node dist/paytag.js` is
// the command line, and `node dist/compile.js` has Node compile both for later starts, where NODE_COMPILE_CACHE says so.

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const OUT = join(PROJECT, 'dist');

/** The files that `projectFile` reads. */
const FILES = [
  'package.json',
  'migrations/**/*.{sql,json}',
  'src/docs/**/*.md',
  'src/lib/stall-watch.js',
  'src/modules/statements/pdf/fonts/*',
  'src/routes/console/look/keys.js',
  'src/routes/pages/messages/*',
  'node_modules/htmx.org/dist/htmx.min.js',
];

/** The package of a module: `libphonenumber-js` of `libphonenumber-js/mobile`. */
const nameOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

const sources = globSync('src/**/*.ts', { cwd: PROJECT }).map((file) => readFileSync(join(PROJECT, file), 'utf8'));
/** Packages that are loaded on first use. They stay outside the bundle, which each start reads. */
const packages = [
  ...new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/lazyPackage<typeof import\('([^']+)'\)>/g)].map(([, name = '']) => name),
    ),
  ),
];

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: PROJECT,
  entryPoints: { server: 'src/server.ts', paytag: 'src/cli/paytag.js' },
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['bundle'],
  external: packages,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  // Packages in CommonJS require Node's own modules.
  banner: {
    js: `import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);`,
  },
  logLevel: 'warning',
});
chmodSync(join(OUT, 'paytag.js'), 0o755);

const modules = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'));
writeFileSync(
  join(OUT, 'compile.js'),
  [
    `import { createRequire } from 'node:module';`,
    ...modules.map((file) => `import './${relative(OUT, join(PROJECT, file))}';`),
    `const require = createRequire(import.meta.url);`,
    ...packages.map((name) => `require('${name}');`),
    '',
  ].join('\n'),
);

for (const file of globSync(FILES, { cwd: PROJECT })) cpSync(join(PROJECT, file), join(OUT, file), { recursive: true });
for (const folder of foldersOf(packages, PROJECT))
  cpSync(folder, join(OUT, relative(PROJECT, folder)), { recursive: true });

/** The folders of packages and of all that they depend on. What is not for this machine is not installed. */
function foldersOf(names: readonly string[], from: string, found = new Set<string>()): Set<string> {
  const { resolve } = createRequire(join(from, 'package.json'));
  for (const name of names) {
    const folder = resolve
      .paths(name)
      ?.map((path) => join(path, nameOf(name)))
      .find(existsSync);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    foldersOf(Object.keys({ ...dependencies, ...optionalDependencies }), folder, found);
  }
  return found;
}

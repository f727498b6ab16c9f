import { frontDoor, type Rule, roomOf, type Source } from './source.ts';

/** Which rooms each room may ask. */
export type Arrows = ReadonlyMap<string, readonly string[]>;

/** Reads the table `| room | asks | why |` of src/modules/README.md, where rooms stand in backticks. */
export function arrowsIn(markdown: string): Arrows {
  const rows = [...markdown.matchAll(/^\| `([a-z-]+)` \|([^|]*)\|([^|]*)\|$/gm)];
  const unexplained = rows.filter(([, , , why = '']) => why.trim() === '');
  if (unexplained.length > 0)
    throw new Error(`these rows give no reason: ${unexplained.map(([row]) => row).join(' ')}`);
  return new Map(
    rows.map(([, room = '', asks = '']) => [room, [...asks.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)]),
  );
}

/** An import between two rooms that is not in the table. */
export const importsFollow =
  (arrows: Arrows): Rule =>
  (sources) =>
    sources.flatMap(({ path, imports }) => {
      const room = roomOf(path);
      if (room === undefined) return [];
      const asked = imports.map(({ specifier }) => frontDoor(specifier)).filter((name) => name !== undefined);
      const refused = asked.filter((name) => name !== room && !arrows.get(room)?.includes(name));
      return refused.map((name) => `${path} asks ${name}: the table in src/modules/README.md has no such arrow`);
    });

/** A room without a row, and a row or an arrow without a room. */
export function missingRooms(arrows: Arrows, sources: readonly Source[]): string[] {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== undefined));
  const named = new Set([...arrows.keys(), ...[...arrows.values()].flat()]);
  return [
    ...[...rooms].filter((room) => !arrows.has(room)).map((room) => `${room} has no row in src/modules/README.md`),
    ...[...named].filter((room) => !rooms.has(room)).map((room) => `${room} of src/modules/README.md does not exist`),
  ];
}

/** Arrows that no import follows. One that SQL alone follows is marked so in the table: `outbox` (SQL). */
export function idleArrows(markdown: string, sources: readonly Source[]): string[] {
  const rows = [...markdown.matchAll(/^\| `([a-z-]+)` \|([^|]*)\|/gm)];
  const inSql = new Set(
    rows.flatMap(([, room, asks = '']) =>
      [...asks.matchAll(/`([a-z-]+)` \(SQL\)/g)].map(([, other]) => `${room} → ${other}`),
    ),
  );
  const followed = new Set(
    sources.flatMap(({ path, imports }) => imports.map(({ specifier }) => `${roomOf(path)} → ${frontDoor(specifier)}`)),
  );
  const arrows = [...arrowsIn(markdown)].flatMap(([room, asked]) => asked.map((other) => `${room} → ${other}`));
  return arrows.filter((arrow) => !followed.has(arrow) && !inSql.has(arrow));
}

/** The arrows that lead back to where they started. */
export const circles = (arrows: Arrows): string[] => waysBack(arrows);

/** Files that import each other in a circle, types included: whoever reads one has to read them all. */
export const filesNeverCircle: Rule = (sources) => {
  const known = new Set(sources.map(({ path }) => path));
  const target = ({ specifier, file }: Source['imports'][number]): string | undefined => {
    const room = frontDoor(specifier);
    return room === undefined ? file : `src/modules/${room}/index.ts`;
  };
  return waysBack(
    new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.map(target).filter((file) => file !== undefined && file !== path && known.has(file)) as string[],
      ]),
    ),
  );
};

/** One way back to each node that can be reached from itself, as `a → b → a`; none through nodes that were walked before. */
function waysBack(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, way: readonly string[]): void => {
    if (way.includes(node)) {
      found.push([...way.slice(way.indexOf(node)), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...way, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}

/** An invariant whose SQL reads the tables of a room that its own does not ask. */
export const invariantsFollow =
  (arrows: Arrows): Rule =>
  (sources) => {
    const schemas = sources.flatMap(({ path, code }) =>
      path.endsWith('/tables.ts')
        ? [...code.matchAll(/pgSchema\(\s*'(\w+)'/g)].map(([, name = '']) => ({ name, room: roomOf(path) }))
        : [],
    );
    return sources
      .filter(({ path }) => /^src\/modules\/[^/]+\/((.*-)?invariants(\/.*)?|room)\.ts$/.test(path))
      .flatMap(({ path, code }) =>
        schemas
          .filter(
            ({ name, room = '' }) =>
              room !== roomOf(path) &&
              !arrows.get(roomOf(path) ?? '')?.includes(room) &&
              new RegExp(`(?<!/)\\b${name}\\.\\w`).test(code),
          )
          .map(({ room }) => `${path} reads the tables of ${room}, which its room does not ask`),
      );
  };

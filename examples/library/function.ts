/*
 * A function as an expression: robots follow a route through a store that is given by an ordinary function. While the net is
 * built, the function is evaluated for every possible position and becomes a table: the net stays plain, serializable data.
 */
import { gt, NetBuilder, netFromJson, netToJson, simulate, sub } from 'foretoken';

const [WIDTH, HEIGHT] = [8, 5];
const STEPS = 100;

const n = new NetBuilder('store');
const X = n.range('X', 0, WIDTH - 1);
const Y = n.range('Y', 0, HEIGHT - 1);
const Position = n.record('Position', { x: X, y: Y });
const Left = n.range('Left', 0, STEPS);
const start = [
  { x: 0, y: 0 },
  { x: 3, y: 2 },
];
const robots = n.place('robots', { at: Position, left: Left }, { initial: start.map((at) => ({ at, left: STEPS })) });

n.transition('step', (t) => {
  const { at, left } = t.take(robots);
  t.guard(gt(left, 0));
  // Rows are traversed alternately to the right and to the left; from the end the route returns to the start.
  const forth = (y: number): boolean => y % 2 === 0;
  const atEnd = (x: number, y: number): boolean => x === (forth(y) ? WIDTH - 1 : 0);
  const x = t.fn({ at }, ({ at: { x, y } }) => {
    if (atEnd(x, y)) return y === HEIGHT - 1 ? 0 : x;
    return forth(y) ? x + 1 : x - 1;
  });
  const y = t.fn({ at }, ({ at: { x, y } }) => (atEnd(x, y) ? (y + 1) % HEIGHT : y));
  // Heavy goods are in the even columns of the upper rows, where a step takes longer.
  t.delay(t.fn({ at }, ({ at: { x, y } }) => (y > 2 && x % 2 === 0 ? 3 : 1)));
  t.put(robots, { at: { x, y }, left: sub(left, 1) });
});

const net = n.build();
for (const table of net.tables) console.log(`table ${table.name} (${table.kind})`);
console.log(`functions left in the net: ${net.functions?.length ?? 0}`);
// Writing the net and reading it again gives the same net.
const run = simulate(netFromJson(netToJson(net)));
console.log(`${run.firings['step']} steps in ${run.time} s`);
for (const {
  values: [x, y],
} of run.game.tokens('robots'))
  console.log(`robot at (${x}, ${y})`);

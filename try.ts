import { explore } from './src/app/explore.ts';
import { spaceJson } from './src/report/space-json.ts';
import { philosophers, tokenRing } from './test/net/contest-nets.ts';
const which = process.argv[2]!;
const net = which === 'phil' ? philosophers(Number(process.argv[3])) : tokenRing(Number(process.argv[3]));
const t = performance.now();
const d = explore(net, { bounds: which === 'phil' ? 'Think,Eat;Fork' : 'State', ...(process.argv[4] ? { graph: process.argv[4] } : {}) });
console.log(spaceJson(d), ((performance.now() - t) / 1000).toFixed(2));

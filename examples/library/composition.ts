/*
 * Composition: a pipeline of instances of one module. Transitions with equal labels are merged: neighbouring stages fire
 * together and share the item through an exported variable. All stages share the place of the workers, by its name.
 */
import { close, div, merge, type Net, NetBuilder, qualify, rename, simulate } from 'foretoken';

/** Items enter through the label `in`, are worked on, and leave through the label `out`. */
function stage(): Net {
  const n = new NetBuilder('stage');
  const Item = n.range('Item', 1, 6);
  const free = n.place('free', {}, { initial: 1 });
  const loaded = n.place('loaded', { item: Item });
  const done = n.place('done', { item: Item });
  const workers = n.place('workers', {});
  n.transition('receive', (t) => {
    t.take(free);
    const item = t.free('item', Item); // bound by the partner transition, which takes the item from a place
    t.label('in', { item });
    t.put(loaded, { item });
  });
  n.transition('work', (t) => {
    const { item } = t.take(loaded);
    t.take(workers);
    t.delay(div(item, 2));
    t.put(done, { item });
    t.put(workers, {});
  });
  n.transition('send', (t) => {
    t.label('out', t.take(done));
    t.put(free, {});
  });
  return n.build();
}

/** Source and sink of the items, and the workers. */
function hall(workers: number, stages: number): Net {
  const n = new NetBuilder('hall');
  const Item = n.range('Item', 1, 6);
  const store = n.place('store', { item: Item }, { initial: [1, 2, 3, 4, 5, 6].map((item) => ({ item })) });
  n.place('workers', {}, { initial: workers });
  n.transition('begin', (t) => t.label('link 0', t.take(store)));
  n.transition('finish', (t) => t.label(`link ${stages}`, { item: t.free('item', Item) }));
  return n.build();
}

function line(stages: number, workers: number): Net {
  const modules = Array.from({ length: stages }, (_, k) => {
    const linked = rename(stage(), { labels: { in: `link ${k}`, out: `link ${k + 1}` } });
    return qualify(linked, `stage ${k}`, { keep: ['workers'] });
  });
  return close(merge([hall(workers, stages), ...modules], { name: 'line' }));
}

for (const t of line(2, 1).transitions) console.log(t.name);
console.log(`1 worker: ${simulate(line(2, 1)).time} s, 2 workers: ${simulate(line(2, 2)).time} s`);

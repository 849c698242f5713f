import { Fragment, type JSX } from 'preact';
import type { WhatIfDocument } from '../../commands/whatif/whatif-result.ts';
import type { AnyDocument } from '../../report/page-parts.ts';
import { counted, figureName, figureText } from '../../report/units.ts';
import { Figure, FigureList, Part, Region } from '../figure.tsx';
import { type Column, Table } from '../table.tsx';
import { Elasticities } from './elasticity.tsx';
import { type Cell, type Listing, membersOf } from './members.ts';
import { REGIONS } from './regions.ts';
import { ScalingLaws } from './scaling.tsx';
import { Study } from './study.tsx';

/** Members that a page shows elsewhere, or that describe the file. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'format',
  'version',
  'kind',
  'product',
  'inputs',
  'options',
  'warnings',
  'notes',
  'machine',
]);

/** Members of a study that its curves show with their own tables. */
const STUDIED: ReadonlySet<string> = new Set(['scaling', 'elasticity']);
const NONE: ReadonlySet<string> = new Set();
/** Scalars of a record that a page shows; further ones stay in the document. */
const MAX_SCALARS = 200;

/** A result document as figures and tables: whatever its kind, every member is shown, with its pointer. */
export function ResultDocument({ document }: { readonly document: AnyDocument }): JSX.Element {
  const own = document.kind === 'what-if' ? STUDIED : NONE;
  const shown = Object.fromEntries(Object.entries(document).filter(([key]) => !LEFT_OUT.has(key) && !own.has(key)));
  const { groups, listings } = membersOf(shown);
  return (
    <Region name={REGIONS[document.kind] ?? document.kind}>
      {document.kind === 'what-if' ? <WhatIf document={document as unknown as WhatIfDocument} /> : null}
      {groups.map(({ name, cells }) => (
        <Fragment key={name}>
          {name === '' ? null : <h3>{name}</h3>}
          <FigureList
            figures={[...cells].slice(0, MAX_SCALARS).map(([term, cell]) => ({
              term,
              about: { kind: document.kind, pointer: cell.pointer },
              value: <Shown cell={cell} />,
            }))}
          />
          <NotShown count={cells.size - MAX_SCALARS} what="member" />
        </Fragment>
      ))}
      {listings.map((listing) => (
        <div key={listing.name}>
          <Table name={listing.name} rows={listing.rows} columns={columnsOf(listing, document.kind)} />
          <NotShown count={listing.more} what="column" />
        </div>
      ))}
    </Region>
  );
}

function NotShown({ count, what }: { readonly count: number; readonly what: string }): JSX.Element | null {
  return count <= 0 ? null : <p class="note">{counted(count, `more ${what}`)}: see the document (Save JSON).</p>;
}

/** Curves, laws and elasticities of a study. */
function WhatIf({ document }: { readonly document: WhatIfDocument }): JSX.Element {
  return (
    <>
      <Part name="The curves of scenarios">
        <Study scenarios={document.scenarios} />
      </Part>
      <Part name="Scaling">
        <ScalingLaws scaling={document.scaling} />
      </Part>
      <Part name="Elasticity">
        <Elasticities of={document.elasticity} />
      </Part>
    </>
  );
}

/** Columns of names that rows have outside their records. */
const NAMES: ReadonlySet<string> = new Set(['Name', 'Of']);

const columnsOf = ({ columns, rows }: Listing, kind: string): Column<Listing['rows'][number]>[] =>
  columns.map((name) => ({
    name,
    ...(NAMES.has(name) ? {} : { about: { kind, pointer: rows.find((row) => row.has(name))!.get(name)!.pointer } }),
    unit: unitIn(rows, name),
    value: (row) => row.get(name)?.value,
    cell: (row) => {
      const cell = row.get(name);
      return cell === undefined ? '–' : <Shown cell={cell} />;
    },
  }));

/** The unit of all numbers of a column, or that of each: values in CSV are in SI units. */
function unitIn(rows: Listing['rows'], column: string): NonNullable<Column<Listing['rows'][number]>['unit']> {
  const units = new Set(rows.flatMap((row) => row.get(column)?.unit ?? []));
  return units.size > 1 ? (row) => row.get(column)?.unit ?? '' : ([...units][0] ?? '');
}

/** A number with its pointer, or a text. */
function Shown({ cell }: { readonly cell: Cell }): JSX.Element {
  const { value, unit, pointer, like } = cell;
  if (typeof value === 'string') return <>{value}</>;
  const name = pointer.replace(/^\/figures\/(\w+)\/value$/, '$1');
  return (
    <Figure name={name} value={value} unit={unit}>
      {figureText(value, unit, like ?? figureName(pointer))}
    </Figure>
  );
}

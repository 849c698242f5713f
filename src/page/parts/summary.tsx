import type { JSX } from 'preact';
import type { PredictionDocument } from '../../commands/predict/prediction.ts';
import type { ProfileDocument } from '../../commands/profile/profile-document.ts';
import { formatShare } from '../../report/units.ts';
import { documentOf } from '../content.ts';
import { Figure, Part, Region, shownRegion } from '../figure.tsx';
import type { PageState } from '../state.ts';

interface Problem {
  readonly code: string;
  readonly message: string;
}

/** How long, how efficient, what is lost to what, what to change next. */
export function Summary({ state }: { readonly state: PageState }): JSX.Element {
  const { content } = state;
  const [main] = content.documents;
  const prediction = documentOf(content, 'prediction');
  const profile = documentOf(content, 'profile');
  const problems = [
    ...((main?.['warnings'] ?? []) as readonly Problem[]),
    ...((main?.['notes'] ?? []) as readonly Problem[]),
  ];
  return (
    <Region name="Summary">
      <dl class="figures">
        {prediction === undefined ? null : (
          <Part name="The prediction">
            <Predicted document={prediction} />
          </Part>
        )}
        {profile === undefined ? null : (
          <Part name="The profile">
            <Profiled document={profile} isMain={main === (profile as unknown)} />
          </Part>
        )}
      </dl>
      {prediction === undefined ? null : (
        <Part name="What limits the run">
          <Limit document={prediction} />
        </Part>
      )}
      {profile === undefined ? null : (
        <Part name="The guided reading">
          <Findings document={profile} />
        </Part>
      )}
      {main?.complete === false ? (
        <p role="alert">The run was not completed: figures cover the time until it was cut short.</p>
      ) : null}
      {prediction?.deadlock !== undefined && prediction.deadlock.length > 0 ? (
        <div role="alert">
          <p>Deadlock: {prediction.deadlock.length} ranks wait forever.</p>
          <ul>
            {prediction.deadlock.slice(0, 20).map((blocked) => (
              <li key={blocked.rank}>
                {blocked.strand ?? `rank ${blocked.rank}`}: {blocked.operation}
                {blocked.file === '' ? '' : ` (${blocked.file}:${blocked.line})`}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {problems.length === 0 && content.about.notes.length === 0 ? null : (
        <details>
          <summary>{problems.length + content.about.notes.length} notes on these figures</summary>
          <ul>
            {content.about.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
            {problems.map(({ code, message }) => (
              <li key={code + message}>
                {code} {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Region>
  );
}

function Item(props: { readonly term: string; readonly children: JSX.Element | readonly JSX.Element[] }): JSX.Element {
  return (
    <div>
      <dt>{props.term}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Predicted({ document }: { readonly document: PredictionDocument }): JSX.Element {
  const { runTime, parallelism, loadBalance } = document.figures;
  return (
    <>
      <Item term="Run time">
        <Figure name="runTime" {...runTime} />
      </Item>
      {parallelism === undefined ? null : (
        <Item term="Degree of parallelism, mean and maximum">
          <Figure name="/figures/parallelism/mean/value" {...parallelism.mean} />
          <Figure name="/figures/parallelism/max/value" {...parallelism.max} />
        </Item>
      )}
      {loadBalance === undefined ? null : (
        <Item term="Load balance">
          <Figure name="loadBalance" {...loadBalance} />
        </Item>
      )}
    </>
  );
}

function Profiled(props: { readonly document: ProfileDocument; readonly isMain: boolean }): JSX.Element {
  const { figures } = props.document;
  const of = props.isMain ? {} : { of: 'profile' };
  return (
    <>
      {props.isMain ? (
        <Item term="Execution time">
          <Figure name="executionTime" {...figures.executionTime} />
        </Item>
      ) : null}
      <Item term="Efficiency">
        <Figure name="efficiency" {...figures.efficiency} {...of} />
      </Item>
      <Item term="Lost time">
        <Figure name="lostTime" {...figures.lostTime} {...of} />
      </Item>
    </>
  );
}

function Limit({ document }: { readonly document: PredictionDocument }): JSX.Element | null {
  const { limit, figures } = document;
  if (limit === undefined) return null;
  if (limit.kind === 'unknown') return <p>What limits the run is not known: {limit.because}</p>;
  const share = figures.runTime.value > 0 ? limit.gain / figures.runTime.value : 0;
  return (
    <p class="advice">
      The run is limited by {limit.kind}: with twice as much ({limit.name}) it takes{' '}
      <Figure name="/limit/gain" value={limit.gain} unit="s" /> ({formatShare(share)}) less.
    </p>
  );
}

function Findings({ document }: { readonly document: ProfileDocument }): JSX.Element {
  return (
    <ol class="findings">
      {document.findings.map(({ question, answer, interval }) => (
        <li key={question}>
          {question} <strong>{answer}</strong>
          {interval === undefined || interval === '' ? null : (
            <>
              {' '}
              <button type="button" class="link" onClick={() => shownRegion('Intervals')}>
                See {interval}
              </button>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

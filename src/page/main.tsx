import { render } from 'preact';
import { shown } from '../base/problem.ts';
import { App } from './app.tsx';
import { readContent, readOpening } from './content.ts';
import { regionNames, shownRegion } from './figure.tsx';
import { Opening } from './opening.tsx';
import { followServer, returnToPlace } from './served.tsx';
import { bindFragment, completeState, type PageState, pageState } from './state.ts';

/** Shows the page, or says why it cannot: a failing script never leaves an empty page. */
async function main(): Promise<void> {
  const root = document.getElementById('page')!;
  document.documentElement.dataset['code'] = 'runs';
  try {
    const opening = await readOpening(document);
    const { served } = opening.about;
    if (served === 0) {
      await followServer(0, () => {});
      root.replaceChildren();
      document.documentElement.dataset['ready'] = 'failed';
      return;
    }
    root.replaceChildren();
    if (opening.overview !== undefined && !document.location.hash.includes('=')) {
      render(<Opening content={opening} overview={opening.overview} />, root);
      await painted();
    }
    await wholeFile();
    const state = pageState(await readContent(document, opening));
    // First the address: the parts begin where it leads.
    const writeFragment = bindFragment(state, window);
    render(<App state={state} />, root);
    if (served !== undefined) void followServer(served, writeFragment);
    await completeState(state);
    showPanel(state);
    window.addEventListener('hashchange', () => showPanel(state));
    if (served !== undefined) returnToPlace();
    document.documentElement.dataset['ready'] = 'true';
  } catch (error) {
    failed(root, error);
  }
}

/** Brings the part into view that the address names. */
function showPanel({ panel, refused }: PageState): void {
  const { value: name } = panel;
  if (name === '' || shownRegion(name)) return;
  refused.value = [
    ...refused.value,
    `The address of this page has panel=${shown(name)}: expected one of ${regionNames().join(', ')}.`,
  ];
  panel.value = '';
}

/** Resolves when the browser has shown what has been rendered; a page in the background shows nothing, and goes on. */
const painted = (): Promise<void> =>
  new Promise((done) => {
    if (document.hidden) done();
    requestAnimationFrame(() => setTimeout(done));
  });

/** Resolves when the browser has read the file to its end. */
const wholeFile = (): Promise<void> =>
  new Promise((done) => {
    if (document.readyState !== 'loading') done();
    else document.addEventListener('DOMContentLoaded', () => done(), { once: true });
  });

function failed(root: HTMLElement, error: unknown): void {
  const alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.textContent = error instanceof Error ? error.message : String(error);
  root.replaceChildren(alert);
  document.documentElement.dataset['ready'] = 'failed';
}

void main();

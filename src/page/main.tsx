import { render } from 'preact';
import { App } from './app.tsx';
import { readContent } from './content.ts';
import { followServer, returnToPlace } from './served.tsx';
import { bindFragment, completeState, pageState } from './state.ts';

/** Shows the page, or says why it cannot: a failing script never leaves an empty page. */
async function main(): Promise<void> {
  const root = document.getElementById('page')!;
  try {
    const content = await readContent(document);
    const { served } = content.about;
    if (served === 0) {
      await followServer(0, () => {});
      root.replaceChildren();
      document.documentElement.dataset['ready'] = 'failed';
      return;
    }
    const state = pageState(content);
    root.replaceChildren();
    render(<App state={state} />, root);
    const writeFragment = bindFragment(state, window);
    if (served !== undefined) void followServer(served, writeFragment);
    await completeState(state);
    if (served !== undefined) returnToPlace();
    document.documentElement.dataset['ready'] = 'true';
  } catch (error) {
    failed(root, error);
  }
}

function failed(root: HTMLElement, error: unknown): void {
  const alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.textContent = error instanceof Error ? error.message : String(error);
  root.replaceChildren(alert);
  document.documentElement.dataset['ready'] = 'failed';
}

void main();

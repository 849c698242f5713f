import { render } from 'preact';
import { App } from './app.tsx';
import { readContent } from './content.ts';
import { bindFragment, completeState, pageState } from './state.ts';

/** Shows the page, or says why it cannot: a failing script never leaves an empty page. */
async function main(): Promise<void> {
  const root = document.getElementById('page')!;
  try {
    const state = pageState(await readContent(document));
    root.replaceChildren();
    render(<App state={state} />, root);
    bindFragment(state, window);
    await completeState(state);
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

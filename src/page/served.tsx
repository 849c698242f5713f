import { type Signal, signal } from '@preact/signals';
import { type JSX, render } from 'preact';
import type { PageNews } from '../report/page-parts.ts';

/** The server's state, as a served page knows it. */
interface Server {
  readonly news: Signal<PageNews | undefined>;
  readonly isLost: Signal<boolean>;
  /** The page stays as it is although there is a newer one. */
  readonly isHeld: Signal<boolean>;
}

/** Where the place in a page is kept while it is loaded again. */
const PLACE = 'foretoken-place';

/**
 * Follows the server of a page: shows its problems, and loads the page again when there is a newer one. The last page without a
 * problem stays.
 *
 * @param version number of this page
 * @param leave called before the page is left: brings what is shown into the address
 * @returns resolves when the server has told what it knows
 */
export function followServer(version: number, leave: () => void): Promise<PageNews> {
  forgetToken();
  const server: Server = { news: signal(undefined), isLost: signal(false), isHeld: signal(false) };
  const place = document.createElement('div');
  document.getElementById('page')!.before(place);
  const again = (): void => {
    leave();
    keepPlace();
    window.location.reload();
  };
  render(<News server={server} version={version} again={again} />, place);
  return new Promise((resolve) => {
    const events = new EventSource('news');
    events.onmessage = ({ data }) => {
      const news = JSON.parse(data as string) as PageNews;
      server.isLost.value = false;
      server.news.value = news;
      if (news.version !== version && news.version > 0 && !server.isHeld.value) again();
      else if (version > 0 || !news.isBusy) resolve(news);
    };
    events.onerror = () => {
      server.isLost.value = true;
    };
  });
}

/** The address without its token, which has been used. */
function forgetToken(): void {
  const { location, history } = window;
  if (location.search !== '') history.replaceState(undefined, '', `${location.pathname}${location.hash}`);
}

function News(props: { readonly server: Server; readonly version: number; readonly again: () => void }): JSX.Element {
  const { server, version, again } = props;
  const { news, isLost, isHeld } = server;
  const { isBusy = true, problems = [], progress, version: latest = version } = news.value ?? {};
  const hold = (): void => {
    isHeld.value = !isHeld.value;
    if (!isHeld.value && latest !== version) again();
  };
  return (
    <aside aria-label="Server" class="served">
      {problems.length === 0 ? null : (
        <div role="alert">
          <p>
            {version === 0 ? 'There is no page yet' : 'This is the last page without a problem'}. The input has{' '}
            {problems.length === 1 ? 'a problem' : `${problems.length} problems`}:
          </p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="tools">
        <span role="status">{stateText({ isBusy, isLost: isLost.value, isOld: latest !== version, progress })}</span>
        {version === 0 ? null : (
          <button type="button" aria-pressed={isHeld.value} onClick={hold}>
            Hold
          </button>
        )}
      </p>
    </aside>
  );
}

function stateText(state: {
  readonly isBusy: boolean;
  readonly isLost: boolean;
  readonly isOld: boolean;
  readonly progress: string | undefined;
}): string {
  if (state.isLost) return 'The server does not answer: this page stays as it is.';
  const texts = [
    state.progress,
    state.isBusy ? 'The page is being made …' : undefined,
    state.isOld ? 'There is a newer page.' : undefined,
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? 'This page follows its files.' : texts.join(' ');
}

/** Keeps the scroll position, and the element that has the focus, until the page has been loaded again. */
function keepPlace(): void {
  const path: number[] = [];
  for (let at = document.activeElement; at?.parentElement != null; at = at.parentElement)
    path.unshift([...at.parentElement.children].indexOf(at));
  const { scrollX, scrollY, sessionStorage } = window;
  sessionStorage.setItem(PLACE, JSON.stringify({ scrollX, scrollY, path }));
}

/** Returns to the place that {@link keepPlace} has kept. */
export function returnToPlace(): void {
  const { sessionStorage } = window;
  const text = sessionStorage.getItem(PLACE);
  if (text === null) return;
  sessionStorage.removeItem(PLACE);
  const { scrollX, scrollY, path } = JSON.parse(text) as {
    readonly scrollX: number;
    readonly scrollY: number;
    readonly path: readonly number[];
  };
  const element = path.reduce<Element | undefined>((at, child) => at?.children[child], document.documentElement);
  if (element instanceof HTMLElement && element !== document.body) element.focus({ preventScroll: true });
  window.scrollTo(scrollX, scrollY);
}

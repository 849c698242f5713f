import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../../../base/problem.ts';
import type { PageNews } from '../../../report/page-parts.ts';

const HOST = '127.0.0.1';
const TOKEN_BYTES = 24;
/** Longest wait of a browser for the first page, in milliseconds; then it gets one that says that it is being computed. */
const PATIENCE = 5000;

/** The page of a server, and its news. */
export interface Served {
  /** The page now; undefined while the first one is being made. */
  readonly page: () => Uint8Array | undefined;
  /** A page that shows the news alone. */
  readonly empty: () => Promise<Uint8Array>;
  readonly news: () => PageNews;
  /** Called with an address that can be opened once, in place of the one that has been opened. */
  readonly renewed: (address: string) => void;
}

/**
 * Serves one page on the loopback interface, with notices of new versions. Nothing else is served.
 *
 * - An address has a token, which opens the page once; the browser gets a cookie for the time of the server in exchange, and the page
 *   takes the token out of its address. What other users of the machine see of the address (`ps`) is worth nothing then.
 * - The `Host` and `Origin` of a request must be this server: a name that an attacker's domain resolves to 127.0.0.1 is refused.
 * - There are no headers for other origins, and no methods but GET.
 */
export class PageServer {
  readonly #served: Served;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #session = randomBytes(TOKEN_BYTES).toString('hex');
  readonly #used: string[] = [];
  readonly #listeners = new Set<ServerResponse>();
  readonly #waiting = new Set<() => void>();
  #token = randomBytes(TOKEN_BYTES).toString('hex');

  constructor(served: Served) {
    this.#served = served;
  }

  /**
   * Begins to listen.
   *
   * @param port 0: any that is free
   * @throws InputError APP055 if the port cannot be used
   */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, HOST, () => resolve());
    }).catch((error: NodeJS.ErrnoException) =>
      fail(
        'APP055',
        `port ${port} of ${HOST} cannot be used: ${error.code ?? error.message}. Choose another, or 0 for any`,
      ),
    );
  }

  /** The address that opens the page once. */
  get address(): string {
    return `http://${HOST}:${this.#port}/?token=${this.#token}`;
  }

  /** Sends the state of the page (version, problems) to all open pages. */
  tell(): void {
    const text = newsText(this.#served.news());
    for (const listener of this.#listeners) listener.write(text);
    if (this.#served.page() === undefined && this.#served.news().isBusy) return;
    for (const go of this.#waiting) go();
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const go of this.#waiting) go();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { host = '', origin } = request.headers;
    const isOwn =
      this.#names.includes(host) && (origin === undefined || this.#names.includes(origin.slice('http://'.length)));
    const refused = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${text}\n`);
    };
    if (!isOwn) return refused(403, `This server answers requests to ${HOST} only.`);
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      return refused(405, 'Only GET is answered.');
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
    if (pathname !== '/' && pathname !== '/news') return refused(404, 'There is nothing here but the page.');
    const token = searchParams.get('token');
    const isSession = cookies(request).some((value) => same(value, `${this.#cookie}=${this.#session}`));
    const isFirst = pathname === '/' && token !== null && same(token, this.#token);
    if (!isSession && !isFirst) {
      const isUsed = token !== null && this.#used.some((used) => same(token, used));
      if (isUsed) this.#served.renewed(this.address);
      return refused(
        403,
        isUsed
          ? 'This address was opened already: the terminal shows another one.'
          : 'The address is not that of the page: the terminal shows it.',
      );
    }
    if (isFirst) this.#renew(response);
    if (pathname === '/news') return this.#news(response);
    await this.#ready(response);
    const page = this.#served.page() ?? (await this.#served.empty());
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length });
    response.end(page);
  }

  /** Exchanges the token for a cookie. */
  #renew(response: ServerResponse): void {
    this.#used.push(this.#token);
    if (this.#used.length > MAX_USED) this.#used.shift();
    this.#token = randomBytes(TOKEN_BYTES).toString('hex');
    response.setHeader('set-cookie', `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`);
  }

  /** Resolves when there is a page or a problem, or after {@link PATIENCE}. */
  async #ready(response: ServerResponse): Promise<void> {
    if (this.#served.page() !== undefined || !this.#served.news().isBusy) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, PATIENCE);
      this.#waiting.add(go);
      response.once('close', go);
    });
  }

  #news(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(newsText(this.#served.news()));
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
  }

  /** Browsers send cookies of one port to all ports. */
  get #cookie(): string {
    return `foretoken-${this.#port}`;
  }

  get #names(): string[] {
    const names = [HOST, 'localhost'];
    return [...names.map((name) => `${name}:${this.#port}`), ...(this.#port === 80 ? names : [])];
  }
}

/** Number of tokens for which a new address is shown when they are used again. */
const MAX_USED = 100;

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  // The page has its own policy. Frames can be forbidden by a header only.
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** An event of a stream (HTML, server-sent events): JSON has no line ends. */
const newsText = (news: PageNews): string => `data: ${JSON.stringify(news)}\n\n`;

const cookies = ({ headers }: IncomingMessage): string[] => (headers.cookie ?? '').split(/; */);

/** Compares secrets in a time that does not depend on where they differ. */
function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

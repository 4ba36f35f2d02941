import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Answer, Answers } from '../cache/response-cache.js';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { isKnownTo } from '../rest/headers.js';
import { type Exchange, theExchange } from './request-context.js';
import { isSmallJson, peek } from './small-body.js';

type Response = ServerResponse & { req: IncomingMessage };

interface FrontOptions {
  answers: Answers;
  /** Everything else: whatever is not known is answered there, and whatever is unusual. */
  next: RequestListener;
  /** What Express does before its own answers is done here for those from memory. */
  limits: RateLimits;
  /** Answers why not. */
  refuse: (exchange: Exchange, error: ServiceError) => void;
  /** Answers what comes in bursts; false: that is not for it. */
  burst: (req: IncomingMessage, res: ServerResponse) => boolean;
}

/** Longer ones are nobody's everyday question, and would fill the memory with keys. */
const MAX_URL_LENGTH = 1_000;

/** Stands before Express: what is known is answered from memory, what comes in bursts at once, and nothing is done twice. */
export function front(options: FrontOptions): RequestListener {
  return (req, res) => {
    if (isRead(req)) answerRead(options, req, res);
    else if (req.url === '/graphql' && isSmallJson(req)) answerDocument(options, req, res);
    else if (!options.burst(req, res)) options.next(req, res);
  };
}

const isRead = ({ method, url = '', headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') &&
  url.startsWith('/api/apps') &&
  url.length <= MAX_URL_LENGTH &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;

function answerRead(options: FrontOptions, req: IncomingMessage, res: Response): void {
  const { answers, next } = options;
  const { origin } = req.headers;
  // An answer may differ by who embeds it (CORS), and by nothing else: no credential is looked at.
  const key = origin === undefined ? req.url! : `${req.url}\n${origin}`;
  const answer = answers.find(key);
  if (answer) return void admitAndSend(options, answer, req, res);
  answers.expect(req, key);
  next(req, res);
}

function answerDocument(options: FrontOptions, req: IncomingMessage, res: Response): void {
  const { answers, next } = options;
  peek(req, (body) => {
    const { accept = '', origin = '', 'content-type': type } = req.headers;
    const key = `POST\n${accept}\n${origin}\n${type}\n${body.toString('latin1')}`;
    const answer = answers.find(key);
    if (answer) return void admitAndSend(options, answer, req, res);
    answers.expect(req, key);
    req.unshift(body);
    next(req, res);
  });
}

/** An answer from memory is named, counted and limited as that which was kept. */
async function admitAndSend(
  { limits, refuse }: FrontOptions,
  answer: Answer,
  req: IncomingMessage,
  res: Response,
): Promise<void> {
  const exchange = Object.assign(theExchange(), answer.about);
  if (!limits.areOn) return send(answer, req, res, exchange.id, []);
  const taken = await limits.takeFromAddress(
    exchange,
    exchange.door === 'graphql' ? 'graphql' : 'public',
    exchange.cost,
  );
  if (taken instanceof ServiceError) refuse(exchange, taken);
  else send(answer, req, res, exchange.id, taken);
}

function send(answer: Answer, req: IncomingMessage, res: Response, id: string, limits: string[]): void {
  const { 'if-none-match': held } = req.headers;
  const isHeld = held !== undefined && answer.etag !== null && isKnownTo(held, answer.etag);
  const headers = isHeld ? answer.headersOf304 : answer.headers;
  // Written out before the next request is looked at, so that all may share the list.
  headers[1] = id;
  res.writeHead(isHeld ? 304 : 200, limits.length > 0 ? [...headers, ...limits] : headers);
  res.end(isHeld || req.method === 'HEAD' ? undefined : answer.body);
}

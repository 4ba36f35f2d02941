import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const main = join(root, 'dist/src/main.js');

/** A gateway or a worker in its own process, which is killed at the end of its scope. */
export interface Gateway extends AsyncDisposable {
  readonly process: ChildProcessWithoutNullStreams;
  /** Output so far, of stdout and stderr. */
  output(): string;
  /** Waits until it has written this, or something that matches. */
  says(pattern: RegExp | string): Promise<RegExpMatchArray>;
  /** Its address, once it is ready. */
  url(): Promise<string>;
  /** Its exit code; null after a kill. */
  readonly ended: Promise<number | null>;
  /** Sends a signal, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the service as `npm start` does, with only these settings. */
export function startGateway(settings: Record<string, string>, ...args: string[]): Gateway {
  return watch(spawn(process.execPath, [main, ...args], { cwd: root, env: settings }));
}

/** Starts the worker as `npm run worker` does, with only these settings. */
export function startWorkerProcess(settings: Record<string, string>): Gateway {
  const program = join(root, 'dist/src/process/worker-main.js');
  return watch(spawn(process.execPath, [program], { env: settings }));
}

/** Starts it with flags of Node. */
export function startGatewayWith(flags: readonly string[], settings: Record<string, string>): Gateway {
  return watch(spawn(process.execPath, [...flags, main], { cwd: root, env: settings }));
}

/** Starts the service of another release, whose build is in a folder. */
export function startGatewayOf(folder: string, settings: Record<string, string>): Gateway {
  return watch(spawn(process.execPath, [join(folder, 'dist/src/main.js')], { cwd: folder, env: settings }));
}

/** Starts it as npm does: in a shell, whose pid is the one npm knows. */
export function startInShell(settings: Record<string, string>): Gateway {
  const command = '"$0" "$1" --stop-with-parent; true';
  return watch(spawn('sh', ['-c', command, process.execPath, main], { cwd: root, env: settings }));
}

function watch(child: ChildProcessWithoutNullStreams): Gateway {
  let text = '';
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      for (const listener of heard) listener();
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  const says = (pattern: RegExp | string) =>
    new Promise<RegExpMatchArray>((found, failed) => {
      const look = () => {
        const match = text.match(pattern);
        if (!match) return;
        heard.delete(look);
        found(match);
      };
      heard.add(look);
      look();
      ended.then((code) =>
        failed(new Error(`The service ended with ${code} before it said ${pattern}:\n${text}`)),
      );
    });
  const url = async () => (await says(/Start here +(http:\S+)\/\n.*Stop +Ctrl-C/s))[1] ?? '';
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  const kill = async () => void (await end('SIGKILL'));
  return { process: child, output: () => text, says, url, ended, end, [Symbol.asyncDispose]: kill };
}

/** A request whose second half was not sent yet. */
export interface HalfRequest {
  finish(): void;
  /** The response, once the connection has ended. */
  readonly answer: Promise<string>;
}

/** Sends the first half of a GraphQL request, and waits until the service has received it. */
export async function sendHalf(url: string): Promise<HalfRequest> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ query: '{ __typename }' });
  const socket: Socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  const answer = once(socket, 'close').then(() => text);
  const head = `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, 5));
  await fetch(`${url}/livez`);
  return { finish: () => socket.write(body.slice(5)), answer };
}

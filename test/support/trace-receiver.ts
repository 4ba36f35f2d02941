import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { until } from './mail-server.js';

type Value = { stringValue?: string; intValue?: number | string };
interface Attribute {
  key: string;
  value: Value;
}

/** The JSON form of OTLP, as far as the tests read it. */
interface TracesBody {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        attributes: Attribute[];
        links?: { spanId: string }[];
        status: { code?: number };
      }[];
    }[];
  }[];
}

/** A span as the receiver got it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER';
  attributes: Record<string, string | number | undefined>;
  links: string[];
  isFailure: boolean;
  resource: Record<string, string | number | undefined>;
}

const kinds = ['INTERNAL', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;

const recordOf = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );

/** A receiver of traces over OTLP/HTTP in JSON, which can be told not to respond. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  private readonly held: ServerResponse[] = [];
  private isHolding = false;
  private readonly server = createServer(async (request, response) => {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    this.take((await json(request)) as TracesBody);
    if (this.isHolding) this.held.push(response);
    else respond(response);
  });

  static async start(): Promise<TraceReceiver> {
    const receiver = new TraceReceiver();
    receiver.server.unref();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The number of requests that wait for a response. */
  get waiting(): number {
    return this.held.length;
  }

  /** Responds to no more requests. */
  hold(): void {
    this.isHolding = true;
  }

  /** Responds to the requests that wait, and to all further ones. */
  release(): void {
    this.isHolding = false;
    for (const response of this.held.splice(0)) respond(response);
  }

  async find(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    await until(
      () => this.spans.some(matches),
      () => `no such span among ${this.spans.map(({ name }) => name).join(', ')}`,
    );
    return this.spans.find(matches)!;
  }

  childrenOf({ spanId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  }

  /** The names of a span and of everything below it, without those of other traces. */
  treeOf(span: ReceivedSpan): object | string {
    const children = this.childrenOf(span).map((child) => this.treeOf(child));
    return children.length === 0 ? span.name : { [span.name]: children };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take({ resourceSpans }: TracesBody): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const { parentSpanId = '', kind, attributes, links = [], status, ...span } of spans)
          this.spans.push({
            ...span,
            parentSpanId,
            kind: kinds[kind]!,
            attributes: recordOf(attributes),
            links: links.map(({ spanId }) => spanId),
            isFailure: status.code === 2,
            resource: recordOf(resource.attributes),
          });
  }
}

const respond = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

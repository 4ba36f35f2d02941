import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { contract, type OperationName } from '../../src/contract.js';
import type { AnyOperation } from '../../src/operations/operation.js';

export type Api = 'rest' | 'graphql';
export const apis: readonly Api[] = ['rest', 'graphql'];

/** The outcome of one call, in the same form for REST and GraphQL. */
export interface Outcome<T = unknown> {
  /** The API that was called; absent where a test builds an outcome itself. */
  api?: Api;
  /** Null on success. */
  code: string | null;
  message: string;
  details: { field: string; code: string; message: string }[];
  data: T;
  status: number;
  headers: Headers;
  /** The body, byte for byte. */
  text?: string;
}

/** The body of a GraphQL response. */
export interface GraphQLBody {
  data?: Record<string, unknown> | null;
  errors?: {
    message: string;
    path?: string[];
    extensions: { code: string; details: Outcome['details']; requestId: string };
  }[];
}

/** Every operation that REST and GraphQL have. */
export const operationsOfBothApis = (Object.keys(contract) as OperationName[]).filter(
  (name) => (contract[name] as AnyOperation).rest,
);

export type Input = Record<string, unknown>;

/** Calls operations by name over REST or GraphQL: with flat input, over real HTTP. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly schema: GraphQLSchema,
  ) {}

  async call<T = Record<string, unknown>>(
    api: Api,
    name: OperationName,
    input: Input = {},
    bearer: string | null = null,
  ): Promise<Outcome<T>> {
    return (
      api === 'rest' ? this.overRest(name, input, bearer) : this.overGraphQL(name, input, bearer)
    ) as Promise<Outcome<T>>;
  }

  /** Calls and requires success: for fixtures. */
  async must<T = Record<string, unknown>>(
    name: OperationName,
    input: Input = {},
    bearer: string | null = null,
  ): Promise<T> {
    const outcome = await this.call<T>('graphql', name, input, bearer);
    if (outcome.code)
      throw new Error(`${name}: ${outcome.code} ${outcome.message} ${JSON.stringify(outcome.details)}`);
    return outcome.data;
  }

  /** A plain request to a path. */
  async request(
    method: string,
    path: string,
    options: { bearer?: string | null; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...(options.bearer && { authorization: `Bearer ${options.bearer}` }),
        ...options.headers,
      },
      ...(options.body !== undefined && {
        body:
          typeof options.body === 'string' || options.body instanceof Uint8Array
            ? options.body
            : JSON.stringify(options.body),
      }),
    });
  }

  /** A plain GraphQL request. */
  async graphql(query: string, variables: Input = {}, bearer: string | null = null) {
    const response = await this.request('POST', '/graphql', { bearer, body: { query, variables } });
    const body = (await response.json()) as {
      data?: Record<string, never> | null;
      errors?: { message: string; extensions: Record<string, never> }[];
    };
    return { response, ...body };
  }

  /** Sends a plain GraphQL request that must succeed, and returns its data. */
  async queryData<T>(query: string, variables: Input, bearer: string | null): Promise<T> {
    const { data, errors } = await this.graphql(query, variables, bearer);
    if (errors) throw new Error(`${query}: ${errors.map(({ message }) => message).join(' ')}`);
    return data as T;
  }

  private async overRest(name: OperationName, input: Input, bearer: string | null): Promise<Outcome> {
    const operation = contract[name] as AnyOperation;
    const [method, path] = (operation.rest ?? fail(name)).split(' ') as [string, string];
    const { revision, ...sent } =
      'expectedRevisions' in operation.input.shape ? input : { ...input, revision: undefined };
    const fields = { ...sent };
    const filled = path.replace(/:(\w+)/g, (_, field: string) => {
      const value = fields[field];
      delete fields[field];
      return encodeURIComponent(String(value));
    });
    const query =
      method === 'GET'
        ? `?${new URLSearchParams(Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]))}`
        : '';
    const hasBody = method === 'PUT' || method === 'POST';
    const response = await this.request(method, filled + query, {
      bearer,
      ...(hasBody && { body: fields }),
      ...(revision !== undefined && { headers: { 'if-match': `"${revision}"` } }),
    });
    const text = await response.text();
    const body = text ? JSON.parse(text) : null;
    const { code = null, message = '', details = [] } = body?.error ?? {};
    const data = code ? null : operation.collection ? body[operation.collection] : body;
    return {
      api: 'rest',
      code,
      message,
      details,
      data,
      status: response.status,
      headers: response.headers,
      text,
    };
  }

  private async overGraphQL(name: OperationName, input: Input, bearer: string | null): Promise<Outcome> {
    const { document: query, variables } = this.document(name, input);
    const isStream = contract[name].kind === 'subscription';
    const response = await this.request('POST', isStream ? '/graphql/stream' : '/graphql', {
      bearer,
      body: { query, variables },
      // A client that reconnects gets an event at once.
      ...(isStream && { headers: { accept: 'text/event-stream', 'last-event-id': 'an earlier one' } }),
    });
    const text = isStream ? await firstEvent(response) : await response.text();
    const body = JSON.parse(text) as GraphQLBody;
    const error = body.errors?.[0];
    return {
      api: 'graphql',
      code: error?.extensions.code ?? null,
      message: error?.message ?? '',
      details: error?.extensions.details ?? [],
      data: error ? null : body.data?.[name],
      status: response.status,
      headers: response.headers,
      text,
    };
  }

  /** The document that requests every field of the REST response. */
  document(name: OperationName, input: Input): { document: string; variables: Input } {
    const { kind } = contract[name] as AnyOperation;
    const root = {
      query: this.schema.getQueryType(),
      mutation: this.schema.getMutationType(),
      subscription: this.schema.getSubscriptionType(),
    }[kind];
    const field = root?.getFields()[name] ?? fail(name);
    const holder = field.args.find((argument) => ['input', 'filter'].includes(argument.name))?.name;
    const plain = field.args.map((argument) => argument.name).filter((argument) => argument !== holder);
    const isPlain = ([key]: [string, unknown]) => plain.includes(key) || !holder;
    const variables: Input = Object.fromEntries(Object.entries(input).filter(isPlain));
    if (holder)
      variables[holder] = Object.fromEntries(Object.entries(input).filter((entry) => !isPlain(entry)));
    const declared = field.args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
    const passed = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
    const document = `${kind} ${name}${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${selection(field.type)} }`;
    return { document, variables };
  }
}

/** Returns the data of the first event of a stream, and disconnects; where there is no stream, the whole body. */
async function firstEvent(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const data = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (data) return data;
  }
  throw new Error(`the stream has ended without an event: ${text}`);
}

/** All fields without arguments, all the way down. */
function selection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isInterfaceType(named)) return '{ __typename id nodeId }';
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(
    (field) => field.args.length === 0 && !field.extensions.graphqlOnly,
  );
  return `{ ${fields.map((field) => `${field.name} ${selection(field.type)}`).join(' ')} }`;
}

function fail(name: string): never {
  throw new Error(`${name} has no REST route`);
}

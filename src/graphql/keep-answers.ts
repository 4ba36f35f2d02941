import type { ApolloServerPlugin } from '@apollo/server';
import type { Request, Response } from 'express';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Answers } from '../cache/response-cache.js';
import { operations } from '../contract.js';
import type { Context } from '../operations/context.js';
import { rootFields } from './root-fields.js';

/** What a document may ask for at its root if its answer is to be kept. */
const keepable: ReadonlySet<string> = new Set([
  '__typename',
  ...operations.filter(([, operation]) => operation.cached).map(([name]) => name),
]);

/** Keeps the answers to documents that ask for nothing but what everybody sees. */
export class AnswerKeeper {
  constructor(private readonly answers: Answers) {}

  /** Has the context know whose answer it will be. Apollo works on a copy of it. */
  watch(context: Context, req: Request, res: Response): Context {
    context.keepAnswer = () => this.keepWhatIsSent(req, res);
    return context;
  }

  readonly plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      willSendResponse: async ({ operation, document, response, contextValue }) => {
        if (!operation || !document) return;
        const isWhole =
          response.body.kind === 'single' &&
          !response.body.singleResult.errors?.length &&
          (response.http.status ?? 200) === 200;
        // Whatever asks who is calling, however deep, may answer others differently.
        if (isWhole && !contextValue.wasCallerAsked && asksForKeepable(operation, document))
          contextValue.keepAnswer?.();
      },
    }),
  };

  /** The bytes and the headers exist only when they are sent. */
  private keepWhatIsSent(req: Request, res: Response): void {
    // One form for all of its overloads: whatever it is called with is handed on.
    const raw = res as { end(...args: unknown[]): unknown };
    const end = raw.end.bind(res);
    raw.end = (...args) => {
      const [body] = args;
      if (typeof body === 'string' || Buffer.isBuffer(body)) this.answers.keep(req, res, body);
      return end(...args);
    };
  }
}

/** Whether it reads, and nothing but what may be kept. */
const asksForKeepable = (operation: OperationDefinitionNode, document: DocumentNode): boolean =>
  operation.operation === 'query' &&
  [...rootFields(document, operation)].every((field) => keepable.has(field));

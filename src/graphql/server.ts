import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import { type Request, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Answers } from '../cache/response-cache.js';
import type { Config } from '../config.js';
import type { Context } from '../operations/context.js';
import { admission, type Charge } from './admission.js';
import { DocumentStore, registeredTexts } from './document-cache.js';
import { type ChargeParsing, DocumentGate } from './document-gate.js';
import { compilingGateway } from './executor.js';
import { formatError } from './format-error.js';
import { AnswerKeeper } from './keep-answers.js';
import { knownOperationTypes } from './known-operation-types.js';
import { maxValidationErrors } from './limits.js';
import { nameOperation } from './name-operation.js';
import { Safelist } from './safelist.js';
import { transport } from './transport.js';

interface GraphQLOptions {
  schema: GraphQLSchema;
  config: Pick<Config, 'introspection' | 'playground' | 'graphqlSafelist'>;
  contextOf: (req: Request) => Context;
  log: Logger;
  /** Where answers to public questions are kept for those who ask next. */
  answers: Answers;
  /** Awaited after validation and before anything runs; by it, callers are held to what they may spend. */
  charge: Charge;
  /** Awaited before a new document is parsed: parsing and validating cost too, whatever becomes of the document. */
  chargeParsing: ChargeParsing;
}

/** The GraphQL door: Apollo Server on `/graphql`. */
export async function graphqlRouter(
  options: GraphQLOptions,
): Promise<{ router: Router; close(): Promise<void> }> {
  const { config, contextOf, chargeParsing } = options;
  const safelist = config.graphqlSafelist === null ? null : Safelist.read(config.graphqlSafelist);
  const keeper = new AnswerKeeper(options.answers);
  const documents = new DocumentStore();
  const server = apolloServer(options, { safelist, keeper, documents });
  await server.start();
  const router = Router();
  // Who follows the link in a browser wants to look, not to be told of protocols.
  router.get('/graphql', (req, res, next) => {
    if (config.playground && !req.query.query && req.accepts(['json', 'html']) === 'html')
      res.redirect('playground');
    else next();
  });
  router.use(
    '/graphql',
    ...transport(safelist, new DocumentGate(documents, chargeParsing)),
    expressMiddleware(server, {
      context: async ({ req, res }) => keeper.watch(contextOf(req), req, res),
    }),
  );
  return { router, close: () => server.stop() };
}

interface Parts {
  safelist: Safelist | null;
  keeper: AnswerKeeper;
  documents: DocumentStore;
}

function apolloServer(
  { schema, config, log, charge, chargeParsing }: GraphQLOptions,
  { safelist, keeper, documents }: Parts,
) {
  const hidesSchema = !config.introspection;
  return new ApolloServer<Context>({
    gateway: compilingGateway(schema),
    introspection: config.introspection,
    validationRules: [knownOperationTypes],
    validationOptions: { maxErrors: maxValidationErrors, hideSuggestions: hidesSchema },
    documentStore: documents,
    persistedQueries: { cache: safelist?.registered ?? registeredTexts() },
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: formatError(log, { hidesSchema }),
    logger: log,
    plugins: [
      nameOperation,
      admission({ hidesSchema, charge, chargeParsing }),
      ApolloServerPluginLandingPageDisabled(),
      // It would look at every field of every answer, for a header that is always the same.
      ApolloServerPluginCacheControlDisabled(),
      keeper.plugin,
    ],
  });
}

import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type Request, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import { formatError } from './format-error.js';
import { knownOperationTypes } from './known-operation-types.js';
import { nameOperation } from './name-operation.js';

interface GraphQLOptions {
  schema: GraphQLSchema;
  config: Pick<Config, 'introspection' | 'playground'>;
  contextOf: (req: Request) => Context;
  log: Logger;
}

/** The GraphQL door: Apollo Server on `/graphql`. */
export async function graphqlRouter({
  schema,
  config,
  contextOf,
  log,
}: GraphQLOptions): Promise<{ router: Router; close(): Promise<void> }> {
  const server = new ApolloServer<Context>({
    schema,
    introspection: config.introspection,
    validationRules: [knownOperationTypes],
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: formatError(log),
    logger: log,
    plugins: [nameOperation, ApolloServerPluginLandingPageDisabled()],
  });
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
    express.json({ limit: '256kb' }),
    expressMiddleware(server, { context: async ({ req }) => contextOf(req) }),
  );
  return { router, close: () => server.stop() };
}

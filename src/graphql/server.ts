import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type Request, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Answers } from '../cache/answers.js';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import { formatError } from './format-error.js';
import { AnswerKeeper } from './keep-answers.js';
import { knownOperationTypes } from './known-operation-types.js';

interface GraphQLOptions {
  schema: GraphQLSchema;
  config: Pick<Config, 'introspection' | 'playground'>;
  contextOf: (req: Request) => Context;
  log: Logger;
  /** Where answers to public questions are kept for those who ask next. */
  answers: Answers;
}

/** The GraphQL door: Apollo Server on `/graphql`. */
export async function graphqlRouter({
  schema,
  config,
  contextOf,
  log,
  answers,
}: GraphQLOptions): Promise<{ router: Router; close(): Promise<void> }> {
  const keeper = new AnswerKeeper(answers);
  const server = new ApolloServer<Context>({
    schema,
    introspection: config.introspection,
    validationRules: [knownOperationTypes],
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: formatError(log),
    logger: log,
    plugins: [ApolloServerPluginLandingPageDisabled(), keeper.plugin],
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
    expressMiddleware(server, {
      context: async ({ req, res }) => keeper.watch(contextOf(req), req, res),
    }),
  );
  return { router, close: () => server.stop() };
}

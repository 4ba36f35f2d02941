import { Extensions } from 'type-graphql';

/** Marks a field that REST does not send: what a resolver computes stays in GraphQL. */
export const GraphQLOnly = (): MethodDecorator & PropertyDecorator => Extensions({ graphqlOnly: true });

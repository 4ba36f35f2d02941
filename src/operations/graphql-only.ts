import { Extensions } from 'type-graphql';

/** Marks a field that a resolver computes: it exists in GraphQL only, and REST does not send it. */
export const GraphQLOnly = (): MethodDecorator & PropertyDecorator => Extensions({ graphqlOnly: true });

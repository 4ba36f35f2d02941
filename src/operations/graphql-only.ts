import { Extensions } from 'type-graphql';

/** Marks a field that REST does not send: one that a resolver computes, or that the specification lacks (D381). */
export const GraphQLOnly = (): MethodDecorator & PropertyDecorator => Extensions({ graphqlOnly: true });

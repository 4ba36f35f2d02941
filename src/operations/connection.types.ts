import 'reflect-metadata';
import { type ClassType, Field, Int, ObjectType } from 'type-graphql';

/** Where a page of a connection begins and ends. */
@ObjectType({ description: 'Where this page begins and ends.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is more after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there is anything before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the first item; pass it as `before` for the page before, where that is possible.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last item; pass it as `after` for the next page.',
  })
  endCursor!: string | null;
}

/** A page of a list in Relay's form. */
export interface Connection<Node> {
  edges: { node: Node; cursor: string }[];
  pageInfo: PageInfo;
  totalCount: number;
}

/** Declares the Relay connection of a type: `<name>Connection` with its edge. */
export function connectionOf<Node extends object>(
  name: string,
  node: () => ClassType<Node>,
): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { description: 'One item and its place in the list.' })
  class Edge {
    @Field(node, { description: 'The item.' })
    node!: Node;

    @Field(() => String, { description: 'Its place, for `after`.' })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { description: 'A page of a list.' })
  class NodeConnection {
    @Field(() => [Edge], { description: 'The items of this page.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'Where this page begins and ends.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'How many there are in all.' })
    totalCount!: number;
  }
  return NodeConnection;
}

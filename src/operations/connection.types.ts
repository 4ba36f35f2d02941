import 'reflect-metadata';
import { type ClassType, Field, Int, ObjectType } from 'type-graphql';

/** The ends of a page, for paging on. */
@ObjectType({ description: 'First and last cursor of a page, and whether there are other pages.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are items after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there are items before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the first item; null for an empty page. Pass it as `before` to get the previous page, if the list has that argument.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last item; null for an empty page. Pass it as `after` to get the next page.',
  })
  endCursor!: string | null;
}

/** A page of a list, as in the Relay specification. */
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
  @ObjectType(`${name}Edge`, { description: 'An item of a list, and its cursor.' })
  class Edge {
    @Field(node, { description: 'The item.' })
    node!: Node;

    @Field(() => String, {
      description: 'Position of the item in the list. Pass it as `after` to get the items that follow.',
    })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { description: 'One page of a list.' })
  class NodeConnection {
    @Field(() => [Edge], { description: 'The items of this page.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'Cursors of this page, and whether there are other pages.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'Number of items in the whole list, not only on this page.' })
    totalCount!: number;
  }
  return NodeConnection;
}

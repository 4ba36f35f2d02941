import type { TypedDocumentNode } from '@urql/preact';
import type { ResultOf } from 'gql.tada';
import type { ComponentChildren } from 'preact';
import { graphql } from '../client/graphql.ts';

export const WebhookFields = graphql(`
  fragment WebhookFields on WebhookEndpoint {
    id
    url
    description
    events
    status
    createdAt
    disabledAt
    disabledReason
    failingSince
    formerSecretUntil
  }
`);
export type WebhookData = ResultOf<typeof WebhookFields>;

export const DeliveryListFields = graphql(`
  fragment DeliveryListFields on WebhookDeliveryConnection {
    totalCount
    edges {
      node {
        id
        type
        status
        createdAt
        nextAttemptAt
        attemptCount
        failure
        requestBody
        attempts {
          id
          number
          createdAt
          durationMs
          responseStatus
          responseBody
          error
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);
type DeliveryListData = ResultOf<typeof DeliveryListFields>;
export type DeliveryData = DeliveryListData['edges'][number]['node'];

interface WebhookInput {
  url: string;
  description: string | null;
  /** Types such as `app.approved`. Empty: all. */
  events: string[];
}
type OfEndpoint<T> = TypedDocumentNode<T, { id: string }>;

/** The documents of one kind of endpoints. Aliases give the results of all kinds the same shape. */
export interface WebhookDocuments {
  /** There are at most ten endpoints, so every page about them reads them all. */
  list: TypedDocumentNode<{ endpoints: WebhookData[] }, Record<string, never>>;
  create: TypedDocumentNode<{ endpoint: { secret: string } }, { input: WebhookInput }>;
  update: TypedDocumentNode<unknown, { id: string; input: Partial<WebhookInput> }>;
  enable: OfEndpoint<unknown>;
  rotateSecret: OfEndpoint<{ endpoint: { secret: string } }>;
  remove: OfEndpoint<unknown>;
  test: OfEndpoint<unknown>;
  deliveries: TypedDocumentNode<
    { deliveries: DeliveryListData },
    { endpointId: string; first: number; after: string | null }
  >;
  /** Takes the id of a delivery. */
  replay: TypedDocumentNode<unknown, { id: string }>;
}

/** The endpoints that the pages show, those of a developer or of the administration, with their texts and documents. */
export interface WebhookKind {
  /** Name of the area in the title of the window. */
  area: string;
  /** Says which events are sent; shown below the heading. */
  purpose: string;
  /** Shown while there is no endpoint. */
  introduction: ComponentChildren;
  /** The types of events that can be sent. */
  eventTypes: readonly string[];
  /** Name of the draft of a new endpoint. */
  draft: string;
  documents: WebhookDocuments;
}
